// Comparisons of packed IEEE numbers with a constant, made to be vectorised. Layer: Bytes.
// Null is stored as a NaN, so every comparison but "not equal" is false for it, as it is for any NaN.

/// The six ways to compare.
package enum ComparisonOperator: Sendable, Hashable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

  /// The operator that gives the same answer with the operands exchanged.
  package var mirrored: ComparisonOperator {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether two values relate so of which the first is less than, equal to or greater than the second as `order` is
  /// negative, zero or positive.
  @inline(__always)
  package func holds(order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// Whether null relates so to null, or else to a value: null equals null, and is in no order with anything.
  @inline(__always)
  package func holds(areBothNull: Bool) -> Bool {
    switch self {
    case .equal, .lessOrEqual, .greaterOrEqual: areBothNull
    case .notEqual: !areBothNull
    case .less, .greater: false
    }
  }
}

/// Marks rows by comparing their numbers with a constant.
enum FloatingKernels {
  static func mark<T: BinaryFloatingPoint & BitwiseCopyable>(
    _ payload: RawBytes, start: Int, count: Int, _ comparison: ComparisonOperator, _ constant: T,
    into mask: RowMask
  ) {
    switch comparison {
    case .equal: mark(payload, start: start, count: count, into: mask) { (element: T) in element == constant }
    case .notEqual:
      mark(payload, start: start, count: count, into: mask) { (element: T) in element != constant }
    case .less: mark(payload, start: start, count: count, into: mask) { (element: T) in element < constant }
    case .lessOrEqual:
      mark(payload, start: start, count: count, into: mask) { (element: T) in element <= constant }
    case .greater:
      mark(payload, start: start, count: count, into: mask) { (element: T) in element > constant }
    case .greaterOrEqual:
      mark(payload, start: start, count: count, into: mask) { (element: T) in element >= constant }
    }
  }

  @inline(__always)
  private static func mark<T: BinaryFloatingPoint & BitwiseCopyable>(
    _ payload: RawBytes, start: Int, count: Int, into mask: RowMask, _ test: (T) -> Bool
  ) {
    mask.resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    for row in 0..<count {
      let element = unsafe source.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self)
      unsafe rows[row] = test(element) ? 1 : 0
    }
  }

  /// Marks rows whose bits are exactly `pattern`: how null is stored.
  static func mark<T: FixedWidthInteger & BitwiseCopyable>(
    _ payload: RawBytes, start: Int, count: Int, bitPattern pattern: T, into mask: RowMask
  ) {
    mask.resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    for row in 0..<count {
      let element = unsafe source.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self)
      unsafe rows[row] = element == pattern ? 1 : 0
    }
  }
}
