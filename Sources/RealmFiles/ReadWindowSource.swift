// Pieces of a plain file that are copied instead of read where they are mapped. Layer: RealmFiles.
// Who reads most of a large file once is faster with copies: for a mapping the system enters every page into the
// process's tables, for which threads wait for each other, and takes it out again in the end.

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
    return ReadWindow(in: room, reading: read)
  }

  /// Reads what the file has of a piece, and tells how much that is; nothing where it cannot be read.
  private func read(_ piece: Range<Int>, into room: MemoryImage) -> Int {
    guard sizeLeft.wrappingSubtract(piece.count, ordering: .relaxed).newValue >= 0 else { return 0 }
    return (try? handle.read(into: room.mutableBytes(0, piece.count), at: piece.lowerBound)) ?? 0
  }
}
