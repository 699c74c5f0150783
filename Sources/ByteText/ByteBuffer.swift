// The one growable byte buffer that all text forms are appended to, and rows of text that are appended in another order.
// Layer: ByteText, below every other target; this file alone touches addresses.
// It owns raw memory instead of an array, because an append is then twice as fast, and it cannot be copied
// by accident. A call across targets is not inlined: callers hand over whole values.

/// Bytes that grow at their end.
///
/// Appending is amortised O(appended); memory is kept until the buffer ends.
@safe package struct ByteBuffer: ~Copyable, @unchecked Sendable {
  fileprivate var memory: UnsafeMutableRawPointer
  private var capacity: Int
  package private(set) var count = 0

  package init(capacity: Int = 256) {
    precondition(capacity > 0, "a buffer has room for something")
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    self.capacity = capacity
  }

  deinit { unsafe memory.deallocate() }

  package var isEmpty: Bool { count == 0 }

  /// The bytes written so far, without a copy.
  package var span: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      let bytes = unsafe UnsafeBufferPointer(
        start: UnsafePointer(memory.assumingMemoryBound(to: UInt8.self)), count: count)
      return unsafe _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self)
    }
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
  }

  /// A copy of the bytes as text, with U+FFFD where they are not UTF-8.
  package var text: String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: memory, count: count), as: UTF8.self)
  }

  /// The byte at `index`, which must be in bounds.
  package subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "index out of bounds")
    return unsafe memory.load(fromByteOffset: index, as: UInt8.self)
  }

  /// Makes room for `additionalCount` more bytes, so that appending them moves nothing.
  package mutating func reserve(_ additionalCount: Int) {
    if capacity - count < additionalCount { grow(by: additionalCount) }
  }

  package mutating func append(_ byte: UInt8) {
    if capacity == count { grow(by: 1) }
    unsafe memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  package mutating func append(_ first: UInt8, _ second: UInt8) {
    if capacity - count < 2 { grow(by: 2) }
    unsafe memory.storeBytes(of: first, toByteOffset: count, as: UInt8.self)
    unsafe memory.storeBytes(of: second, toByteOffset: count + 1, as: UInt8.self)
    count += 2
  }

  package mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { unsafe append(raw: $0) }
  }

  package mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append(raw: $0) }
  }

  /// Appends the first `additionalCount` bytes of two words, at most sixteen.
  package mutating func append(_ words: SIMD2<UInt64>, count additionalCount: Int) {
    precondition(additionalCount >= 0 && additionalCount <= 16, "two words have sixteen bytes")
    reserve(16)
    unsafe memory.storeBytes(of: words[0].littleEndian, toByteOffset: count, as: UInt64.self)
    unsafe memory.storeBytes(of: words[1].littleEndian, toByteOffset: count + 8, as: UInt64.self)
    count += additionalCount
  }

  /// Appends `quote`, `bytes` as they are, and `quote` again.
  package mutating func append(_ bytes: Span<UInt8>, quotedBy quote: UInt8) {
    reserve(bytes.count + 2)
    append(quote)
    append(bytes)
    append(quote)
  }

  /// Appends the bytes of a literal.
  package mutating func append(literal: StaticString) {
    unsafe append(
      raw: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends the UTF-8 bytes of a string.
  package mutating func append(text: String) {
    // Not through `text.utf8.span`: that of a short string points into a stack slot which is free to be used
    // again as soon as the span is made, so growing would overwrite it.
    var text = text
    text.withUTF8 { unsafe append(raw: UnsafeRawBufferPointer($0)) }
  }

  package mutating func append(repeating byte: UInt8, count repetitions: Int) {
    reserve(repetitions)
    unsafe (memory + count).initializeMemory(as: UInt8.self, repeating: byte, count: repetitions)
    count += repetitions
  }

  /// Adds `additionalCount` bytes and lends them for writing; they hold anything until written.
  @_lifetime(&self)
  package mutating func extend(by additionalCount: Int) -> MutableSpan<UInt8> {
    precondition(additionalCount >= 0, "a buffer is not extended by less than nothing")
    reserve(additionalCount)
    let bytes = unsafe UnsafeMutableBufferPointer(
      start: (memory + count).assumingMemoryBound(to: UInt8.self), count: additionalCount)
    count += additionalCount
    return unsafe _overrideLifetime(MutableSpan(_unsafeElements: bytes), mutating: &self)
  }

  /// Forgets all bytes and keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// Cuts the end off, so that `newCount` bytes stay.
  package mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count, "a buffer is not truncated to more than it has")
    count = newCount
  }

  /// Lends the bytes to a system or C call.
  package borrowing func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: memory, count: count))
  }

  @unsafe private mutating func append(raw bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (memory + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(never)
  private mutating func grow(by additionalCount: Int) {
    let newCapacity = max(capacity * 2, count + additionalCount)
    let newMemory = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 16)
    unsafe newMemory.copyMemory(from: memory, byteCount: count)
    unsafe memory.deallocate()
    unsafe memory = newMemory
    capacity = newCapacity
  }
}

