// The one order of values that sets and index lists of format 24 follow. Layer: RealmInspection.
// Null comes first, then booleans, numbers of all kinds among each other, texts, data, dates, object ids, UUIDs,
// links, lists, dictionaries.

import RealmFiles

enum ValueOrder {
  /// Negative, zero or positive.
  static func compare(_ left: RawValue, _ right: RawValue) -> Int {
    let ranks = (rank(left), rank(right))
    if ranks.0 != ranks.1 { return ranks.0 - ranks.1 }
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.text(let left), .text(let right)), (.data(let left), .data(let right)),
      (.objectID(let left), .objectID(let right)), (.uuid(let left), .uuid(let right)):
      return left.compare(right)
    case (.date(let seconds, let nanoseconds), .date(let otherSeconds, let otherNanoseconds)):
      return seconds != otherSeconds ? order(seconds, otherSeconds) : order(nanoseconds, otherNanoseconds)
    case (.link(let left), .link(let right)): return order(left, right)
    case (.typedLink(let table, let key), .typedLink(let otherTable, let otherKey)):
      return table != otherTable ? order(table, otherTable) : order(key, otherKey)
    default: return compareNumbers(left, right)
    }
  }

  private static func rank(_ value: RawValue) -> Int {
    switch value {
    case .null: -1
    case .bool: 0
    case .int, .float, .double, .decimal: 1
    case .text: 2
    case .data: 3
    case .date: 4
    case .objectID: 5
    case .uuid: 6
    case .typedLink: 7
    case .link: 8
    case .list: 9
    case .dictionary: 11
    }
  }

  private static func compareNumbers(_ left: RawValue, _ right: RawValue) -> Int {
    switch (left, right) {
    case (.int(let left), .int(let right)): return order(left, right)
    case (.float(let left), .float(let right)):
      return left.isNaN && right.isNaN
        ? order(left.bitPattern, right.bitPattern) : compare(Double(left), Double(right))
    case (.decimal(let left), _): return left.compare(to: decimal(right))
    case (_, .decimal(let right)): return decimal(left).compare(to: right)
    case (.int(let left), _): return compare(left, double(right))
    case (_, .int(let right)): return -compare(right, double(left))
    default: return compare(double(left), double(right))
    }
  }

  private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// NaN comes before every number; NaNs are ordered by their bits.
  private static func compare(_ left: Double, _ right: Double) -> Int {
    if left.isNaN || right.isNaN {
      if !left.isNaN { return 1 }
      return right.isNaN ? order(left.bitPattern, right.bitPattern) : -1
    }
    return order(left, right)
  }

  /// Exact, also where the integer has no double of its own.
  private static func compare(_ left: Int64, _ right: Double) -> Int {
    if right.isNaN { return 1 }
    if right >= 0x1p63 { return -1 }
    if right < -0x1p63 { return 1 }
    let whole = Int64(right.rounded(.towardZero))
    if left != whole { return order(left, whole) }
    return order(0, right - right.rounded(.towardZero))
  }

  private static func double(_ value: RawValue) -> Double {
    switch value {
    case .float(let number): Double(number)
    case .double(let number): number
    default: 0
    }
  }

  private static func decimal(_ value: RawValue) -> Decimal128 {
    switch value {
    case .decimal(let number): number
    case .int(let number): Decimal128(number)
    case .float(let number): Decimal128(rounding: number)
    case .double(let number): Decimal128(rounding: number)
    default: .zero
    }
  }
}
