// Texts and integers that are gathered one after the other before a leaf is made of them. Layer: Kernels.
// Invariants: one thread at a time uses a buffer, and hands it to another only through a lock or by ending; slices handed
// out end with the next append, `truncate` or `removeAll`.

/// A growing run of byte strings.
@safe package final class TextBuffer: @unchecked Sendable {
  @unsafe private struct State {
    var memory: UnsafeMutableRawPointer
    var capacity: Int
    var size = 0
  }

  private let state: UnsafeMutablePointer<State>
  /// Where each text ends; negative for a null.
  private let ends = IntegerBuffer()

  package init(capacity: Int = 64) {
    unsafe state = .holding(State(memory: .allocate(byteCount: capacity, alignment: 16), capacity: capacity))
  }

  deinit {
    unsafe state.pointee.memory.deallocate()
    unsafe state.release()
  }

  package var count: Int { ends.count }

  package func append(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBufferPointer { unsafe append($0.baseAddress, $0.count) }
  }

  /// Texts that stand one behind the other, each before its end; negative ends are those of nulls.
  package func append(_ all: Span<UInt8>, endingAt ends: [Int64]) {
    let start = unsafe Int64(state.pointee.size)
    unsafe all.withUnsafeBufferPointer { unsafe append(bytes: $0.baseAddress, $0.count) }
    for end in ends {
      precondition(end <= all.count, "a text ends among its bytes")
      self.ends.append(end < 0 ? -1 : start + end)
    }
  }

  package func append(_ text: RawBytes) { unsafe append(text.start, text.count) }

  private func append(_ start: UnsafeRawPointer?, _ length: Int) {
    unsafe append(bytes: start, length)
    ends.append(Int64(unsafe state.pointee.size))
  }

  private func append(bytes start: UnsafeRawPointer?, _ length: Int) {
    let size = unsafe state.pointee.size
    if unsafe size + length > state.pointee.capacity { grow(by: length) }
    if let start = unsafe start {
      unsafe (state.pointee.memory + size).copyMemory(from: start, byteCount: length)
    }
    unsafe state.pointee.size = size + length
  }

  package func appendNull() { ends.append(-1) }

  private func grow(by length: Int) {
    let old = unsafe state.pointee
    let capacity = unsafe max(2 * old.capacity, old.size + length)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe memory.copyMemory(from: old.memory, byteCount: old.size)
    unsafe old.memory.deallocate()
    unsafe state.pointee = State(memory: memory, capacity: capacity, size: old.size)
  }

  /// Forgets all texts but the first `count`.
  package func truncate(to count: Int) {
    ends.truncate(to: count)
    var last = count - 1
    while last >= 0, ends[last] < 0 { last -= 1 }
    unsafe state.pointee.size = last < 0 ? 0 : Int(ends[last])
  }

  /// The text at `index`, which is no null and comes after none.
  subscript(index: Int) -> RawBytes {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    let length = Int(ends[index]) - start
    precondition(start >= 0 && length >= 0, "no text is null")
    return unsafe RawBytes(start: state.pointee.memory + start, count: length)
  }

  /// All texts, borrowed.
  package var texts: [ByteString?] {
    var start = 0
    return ends.array.map { end in
      guard end >= 0 else { return nil }
      defer { start = Int(end) }
      return ByteString(
        borrowing: unsafe RawBytes(start: state.pointee.memory + start, count: Int(end) - start))
    }
  }
}

/// A growing run of integers.
@safe package final class IntegerBuffer: @unchecked Sendable {
  @unsafe private struct State {
    var memory: UnsafeMutablePointer<Int64>
    var capacity: Int
    var count = 0
  }

  private let state: UnsafeMutablePointer<State>

  /// A class may have tens of thousands of them, most of which hold little.
  package init(capacity: Int = 4) {
    unsafe state = .holding(State(memory: .allocate(capacity: capacity), capacity: capacity))
  }

  deinit {
    unsafe state.pointee.memory.deallocate()
    unsafe state.release()
  }

  package var count: Int { unsafe state.pointee.count }

  package func append(_ value: Int64) {
    let count = unsafe state.pointee.count
    if unsafe count == state.pointee.capacity { grow() }
    unsafe state.pointee.memory[count] = value
    unsafe state.pointee.count = count + 1
  }

  private func grow() {
    let old = unsafe state.pointee
    let memory = unsafe UnsafeMutablePointer<Int64>.allocate(capacity: 2 * old.capacity)
    unsafe memory.update(from: old.memory, count: old.count)
    unsafe old.memory.deallocate()
    unsafe state.pointee = State(memory: memory, capacity: 2 * old.capacity, count: old.count)
  }

  package subscript(index: Int) -> Int64 {
    precondition(index >= 0 && index < count)
    return unsafe state.pointee.memory[index]
  }

  package func removeAll() { truncate(to: 0) }

  /// Forgets all values but the first `count`.
  package func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count)
    unsafe state.pointee.count = count
  }

  /// A copy of all values.
  package var array: [Int64] {
    unsafe Array(UnsafeBufferPointer(start: state.pointee.memory, count: state.pointee.count))
  }
}

/// A growing run of values of any kind.
@safe package final class ValueBuffer<Element: Sendable>: @unchecked Sendable {
  private let state: UnsafeMutablePointer<[Element]>

  package init() {
    unsafe state = .holding([])
  }

  deinit {
    unsafe state.release()
  }

  package var count: Int { unsafe state.pointee.count }

  package func append(_ value: Element) { unsafe state.pointee.append(value) }

  /// Forgets all values but the first `count`.
  package func truncate(to count: Int) {
    unsafe state.pointee.removeLast(state.pointee.count - count)
  }

  /// All values.
  package var array: [Element] { unsafe state.pointee }
}
