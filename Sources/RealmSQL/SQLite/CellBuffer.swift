// The values of one column for a batch of rows, where SQLite's calls find them. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

extension UnsafeMutablePointer {
  /// Memory that may be of millions.
  static func allocate(large count: Int) -> UnsafeMutablePointer {
    let memory = UnsafeMutablePointer.allocate(capacity: count)
    unsafe sql_prefer_large_pages(memory, count * MemoryLayout<Pointee>.stride)
    return unsafe memory
  }
}

/// Memory for as many cells as a batch has rows.
@safe final class CellBuffer {
  private var kinds: UnsafeMutablePointer<UInt8>
  private var words: UnsafeMutablePointer<Int64>
  private var lengths: UnsafeMutablePointer<UInt32>?
  private var subtypes: UnsafeMutablePointer<UInt8>?
  private var capacity: Int
  private(set) var count = 0
  /// What keeps text and data alive that is not the file's.
  private var owners: [ByteString] = []
  private var lenders: [CellBuffer] = []
  private var isLasting = true

  init() {
    capacity = 16
    unsafe kinds = .allocate(capacity: capacity)
    unsafe words = .allocate(capacity: capacity)
  }

  deinit {
    unsafe kinds.deallocate()
    unsafe words.deallocate()
    unsafe lengths?.deallocate()
    unsafe subtypes?.deallocate()
  }

  /// Makes room for `count` cells, all of them null.
  func reset(count: Int) {
    owners.removeAll(keepingCapacity: true)
    lenders.removeAll(keepingCapacity: true)
    isLasting = true
    self.count = 0
    grow(by: count)
  }

  /// Adds so many cells, all of them null.
  func grow(by more: Int) {
    let start = count
    if start + more > capacity { enlarge(to: max(start + more, 2 * capacity)) }
    count += more
    unsafe (kinds + start).update(repeating: UInt8(SQL_CELL_NULL), count: more)
    if let subtypes = unsafe subtypes { unsafe (subtypes + start).update(repeating: 0, count: more) }
  }

  private func enlarge(to capacity: Int) {
    func moved<T>(_ cells: UnsafeMutablePointer<T>) -> UnsafeMutablePointer<T> {
      let larger = unsafe UnsafeMutablePointer<T>.allocate(large: capacity)
      unsafe larger.update(from: cells, count: count)
      unsafe cells.deallocate()
      return unsafe larger
    }
    unsafe kinds = moved(kinds)
    unsafe words = moved(words)
    unsafe lengths = lengths.map { unsafe moved($0) }
    unsafe subtypes = subtypes.map { unsafe moved($0) }
    self.capacity = capacity
  }

  func append(_ value: SQLValue) {
    grow(by: 1)
    set(count - 1, value)
  }

  /// Adds all texts of a leaf.
  func append(_ leaf: ShortStringLeaf) throws(EngineError) {
    let start = count
    grow(by: leaf.count)
    for index in 0..<leaf.count {
      if let bytes = try leaf.bytes(index) { set(start + index, text: bytes) }
    }
  }

  /// Adds a cell of another buffer, from which this one borrows, so many times.
  func append(cell index: Int, of other: CellBuffer, count: Int) {
    let (value, start) = (other.value(index), self.count)
    grow(by: count)
    for row in start..<self.count { set(row, value) }
  }

  /// Keeps what the cells of another buffer are made of, which must not change before this one does.
  func borrow(from other: CellBuffer) {
    guard lenders.last !== other else { return }
    lenders.append(other)
    isLasting = isLasting && other.isLasting
  }

  /// What the calls of SQLite read.
  var column: sql_column {
    unsafe sql_column(
      kinds: kinds, words: words, lengths: lengths, subtypes: subtypes, is_lasting: isLasting ? 1 : 0)
  }

  @inline(__always)
  func set(_ index: Int, _ value: Int64) {
    precondition(index >= 0 && index < count)
    unsafe kinds[index] = UInt8(SQL_CELL_INTEGER)
    unsafe words[index] = value
  }

  @inline(__always)
  func set(_ index: Int, _ value: Double) {
    precondition(index >= 0 && index < count)
    if value.isNaN { return }
    unsafe kinds[index] = UInt8(SQL_CELL_REAL)
    unsafe words[index] = value == 0 ? 0 : Int64(bitPattern: value.bitPattern)
  }

