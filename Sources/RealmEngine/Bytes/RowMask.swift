// One byte a row, 1 for rows that are in: what the kernels of a condition produce. Layer: Bytes.
// Bytes rather than bits, because compilers turn compare-and-store loops over bytes into vector code on every
// processor, and combining, counting and negating them is as fast as reading them.
// Invariant: every byte below `count` is 0 or 1.

/// Which rows of a block satisfy a condition. Reused from block to block; grows with the largest one.
@safe package final class RowMask {
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  package private(set) var count = 0

  package init(capacity: Int = 1024) {
    self.capacity = capacity
    unsafe storage = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe storage.initialize(repeating: 0, count: capacity)
  }

  deinit { unsafe storage.deallocate() }

  /// The bytes, for the kernels of this folder.
  var rows: UnsafeMutablePointer<UInt8> { unsafe storage }

  /// Makes room for `count` rows; their bytes are whatever they were.
  package func resize(_ count: Int) {
    if count > capacity {
      unsafe storage.deallocate()
      capacity = max(count, 2 * capacity)
      unsafe storage = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      unsafe storage.initialize(repeating: 0, count: capacity)
    }
    self.count = count
  }

  /// Makes all of `count` rows in or out.
  package func fill(_ isIn: Bool, count: Int) {
    resize(count)
    unsafe storage.update(repeating: isIn ? 1 : 0, count: count)
  }

  package subscript(row: Int) -> Bool {
    get {
      precondition(row >= 0 && row < count)
      return unsafe storage[row] != 0
    }
    set {
      precondition(row >= 0 && row < count)
      unsafe storage[row] = newValue ? 1 : 0
    }
  }

  package func formIntersection(_ other: RowMask) {
    precondition(other.count == count)
    let source = unsafe other.storage
    let target = unsafe storage
    for row in 0..<count { unsafe target[row] &= source[row] }
  }

  package func formUnion(_ other: RowMask) {
    precondition(other.count == count)
    let source = unsafe other.storage
    let target = unsafe storage
    for row in 0..<count { unsafe target[row] |= source[row] }
  }

  package func invert() {
    let target = unsafe storage
    for row in 0..<count { unsafe target[row] ^= 1 }
  }

  /// How many rows are in.
  package var population: Int {
    let source = unsafe storage
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
    let source = unsafe UnsafeRawPointer(storage)
    while row + 8 <= count {
      let word = unsafe source.loadUnaligned(fromByteOffset: row, as: UInt64.self).littleEndian
      if word != 0 { return row + word.trailingZeroBitCount / 8 }
      row += 8
    }
    while row < count {
      if unsafe storage[row] != 0 { return row }
      row += 1
    }
    return nil
  }

  /// Calls `body` with every row that is in, in order.
  @inline(__always)
  package func forEachRow<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    var row = 0
    let source = unsafe UnsafeRawPointer(storage)
    while row + 8 <= count {
      var word = unsafe source.loadUnaligned(fromByteOffset: row, as: UInt64.self).littleEndian
      while word != 0 {
        try body(row + word.trailingZeroBitCount / 8)
        word &= word &- 1
      }
      row += 8
    }
    while row < count {
      if unsafe storage[row] != 0 { try body(row) }
      row += 1
    }
  }

  /// Keeps the rows for which `test` holds; it is asked only about rows that are in.
  package func filter<E: Error>(_ test: (Int) throws(E) -> Bool) throws(E) {
    try forEachRow { row throws(E) in
      if try !test(row) { unsafe storage[row] = 0 }
    }
  }
}