// MARK: Rows of cells that were written column by column

extension ByteBuffer {
  /// Appends rows that are put together of pieces of `cells`: each row is its piece of the first column, of the
  /// second and so on, each behind that column's separator, and one last separator.
  ///
  /// Piece `row` of column `column` is `cells` from `starts[column * (rowCount + 1) + row]` up to the start that
  /// follows. `separatorEnds` has one number more than there are columns.
  package mutating func append(
    rows rowCount: Int, of cells: borrowing ByteBuffer, starts: Span<Int>,
    separators: borrowing ByteBuffer, separatorEnds: Span<Int>
  ) {
    let columnCount = separatorEnds.count - 1
    precondition(columnCount >= 0 && starts.count >= columnCount * (rowCount + 1), "a start for each cell")
    reserve(cells.count + rowCount * separators.count + 2 * Self.chunkSize)
    let hasSlack =
      cells.capacity - cells.count >= 2 * Self.chunkSize
      && separators.capacity - separators.count >= 2 * Self.chunkSize
    for row in 0..<rowCount {
      var separatorStart = 0
      for column in 0...columnCount {
        let separatorEnd = separatorEnds[column]
        append(separatorStart..<separatorEnd, of: separators, hasSlack: hasSlack)
        separatorStart = separatorEnd
        guard column < columnCount else { break }
        let index = column &* (rowCount &+ 1) &+ row
        append(starts[index]..<starts[index &+ 1], of: cells, hasSlack: hasSlack)
      }
    }
  }

  /// Makes sure that short pieces of this buffer can be read in whole chunks.
  package mutating func reserveSlack() { reserve(2 * Self.chunkSize) }

  fileprivate static var chunkSize: Int { 16 }

  /// Appends a part of `source`. With slack behind its bytes, short parts are copied in whole chunks: what is copied
  /// too much is overwritten by what comes next, or never counted.
  @inline(__always)
  private mutating func append(_ part: Range<Int>, of source: borrowing ByteBuffer, hasSlack: Bool) {
    let size = part.count
    precondition(part.lowerBound >= 0 && part.upperBound <= source.count, "a part lies inside its buffer")
    if capacity - count < size + 2 * Self.chunkSize { grow(by: size + 2 * Self.chunkSize) }
    unsafe append(source.memory + part.lowerBound, size, hasSlack: hasSlack)
  }

  /// Appends bytes, for which there is room, and two chunks more.
  @inline(__always)
  fileprivate mutating func append(_ from: UnsafeRawPointer, _ size: Int, hasSlack: Bool) {
    typealias Chunk = SIMD16<UInt8>
    let to = unsafe memory + count
    if hasSlack, size <= 2 * Self.chunkSize {
      unsafe to.storeBytes(of: from.loadUnaligned(as: Chunk.self), as: Chunk.self)
      if size > Self.chunkSize {
        let rest = unsafe from.loadUnaligned(fromByteOffset: Self.chunkSize, as: Chunk.self)
        unsafe to.storeBytes(of: rest, toByteOffset: Self.chunkSize, as: Chunk.self)
      }
    } else {
      unsafe to.copyMemory(from: from, byteCount: size)
    }
    count &+= size
  }
}

