// The one protocol for reading a file that others may write to, whatever the command: a result counts only where header
// and version are those at the opening, and so does every error; otherwise the file is read again, and given up in the
// end as changed, never as damaged. Layer: beside all folders.
// A commit writes where nothing of the version before is, and publishes itself by the header; until the header changes
// every node of the version that was opened is what it was. Where others have the realm open and we can take part in their
// session, it keeps the version that is read, which then does not change at all. A test holds that commands open realms in no other way.

/// An open realm file, and what tells whether somebody published a version since.
package struct LiveFile: Sendable {
  package let file: RealmFile
  private let topHead: [UInt8]
  /// Keeps this version as it is; nil where nobody does.
  fileprivate let session: LiveSession?

  /// Bytes of the top array that tell one version from the next, where the header is the same by chance.
  private static let topHeadSize = 8 + 12 * 8

  package init(_ file: RealmFile) { self.init(file, nil) }

  /// `session`: keeps the version that the file was opened at.
  fileprivate init(_ file: RealmFile, _ session: LiveSession?) {
    self.file = file
    self.session = session
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
  package var hasChanged: Bool { session == nil && file.hasChanged(topHead: topHead) }

  /// Whether an error in reading it may be a writer's doing. Of an encrypted file, pages are written that hold nodes of a
  /// version that is kept beside those of the next.
  fileprivate var isDisturbed: Bool {
    guard let session else { return hasChanged }
    return file.image.isEncrypted && (session.isWriting || file.hasChanged(topHead: topHead))
  }

  /// Whether others keep space of the file for us as long as this lives.
  package var isKeptForUs: Bool { session != nil }

  /// Whether the session that keeps it has a newer version.
  package var isOutdated: Bool { session.map { $0.latestVersion != $0.keptVersion } ?? false }

  /// Whether those who watch the folder are told of each commit.
  package var tellsOfCommits: Bool { session?.tellsOfCommits ?? false }

  /// Whether those who opened the session have left it.
  package var isDeserted: Bool { session?.isDeserted ?? false }

  /// Whether both are of one file, whatever its version.
  package func isSameFile(as other: LiveFile) -> Bool { version.isOfFile(other.file.status) }

  /// Which version of which file this is.
  var version: SnapshotIdentity { SnapshotIdentity(file, topHead: topHead) }

  /// Whether it is a copy in memory, which stays what it is.
  package var isCopy: Bool { file.isCopy }

  /// The same version in memory; nil where the file changed before all of it was there. Where memory is short, or what
  /// is wrong with the file is no writer's doing, it is the file itself.
  package func copied() -> LiveFile? {
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
  /// 1 GiB.
  private static let lastingCopySizeMax = 1 << 30
  /// A file that grows while it is opened is opened again.
  private static let sessionAttemptsMax = 5

  /// Opens a realm for one more attempt to read it. Nil: it changed meanwhile. `joining`: those who have it open may keep
  /// the version for us.
  package static func open(
    _ path: FilePath, key: EncryptionKey?, snapshot: SnapshotChoice = .current, joining: Bool = true,
    attempt: Int
  ) throws(EngineError) -> LiveFile? {
    if joining, snapshot == .current, let live = try openKept(path, key: key, { LiveSession.join(path) }) {
      return live
    }
    let live = LiveFile(try RealmFile.open(path, key: key, snapshot: snapshot))
    guard attempt > directAttemptsMax, live.file.fileSize <= copySizeMax, !live.isCopy else { return live }
    return live.copied()
  }

  /// Opens the newest version so that it stays what it is whatever others write: kept in their session, or a copy in
  /// memory. Nil: it changed meanwhile.
  /// `former`: an older version, whose session may go on.
  package static func openLasting(
    _ path: FilePath, key: EncryptionKey?, joining: Bool, after former: LiveFile? = nil
  ) throws(EngineError) -> LiveFile? {
    if let session = former?.session, let live = try openKept(path, key: key, { session.joinedAgain() }) {
      return live
    }
    guard let live = try open(path, key: key, joining: joining, attempt: 1) else { return nil }
    if live.isKeptForUs || live.isCopy { return live }
    guard live.file.fileSize <= lastingCopySizeMax else {
      throw EngineError(
        .refused, of: path, "is too large to be copied into memory",
        hint: "it can be watched while an app has it open")
    }
    guard let copy = live.copied() else { return nil }
    guard copy.isCopy else { throw EngineError(.other, "no memory for \(live.file.fileSize) bytes") }
    return copy
  }

  /// Whether the file at `path` holds another version than `copy`, or a session may keep it now.
  package static func mayHaveChanged(
    _ copy: LiveFile, _ path: FilePath, key: EncryptionKey?, joining: Bool
  ) throws(EngineError) -> Bool {
    guard let live = try open(path, key: key, joining: joining, attempt: 1) else { return true }
    return live.isKeptForUs || live.version != copy.version
  }

  /// The newest version of a realm that others have open, kept for us. Nil: it must be read without their help.
  private static func openKept(
    _ path: FilePath, key: EncryptionKey?, _ join: () -> LiveSession?
  ) throws(EngineError) -> LiveFile? {
    for _ in 0..<sessionAttemptsMax {
      guard let session = join() else { return nil }
      do throws(EngineError) {
        let file = try RealmFile.open(path, key: key, kept: session.kept)
        guard try isVersion(session.kept.version, file) else { return nil }
        return LiveFile(file, session)
      } catch {
        guard file(changedIn: error) else { throw error }
      }
    }
    return nil
  }

  private static func file(changedIn error: EngineError) -> Bool { error.kind == .changedWhileRead }

  /// Whether what stands at the path is the file of the session, and not one that was put into its place.
  private static func isVersion(_ version: UInt64, _ file: RealmFile) throws(EngineError) -> Bool {
    guard let topOffset = file.topOffset, file.format >= FileFormat.firstWithClusters else { return false }
    let snapshot = Snapshot(image: file.image, fileLimit: file.nodeLimit, format: file.format)
    guard let ref = Ref(Int64(topOffset)), let top = try? GroupTop(ref, in: snapshot) else { return false }
    return UInt64(top.version) == version
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
      if live.isDisturbed || (error as? EngineError)?.kind == .changedWhileRead { return nil }
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
      naming: path.displayName,
      hint: "try again when less is written to it, or read a copy of the file")
  }
}
