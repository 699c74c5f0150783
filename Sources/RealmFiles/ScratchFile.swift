// Room on a disk for what is too much for memory while it is in the making. Layer: RealmFiles.
// Invariants: the file has no name and nobody else can open it, so nothing is left of it however the process ends; room is
// taken only where the disk keeps as much as the result can need.

import CPlatform
import Synchronization

/// A nameless file that is made when it is first needed.
package final class ScratchFile: Sendable {
  private enum State {
    case unused
    case open(FileHandle)
    case unavailable
  }

  private let directory: FilePath
  /// Bytes that the result may need on the same disk beside a copy of what is in the file.
  private let resultSize: Int
  private let state = Mutex(State.unused)

  private init(in directory: FilePath, resultSize: Int) {
    self.directory = directory
    self.resultSize = resultSize
  }

  /// Another file at the same place, for the same result.
  package func another() -> ScratchFile { ScratchFile(in: directory, resultSize: resultSize) }

  /// Beside `target`, where the result will stand: as safe from others, and as likely to have room.
  package convenience init(beside target: FilePath, resultSize: Int) {
    self.init(in: target.directory, resultSize: resultSize)
  }

  /// The file, with room on the disk for the bytes of `range`; nil where there is no such file, or no room.
  package func descriptor(withRoomFor range: Range<Int>) -> Int32? {
    state.withLock { state in
      if case .unused = state { state = open().map { .open($0) } ?? .unavailable }
      guard case .open(let handle) = state else { return nil }
      guard let free = FileHandle.freeSpace(at: handle.path),
        free - range.count >= resultSize + range.upperBound,
        platform_reserve_room(handle.descriptor, Int64(range.lowerBound), Int64(range.count)) == 0
      else {
        state = .unavailable
        return nil
      }
      return handle.descriptor
    }
  }

  private func open() -> FileHandle? {
    FileHandle.openUnnamed(in: directory, mode: 0o600)
      ?? FileHandle.openUnnamed(in: .temporaryDirectory, mode: 0o600)
  }
}
