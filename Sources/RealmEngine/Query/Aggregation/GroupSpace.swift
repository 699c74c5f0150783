// How much memory groups may take, and the private file that takes what is more. Layer: Query, Aggregation.
// Invariant: the file has no name from its first byte on, so that nothing is left of it however the process ends.

import Synchronization

/// Memory that all threads of one statement share.
package final class GroupSpace: Sendable {
  /// Bytes of records that are kept in memory: half of what may be taken, since what holds them grows by doubling.
  private let limit: Int
  private let used = Atomic<Int>(0)
  private let file = Mutex<(handle: FileHandle, size: Int)?>(nil)
  /// Whether groups that do not fit in one table a thread end it all.
  private let holdsFew: Bool
  private let isOverfull = Atomic<Bool>(false)

  package init(limit: Int) {
    self.limit = max(limit / 2, 1 << 20)
    holdsFew = false
  }

  /// For groups that stay in the tables of threads.
  init() {
    limit = .max
    holdsFew = true
  }

  /// Throws where more than tables hold is not wanted.
  func dealBegins() throws(EngineError) {
    guard holdsFew else { return }
    isOverfull.store(true, ordering: .relaxed)
    throw EngineError(.other, "there are too many groups")
  }

  var hasBeenOverfull: Bool { isOverfull.load(ordering: .relaxed) }

  /// A quarter of the machine's memory.
  package static var defaultLimit: Int { SystemMemory.size / 4 }

  /// Notes bytes that were taken. True: they are too many.
  func take(_ size: Int) -> Bool {
    used.wrappingAdd(size, ordering: .relaxed).newValue > limit
  }

  func give(_ size: Int) { used.wrappingSubtract(size, ordering: .relaxed) }

  /// Writes bytes to the file, and tells where.
  func append(_ bytes: RawBytes) throws(EngineError) -> Int {
    let place = try file.withLock { file throws(EngineError) in
      if file == nil { file = (try FileHandle.nameless(), 0) }
      guard let (handle, size) = file else { preconditionFailure("it was made") }
      file = (handle, size + bytes.count)
      return (handle, size)
    }
    do throws(EngineError) {
      try place.0.write(bytes, at: place.1)
    } catch {
      throw error.advising(
        "groups that do not fit in memory go there: TMPDIR names another folder, --memory allows more in memory"
      )
    }
    return place.1
  }

  func read(into target: MutableRawBytes, at offset: Int) throws(EngineError) {
    guard let handle = file.withLock({ $0?.handle }) else {
      preconditionFailure("what is read was written")
    }
    guard try handle.read(into: target, at: offset) == target.count else {
      throw EngineError(.other, "the file of intermediate results has become shorter")
    }
  }
}

/// Records in memory and in the file.
final class SpillablePartition: @unchecked Sendable {
  let run = RecordBuffer()
  private var extents: [(offset: Int, words: Int)] = []

  func spill(to space: GroupSpace) throws(EngineError) {
    guard run.count > 0 else { return }
    extents.append((try space.append(run.bytes), run.count))
    space.give(8 * run.count)
    run.clear()
  }

  /// Calls `body` with all records, part by part.
  func forEachPart(from space: GroupSpace, _ body: (RecordBuffer) -> Void) throws(EngineError) {
    if run.count > 0 {
      body(run)
      space.give(8 * run.count)
      run.clear()
    }
    for extent in extents {
      try Interruption.check()
      let part = RecordBuffer()
      try space.read(into: part.extend(by: extent.words), at: extent.offset)
      body(part)
    }
    extents.removeAll()
  }

  /// Reads words that were spilled at once.
  func read(_ start: Int, into target: MutableRawBytes, from space: GroupSpace) throws(EngineError) {
    guard let extent = extents.first else { preconditionFailure("what is read was spilled") }
    try space.read(into: target, at: extent.offset + 8 * start)
  }

  /// Whether none of it was put to the file.
  var isInMemory: Bool { extents.isEmpty }

  var wordCount: Int { extents.reduce(run.count) { $0 + $1.words } }
}
