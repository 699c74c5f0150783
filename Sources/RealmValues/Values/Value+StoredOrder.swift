// The order in which sets keep their elements and index lists their values. Layer: Values.
// A total order of all values; whole and floating numbers and decimals compare by number, whatever their type.

extension Value {
  /// Negative, zero or positive as `self` is stored before, with or after `other`.
  package func storedOrder(_ other: Value) -> Int {
    let rank = storedRank
    let otherRank = other.storedRank
    if rank != otherRank { return rank < otherRank ? -1 : 1 }
    switch (self, other) {
    case (.bool(let left), .bool(let right)): return Self.order(left ? 1 : 0, right ? 1 : 0)
    case (.string(let left), .string(let right)), (.data(let left), .data(let right)):
      return left.bytes.compare(right.bytes)
    case (.date(let left), .date(let right)): return Self.order(left, right)
    case (.objectID(let left), .objectID(let right)): return Self.order(left, right)
    case (.uuid(let left), .uuid(let right)): return Self.order(left, right)
    case (.link(let left), .link(let right)):
      return left.table != right.table
        ? Self.order(left.table.value, right.table.value) : Self.order(left.key, right.key)
    default: return numericOrder(other)
    }
  }

  private static func order<Item: Comparable>(_ left: Item, _ right: Item) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// The place of its kind among the kinds of values.
  package var storedRank: Int {
    switch self {
    case .null: -1
    case .bool: 0
    case .int, .float, .double, .decimal: 1
    case .string: 2
    case .data: 3
    case .date: 4
    case .objectID: 5
    case .uuid: 6
    case .link: 7
    case .list: 9
    case .dictionary: 11
    }
  }

  private func numericOrder(_ other: Value) -> Int {
    switch (self, other) {
    case (.int(let left), .int(let right)): return Self.order(left, right)
    case (.int(let left), .float(let right)): return -Self.compare(Double(right), left)
    case (.int(let left), .double(let right)): return -Self.compare(right, left)
    case (.float(let left), .int(let right)): return Self.compare(Double(left), right)
    case (.double(let left), .int(let right)): return Self.compare(left, right)
    case (.float(let left), .float(let right)):
      return left.isNaN && right.isNaN
        ? Self.order(left.bitPattern, right.bitPattern) : Self.compare(Double(left), Double(right))
    case (.float(let left), .double(let right)): return Self.compare(Double(left), right)
    case (.double(let left), .float(let right)): return Self.compare(left, Double(right))
    case (.double(let left), .double(let right)): return Self.compare(left, right)
    default:
      guard let left = decimalValue, let right = other.decimalValue else { return 0 }
      return left.compare(to: right)
    }
  }

  /// NaNs come before all numbers, among themselves by their bits.
  private static func compare(_ left: Double, _ right: Double) -> Int {
    if left.isNaN || right.isNaN {
      if !left.isNaN { return 1 }
      return right.isNaN ? order(left.bitPattern, right.bitPattern) : -1
    }
    return order(left, right)
  }

  /// Exact, without rounding the whole number.
  private static func compare(_ left: Double, _ right: Int64) -> Int {
    if left.isNaN || left < -0x1p63 { return -1 }
    if left >= 0x1p63 { return 1 }
    let whole = left.rounded(.down)
    let truncated = Int64(whole)
    if truncated != right { return truncated < right ? -1 : 1 }
    return left > whole ? 1 : 0
  }
}
