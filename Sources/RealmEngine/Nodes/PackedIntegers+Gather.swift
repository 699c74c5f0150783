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

  /// Replaces `values` by the elements at `rows`, each of which must be below `count`.
  package func gather(_ rows: [Int32], into values: inout [Int64]) {
    values.removeAll(keepingCapacity: true)
    values.reserveCapacity(rows.count)
    switch width {
    case 8: gather(rows, &values) { Int64(payload.load(Int8.self, at: $0)) }
    case 16: gather(rows, &values) { Int64(payload.load(Int16.self, at: $0 &* 2)) }
    case 32: gather(rows, &values) { Int64(payload.load(Int32.self, at: $0 &* 4)) }
    case 64: gather(rows, &values) { payload.load(Int64.self, at: $0 &* 8) }
    default: gather(rows, &values) { self[$0 &- start] }
    }
  }

  /// `element` is asked by the position in the payload.
  @inline(__always)
  private func gather(_ rows: [Int32], _ values: inout [Int64], _ element: (Int) -> Int64) {
    for row in rows {
      precondition(row >= 0 && Int(row) < count, "rows lie in their leaf")
      values.append(element(start &+ Int(row)))
    }
  }
}
