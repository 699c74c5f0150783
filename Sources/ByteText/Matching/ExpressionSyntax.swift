// The text of a regular expression as a tree. Layer: ByteText, Matching.
// The language is that of ICU, which NSPredicate uses, less what cannot be matched in linear time.

/// A part of a regular expression.
indirect enum ExpressionNode: Sendable {
  case character(CharacterClass)
  case assertion(RegularExpression.Assertion)
  case sequence([ExpressionNode])
  case choice([ExpressionNode])
  /// `most` nil: as often as there is.
  case repetition(ExpressionNode, least: Int, most: Int?)
}

/// Reads one pattern.
struct ExpressionParser {
  private let scalars: [(value: UInt32, offset: Int)]
  private let byteCount: Int
  private var index = 0
  private var foldsCase: Bool
  private var dotIsAll = false
  private var depth = 0

  private static let depthMax = 100
  private static let repetitionMax = 1000

  init(_ pattern: [UInt8], foldsCase: Bool) {
    var scalars: [(value: UInt32, offset: Int)] = []
    var offset = 0
    for scalar in String(decoding: pattern, as: UTF8.self).unicodeScalars {
      scalars.append((scalar.value, offset))
      offset += UTF8.width(scalar)
    }
    self.scalars = scalars
    byteCount = offset
    self.foldsCase = foldsCase
  }

  mutating func parse() throws(RegularExpression.Fault) -> ExpressionNode {
    let node = try choice()
    if index < scalars.count { throw fault("')' closes nothing") }
    return node
  }

  // MARK: Structure

  private var current: UInt32? { index < scalars.count ? scalars[index].value : nil }

