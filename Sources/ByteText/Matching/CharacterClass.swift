// Which characters may stand at a place of a regular expression. Layer: ByteText, Matching.

/// A set of characters, by their numbers.
struct CharacterClass: Sendable {
  /// What a letter behind a backslash stands for.
  enum Named: Sendable {
    case digit, word, blank, letter, upper, lower, number, punctuation, symbol, separator
  }

  private(set) var ranges: [ClosedRange<UInt32>] = []
  private var named: [(set: Named, isNegated: Bool)] = []
  var isNegated = false
  /// Whether a letter stands for its other case too.
  private let foldsCase: Bool
  /// The first 128 characters, looked up once; made by `prepared()`.
  private var ascii: (UInt64, UInt64)?

  init(foldsCase: Bool) { self.foldsCase = foldsCase }

  init(_ scalar: UInt32, foldsCase: Bool) {
    self.init(foldsCase: foldsCase)
    add(scalar...scalar)
  }

  /// Everything but the ends of lines.
  static var anyInLine: CharacterClass {
    var all = CharacterClass(foldsCase: false)
    for end: UInt32 in [0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029] { all.add(end...end) }
    all.isNegated = true
    return all
  }

  mutating func add(_ range: ClosedRange<UInt32>) { ranges.append(range) }
  mutating func add(_ set: Named, isNegated: Bool) { named.append((set, isNegated)) }

  mutating func add(_ other: CharacterClass) {
    ranges += other.ranges
    named += other.named
  }

  /// The same, quicker to ask.
  func prepared() -> CharacterClass {
    var prepared = self
    var bits: (UInt64, UInt64) = (0, 0)
    for scalar in UInt32(0)..<128 where decides(scalar) {
      if scalar < 64 { bits.0 |= 1 << UInt64(scalar) } else { bits.1 |= 1 << UInt64(scalar - 64) }
    }
    prepared.ascii = bits
    return prepared
  }

  func contains(_ scalar: UInt32) -> Bool {
    guard scalar < 128, let ascii else { return decides(scalar) }
    return (scalar < 64 ? ascii.0 >> UInt64(scalar) : ascii.1 >> UInt64(scalar - 64)) & 1 == 1
  }

  private func decides(_ scalar: UInt32) -> Bool {
    let isThere =
      lists(scalar)
      || foldsCase && [Self.lowercase(scalar), Self.uppercase(scalar)].contains { $0 != scalar && lists($0) }
    return isThere != isNegated
  }

  private func lists(_ scalar: UInt32) -> Bool {
    ranges.contains { $0.contains(scalar) }
      || named.contains { Self.holds($0.set, scalar) != $0.isNegated }
  }

  private static func lowercase(_ scalar: UInt32) -> UInt32 {
    single(Unicode.Scalar(scalar)?.properties.lowercaseMapping, scalar)
  }

  private static func uppercase(_ scalar: UInt32) -> UInt32 {
    single(Unicode.Scalar(scalar)?.properties.uppercaseMapping, scalar)
  }

  /// A mapping to one character; what would become several stays what it is.
  private static func single(_ mapping: String?, _ scalar: UInt32) -> UInt32 {
    guard let scalars = mapping?.unicodeScalars, scalars.count == 1, let first = scalars.first else {
      return scalar
    }
    return first.value
  }

  static func isWord(_ scalar: UInt32) -> Bool { holds(.word, scalar) }

  private static func holds(_ set: Named, _ scalar: UInt32) -> Bool {
    guard let character = Unicode.Scalar(scalar) else { return false }
    let category = character.properties.generalCategory
    switch set {
    case .digit: return category == .decimalNumber
    case .blank: return character.properties.isWhitespace
    case .upper: return category == .uppercaseLetter
    case .lower: return category == .lowercaseLetter
    case .letter: return isLetter(category)
    case .number: return [.decimalNumber, .letterNumber, .otherNumber].contains(category)
    case .word:
      return character.properties.isAlphabetic || category == .decimalNumber
        || [.nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation].contains(category)
    case .punctuation:
      return [
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
        .finalPunctuation, .otherPunctuation,
      ].contains(category)
    case .symbol:
      return [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol].contains(category)
    case .separator: return [.spaceSeparator, .lineSeparator, .paragraphSeparator].contains(category)
    }
  }

  private static func isLetter(_ category: Unicode.GeneralCategory) -> Bool {
    [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter].contains(category)
  }
}
