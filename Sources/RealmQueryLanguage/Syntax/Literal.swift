// Values as the language writes them, decoded. Layer: Syntax. No type of the engine appears here; where the
// digits of a number matter beyond its binary value, their text is kept.

/// A value that stands in a source text.
package enum Literal: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// An integer that no Int64 holds: its decimal digits, with `-` when negative.
  case decimal(text: String)
  /// A number with a fraction or an exponent; the text has no `+` and reads as a decimal too.
  case double(Double, text: String)
  /// A number with the suffix `f`, rounded to single precision; the text has neither `+` nor `f`.
  case float(Float, text: String)
  case infinity(isNegative: Bool)
  case notANumber
  /// UTF-8, except from a base64 literal, which may hold any bytes.
  case string([UInt8])
  case binary([UInt8])
  /// Since 1970-01-01T00:00:00Z; both of the same sign, |nanoseconds| below 10^9.
  case date(seconds: Int64, nanoseconds: Int32)
  /// 16 bytes.
  case uuid([UInt8])
  /// 12 bytes.
  case objectID([UInt8])
  /// `O<key>`: an object of the class that the other side links to.
  case objectKey(Int64)
  /// `L<table>:<key>`
  case typedObjectKey(table: Int64, key: Int64)
}

/// A value that is supplied beside the text.
package struct ArgumentReference: Hashable, Sendable {
  /// Counted from 0; `%` specifiers count among themselves.
  package let index: Int
  package let style: Style

  package enum Style: Hashable, Sendable {
    /// `$0`, `$K0`
    case dollar
    /// `%@`, `%K` and the number formats
    case specifier(Specifier)
  }

  /// What a `%` specifier says its argument is.
  package enum Specifier: Hashable, Sendable {
    case anything, integer, floatingPoint, keyPath
  }

  package init(index: Int, style: Style) {
    self.index = index
    self.style = style
  }
}
