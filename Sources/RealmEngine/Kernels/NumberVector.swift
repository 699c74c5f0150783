// Numbers of one operand for a block of rows, unpacked to eight bytes each, with their nulls: what calculating with
// columns reads and writes. Layer: Kernels.
// Invariants: a block belongs to one thread and holds integers or doubles, whichever were written last. What stands
// beside a null is any number.
// Safe: rows are checked against `count`, runs of elements against their payload, before a loop begins.

/// Integers or doubles, reused from block to block.
@safe package final class NumberVector {
  @unsafe private struct State {
    var ints: UnsafeMutablePointer<Int64>
    var doubles: UnsafeMutablePointer<Double>
    var capacity: Int
    var count: Int
    var hasNulls: Bool
  }

  private let state: UnsafeMutablePointer<State>
  /// 1 for null rows; only meaningful with `hasNulls`.
  let nulls = SelectionMask()

  /// The rows, for the kernels of this folder.
  var ints: UnsafeMutablePointer<Int64> { unsafe state.pointee.ints }
  var doubles: UnsafeMutablePointer<Double> { unsafe state.pointee.doubles }

  package var count: Int { unsafe state.pointee.count }

  package private(set) var hasNulls: Bool {
    get { unsafe state.pointee.hasNulls }
    set { unsafe state.pointee.hasNulls = newValue }
  }

  /// Without memory until it is given a size.
  package init() {
    unsafe state = .holding(
      State(
        ints: .allocate(capacity: 0), doubles: .allocate(capacity: 0), capacity: 0, count: 0, hasNulls: false)
    )
  }

  deinit {
    unsafe ints.deallocate()
    unsafe doubles.deallocate()
    unsafe state.release()
  }

  /// Makes room for `count` rows, none of them null.
  package func resize(_ count: Int) {
    if unsafe count > state.pointee.capacity { grow(count) }
    unsafe state.pointee.count = count
    hasNulls = false
  }

  private func grow(_ count: Int) {
    let capacity = max(count, unsafe 2 * state.pointee.capacity)
    unsafe ints.deallocate()
    unsafe doubles.deallocate()
    unsafe state.pointee.ints = .allocate(capacity: capacity)
    unsafe state.pointee.doubles = .allocate(capacity: capacity)
    unsafe ints.initialize(repeating: 0, count: capacity)
    unsafe doubles.initialize(repeating: 0, count: capacity)
    unsafe state.pointee.capacity = capacity
  }

  // MARK: Single rows

  package func int(_ row: Int) -> Int64 {
    precondition(row >= 0 && row < count)
    return unsafe ints[row]
  }

  package func double(_ row: Int) -> Double {
    precondition(row >= 0 && row < count)
    return unsafe doubles[row]
  }

  package func isNull(_ row: Int) -> Bool { hasNulls && nulls[row] }

  @inline(__always)
  package func set(_ row: Int, _ value: Int64) {
    precondition(row >= 0 && row < count)
    unsafe ints[row] = value
  }

  @inline(__always)
  package func set(_ row: Int, _ value: Double) {
    precondition(row >= 0 && row < count)
    unsafe doubles[row] = value
  }

  package func setNull(_ row: Int) {
    precondition(row >= 0 && row < count)
    if !hasNulls { startNulls() }
    nulls[row] = true
  }

  private func startNulls() {
    nulls.fill(false, count: count)
    hasNulls = true
  }

  // MARK: Whole blocks

  /// Adds all numbers to `words`: integers, or the bits of doubles.
  func append(to words: inout [UInt64], areInts: Bool) {
    words.append(upTo: count) { words in
      if areInts {
        for row in 0..<count { words.append(UInt64(bitPattern: unsafe ints[row])) }
      } else {
        for row in 0..<count { words.append(unsafe doubles[row].bitPattern) }
      }
    }
  }

  package func fill(_ value: Int64, count: Int) {
    resize(count)
    unsafe ints.update(repeating: value, count: count)
  }

  package func fill(_ value: Double, count: Int) {
    resize(count)
    unsafe doubles.update(repeating: value, count: count)
  }

  package func fillNull(count: Int) {
    fill(Int64(0), count: count)
    nulls.fill(true, count: count)
    hasNulls = true
  }

  /// Makes null what is `sentinel`, a number that no row has otherwise.
  package func makeNull(_ sentinel: Int64) {
    let rows = unsafe ints
    hasNulls = unsafe Self.holds(sentinel, UnsafeRawPointer(rows), count)
    guard hasNulls else { return }
    nulls.resize(count)
    let isNull = unsafe nulls.rows
    for row in 0..<count { unsafe isNull[row] = rows[row] == sentinel ? 1 : 0 }
  }

  /// Whether one of `count` words is `sentinel`.
  @unsafe private static func holds(_ sentinel: Int64, _ words: UnsafeRawPointer, _ count: Int) -> Bool {
    var any: UInt8 = 0
    for row in 0..<count {
      any |= unsafe words.loadUnaligned(fromByteOffset: row &* 8, as: Int64.self) == sentinel ? 1 : 0
    }
    return any != 0
  }

  /// Makes null what is null in `other`, which has as many rows.
  func addNulls(of other: NumberVector) {
    precondition(other.count == count)
    guard other.hasNulls else { return }
    if !hasNulls { startNulls() }
    nulls.formUnion(other.nulls)
  }

  /// Whether each integer has a double of its own: none is beyond 2^53.
  package var areExactAsDoubles: Bool {
    var bits: Int64 = 0
    let rows = unsafe ints
    for row in 0..<count { unsafe bits |= rows[row] ^ (rows[row] >> 63) }
    return bits >> 53 == 0
  }

  /// Integers become the nearest doubles; with `asFloats` the nearest floats.
  package func convertToDoubles(asFloats: Bool) {
    let (integers, numbers) = unsafe (ints, doubles)
    if asFloats {
      for row in 0..<count { unsafe numbers[row] = Double(Float(integers[row])) }
    } else {
      for row in 0..<count { unsafe numbers[row] = Double(integers[row]) }
    }
  }
}

