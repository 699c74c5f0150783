// All or chosen elements of a leaf in one call, with the width decided once. Layer: Nodes.

extension PackedIntegers {
  /// Calls `body` with each element in order.
  @inline(__always)
  func forEachElement(_ body: (Int64) -> Void) {
    switch width {
    case 8: for index in 0..<count { body(Int64(payload.load(Int8.self, at: start &+ index))) }
    case 16: for index in 0..<count { body(Int64(payload.load(Int16.self, at: (start &+ index) &* 2))) }
    case 32: for index in 0..<count { body(Int64(payload.load(Int32.self, at: (start &+ index) &* 4))) }
    default: for index in 0..<count { body(self[index]) }
    }
  }

  /// Calls `body` with the elements at `rows`, each of which must be below `count`.
  @inline(__always)
  func forEachElement(at rows: borrowing Span<Int32>, _ body: (Int64) -> Void) {
    switch width {
    case 8: forEachPosition(rows) { body(Int64(payload.load(Int8.self, at: $0))) }
    case 16: forEachPosition(rows) { body(Int64(payload.load(Int16.self, at: $0 &* 2))) }
    case 32: forEachPosition(rows) { body(Int64(payload.load(Int32.self, at: $0 &* 4))) }
    case 64: forEachPosition(rows) { body(payload.load(Int64.self, at: $0 &* 8)) }
    case 0: forEachPosition(rows) { _ in body(0) }
    default:
      let (width, mask) = (width, Int64(1) &<< Int64(width) &- 1)
      forEachPosition(rows) { position in
        let bit = position &* width
        body(Int64(payload[bit &>> 3]) &>> Int64(bit & 7) & mask)
      }
    }
  }

  @inline(__always)
  private func forEachPosition(_ rows: borrowing Span<Int32>, _ body: (Int) -> Void) {
    rows.forEachRow { row in
      precondition(row >= 0 && row < count, "rows lie in their leaf")
      body(start &+ row)
    }
  }

  /// Replaces `values` by the elements at `rows`, each of which must be below `count`.
  package func gather(_ rows: borrowing Span<Int32>, into values: inout [Int64]) {
    values.removeAll(keepingCapacity: true)
    values.reserveCapacity(rows.count)
    forEachElement(at: rows) { values.append($0) }
  }
}
