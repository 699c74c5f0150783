// Dates in the text modes: in UTC, or with the offset of the zone that the user chose. Layer: Rendering, Cells.

import ByteText
import CPlatform
import RealmEngine

extension Timestamp {
  /// Appends `2020-01-01T13:00:00+01:00`, or the form of UTC where no other zone is selected. False, and nothing is appended,
  /// outside of the years that the form can write.
  func writeZoned(to text: inout ByteBuffer) -> Bool {
    guard platform_zone_is_selected() else { return write(to: &text) }
    let offset = Int64(platform_zone_offset(seconds))
    let (local, overflow) = seconds.addingReportingOverflow(offset)
    guard !overflow, Timestamp(seconds: local, nanoseconds: nanoseconds).write(to: &text) else {
      return false
    }
    text.truncate(to: text.count - 1)
    text.append(UInt8(ascii: offset < 0 ? "-" : "+"))
    let distance = UInt64(offset.magnitude)
    text.append(decimal: distance / 3600, digitCount: 2)
    text.append(UInt8(ascii: ":"))
    text.append(decimal: distance / 60 % 60, digitCount: 2)
    // Before standard time, cities kept the time of their own sun.
    if distance % 60 > 0 {
      text.append(UInt8(ascii: ":"))
      text.append(decimal: distance % 60, digitCount: 2)
    }
    return true
  }
}
