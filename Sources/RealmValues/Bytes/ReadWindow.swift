// A piece of a plain file that is copied instead of read where it is mapped. Layer: Bytes.
// Invariant: what a copy does not have is in the mapping; nothing is ever read from here alone.

import Synchronization

/// A copy of the piece that one thread reads.
package final class ReadWindow: Sendable {
  // One thread uses them: they are atomic so that a snapshot may be handed to it.
  private let start = Atomic(0)
  private let end = Atomic(0)
  private let hits = Atomic(0)
  private let misses = Atomic(0)
  private let read: @Sendable (Range<Int>, MemoryImage) -> Int
  private let room: MemoryImage
  private let all: RawBytes

  /// Larger pieces are of wide rows, of which little is read.
  package static let sizeMax = 2 << 20
  private static let alignment = 4096

  /// `room` has `sizeMax` bytes. `read` copies what the file has of a piece into it, and tells how much that is.
  package init(in room: MemoryImage, reading read: @escaping @Sendable (Range<Int>, MemoryImage) -> Int) {
    self.read = read
    self.room = room
    all = room.bytes
  }

  /// Forgets what was copied, and copies `piece` if that is of use. Ends the life of all bytes handed out before.
  package func load(_ piece: Range<Int>?) {
    start.store(0, ordering: .relaxed)
    end.store(0, ordering: .relaxed)
    guard let piece, misses.load(ordering: .relaxed) <= hits.load(ordering: .relaxed) else { return }
    // What is aligned in the file is so here.
    let first = piece.lowerBound & -Self.alignment
    guard piece.upperBound - first <= Self.sizeMax else { return }
    start.store(first, ordering: .relaxed)
    end.store(first + read(first..<piece.upperBound, room), ordering: .relaxed)
  }

  /// Bytes of the file, until the next `load`; nil where they were not copied.
  @inline(__always)
  package func bytes(_ offset: Int, _ count: Int) -> RawBytes? {
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
  package func offset(of bytes: RawBytes) -> Int? {
    bytes.offset(in: all).map { start.load(ordering: .relaxed) + $0 }
  }
}
