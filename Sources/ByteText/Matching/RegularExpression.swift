// Regular expressions that whole texts match. Layer: ByteText, Matching.
// All ways through the expression are followed at once, a character at a time: the time is that of the text's length times
// the expression's, whatever both hold, and nothing is tried twice.

/// A compiled expression.
package struct RegularExpression: Sendable {
  /// What is wrong with a pattern.
  package struct Fault: Error, Sendable {
    package let message: String
    /// In bytes of the pattern.
    package let offset: Int
  }

  /// What must hold between two characters.
  enum Assertion: Sendable {
    case start, end, wordEdge, noWordEdge

    /// By the letter behind a backslash.
    init?(letter: UInt32) {
      switch Unicode.Scalar(letter) {
      case "A": self = .start
      case "z", "Z": self = .end
      case "b": self = .wordEdge
      case "B": self = .noWordEdge
      default: return nil
      }
    }
  }

  fileprivate enum Step: Sendable {
    case character(CharacterClass, next: Int)
    case assertion(Assertion, next: Int)
    case fork(Int, Int)
    case accept
  }

  private var steps: [Step] = [.accept]
  private var start = 0
  /// For small expressions without assertions, which most are.
  private var small: SmallExpression?

  /// Steps of an expression; repetitions multiply them.
  private static let stepsMax = 5000

  /// `foldsCase`: letters stand for either case.
  package init(_ pattern: [UInt8], foldsCase: Bool) throws(Fault) {
    var parser = ExpressionParser(pattern, foldsCase: foldsCase)
    start = try add(try parser.parse(), before: 0)
    small = SmallExpression(steps, from: start)
  }

  // MARK: Making

  private mutating func add(_ step: Step) throws(Fault) -> Int {
    guard steps.count < Self.stepsMax else {
      throw Fault(message: "the expression is too large: its repetitions multiply", offset: 0)
    }
    steps.append(step)
    return steps.count - 1
  }

  /// Adds the steps of `node`, behind which `next` follows; gives the first of them.
  private mutating func add(_ node: ExpressionNode, before next: Int) throws(Fault) -> Int {
    switch node {
    case .character(let set): return try add(.character(set.prepared(), next: next))
    case .assertion(let assertion): return try add(.assertion(assertion, next: next))
    case .sequence(let parts):
      var first = next
      for part in parts.reversed() { first = try add(part, before: first) }
      return first
    case .choice(let options):
      var first = try add(options[options.count - 1], before: next)
      for option in options.dropLast().reversed() {
        first = try add(.fork(try add(option, before: next), first))
      }
      return first
    case .repetition(let part, let least, let most):
      var first = next
      if let most {
        for _ in least..<most { first = try add(.fork(try add(part, before: first), next)) }
      } else {
        first = try add(.fork(next, next))
        steps[first] = .fork(try add(part, before: first), next)
      }
      for _ in 0..<least { first = try add(part, before: first) }
      return first
    }
  }

  // MARK: Matching

  /// Whether the whole text is one that the expression describes. What is no UTF-8 in it counts as U+FFFD, byte by byte.
  package func matches(_ text: Span<UInt8>) -> Bool { small?.matches(text) ?? matchesStepwise(text) }

  private func matchesStepwise(_ text: Span<UInt8>) -> Bool {
    var here = ReachedSteps(count: steps.count)
    var next = ReachedSteps(count: steps.count)
    var position = 0
    var (scalar, size) = Self.scalar(in: text, at: 0)
    follow(start, &here, nil, scalar)
    while let character = scalar {
      guard !here.isEmpty else { return false }
      position += size
      let (following, followingSize) = Self.scalar(in: text, at: position)
      next.clear()
      for index in 0..<here.count {
        if case .character(let set, let target) = steps[here[index]], set.contains(character) {
          follow(target, &next, character, following)
        }
      }
      swap(&here, &next)
      (scalar, size) = (following, followingSize)
    }
    return here.holds(0)
  }

  /// Notes a step, and what it leads to without a character.
  private func follow(_ step: Int, _ places: inout ReachedSteps, _ before: UInt32?, _ after: UInt32?) {
    var pending = [step]
    while let index = pending.popLast() {
      guard places.add(index) else { continue }
      switch steps[index] {
      case .character, .accept: break
      case .fork(let one, let other):
        pending.append(one)
        pending.append(other)
      case .assertion(let assertion, let next):
        if Self.holds(assertion, before, after) { pending.append(next) }
      }
    }
  }

  private static func holds(_ assertion: Assertion, _ before: UInt32?, _ after: UInt32?) -> Bool {
    switch assertion {
    case .start: return before == nil
    case .end: return after == nil
    case .wordEdge, .noWordEdge:
      let isEdge =
        (before.map(CharacterClass.isWord) ?? false) != (after.map(CharacterClass.isWord) ?? false)
      return isEdge == (assertion == .wordEdge)
    }
  }

  /// The character at `position` and its bytes; nil at the end.
  fileprivate static func scalar(in text: Span<UInt8>, at position: Int) -> (UInt32?, Int) {
    guard position < text.count else { return (nil, 0) }
    let first = UInt32(text[position])
    if first < 0x80 { return (first, 1) }
    let size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, position + size <= text.count else { return (0xFFFD, 1) }
    var value = first & (0xFF >> UInt32(size + 1))
    for index in position + 1..<position + size {
      guard text[index] & 0xC0 == 0x80 else { return (0xFFFD, 1) }
      value = value << 6 | UInt32(text[index] & 0x3F)
    }
    return Unicode.Scalar(value) == nil ? (0xFFFD, 1) : (value, size)
  }
}

