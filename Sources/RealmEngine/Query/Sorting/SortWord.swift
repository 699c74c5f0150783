// Sort keys as plain numbers: a rank (null, NaN, value) before an order-preserving form of the value. Layer: Query.
// Invariant: words compare as the values do; words of texts agree only in their first 15 bytes, so equal words of
// texts still need a look at the texts.

/// An order-preserving number for one value. Null sorts first, then NaN, then values.
typealias SortWord = UInt128

enum SortWords {
  private static let rankShift: SortWord = 120
  private static let null: SortWord = 0
  private static let notANumber: SortWord = 1 << rankShift
  private static let value: SortWord = 2 << rankShift
  static let textPrefixLength = 15

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
    var prefix: SortWord = 0
    for index in 0..<min(text.count, textPrefixLength) {
      prefix |= SortWord(text[index]) << SortWord(8 * (textPrefixLength - 1 - index))
    }
    return value | prefix
  }
}
