// One byte a row, 1 for rows that are in: what the kernels of a condition produce. Layer: Bytes.
// Bytes rather than bits, because compilers turn compare-and-store loops over bytes into vector code on every
// processor, and combining, counting and negating them is as fast as reading them.
// Invariant: every byte below `count` is 0 or 1.

/// Which rows of a block satisfy a condition. Reused from block to block; grows with the largest one.
@safe package final class RowMask {
  /// The mask's few words stand in raw memory: the run-time checks of exclusive access to a class's variables cost
  /// more than the kernels. A mask belongs to one thread, and none of its methods hands out a reference to these.
  @unsafe private struct State {
    var rows: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var count: Int
  }

  private let state: UnsafeMutablePointer<State>

  package init(capacity: Int = 1024) {
    let rows = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe rows.initialize(repeating: 0, count: capacity)
    unsafe state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State(rows: rows, capacity: capacity, count: 0))
  }

  deinit {
    unsafe state.pointee.rows.deallocate()
    unsafe state.deallocate()
  }

  /// The bytes, for the kernels of this folder.
  var rows: UnsafeMutablePointer<UInt8> { unsafe state.pointee.rows }

  package var count: Int { unsafe state.pointee.count }

  /// Makes room for `count` rows; their bytes are whatever they were.
  package func resize(_ count: Int) {
    if unsafe count > state.pointee.capacity {
      let capacity = max(count, unsafe 2 * state.pointee.capacity)
      unsafe state.pointee.rows.deallocate()
      unsafe state.pointee.rows = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      unsafe state.pointee.rows.initialize(repeating: 0, count: capacity)
      unsafe state.pointee.capacity = capacity
    }
    unsafe state.pointee.count = count
  }

  /// Makes all of `count` rows in or out.
  package func fill(_ isIn: Bool, count: Int) {
    resize(count)
    unsafe rows.update(repeating: isIn ? 1 : 0, count: count)
  }

  package subscript(row: Int) -> Bool {
    get {
      precondition(row >= 0 && row < count)
      return unsafe rows[row] != 0
    }
    set {
      precondition(row >= 0 && row < count)
      unsafe rows[row] = newValue ? 1 : 0
    }
  }

  package func formIntersection(_ other: RowMask) {
    precondition(other.count == count)
    let source = unsafe other.rows
    let target = unsafe rows
    for row in 0..<count { unsafe target[row] &= source[row] }
  }

  package func formUnion(_ other: RowMask) {
    precondition(other.count == count)
    let source = unsafe other.rows
    let target = unsafe rows
    for row in 0..<count { unsafe target[row] |= source[row] }
  }

  package func invert() {
    let target = unsafe rows
    for row in 0..<count { unsafe target[row] ^= 1 }
  }

  /// How many rows are in.
  package var population: Int {
    let source = unsafe rows
    let count = count
    var total = 0
    var row = 0
    // Lanes of a byte can hold 255 ones: sum runs that short in bytes.
    while row < count {
      let end = min(count, row + 248)
      var lanes: UInt8 = 0
      for index in row..<end { unsafe lanes &+= source[index] }
      total += Int(lanes)
      row = end
    }
    return total
  }

  package var isEmpty: Bool { firstRow(from: 0) == nil }

  /// The first row from `start` on that is in.
  package func firstRow(from start: Int) -> Int? {
    var row = start
    let count = count
    let source = unsafe UnsafeRawPointer(rows)
    while row + 8 <= count {
      let word = unsafe source.loadUnaligned(fromByteOffset: row, as: UInt64.self).littleEndian
      if word != 0 { return row + word.trailingZeroBitCount / 8 }
      row += 8
    }
    while row < count {
      if unsafe rows[row] != 0 { return row }
      row += 1
    }
    return nil
  }

  /// Calls `body` with every row that is in, in order.
  @inline(__always)
  package func forEachRow<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    var row = 0
    let count = count
    let source = unsafe UnsafeRawPointer(rows)
    while row + 8 <= count {
      var word = unsafe source.loadUnaligned(fromByteOffset: row, as: UInt64.self).littleEndian
      while word != 0 {
        try body(row + word.trailingZeroBitCount / 8)
        word &= word &- 1
      }
      row += 8
    }
    while row < count {
      if unsafe rows[row] != 0 { try body(row) }
      row += 1
    }
  }

  /// Keeps the rows for which `test` holds; it is asked only about rows that are in.
  package func filter<E: Error>(_ test: (Int) throws(E) -> Bool) throws(E) {
    try forEachRow { row throws(E) in
      if try !test(row) { unsafe rows[row] = 0 }
    }
  }
}
