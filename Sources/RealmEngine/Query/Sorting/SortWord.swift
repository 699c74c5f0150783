// Sort keys as plain numbers: a rank (null, NaN, value) before an order-preserving form of the value. Layer: Query.
// Invariant: words compare as the values do. The word of a text has its first 14 bytes and its length, up to 15: equal
// words with that length are of texts that still need a look.

/// An order-preserving number for one value. Null sorts first, then NaN, then values.
typealias SortWord = UInt128

enum SortWords {
  private static let rankShift: SortWord = 120
  private static let null: SortWord = 0
  private static let notANumber: SortWord = 1 << rankShift
  private static let value: SortWord = 2 << rankShift
  private static let textPrefixLength = 14
  /// The length in words of texts that are too long for a word.
  private static let cutLength = 15

  static func word(_ integer: Int64?) -> SortWord {
    guard let integer else { return null }
    return value | SortWord(UInt64(bitPattern: integer) ^ (1 << 63))
  }

  static func word(_ flag: Bool?) -> SortWord {
    guard let flag else { return null }
    return value | (flag ? 1 : 0)
  }

  static func word(_ number: Double?) -> SortWord {
    guard let number else { return null }
    guard !number.isNaN else { return notANumber }
    let bits = (number == 0 ? 0.0 : number).bitPattern
    // Negative numbers grow downwards, positive ones lie above them all.
    return value | SortWord(bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  static func word(_ date: Timestamp?) -> SortWord {
    guard let date else { return null }
    let seconds = UInt64(bitPattern: date.seconds) ^ (1 << 63)
    let nanoseconds = UInt32(bitPattern: date.nanoseconds) ^ (1 << 31)
    return value | SortWord(seconds) << 32 | SortWord(nanoseconds)
  }

  static func word(_ text: RawBytes?) -> SortWord {
    guard let text else { return null }
    let high = text.count > 0 ? text.word(at: 0).byteSwapped : 0
    let low = text.count > 8 ? text.word(at: 8).byteSwapped : 0
    // Two bytes make room for the rank and the length; zeros at the end are told apart by the length.
    let prefix = (SortWord(high) << 64 | SortWord(low)) >> 16
    return value | prefix << 8 | SortWord(min(text.count, cutLength))
  }

  /// Whether the word of a text, not inverted, has all of it.
  static func isWholeText(_ word: SortWord) -> Bool { word & 0xFF != SortWord(cutLength) }
}