  private func isAt(_ character: Unicode.Scalar) -> Bool { current == character.value }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    index += 1
    return true
  }

  private func fault(_ message: String, at position: Int? = nil) -> RegularExpression.Fault {
    let position = position ?? index
    return RegularExpression.Fault(
      message: message, offset: position < scalars.count ? scalars[position].offset : byteCount)
  }

  private mutating func choice() throws(RegularExpression.Fault) -> ExpressionNode {
    var options = [try sequence()]
    while take("|") { options.append(try sequence()) }
    return options.count == 1 ? options[0] : .choice(options)
  }

  private mutating func sequence() throws(RegularExpression.Fault) -> ExpressionNode {
    var parts: [ExpressionNode] = []
    while let next = current, next != "|", next != ")" {
      let start = index
      guard let part = try atom() else { continue }
      parts.append(try repeated(part, from: start))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func repeated(
    _ part: ExpressionNode, from start: Int
  ) throws(RegularExpression.Fault) -> ExpressionNode {
    var part = part
    while let (least, most) = try quantifier() {
      if case .assertion = part { throw fault("nothing to repeat", at: start) }
      part = .repetition(part, least: least, most: most)
      // Whole texts match whichever is tried first; what gives nothing back is another language.
      if !take("?"), isAt("+") { throw fault("possessive repetitions are not supported") }
    }
    return part
  }

  private mutating func quantifier() throws(RegularExpression.Fault) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard isAt("{") else { return nil }
    let start = index
    index += 1
    guard let least = number() else { throw fault("expected a number after '{'; write \\{ for the sign") }
    var most: Int? = least
    if take(",") { most = isAt("}") ? nil : number() ?? -1 }
    guard take("}"), most != -1 else { throw fault("'{' is not closed", at: start) }
    guard max(least, most ?? 0) <= Self.repetitionMax, least <= most ?? least else {
      throw fault("a repetition has at most \(Self.repetitionMax) times, the smaller number first", at: start)
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = index
    var value = 0
    while let digit = current, (0x30...0x39).contains(digit) {
      value = min(value * 10 + Int(digit - 0x30), Self.repetitionMax + 1)
      index += 1
    }
    return index > start ? value : nil
  }

  /// Nil where only a setting stood, such as `(?i)`.
  private mutating func atom() throws(RegularExpression.Fault) -> ExpressionNode? {
    let start = index
    guard let next = current else { return nil }
    index += 1
    switch Unicode.Scalar(next) {
    case "(": return try group(from: start)
    case "[": return .character(try set(from: start))
    case "\\": return try escape(from: start)
    case ".":
      var all = CharacterClass(foldsCase: false)
      all.isNegated = true
      return .character(dotIsAll ? all : .anyInLine)
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "*", "+", "?", "{": throw fault("nothing to repeat", at: start)
    default: return .character(CharacterClass(next, foldsCase: foldsCase))
    }
  }

  private mutating func group(from start: Int) throws(RegularExpression.Fault) -> ExpressionNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthMax else { throw fault("parentheses are nested too deep", at: start) }
    let settings = (foldsCase, dotIsAll)
    if take("?") {
      if try takesSettings(from: start) { return nil }
    }
    let inner = try choice()
    guard take(")") else { throw fault("'(' is not closed", at: start) }
    (foldsCase, dotIsAll) = settings
    return inner
  }

  /// What stands behind `(?`: true where it was a setting for all that follows.
  private mutating func takesSettings(from start: Int) throws(RegularExpression.Fault) -> Bool {
    if take(":") { return false }
    if take("<") {
      guard let name = current, name != "=", name != "!" else {
        throw fault("looking behind is not supported", at: start)
      }
      while let next = current, next != ">" { index += 1 }
      guard take(">") else { throw fault("'(' is not closed", at: start) }
      return false
    }
    var isOn = true
    while let next = current {
      index += 1
      switch Unicode.Scalar(next) {
      case "-": isOn = false
      case "i": foldsCase = isOn
      case "s": dotIsAll = isOn
      case ")": return true
      case ":": return false
      case "=", "!": throw fault("looking ahead is not supported", at: start)
      case ">": throw fault("atomic groups are not supported", at: start)
      default: throw fault("unknown setting", at: index - 1)
      }
    }
    throw fault("'(' is not closed", at: start)
  }

  // MARK: Escapes

  private mutating func escape(from start: Int) throws(RegularExpression.Fault) -> ExpressionNode {
    if let assertion = current.flatMap({ RegularExpression.Assertion(letter: $0) }) {
      index += 1
      return .assertion(assertion)
    }
    return .character(try escapedClass(from: start))
  }

  private mutating func escapedClass(from start: Int) throws(RegularExpression.Fault) -> CharacterClass {
    guard let letter = current, let scalar = Unicode.Scalar(letter) else {
      throw fault("nothing follows '\\'", at: start)
    }
    index += 1
    var found = CharacterClass(foldsCase: foldsCase)
    switch scalar {
    case "d", "D": found.add(.digit, isNegated: scalar == "D")
    case "w", "W": found.add(.word, isNegated: scalar == "W")
    case "s", "S": found.add(.blank, isNegated: scalar == "S")
    case "p", "P": found.add(try property(from: start), isNegated: scalar == "P")
    case "1"..."9", "k": throw fault("references to groups are not supported", at: start)
    default:
      let character = try escapedCharacter(scalar, from: start)
      found.add(character...character)
    }
    return found
  }

  private mutating func escapedCharacter(
    _ letter: Unicode.Scalar, from start: Int
  ) throws(RegularExpression.Fault) -> UInt32 {
    switch letter {
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "f": return 0x0C
    case "e": return 0x1B
    case "a": return 0x07
    case "u": return try hexadecimal(4, from: start)
    case "U": return try hexadecimal(8, from: start)
    case "x":
      guard take("{") else { return try hexadecimal(2, from: start) }
      let value = try hexadecimal(nil, from: start)
      guard take("}") else { throw fault("'{' is not closed", at: start) }
      return value
    default:
      let isLetter = letter.properties.isAlphabetic || letter.properties.numericType != nil
      if letter.isASCII, isLetter { throw fault("'\\\(letter)' is not known", at: start) }
      return letter.value
    }
  }

  private mutating func hexadecimal(_ count: Int?, from start: Int) throws(RegularExpression.Fault) -> UInt32
  {
    var value: UInt32 = 0
    var digitCount = 0
    while digitCount < count ?? 8, let next = current, let byte = UInt8(exactly: next),
      let digit = hexadecimalValue(byte)
    {
      value = value << 4 | UInt32(digit)
      digitCount += 1
      index += 1
    }
    guard digitCount == count ?? max(1, digitCount), Unicode.Scalar(value) != nil else {
      throw fault("no character has this number", at: start)
    }
    return value
  }

  private mutating func property(from start: Int) throws(RegularExpression.Fault) -> CharacterClass.Named {
    guard take("{") else { throw fault("expected '{' and a property, such as \\p{L}", at: start) }
    var name = ""
    while let next = current, next != "}", let scalar = Unicode.Scalar(next) {
      name.unicodeScalars.append(scalar)
      index += 1
    }
    guard take("}") else { throw fault("'{' is not closed", at: start) }
    switch name.lowercased() {
    case "l", "letter", "alphabetic", "alpha": return .letter
    case "lu", "uppercase", "upper": return .upper
    case "ll", "lowercase", "lower": return .lower
    case "n", "number": return .number
    case "nd", "digit": return .digit
    case "p", "punctuation", "punct": return .punctuation
    case "s", "symbol": return .symbol
    case "z", "separator": return .separator
    case "whitespace", "white_space", "space": return .blank
    default: throw fault("the property '\(name)' is not known; L, Lu, Ll, N, Nd, P, S, Z are", at: start)
    }
  }

  // MARK: Sets

  private mutating func set(from start: Int) throws(RegularExpression.Fault) -> CharacterClass {
    var set = CharacterClass(foldsCase: foldsCase)
    set.isNegated = take("^")
    var isFirst = true
    while let next = current, isFirst || next != "]" {
      isFirst = false
      if isAt("[") { throw fault("write \\[ for the sign; sets in sets are not supported") }
      let low = try element(from: start)
      guard let first = low.single, isAt("-"), index + 1 < scalars.count, scalars[index + 1].value != "]"
      else {
        set.add(low)
        continue
      }
      let place = index
      index += 1
      guard let last = try element(from: start).single, first <= last else {
        throw fault("a range goes from a lower character to a higher one", at: place)
      }
      set.add(first...last)
    }
    guard take("]") else { throw fault("'[' is not closed", at: start) }
    return set
  }

  private mutating func element(from start: Int) throws(RegularExpression.Fault) -> CharacterClass {
    let place = index
    guard let next = current else { throw fault("'[' is not closed", at: start) }
    index += 1
    if Unicode.Scalar(next) == "\\" { return try escapedClass(from: place) }
    return CharacterClass(next, foldsCase: foldsCase)
  }
}

extension CharacterClass {
  /// The one character that it holds, where it holds one.
  fileprivate var single: UInt32? {
    guard ranges.count == 1, let range = ranges.first, range.lowerBound == range.upperBound, !isNegated else {
      return nil
    }
    return range.lowerBound
  }
}

private func != (left: UInt32, right: Unicode.Scalar) -> Bool { left != right.value }
