// Room for texts that are made block by block and read before the next block. Layer: Kernels.
// Invariant: bytes stay where they are until `reset`, after which everything handed out before is gone.

/// Memory for short-lived byte strings, given back all at once.
package final class TextArena {
  private let memory: MemoryImage
  private var usedSize = 0

  /// Address space to reserve, where there is so much; memory is taken only where it is written.
  private static let reservedSizeMax = 1 << 36
  /// What is kept from one block to the next.
  private static let keptSize = 1 << 22
  private static let pageSize = 1 << 16

  package init() throws(EngineError) {
    guard let memory = MemoryImage.growing(sizeMax: Self.reservedSizeMax) else {
      throw EngineError(.other, "no address space for texts")
    }
    self.memory = memory
  }

  /// `count` bytes to be filled at once, and the text that they are.
  package func allocate(_ count: Int) throws(EngineError) -> (bytes: MutableRawBytes, text: ByteString) {
    guard count <= memory.size - usedSize else {
      throw EngineError(.constraint, "the texts made for one block of objects are too long")
    }
    guard memory.grow(to: usedSize + count) else {
      throw EngineError(
        .other, "not enough memory for \(usedSize + count) bytes of texts", hint: MemoryImage.limitHint)
    }
    let bytes = memory.mutableBytes(usedSize, count)
    usedSize += count
    return (bytes, ByteString(borrowing: bytes.readable))
  }

  /// A copy of `bytes`.
  package func text(_ bytes: Span<UInt8>) throws(EngineError) -> ByteString {
    let (target, text) = try allocate(bytes.count)
    target.copy(bytes, at: 0)
    return text
  }

  /// Gives all texts back.
  package func reset() {
    if usedSize > Self.keptSize {
      memory.discard(0, (usedSize + Self.pageSize - 1) & ~(Self.pageSize - 1))
    }
    usedSize = 0
  }
}
