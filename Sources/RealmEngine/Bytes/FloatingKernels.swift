// Tests of packed IEEE numbers, made to be vectorised: one loop a test, without a branch in it. Layer: Bytes.
// Null is stored as a NaN, so every test but "not equal" is false for it, as it is for any NaN.

/// What floating-point numbers are tested for.
package enum FloatingTest<Number: BinaryFloatingPoint & Sendable>: Sendable {
  case compare(ComparisonOperator, Number)
  /// Both ends inclusive.
  case range(low: Number, high: Number)
  /// Equal to one of these; fewer than four stand there more than once.
  case isOne(Number, Number, Number, Number)

  /// Tests of which one is true where a number is one of `members`.
  static func isOne(of members: [Number]) -> [FloatingTest] {
    stride(from: 0, to: members.count, by: 4).map { start in
      let few = (start..<start + 4).map { members[min($0, members.count - 1)] }
      return .isOne(few[0], few[1], few[2], few[3])
    }
  }
}

/// Marks rows by their numbers.
enum FloatingKernels {
  static func mark<T: BinaryFloatingPoint & BitwiseCopyable>(
    _ payload: RawBytes, start: Int, count: Int, _ test: FloatingTest<T>, into mask: RowMask
  ) {
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    switch test {
    case .compare(.equal, let constant): mark(elements, into: mask) { $0 == constant }
    case .compare(.notEqual, let constant): mark(elements, into: mask) { $0 != constant }
    case .compare(.less, let constant): mark(elements, into: mask) { $0 < constant }
    case .compare(.lessOrEqual, let constant): mark(elements, into: mask) { $0 <= constant }
    case .compare(.greater, let constant): mark(elements, into: mask) { $0 > constant }
    case .compare(.greaterOrEqual, let constant): mark(elements, into: mask) { $0 >= constant }
    case .range(let low, let high):
      // Both are compared always: a second comparison costs less than a branch.
      mark(elements, into: mask) { ($0 >= low ? 1 : 0) & ($0 <= high ? 1 : 0) != 0 }
    case .isOne(let first, let second, let third, let fourth):
      mark(elements, into: mask) {
        ($0 == first ? 1 : 0) | ($0 == second ? 1 : 0) | ($0 == third ? 1 : 0) | ($0 == fourth ? 1 : 0) != 0
      }
    }
  }

  @inline(__always)
  private static func mark<T: BinaryFloatingPoint & BitwiseCopyable>(
    _ elements: RawBytes, into mask: RowMask, _ test: (T) -> Bool
  ) {
    let count = elements.count / MemoryLayout<T>.size
    mask.resize(count)
    guard count > 0 else { return }
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
