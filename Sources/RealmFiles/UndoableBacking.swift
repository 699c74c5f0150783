// A file that can be brought back to what it was before a commit wrote into it. Layer: RealmFiles.
// Invariants: what is overwritten is remembered before; it is put back in the opposite order, with a sync wherever one
// was, so that a crash meanwhile leaves nothing that a crash of the commit could not have left.

/// Remembers what it overwrites of another backing. Cost: memory for the overwritten bytes.
package final class UndoableBacking: FileBacking {
  private enum Step {
    /// `position`: where in which of the chunks the overwritten bytes are kept.
    case write(offset: Int, count: Int, chunk: Int, position: Int)
    case sync
  }

  private let backing: any FileBacking
  private let initialSize: Int
  /// Whether others have mapped the file, which then never becomes shorter.
  private let neverShrinks: Bool
  private var steps: [Step] = []
  /// What was overwritten, in one chunk of address space behind the other.
  private var chunks: [MemoryImage] = []
  private var usedOfLastChunk = 0
  /// Room for one page of what is there now, taken before anything is overwritten: to put something back must not need
  /// memory, which may be what is missing.
  private var presentPage: MemoryImage?
  /// Less than the initial size: what is to be cut off when the commit has succeeded.
  private var wantedSize: Int?

  /// Address space; memory is taken where something is kept.
  private static let chunkSize = 1 << 24
  private static let pageSize = 4096

  package init(_ backing: any FileBacking, neverShrinks: Bool = false) {
    self.backing = backing
    self.neverShrinks = neverShrinks
    initialSize = backing.size
  }

  package var size: Int { backing.size }

  package func write(_ bytes: RawBytes, at offset: Int) throws(EngineError) {
    let count = min(bytes.count, initialSize - offset)
    if count > 0 {
      let chunk = try chunkWithRoom(for: count)
      try backing.read(into: chunk.mutableBytes(usedOfLastChunk, count), at: offset)
      steps.append(
        .write(offset: offset, count: count, chunk: chunks.count - 1, position: usedOfLastChunk))
      usedOfLastChunk += count
    }
    try backing.write(bytes, at: offset)
  }

  /// The last chunk, behind whose used bytes `count` more have room.
  private func chunkWithRoom(for count: Int) throws(EngineError) -> MemoryImage {
    if let last = chunks.last, usedOfLastChunk <= last.size - count { return last }
    presentPage = presentPage ?? MemoryImage.reserving(size: Self.pageSize)
    guard presentPage != nil, let chunk = MemoryImage.reserving(size: max(Self.chunkSize, count)) else {
      throw EngineError(.other, "no memory for what a commit overwrites")
    }
    chunks.append(chunk)
    usedOfLastChunk = 0
    return chunk
  }

  /// What was there before is cut off by `keep` only.
  package func setSize(_ size: Int) throws(EngineError) {
    wantedSize = size < initialSize ? size : nil
    try backing.setSize(max(size, initialSize))
  }

  package func sync() throws(EngineError) {
    try backing.sync()
    steps.append(.sync)
  }

  package func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError) {
    try backing.read(into: buffer, at: offset)
  }

  package func content() throws(EngineError) -> MemoryImage { try backing.content() }

  /// The commit has succeeded: nothing will be put back. Tells whether the file became shorter.
  package func keep() -> Bool {
    steps = []
    chunks = []
    guard let wantedSize, !neverShrinks else { return false }
    // A file that stays longer than it needs to be is sound, and the next commit cuts it.
    try? backing.setSize(wantedSize)
    return true
  }

  /// Puts everything back. Throws where the disk does not let it, after all that it does let; what is left then is what a
  /// crash could leave.
  package func undo() throws(EngineError) {
    var failure: EngineError?
    for step in steps.reversed() {
      do throws(EngineError) {
        try undo(step)
      } catch {
        failure = failure ?? error
      }
    }
    do throws(EngineError) {
      if !neverShrinks { try backing.setSize(initialSize) }
      try backing.sync()
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
  }

  private func undo(_ step: Step) throws(EngineError) {
    switch step {
    case .sync: try backing.sync()
    case .write(let offset, let count, let chunk, let position):
      try restore(chunks[chunk].bytes.slice(position, count), at: offset)
    }
  }

  /// Writes what differs: a write that failed may have failed because there is no space to write to.
  private func restore(_ bytes: RawBytes, at offset: Int) throws(EngineError) {
    // Nothing was overwritten where no page was taken.
    guard let presentPage else { return }
    var start = 0
    while start < bytes.count {
      let count = min(Self.pageSize - (offset + start) % Self.pageSize, bytes.count - start)
      let page = bytes.slice(start, count)
      try backing.read(into: presentPage.mutableBytes(0, count), at: offset + start)
      if !page.equals(presentPage.bytes.slice(0, count)) { try backing.write(page, at: offset + start) }
      start += count
    }
  }
}
