// One byte a row, 1 for rows that are in: what the kernels of a condition produce. Layer: Kernels.
// Bytes rather than bits, because vector code makes them on every processor, and combining, counting and negating
// them is as fast as reading them.
// Invariants: every byte below `count` is 0 or 1; there is room for whole vectors, and what stands there behind the
// last row is anything.

import CPlatform

/// Which rows of a block satisfy a condition. Reused from block to block; grows with the largest one.
@safe package final class SelectionMask {
  @unsafe private struct State {
    var rows: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var count: Int
    /// How many rows are in, where the kernel that marked them has counted them; negative where it has not.
    var population: Int
  }

  private let state: UnsafeMutablePointer<State>

  /// Without memory for rows until it is given a size.
  package init() {
    let rows = UnsafeMutablePointer<UInt8>.allocate(capacity: 0)
    unsafe state = .holding(State(rows: rows, capacity: 0, count: 0, population: 0))
  }

  deinit {
    unsafe state.pointee.rows.deallocate()
    unsafe state.release()
  }

  /// The bytes, for the kernels of this folder to change.
  var rows: UnsafeMutablePointer<UInt8> {
    @inline(__always) get {
      unsafe state.pointee.population = -1
      return unsafe state.pointee.rows
    }
  }

  /// The same to look at.
  private var bytes: UnsafeRawPointer {
    @inline(__always) get { unsafe UnsafeRawPointer(state.pointee.rows) }
  }

  /// Notes how many rows are in, when they have been counted.
  @inline(__always)
  private func setPopulation(_ population: Int) { unsafe state.pointee.population = population }

  package var count: Int { unsafe state.pointee.count }

  /// Makes room for `count` rows; their bytes are whatever they were.
  @inline(__always)
  package func resize(_ count: Int) {
    if unsafe count > state.pointee.capacity { grow(count) }
    unsafe state.pointee.count = count
    unsafe state.pointee.population = -1
  }

  @inline(never)
  private func grow(_ count: Int) {
    // Whole vectors, so that a kernel may write the last one.
    let capacity = max((count + 15) & ~15, unsafe 2 * state.pointee.capacity)
    unsafe state.pointee.rows.deallocate()
    unsafe state.pointee.rows = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe state.pointee.rows.initialize(repeating: 0, count: capacity)
    unsafe state.pointee.capacity = capacity
  }

  /// Makes all of `count` rows in or out.
  package func fill(_ isIn: Bool, count: Int) {
    resize(count)
    unsafe rows.update(repeating: isIn ? 1 : 0, count: count)
    setPopulation(isIn ? count : 0)
  }

  /// Makes `count` rows in or out, as `answer` says of each.
  @inline(__always)
  package func mark<E: Error>(_ count: Int, _ answer: (Int) throws(E) -> Bool) throws(E) {
    resize(count)
    let target = unsafe rows
    for row in 0..<count { unsafe target[row] = try answer(row) ? 1 : 0 }
  }

  package subscript(row: Int) -> Bool {
    get {
      precondition(row >= 0 && row < count)
      return unsafe bytes.load(fromByteOffset: row, as: UInt8.self) != 0
    }
    set {
      precondition(row >= 0 && row < count)
      unsafe rows[row] = newValue ? 1 : 0
    }
  }

  package func formIntersection(_ other: SelectionMask) { combine(other) { $0 & $1 } }

  package func formUnion(_ other: SelectionMask) { combine(other) { $0 | $1 } }

  @inline(__always)
  private func combine(
    _ other: SelectionMask, _ operation: (SixteenAnswers, SixteenAnswers) -> SixteenAnswers
  ) {
    precondition(other.count == count)
    let count = count
    let source = unsafe other.bytes
    let target = unsafe UnsafeMutableRawPointer(rows)
    var lanes = SixteenAnswers()
    var row = 0
    // There is room for whole vectors; what stands behind the last row is anything.
    while row < count {
      let answers = unsafe operation(
        target.loadUnaligned(fromByteOffset: row, as: SixteenAnswers.self),
        source.loadUnaligned(fromByteOffset: row, as: SixteenAnswers.self))
      unsafe target.storeBytes(of: answers, toByteOffset: row, as: SixteenAnswers.self)
      lanes &+= answers
      row &+= 16
    }
    setPopulation(sumOf: lanes)
  }

  /// Notes how many rows are in, where they fill whole vectors whose bytes have been added up to `lanes`.
  @inline(__always)
  func setPopulation(sumOf lanes: SixteenAnswers) {
    // No lane has overflowed in a mask as long as this.
    if count & 15 == 0, count <= 16 * 255 { setPopulation(lanes.sum) }
  }

  package func invert() {
    let target = unsafe rows
    for row in 0..<count { unsafe target[row] ^= 1 }
  }

  /// How many rows are in.
  package var population: Int {
    let counted = unsafe state.pointee.population
    return counted >= 0 ? counted : countedPopulation
  }

  private var countedPopulation: Int {
    let source = unsafe bytes
    let count = count
    var total = 0
    var row = 0
    while row &+ 16 <= count {
      // A lane can hold 255 ones.
      let end = min(count &- 16, row &+ 254 &* 16)
      var lanes = SixteenAnswers()
      while row <= end {
        unsafe lanes &+= source.loadUnaligned(fromByteOffset: row, as: SixteenAnswers.self)
        row &+= 16
      }
      total &+= lanes.sum
    }
    while row < count {
      total &+= Int(unsafe source.load(fromByteOffset: row, as: UInt8.self))
      row &+= 1
    }
    return total
  }

  package var isEmpty: Bool { firstRow(from: 0) == nil }

  /// The first row from `start` on that is in.
  package func firstRow(from start: Int) -> Int? {
    var row = start
    let count = count
    let source = unsafe bytes
    while row + 8 <= count {
      let word = unsafe source.loadUnaligned(fromByteOffset: row, as: UInt64.self).littleEndian
      if word != 0 { return row + word.trailingZeroBitCount / 8 }
      row += 8
    }
    while row < count {
      if unsafe source.load(fromByteOffset: row, as: UInt8.self) != 0 { return row }
      row += 1
    }
    return nil
  }

  /// Adds the numbers of the rows that are in to `numbers`.
  func append(to numbers: inout [Int32]) {
    let (source, count) = unsafe (bytes, count)
    numbers.append(upTo: population) { numbers in
      unsafe Self.forEachRow(of: source, count) { numbers.append(Int32(truncatingIfNeeded: $0)) }
    }
  }

  /// Calls `body` with every row that is in, in order.
  @inline(__always)
  package func forEachRow<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    try unsafe Self.forEachRow(of: bytes, count, body)
  }

  @inline(__always)
  private static func forEachRow<E: Error>(
    of source: UnsafeRawPointer, _ count: Int, _ body: (Int) throws(E) -> Void
  ) throws(E) {
    var row = 0
    while row &+ 64 <= count {
      // A bit a row: each loop that ends where nobody can foresee costs more than putting them together.
      var bits = unsafe platform_bits_of_bytes((source + row).assumingMemoryBound(to: UInt8.self))
      while bits != 0 {
        try body(row &+ bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
      row &+= 64
    }
    while row < count {
      if unsafe source.load(fromByteOffset: row, as: UInt8.self) != 0 { try body(row) }
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

/// The numbers of some rows of a leaf, as whoever reads the leaf is given them.
extension Span<Int32> {
  /// Calls `body` with each row number.
  @inline(__always)
  package func forEachRow<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    for index in indices { try body(Int(self[index])) }
  }
}
