// The condition of `compact --if`: whether a file is worth it, from its size and what of it is in use, as the SDKs ask
// an app when they open a file. Layer: RealmCommands, WholeFiles.
//
//   condition  = term ("or" term)*          also ||
//   term       = factor ("and" factor)*     also &&
//   factor     = "not" factor | "(" condition ")" | value < <= > >= = == != value
//   value      = size | used | free | number [KB MB GB TB] | number %

import ByteText

/// A parsed condition.
package struct CompactCondition: Sendable {
  /// What a file is measured by, in bytes.
  package struct Facts: Sendable {
    package let size: Int
    package let used: Int

    package init(size: Int, used: Int) {
      self.size = size
      self.used = used
    }
  }

  private indirect enum Node: Sendable {
    case either(Node, Node)
    case both(Node, Node)
    case not(Node)
    case comparison(Value, Comparison, Value)
  }

  private enum Value: Sendable {
    case size, used, free
    case bytes(Double)
    /// Of the size.
    case percent(Double)
  }

  private enum Comparison: Sendable { case less, lessOrEqual, greater, greaterOrEqual, equal, different }

  private let root: Node

  package func holds(_ facts: Facts) -> Bool { Self.holds(root, facts) }

  private static func holds(_ node: Node, _ facts: Facts) -> Bool {
    switch node {
    case .either(let left, let right): return holds(left, facts) || holds(right, facts)
    case .both(let left, let right): return holds(left, facts) && holds(right, facts)
    case .not(let inner): return !holds(inner, facts)
    case .comparison(let left, let comparison, let right):
      let (left, right) = (number(left, facts), number(right, facts))
      switch comparison {
      case .less: return left < right
      case .lessOrEqual: return left <= right
      case .greater: return left > right
      case .greaterOrEqual: return left >= right
      case .equal: return left == right
      case .different: return left != right
      }
    }
  }

  private static func number(_ value: Value, _ facts: Facts) -> Double {
    switch value {
    case .size: Double(facts.size)
    case .used: Double(facts.used)
    case .free: Double(max(0, facts.size - facts.used))
    case .bytes(let count): count
    case .percent(let percent): Double(facts.size) * percent / 100
    }
  }
}

extension CompactCondition {
  package init(_ text: String) throws(Diagnostic) {
    var parser = Parser(text)
    root = try parser.condition(depth: 0)
    try parser.expectEnd()
  }

  private struct Parser {
    private let text: String
    private let bytes: [UInt8]
    private var position = 0
    /// Where the word that was read last begins.
    private var wordStart = 0

    private static let depthMax = 50
    private static let comparisons: [(String, Comparison)] = [
      ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("==", .equal), ("!=", .different), ("<>", .different),
      ("<", .less), (">", .greater), ("=", .equal),
    ]

    init(_ text: String) {
      self.text = text
      bytes = Array(text.utf8)
    }

    mutating func condition(depth: Int) throws(Diagnostic) -> Node {
      var node = try term(depth: depth)
      while takeWord("or") || take("||") { node = .either(node, try term(depth: depth)) }
      return node
    }

    private mutating func term(depth: Int) throws(Diagnostic) -> Node {
      var node = try factor(depth: depth)
      while takeWord("and") || take("&&") { node = .both(node, try factor(depth: depth)) }
      return node
    }

    private mutating func factor(depth: Int) throws(Diagnostic) -> Node {
      guard depth < Self.depthMax else { throw refusal("the condition is nested too deeply") }
      if takeWord("not") || takeNot() { return .not(try factor(depth: depth + 1)) }
      if take("(") {
        let inner = try condition(depth: depth + 1)
        guard take(")") else { throw refusal("a closing parenthesis is missing") }
        return inner
      }
      let left = try value()
      guard let (_, comparison) = Self.comparisons.first(where: { take($0.0) }) else {
        throw refusal("a comparison is missing: one of < <= > >= = !=")
      }
      return .comparison(left, comparison, try value())
    }

    private mutating func value() throws(Diagnostic) -> Value {
      skipBlanks()
      wordStart = position
      if let byte = peek, byte == UInt8(ascii: ".") || (0x30...0x39).contains(byte) { return try quantity() }
      switch word() {
      case "size": return .size
      case "used": return .used
      case "free": return .free
      default: throw refusal("a value is missing: size, used, free, a size such as 100MB, or a percentage")
      }
    }

    private mutating func quantity() throws(Diagnostic) -> Value {
      let start = position
      while let byte = peek, byte == UInt8(ascii: ".") || (0x30...0x39).contains(byte) { position += 1 }
      guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
        throw refusal("this is not a number")
      }
      if take("%") { return .percent(number) }
      skipBlanks()
      let unitStart = position
      let unit = word()
      // `100 and …` has no unit.
      if ["and", "or"].contains(unit) {
        position = unitStart
        return .bytes(number)
      }
      guard let factor = SizeText.unitSize(unit) else {
        wordStart = unitStart
        throw refusal("unknown unit (expected KB, MB, GB, TB or %)")
      }
      return .bytes(number * Double(factor))
    }

    mutating func expectEnd() throws(Diagnostic) {
      skipBlanks()
      wordStart = position
      guard position == bytes.count else { throw refusal("the condition should end here") }
    }

    // MARK: Words

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
      while let byte = peek, byte.isASCIIBlank { position += 1 }
    }

    /// Letters, in lower case.
    private mutating func word() -> String {
      let start = position
      while let byte = peek, (0x61...0x7A).contains(byte | 0x20) { position += 1 }
      return String(decoding: bytes[start..<position].map { $0 | 0x20 }, as: UTF8.self)
    }

    private mutating func takeWord(_ wanted: String) -> Bool {
      skipBlanks()
      let start = position
      wordStart = start
      if word() == wanted { return true }
      position = start
      return false
    }

    private mutating func take(_ wanted: String) -> Bool {
      skipBlanks()
      wordStart = position
      guard bytes[position...].starts(with: wanted.utf8) else { return false }
      position += wanted.utf8.count
      return true
    }

    /// `!`, but not the beginning of `!=`.
    private mutating func takeNot() -> Bool {
      skipBlanks()
      return bytes[position...].starts(with: "!=".utf8) ? false : take("!")
    }

    private func refusal(_ reason: String) -> Diagnostic {
      let end = max(position, wordStart + 1)
      return Diagnostic(
        .usage, code: "usage", "invalid condition of --if – \(reason)",
        hint: "for example: --if 'size > 100MB and used < 50%'",
        excerpt: SourceExcerpt(text, wordStart..<end))
    }
  }
}