extension NumberVector {
  /// Unpacks `count` integers of whole bytes from element `start` on.
  func load<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type, _ payload: RawBytes, start: Int, count: Int
  ) {
    resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    let source = unsafe elements.start
    let rows = unsafe ints
    for row in 0..<count {
      let element = unsafe source.loadUnaligned(fromByteOffset: row &* MemoryLayout<T>.size, as: T.self)
      unsafe rows[row] = Int64(truncatingIfNeeded: T(littleEndian: element))
    }
  }

  /// Unpacks integers of 1, 2 or 4 bits.
  func loadNarrow(_ payload: RawBytes, width: Int, start: Int, count: Int) {
    resize(count)
    IntegerKernels.spread(payload, width: width, start: start, count: count, into: nulls)
    let (source, rows) = unsafe (nulls.rows, ints)
    for row in 0..<count { unsafe rows[row] = Int64(source[row]) }
  }

  /// Loads doubles; those with the bits `nullBits` are null.
  package func loadDoubles(_ payload: RawBytes, start: Int, count: Int, nullBits: UInt64?) {
    resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * 8, count * 8)
    let hasNull = nullBits.map { unsafe Self.holds(Int64(bitPattern: $0), elements.start, count) } ?? false
    guard hasNull else {
      return unsafe UnsafeMutableRawPointer(doubles).copyMemory(from: elements.start, byteCount: count * 8)
    }
    load(UInt64.self, payload, start: start, count: count)
    if let nullBits { makeNull(Int64(bitPattern: nullBits)) }
    let (patterns, numbers) = unsafe (ints, doubles)
    for row in 0..<count { unsafe numbers[row] = Double(bitPattern: UInt64(bitPattern: patterns[row])) }
  }

  /// Loads floats as doubles; those with the bits `nullBits` are null.
  package func loadFloats(_ payload: RawBytes, start: Int, count: Int, nullBits: UInt32?) {
    load(UInt32.self, payload, start: start, count: count)
    if let nullBits { makeNull(Int64(nullBits)) }
    let (patterns, numbers) = unsafe (ints, doubles)
    for row in 0..<count {
      unsafe numbers[row] = Double(Float(bitPattern: UInt32(truncatingIfNeeded: patterns[row])))
    }
  }

  /// Loads the lengths of texts that are padded to `width` bytes, the last of which says how much is padding; as much
  /// as the width is null. False: some text says that it has more.
  package func loadPaddedLengths(
    _ payload: RawBytes, width: Int, start: Int, count: Int, isNullable: Bool
  ) -> Bool {
    resize(count)
    guard count > 0 else { return true }
    let elements = payload.slice(start * width, count * width)
    let source = unsafe elements.start.assumingMemoryBound(to: UInt8.self) + (width - 1)
    let rows = unsafe ints
    var greatest: UInt8 = 0
    for row in 0..<count {
      let padding = unsafe source[row &* width]
      greatest = max(greatest, padding)
      unsafe rows[row] = Int64(width &- 1 &- Int(padding))
    }
    if Int(greatest) >= width {
      if isNullable {
        makeNull(-1)
      } else {
        for row in 0..<count { unsafe rows[row] = max(0, rows[row]) }
      }
    }
    return Int(greatest) <= width
  }
}
