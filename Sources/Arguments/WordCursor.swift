// Tells options from operands, word by word, without knowing any option. Layer: Arguments.

/// Steps through the words of a command line.
struct WordCursor {
  enum Item {
    case operand(Word, index: Int)
    /// `--name` or `--name=value`
    case long(name: ArraySlice<UInt8>, value: Word?)
    /// What stands behind a single dash.
    case short(ArraySlice<UInt8>)
  }

  private let words: [Word]
  private var index = 0
  /// A `--` has been passed: everything else is an operand.
  private(set) var optionsHaveEnded = false

  init(_ words: [Word]) { self.words = words }

  mutating func next() -> Item? {
    guard index < words.count else { return nil }
    let word = words[index]
    index += 1
    guard !optionsHaveEnded, Self.looksLikeOption(word.bytes) else {
      return .operand(word, index: index - 1)
    }
    guard word.bytes[1] == Self.dash else { return .short(word.bytes[1...]) }
    if word.bytes.count == 2 {
      optionsHaveEnded = true
      return next()
    }
    let body = word.bytes[2...]
    guard let equals = body.firstIndex(of: UInt8(ascii: "=")) else { return .long(name: body, value: nil) }
    return .long(name: body[..<equals], value: Word(Array(body[(equals + 1)...])))
  }

  /// The next word as the value of the option just read, whatever it looks like.
  mutating func takeValue() -> Word? {
    guard index < words.count else { return nil }
    index += 1
    return words[index - 1]
  }

  /// The word that comes next, whatever it is.
  var upcoming: Word? { index < words.count ? words[index] : nil }

  mutating func skipValue() { index = min(index + 1, words.count) }

  private static let dash = UInt8(ascii: "-")

  /// A lone dash is standard input, and a negative number is a key: no letter of an option is a digit but that of `-0`,
  /// which is no negative number. Dashes before a blank begin a comment of a statement.
  private static func looksLikeOption(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2, bytes[0] == dash else { return false }
    if bytes == [dash, UInt8(ascii: "0")] { return true }
    if bytes.count > 2, bytes[1] == dash, bytes[2].isASCIIBlank { return false }
    return !bytes[1].isDigit
  }
}