/// An expression whose steps are the bits of a word.
private struct SmallExpression: Sendable {
  /// Of each of the first 128 characters, the steps that take it.
  private var takers = [UInt64](repeating: 0, count: 128)
  private var sets: [CharacterClass?] = []
  /// What is reached behind each step.
  private var reached: [UInt64] = []
  private let beginning: UInt64

  /// Nil where steps are too many, or ask what stands around them. The first step is the end.
  init?(_ steps: [RegularExpression.Step], from start: Int) {
    guard steps.count <= UInt64.bitWidth else { return nil }
    for (index, step) in steps.enumerated() {
      switch step {
      case .assertion: return nil
      case .accept, .fork:
        sets.append(nil)
        reached.append(0)
      case .character(let set, let next):
        sets.append(set)
        reached.append(Self.closure(of: next, steps))
        for scalar in 0..<takers.count where set.contains(UInt32(scalar)) {
          takers[scalar] |= 1 << UInt64(index)
        }
      }
    }
    beginning = Self.closure(of: start, steps)
  }

  private static func closure(of start: Int, _ steps: [RegularExpression.Step]) -> UInt64 {
    var closure: UInt64 = 0
    var pending = [start]
    while let index = pending.popLast() {
      let bit: UInt64 = 1 << UInt64(index)
      guard closure & bit == 0 else { continue }
      closure |= bit
      if case .fork(let one, let other) = steps[index] { pending += [one, other] }
    }
    return closure
  }

  func matches(_ text: Span<UInt8>) -> Bool {
    var here = beginning
    var position = 0
    while position < text.count {
      let (scalar, size) = RegularExpression.scalar(in: text, at: position)
      guard let scalar else { break }
      position += size
      var taken = scalar < 128 ? here & takers[Int(scalar)] : taking(scalar, here)
      here = 0
      while taken != 0 {
        here |= reached[taken.trailingZeroBitCount]
        taken &= taken - 1
      }
      if here == 0 { return false }
    }
    return here & 1 == 1
  }

  private func taking(_ scalar: UInt32, _ here: UInt64) -> UInt64 {
    var taking: UInt64 = 0
    var rest = here
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      if sets[index]?.contains(scalar) ?? false { taking |= 1 << UInt64(index) }
    }
    return taking
  }
}

/// Steps that are reached, each once, in the order in which they were.
private struct ReachedSteps {
  private var listed: [Int] = []
  private var marks: [Bool]

  init(count: Int) { marks = Array(repeating: false, count: count) }

  var isEmpty: Bool { listed.isEmpty }
  var count: Int { listed.count }
  subscript(index: Int) -> Int { listed[index] }

  func holds(_ step: Int) -> Bool { marks[step] }

  mutating func add(_ step: Int) -> Bool {
    guard !marks[step] else { return false }
    marks[step] = true
    listed.append(step)
    return true
  }

  mutating func clear() {
    for step in listed { marks[step] = false }
    listed.removeAll(keepingCapacity: true)
  }
}
