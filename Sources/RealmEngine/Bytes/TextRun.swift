// Texts that are gathered one after the other before a leaf is made of them. Layer: Bytes.
// Invariant: slices handed out end with the next append or `removeAll`.

/// A growing run of byte strings.
@safe package final class TextRun {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var size = 0
  /// Where each text ends; nil for a null.
  private var ends: [Int?] = []

  package init(capacity: Int = 4096) {
    self.capacity = capacity
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
  }

  deinit { unsafe memory.deallocate() }

  package var count: Int { ends.count }

  package func append(_ text: Span<UInt8>) {
    reserve(text.count)
    unsafe text.withUnsafeBufferPointer { source in
      if let start = source.baseAddress {
        unsafe (memory + size).copyMemory(from: start, byteCount: source.count)
      }
    }
    size += text.count
    ends.append(size)
  }

  package func append(_ text: RawBytes) {
    reserve(text.count)
    unsafe (memory + size).copyMemory(from: text.start, byteCount: text.count)
    size += text.count
    ends.append(size)
  }

  package func appendNull() { ends.append(nil) }

  private func reserve(_ additional: Int) {
    guard size + additional > capacity else { return }
    capacity = max(2 * capacity, size + additional)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe grown.copyMemory(from: memory, byteCount: size)
    unsafe memory.deallocate()
    unsafe memory = grown
  }

  package func removeAll() {
    size = 0
    ends.removeAll(keepingCapacity: true)
  }

  /// All texts, borrowed.
  package var texts: [ByteString?] {
    var start = 0
    var texts: [ByteString?] = []
    texts.reserveCapacity(ends.count)
    for end in ends {
      guard let end else {
        texts.append(nil)
        continue
      }
      texts.append(ByteString(borrowing: unsafe RawBytes(start: memory + start, count: end - start)))
      start = end
    }
    return texts
  }
}
