// Single values as leaves hold them, and what of them cannot be written as it is. Layer: RealmParquet.

import ByteText
import Parquet
import RealmEngine

/// Values that are not what is written of them.
package struct ParquetLosses {
  /// Dates that have more digits.
  package var cutDates = 0
  /// Dates before or after all that can be written, of which the first or last stands there.
  package var distantDates = 0
  /// Texts that are not valid UTF-8, which readers refuse, with U+FFFD.
  package var texts = 0
  /// Links to objects whose primary key is null, which nothing names.
  package var links = 0

  package init() {}

  package static func += (left: inout ParquetLosses, right: ParquetLosses) {
    left.cutDates += right.cutDates
    left.distantDates += right.distantDates
    left.texts += right.texts
    left.links += right.links
  }

  /// Microseconds or nanoseconds since 1970.
  mutating func ticks(
    _ date: Timestamp, isNanoseconds: Bool, of name: String
  ) throws(EngineError) -> Int64 {
    let perSecond: Int64 = isNanoseconds ? 1_000_000_000 : 1_000_000
    let nanoseconds = Int64(date.nanoseconds)
    let (part, rest) = isNanoseconds ? (nanoseconds, 0) : nanoseconds.quotientAndRemainder(dividingBy: 1000)
    // Towards the past, as elsewhere: negative parts belong to negative seconds.
    let ticks = part - (rest < 0 ? 1 : 0)
    let (whole, isTooLarge) = date.seconds.multipliedReportingOverflow(by: perSecond)
    let (sum, overflows) = whole.addingReportingOverflow(ticks)
    guard isTooLarge || overflows else {
      if rest != 0 { cutDates += 1 }
      return sum
    }
    guard !isNanoseconds else {
      throw EngineError(
        .constraint, "\(name) – a date lies beyond what nanoseconds since 1970 reach",
        hint: "leave out --timestamps nanos")
    }
    // Some 292,000 years away no calendar says what it is.
    distantDates += 1
    return date.seconds < 0 ? .min : .max
  }
}

extension ColumnChunk {
  /// Appends a text; false: with U+FFFD in the place of what is not UTF-8.
  mutating func append(text bytes: Span<UInt8>, repetition: Int = 0) -> Bool {
    guard firstInvalidUTF8Index(in: bytes) != nil else {
      append(bytes, repetition: repetition)
      return true
    }
    var repaired = ByteBuffer()
    repaired.append(repairingUTF8: bytes)
    append(repaired.span, repetition: repetition)
    return false
  }
}