// MARK: Rows in another order

/// Rows of text that are to be appended in another order: in slices of equally many rows, but the last one.
@safe package final class RowTexts: @unchecked Sendable {
  /// Some rows, one behind the other.
  package struct Slice: Sendable {
    fileprivate let text: Owner
    fileprivate let ends: [Int]

    /// `ends`: where each row ends in `text`.
    package init(_ text: consuming ByteBuffer, ends: [Int]) {
      text.reserveSlack()
      self.text = Owner(text)
      self.ends = ends
    }
  }

  fileprivate final class Owner: Sendable {
    let text: ByteBuffer

    init(_ text: consuming ByteBuffer) { self.text = text }
  }

  private let owners: [Owner]
  private let rowCount: Int
  /// So many lowest bits of a row's number are its place in its slice.
  private let sliceShift: Int
  /// Where the text of each slice begins.
  private let texts: UnsafeMutablePointer<UnsafeRawPointer>
  /// Where each row begins in the text of its slice, and behind a slice's last row where that ends.
  private let bounds: UnsafeMutablePointer<Int>

  package init(_ slices: [Slice], rowsOfASlice: Int) {
    owners = slices.map(\.text)
    precondition(rowsOfASlice.nonzeroBitCount == 1, "the slices' length is a power of two")
    sliceShift = rowsOfASlice.trailingZeroBitCount
    rowCount = slices.reduce(0) { $0 + $1.ends.count }
    unsafe texts = .allocate(capacity: slices.count)
    unsafe bounds = .allocate(capacity: rowCount + slices.count)
    var next = 0
    for (number, slice) in slices.enumerated() {
      precondition(
        slice.ends.count == rowsOfASlice || number == slices.count - 1 && slice.ends.count < rowsOfASlice,
        "slices are of equally many rows")
      unsafe (texts + number).initialize(to: UnsafeRawPointer(slice.text.text.memory))
      unsafe (bounds + next).initialize(to: 0)
      var start = 0
      for end in slice.ends {
        precondition(end >= start && end <= slice.text.text.count, "rows lie one behind the other")
        next += 1
        unsafe (bounds + next).initialize(to: end)
        start = end
      }
      next += 1
    }
  }

  deinit {
    unsafe texts.deallocate()
    unsafe bounds.deallocate()
  }

  /// What is in memory for them.
  package var size: Int {
    owners.reduce(0) { $0 + $1.text.count } + rowCount * MemoryLayout<Int>.stride
  }

  /// Rows whose texts are waited for together: they lie anywhere in memory.
  private static let rowsTogether = 64

  /// Appends rows by their numbers among all of them.
  package func append(_ rows: Span<Int32>, to target: inout ByteBuffer) {
    unsafe withUnsafeTemporaryAllocation(
      of: UnsafeRawBufferPointer.self, capacity: Self.rowsTogether
    ) { parts in
      for first in stride(from: 0, to: rows.count, by: Self.rowsTogether) {
        let count = min(Self.rowsTogether, rows.count - first)
        var size = 0
        for index in 0..<count {
          let row = Int(rows[first + index])
          precondition(row >= 0 && row < rowCount, "rows are some of these")
          let slice = row >> sliceShift
          let (start, end) = unsafe (bounds[row + slice], bounds[row + slice + 1])
          unsafe parts[index] = UnsafeRawBufferPointer(start: texts[slice] + start, count: end - start)
          size += end - start
        }
        target.reserve(size + 2 * ByteBuffer.chunkSize)
        // Each is asked of memory before the first one is needed. What is made of them stands where it is overwritten.
        var touched: UInt8 = 0
        for index in 0..<count {
          unsafe touched &+= parts[index].baseAddress.map { unsafe $0.load(as: UInt8.self) } ?? 0
        }
        unsafe target.memory.storeBytes(of: touched, toByteOffset: target.count, as: UInt8.self)
        for index in 0..<count {
          guard let start = unsafe parts[index].baseAddress else { continue }
          unsafe target.append(start, parts[index].count, hasSlack: true)
        }
      }
    }
  }
}
