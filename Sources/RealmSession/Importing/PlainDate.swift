// Dates as most programs write them, known as such without computing which they are. Layer: RealmSession, Importing.

import ByteText

/// Looks at the text of a date.
enum PlainDate {
  /// Whether the text is like `2020-01-28` or `2020-01-28T12:00:00Z` and certainly a date. Later days are for others to judge.
  static func isPlain(_ text: Span<UInt8>) -> Bool {
    guard text.count == 20 || text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let century = pair(text, 0), let year = pair(text, 2), century + year > 0,
      let month = pair(text, 5), month > 0, month <= 12, let day = pair(text, 8), day > 0, day <= 28
    else { return false }
    guard text.count == 20 else { return true }
    guard text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: "Z"), let hour = pair(text, 11), hour < 24, let minute = pair(text, 14),
      minute < 60, let second = pair(text, 17), second < 60
    else { return false }
    return true
  }

  /// The number that two digits spell.
  @inline(__always)
  private static func pair(_ text: Span<UInt8>, _ index: Int) -> UInt8? {
    let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
    return tens <= 9 && ones <= 9 ? tens * 10 + ones : nil
  }
}
