// A calendar date with time of day as text. Layer: ByteText.

extension ByteBuffer {
  /// Appends "2020-01-01T00:00:00"; the year must be one of 0–9999.
  package mutating func append(_ time: CivilTime) {
    precondition(time.year >= 0 && time.year <= 9999, "the form has four digits for the year")
    let (century, year) = Int(time.year).quotientAndRemainder(dividingBy: 100)
    var text = extend(by: 19)
    writePair(century, to: &text, at: 0)
    writePair(year, to: &text, at: 2)
    text[4] = UInt8(ascii: "-")
    writePair(time.month, to: &text, at: 5)
    text[7] = UInt8(ascii: "-")
    writePair(time.day, to: &text, at: 8)
    text[10] = UInt8(ascii: "T")
    writePair(time.hour, to: &text, at: 11)
    text[13] = UInt8(ascii: ":")
    writePair(time.minute, to: &text, at: 14)
    text[16] = UInt8(ascii: ":")
    writePair(time.second, to: &text, at: 17)
  }
}

/// Writes a number below 100 in two digits.
private func writePair(_ value: Int, to text: inout MutableSpan<UInt8>, at index: Int) {
  let (tens, ones) = UInt8(truncatingIfNeeded: value).quotientAndRemainder(dividingBy: 10)
  text[index] = UInt8(ascii: "0") &+ tens
  text[index + 1] = UInt8(ascii: "0") &+ ones
}