  /// Lets `body` set `count` cells from `place` on, to cells of another buffer, from which this one borrows.
  func fill(
    _ place: Int, _ count: Int, like other: CellBuffer,
    _ body: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int64>, UnsafeMutablePointer<UInt32>?) -> Void
  ) {
    precondition(place >= 0 && count >= 0 && place <= self.count - count)
    if unsafe lengths == nil && other.lengths != nil { unsafe lengths = .allocate(large: capacity) }
    unsafe body(kinds + place, words + place, lengths.map { unsafe $0 + place })
    borrow(from: other)
  }

  /// Keeps bytes that cells are made of.
  func keep(_ bytes: ByteString) {
    owners.append(bytes)
    isLasting = false
  }

  /// Bytes that stay where they are as long as the realm is open, or are kept.
  @inline(__always)
  func set(_ index: Int, text bytes: RawBytes) { set(index, bytes, UInt8(SQL_CELL_TEXT)) }

  func set(_ index: Int, _ value: SQLValue) {
    switch value {
    case .null: return
    case .integer(let value): set(index, value)
    case .real(let value): set(index, value)
    case .text(let text): set(index, text, UInt8(SQL_CELL_TEXT))
    case .blob(let blob): set(index, blob, UInt8(SQL_CELL_BLOB))
    }
  }

  func setSubtype(_ index: Int, _ subtype: UInt8) {
    precondition(index >= 0 && index < count)
    if unsafe subtypes == nil {
      let memory = unsafe UnsafeMutablePointer<UInt8>.allocate(large: capacity)
      unsafe memory.initialize(repeating: 0, count: capacity)
      unsafe subtypes = memory
    }
    if let subtypes = unsafe subtypes { unsafe subtypes[index] = subtype }
  }

  private func set(_ index: Int, _ value: ByteString, _ kind: UInt8) {
    if !value.isBorrowed { keep(value) }
    set(index, value.bytes, kind)
  }

  @inline(__always)
  private func set(_ index: Int, _ bytes: RawBytes, _ kind: UInt8) {
    precondition(index >= 0 && index < count)
    let lengths: UnsafeMutablePointer<UInt32>
    if let known = unsafe self.lengths {
      unsafe lengths = known
    } else {
      unsafe lengths = .allocate(large: capacity)
      unsafe self.lengths = lengths
    }
    unsafe bytes.withBuffer { bytes in
      unsafe words[index] = Int64(Int(bitPattern: bytes.baseAddress))
    }
    unsafe lengths[index] = UInt32(clamping: bytes.count)
    unsafe kinds[index] = kind
  }

  /// The cell, which borrows from the buffer.
  func value(_ index: Int) -> SQLValue {
    precondition(index >= 0 && index < count)
    let word = unsafe words[index]
    switch UInt32(unsafe kinds[index]) {
    case UInt32(SQL_CELL_INTEGER): return .integer(word)
    case UInt32(SQL_CELL_REAL): return .real(Double(bitPattern: UInt64(bitPattern: word)))
    case UInt32(SQL_CELL_TEXT): return .text(bytes(index))
    case UInt32(SQL_CELL_BLOB): return .blob(bytes(index))
    default: return .null
    }
  }

  /// From the least to the greatest of the integers; nil where there are no integers, or texts and others too.
  var integerSpan: (first: Int64, last: Int64)? {
    var ends = (first: Int64.max, last: Int64.min)
    for row in 0..<count {
      let kind = unsafe kinds[row]
      guard kind == UInt8(SQL_CELL_INTEGER) else {
        if kind == UInt8(SQL_CELL_NULL) { continue }
        return nil
      }
      let number = unsafe words[row]
      ends = (min(ends.first, number), max(ends.last, number))
    }
    return ends.first > ends.last ? nil : ends
  }

  private func bytes(_ index: Int) -> ByteString {
    guard let start = unsafe UnsafeRawPointer(bitPattern: Int(words[index])), let lengths = unsafe lengths
    else { return ByteString(copying: [UInt8]()) }
    return unsafe ByteString(borrowing: RawBytes(start: start, count: Int(lengths[index])))
  }

  /// Puts the cells in another order: cell `order[i]` becomes cell `i`.
  func permute(_ order: [Int32]) {
    precondition(order.count == count)
    unsafe Self.permute(&kinds, order, capacity)
    unsafe Self.permute(&words, order, capacity)
    if let known = unsafe lengths {
      var moved = unsafe known
      unsafe Self.permute(&moved, order, capacity)
      unsafe lengths = moved
    }
    if let known = unsafe subtypes {
      var moved = unsafe known
      unsafe Self.permute(&moved, order, capacity)
      unsafe subtypes = moved
    }
  }

  private static func permute<T>(
    _ values: inout UnsafeMutablePointer<T>, _ order: [Int32], _ capacity: Int
  ) {
    let moved = unsafe UnsafeMutablePointer<T>.allocate(large: capacity)
    for (index, place) in order.enumerated() {
      precondition(place >= 0 && place < order.count)
      unsafe (moved + index).initialize(to: values[Int(place)])
    }
    unsafe values.deallocate()
    unsafe values = moved
  }
}
