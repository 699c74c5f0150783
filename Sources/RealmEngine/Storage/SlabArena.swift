// Memory for nodes that a write transaction makes before it commits. Layer: Storage.
// Refs into it lie behind every ref of the file. Invariants: bytes once handed out never move; several threads may take
// runs at once, each of its own bytes. Only the first of them are the process's own memory where a scratch file takes the
// others: a transaction may be larger than memory.

import Synchronization

/// An address range that grows by use: reserved at once, paid page by page.
package final class SlabArena: Sendable {
  /// The ref of the arena's first byte: above any file offset, a multiple of a page.
  package let base: Int
  private let memory: MemoryImage
  private let scratch: ScratchFile?
  private let used: Atomic<Int>
  /// Bytes for which memory or a file was found.
  private let ready: Atomic<Int>
  private let growth = Mutex<Void>(())

  /// Address space to reserve, where there is so much; memory is taken only where nodes are written.
  private static let reservedSizeMax = 1 << 38
  private static let alignment = 1 << 20
  private static let pieceSize = 1 << 24
  /// What small transactions need. A file costs no more than memory does, but has to be made.
  private static let inMemorySize = pieceSize

  /// `scratch`: takes what is more than a small transaction needs; nil where no file may have it.
  package init(base: Int, scratch: ScratchFile? = nil) throws(EngineError) {
    guard let memory = MemoryImage.growing(sizeMax: Self.reservedSizeMax) else {
      throw EngineError(.other, "no address space for a write transaction")
    }
    self.base = base
    self.memory = memory
    self.scratch = scratch
    used = Atomic(0)
    ready = Atomic(0)
  }

  /// An arena whose refs lie behind a file that ends at `limit`.
  package convenience init(above limit: Int, scratch: ScratchFile? = nil) throws(EngineError) {
    try self.init(base: (limit + Self.alignment) & ~(Self.alignment - 1), scratch: scratch)
  }

  /// An arena for what is needed for a while only, in a file of its own where this one may have a file.
  func makeAside() throws(EngineError) -> SlabArena {
    try SlabArena(base: 0, scratch: scratch?.another())
  }

  /// Bytes that the arena has handed out.
  package var usedSize: Int { used.load(ordering: .relaxed) }

  /// A new run of zero bytes for a node of `size` bytes, a multiple of 8, and its ref offset.
  package func allocate(_ size: Int) throws(EngineError) -> (offset: Int, bytes: MutableRawBytes) {
    precondition(size > 0 && size & 7 == 0)
    let start = used.wrappingAdd(size, ordering: .relaxed).oldValue
    guard start <= Self.reservedSizeMax - size, isReady(to: start + size) else {
      used.wrappingSubtract(size, ordering: .relaxed)
      throw EngineError(
        .other, "the transaction is too large: not enough memory for more than \(start) bytes of changes",
        hint: MemoryImage.limitHint)
    }
    return (base + start, memory.mutableBytes(start, size))
  }

  @inline(__always)
  private func isReady(to end: Int) -> Bool { end <= ready.load(ordering: .acquiring) || makeReady(to: end) }

  @inline(never)
  private func makeReady(to end: Int) -> Bool {
    growth.withLock { _ in
      var reached = ready.load(ordering: .relaxed)
      while reached < end {
        let piece = reached..<min(reached + Self.pieceSize, Self.reservedSizeMax)
        guard memory.grow(to: piece.upperBound) else { return false }
        if reached >= Self.inMemorySize, let file = scratch?.descriptor(withRoomFor: piece) {
          guard memory.keep(piece, in: file) else { return false }
        }
        reached = piece.upperBound
        ready.store(reached, ordering: .releasing)
      }
      return true
    }
  }

  /// Readable bytes of a node in the arena; nil when the range was not handed out.
  func bytes(_ offset: Int, _ count: Int) -> RawBytes? {
    guard offset >= base, count >= 0, offset - base <= usedSize - count else { return nil }
    return memory.bytes.slice(offset - base, count)
  }

  /// Writable bytes of a node in the arena.
  func mutableBytes(_ offset: Int, _ count: Int) -> MutableRawBytes {
    precondition(offset >= base && offset - base <= usedSize - count)
    return memory.mutableBytes(offset - base, count)
  }
}
