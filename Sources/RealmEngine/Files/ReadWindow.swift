// Pieces of a plain file that are copied instead of read where they are mapped. Layer: Files.
// Who reads most of a large file once is faster with copies: for a mapping the system enters every page into the
// process's tables, for which threads wait for each other, and takes it out again in the end.
// Invariant: what a copy does not have is in the mapping; nothing is ever read from here alone.

import Synchronization

/// What pieces are copied from, and how much more of it.
final class ReadWindowSource: Sendable {
  private let handle: FileHandle
  private let sizeLeft: Atomic<Int>

  /// Scans of the whole file that are worth copies. A file that is read more often is better entered for good.
  private static let scansMax = 2

  init(_ handle: FileHandle, size: Int) {
    self.handle = handle
    sizeLeft = Atomic(Self.scansMax * size)
  }

  /// A copy for one thread; nil where there is no memory for it, or no use.
  func copy() -> ReadWindow? {
    guard sizeLeft.load(ordering: .relaxed) > 0, let room = MemoryImage.reserving(size: ReadWindow.sizeMax)
    else { return nil }
    return ReadWindow(of: self, room)
  }

  /// Reads what the file has of a piece, and tells how much that is; nothing where it cannot be read.
  fileprivate func read(_ piece: Range<Int>, into room: MemoryImage) -> Int {
    guard sizeLeft.wrappingSubtract(piece.count, ordering: .relaxed).newValue >= 0 else { return 0 }
    return (try? handle.read(into: room.mutableBytes(0, piece.count), at: piece.lowerBound)) ?? 0
  }
}

/// A copy of the piece that one thread reads.
package final class ReadWindow: Sendable {
  // One thread uses them: they are atomic so that a snapshot may be handed to it.
  private let start = Atomic(0)
  private let end = Atomic(0)
  private let hits = Atomic(0)
  private let misses = Atomic(0)
  private let source: ReadWindowSource
  private let room: MemoryImage
  private let all: RawBytes

  /// Larger pieces are of wide rows, of which little is read.
  static let sizeMax = 2 << 20
  private static let alignment = 4096

  fileprivate init(of source: ReadWindowSource, _ room: MemoryImage) {
    self.source = source
    self.room = room
    all = room.bytes
  }

  /// Forgets what was copied, and copies `piece` if that is of use. Ends the life of all bytes handed out before.
  func load(_ piece: Range<Int>?) {
    start.store(0, ordering: .relaxed)
    end.store(0, ordering: .relaxed)
    guard let piece, misses.load(ordering: .relaxed) <= hits.load(ordering: .relaxed) else { return }
    // What is aligned in the file is so here.
    let first = piece.lowerBound & -Self.alignment
    guard piece.upperBound - first <= Self.sizeMax else { return }
    start.store(first, ordering: .relaxed)
    end.store(first + source.read(first..<piece.upperBound, into: room), ordering: .relaxed)
  }

  /// Bytes of the file, until the next `load`; nil where they were not copied.
  @inline(__always)
  func bytes(_ offset: Int, _ count: Int) -> RawBytes? {
    let (start, end) = (start.load(ordering: .relaxed), end.load(ordering: .relaxed))
    if end == 0 { return nil }
    guard offset >= start, offset <= end &- count else {
      misses.store(misses.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
      return nil
    }
    hits.store(hits.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    return all.slice(offset &- start, count)
  }

  /// Where in the file bytes stand that were copied from it; nil for others.
  func offset(of bytes: RawBytes) -> Int? {
    bytes.offset(in: all).map { start.load(ordering: .relaxed) + $0 }
  }
}
