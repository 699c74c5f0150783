// The one protocol for reading a file that others may write to, whatever the command: a result counts only where header
// and version are those at the opening, and so does every error; otherwise the file is read again, and given up in the
// end as changed, never as damaged. Layer: beside all folders.
// A commit writes where nothing of the version before is, and publishes itself by the header; until the header changes
// every node of the version that was opened is what it was. A test holds that commands open realms in no other way.

/// An open realm file, and what tells whether somebody published a version since.
package struct LiveFile: Sendable {
  package let file: RealmFile
  private let topHead: [UInt8]

  /// Bytes of the top array that tell one version from the next, where the header is the same by chance.
  private static let topHeadSize = 8 + 12 * 8

  package init(_ file: RealmFile) {
    self.file = file
    // Whoever reads the top array is told what is wrong with it.
    topHead = (try? Self.topHead(of: file)) ?? []
  }

  private static func topHead(of file: RealmFile) throws(EngineError) -> [UInt8] {
    guard let topOffset = file.topOffset else { return [] }
    // No byte behind the top array: an encrypted page there may never have been written.
    let word = try file.image.bytes(topOffset, NodeHeader.size).load(UInt64.self, at: 0)
    let size = min(
      topHeadSize, NodeHeader(word: word)?.byteSize ?? NodeHeader.size, file.nodeLimit - topOffset)
    return try file.image.bytes(topOffset, size).array()
  }

  /// Whether what was read may be torn. Cost: two small reads.
  package var hasChanged: Bool { file.hasChanged(topHead: topHead) }

  /// Which version of which file this is.
  var version: FileVersion { FileVersion(file, topHead: topHead) }

  /// Whether it is a copy in memory, which stays what it is.
  package var isCopy: Bool { file.isCopy }

  /// The same version in memory; nil where the file changed before all of it was there. Where memory is short, or what
  /// is wrong with the file is no writer's doing, it is the file itself.
  func copied() -> LiveFile? {
    guard let memory = try? file.copied() else { return hasChanged ? nil : self }
    let copy = LiveFile(memory)
    return memory.header == file.header && !file.hasChanged(topHead: copy.topHead) ? copy : nil
  }
}

/// An error that knows whether what a file holds has to do with it.
package protocol FileIndependentError: Error {
  /// It would be the same whatever the file held: it is no reason to read again.
  var isFileIndependent: Bool { get }
}

extension EngineError: FileIndependentError {
  package var isFileIndependent: Bool {
    [.outputFailed, .alreadyExists, .cancelled, .diskFull, .permission].contains(kind)
  }
}

package enum LiveReading {
  /// A file that changes again and again is read so many times.
  package static let attemptsMax = 50
  /// After so many, the file is copied into memory first, which takes less time than to read it.
  private static let directAttemptsMax = 3
  /// 128 MiB; larger files are read as they lie each time.
  private static let copySizeMax = 1 << 27

  /// Opens a realm for one more attempt to read it. Nil: it changed meanwhile.
  package static func open(
    _ path: FilePath, key: EncryptionKey?, snapshot: SnapshotChoice = .current, attempt: Int
  ) throws(EngineError) -> LiveFile? {
    let live = LiveFile(try RealmFile.open(path, key: key, snapshot: snapshot))
    guard attempt > directAttemptsMax, live.file.fileSize <= copySizeMax, !live.isCopy else { return live }
    return live.copied()
  }

  /// The result of `body`. Nil: the file changed meanwhile, so that neither result nor error means anything.
  package static func unlessChanged<Result, Failure: Error>(
    _ live: LiveFile, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    do throws(Failure) {
      let result = try body()
      return live.hasChanged ? nil : result
    } catch {
      if (error as? any FileIndependentError)?.isFileIndependent ?? false { throw error }
      if live.hasChanged || (error as? EngineError)?.kind == .changedWhileRead { return nil }
      throw error
    }
  }

  /// Calls `attempt` with 1, 2, 3 … until it gives something. Nil: it never did.
  package static func repeatedly<Result, Failure: Error>(
    from first: Int = 1, _ attempt: (Int) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    for number in first...attemptsMax {
      if let result = try attempt(number) { return result }
    }
    return nil
  }

  /// Runs `body` on the newest version of the realm at `path`, again where it changed meanwhile. Nothing of what `body`
  /// is given may be used after it.
  package static func read<Result>(
    _ path: FilePath, key: EncryptionKey?, _ body: (Database) throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let result = try repeatedly { attempt throws(EngineError) -> Result? in
      guard let live = try open(path, key: key, attempt: attempt) else { return nil }
      return try unlessChanged(live) { () throws(EngineError) in try body(try Database(live)) }
    }
    if let result { return result }
    throw changed(path)
  }

  /// Throws what keeps the file from being opened with that key, without reading any of it.
  package static func tryOpening(_ path: FilePath, key: EncryptionKey?) throws(EngineError) {
    _ = try RealmFile.open(path, key: key)
  }

  /// What is said of a file that could not be read between two changes.
  package static func changed(_ path: FilePath) -> EngineError {
    EngineError(
      .changedWhileRead, "another program keeps changing \(path.displayName) while it is read",
      hint: "try again when less is written to it, or read a copy of the file")
  }
}
