// Words on their way to the end of an array. Layer: Kernels.
// Safe: a word is written only where there is room for it.

extension OutputSpan<UInt64> {
  /// Adds what `body` writes, which is at most `count` words. There must be room for them.
  @inline(__always)
  mutating func write(atMost count: Int, _ body: (inout KeyWriter) -> Void) {
    precondition(count <= freeCapacity, "there is room for the words")
    unsafe withUnsafeMutableBufferPointer { buffer, initializedCount in
      // A variable of its own: the span's would be read anew behind every word that is written.
      var writer = unsafe KeyWriter(UnsafeMutableBufferPointer(rebasing: buffer[initializedCount...]))
      body(&writer)
      initializedCount += writer.count
    }
  }
}

/// Where words are written to.
@safe struct KeyWriter {
  private let room: UnsafeMutableBufferPointer<UInt64>
  private(set) var count = 0

  fileprivate init(_ room: UnsafeMutableBufferPointer<UInt64>) { unsafe self.room = room }

  @inline(__always)
  mutating func write(_ word: UInt64) {
    precondition(unsafe count < room.count, "there is room for the words")
    unsafe room[count] = word
    count &+= 1
  }
}
