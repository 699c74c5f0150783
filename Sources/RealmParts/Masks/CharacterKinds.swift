// What a character may become: one of its kind, of as many bytes. Layer: Masks.

/// Characters of one kind.
struct CharacterKind {
  /// The characters, where they follow one another; else `members`.
  let first: UInt32
  let count: UInt32
  let members: [UInt32]

  init(_ range: ClosedRange<UInt32>) {
    first = range.lowerBound
    count = range.upperBound - range.lowerBound + 1
    members = []
  }

  init(_ members: [UInt32]) {
    first = 0
    count = UInt32(members.count)
    self.members = members
  }

  @inline(__always)
  subscript(index: UInt32) -> UInt32 { members.isEmpty ? first + index : members[Int(index)] }

  func index(of character: UInt32) -> UInt32? {
    guard members.isEmpty else { return members.firstIndex(of: character).map(UInt32.init) }
    return character >= first && character - first < count ? character - first : nil
  }
}

/// The kinds of characters beyond ASCII, found when they are first met.
struct CharacterKinds {
  /// Scripts of one kind of letter.
  private static let scripts = [
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
  ].map { CharacterKind($0) }

  /// So many characters stand together that are of one script; as many bytes spell each of them.
  private static let blockShift: UInt32 = 7

  private var kinds = scripts
  private var found: [UInt32: Int] = [:]
  /// Of the first characters beyond ASCII, which stand in most texts that have any; -1: it stays what it is.
  private var first: [Int16] = []

  private static let firstCharacters: Range<UInt32> = 0x80..<0x500

  /// Finds the kinds of alphabets with two cases.
  init() {
    for code in Self.firstCharacters {
      let number = Unicode.Scalar(code).flatMap { look(up: $0) }
      first.append(Int16(number ?? -1))
    }
  }

  /// The number of a character's kind; nil where it stays what it is, as marks, blanks and punctuation do.
  mutating func number(of character: Unicode.Scalar) -> Int? {
    guard Self.firstCharacters.contains(character.value) else { return look(up: character) }
    let number = first[Int(character.value - Self.firstCharacters.lowerBound)]
    return number < 0 ? nil : Int(number)
  }

  private mutating func look(up character: Unicode.Scalar) -> Int? {
    if let script = Self.scripts.firstIndex(where: { $0.index(of: character.value) != nil }) { return script }
    guard let category = Self.category(character) else { return nil }
    let block = character.value >> Self.blockShift
    let name = block << 3 | category
    if let number = found[name] { return number }
    let members = (block << Self.blockShift..<(block + 1) << Self.blockShift).filter {
      Unicode.Scalar($0).flatMap(Self.category) == category
    }
    kinds.append(CharacterKind(members))
    found[name] = kinds.count - 1
    return kinds.count - 1
  }

  subscript(number: Int) -> CharacterKind { kinds[number] }

  private static func category(_ character: Unicode.Scalar) -> UInt32? {
    switch character.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter: 0
    case .lowercaseLetter: 1
    case .modifierLetter, .otherLetter: 2
    case .decimalNumber: 3
    case .letterNumber, .otherNumber: 4
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: 5
    default: nil
    }
  }
}
