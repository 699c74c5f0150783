// Counts, sizes and times as people read them. Layer: ByteText.

/// `1 object`, `2 objects`. `plural` nil: the singular with an s.
package func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
}

/// Words for numbers of bytes.
package enum SizeText {
  private static let units = ["KB", "MB", "GB", "TB", "PB", "EB"]

  /// `312 bytes`, `4.0 KB`, `66.1 MB`: powers of 1024, as the SDKs count.
  package static func bytes(_ count: Int) -> String {
    guard count >= 1024 else { return counted(count, "byte") }
    var unit = 0
    var whole = Double(count) / 1024
    while whole >= 1023.95, unit < units.count - 1 {
      whole /= 1024
      unit += 1
    }
    let tenths = Int((whole * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// The bytes of a size as people write it: `256M`, `1.5 GB`, `2GiB`; nil when it is none, less than one byte or too large.
  package static func byteCount(_ text: String) -> Int? {
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    guard let unit = unitSize(text.dropFirst(digits.count).drop { $0 == " " }) else { return nil }
    if let number = Int(digits) {
      let (size, overflow) = number.multipliedReportingOverflow(by: unit)
      return overflow || size == 0 ? nil : size
    }
    guard let number = Double(digits), number * Double(unit) >= 1 else { return nil }
    return Int(exactly: (number * Double(unit)).rounded(.down))
  }

  /// The bytes of a unit in either case: none, `k`, `KB`, `KiB`; powers of 1024.
  package static func unitSize(_ text: some StringProtocol) -> Int? {
    switch text.lowercased() {
    case "", "b", "byte", "bytes": 1
    case "k", "kb", "kib": 1 << 10
    case "m", "mb", "mib": 1 << 20
    case "g", "gb", "gib": 1 << 30
    case "t", "tb", "tib": 1 << 40
    default: nil
    }
  }

  /// `45 s`, `3:07 min`, `2:05 h`.
  package static func duration(seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60):\(two(seconds % 60)) min" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)) h"
  }
}
