// Looks at one file and gathers the facts. Layer: FirstAid.
// Invariants: nothing is written, locked or joined; without `isDeep` the work is bounded whatever the file says of itself.

import ByteText
package import RealmEngine
import RealmRecovery

/// How a file is looked at.
package struct Examination: Sendable {
  /// A key and the words that named it, where there is one.
  package struct NamedKey: Sendable {
    package let key: EncryptionKey
    package let words: [[UInt8]]
    /// For all files, rather than for those that turn out to be encrypted.
    package let isForAll: Bool

    package init(_ key: EncryptionKey, words: [[UInt8]], isForAll: Bool) {
      self.key = key
      self.words = words
      self.isForAll = isForAll
    }
  }

  private let key: NamedKey?
  private let isDeep: Bool
  private let diskSpace: @Sendable (FilePath) -> Int?

  /// A recovery is tried on files up to this size without being asked for.
  private static let salvagedSizeMax = 4 << 20
  /// Bytes of which a whole number are a plain realm.
  private static let wordSize = 8

  /// Where files are made that cannot be made beside the realm.
  private static let outputFolders = [FilePath("."), FilePath("/tmp")]

  package init(
    key: NamedKey?, isDeep: Bool,
    diskSpace: @escaping @Sendable (FilePath) -> Int? = { FileHandle.freeSpace(at: $0.directory) }
  ) {
    self.key = key
    self.isDeep = isDeep
    self.diskSpace = diskSpace
  }

  // MARK: Files

  /// Looks at a file. Throws where there is none, and what ends the work. `names`: of its folder.
  package func facts(of path: FilePath, among names: FolderNames) throws(EngineError) -> FileFacts {
    let facts = try LiveReading.repeatedly { _ throws(EngineError) -> FileFacts? in
      do throws(EngineError) {
        return try look(at: path, names)
      } catch {
        guard error.kind == .changedWhileRead else { throw error }
        return nil
      }
    }
    guard let facts else { throw LiveReading.changed(path) }
    return facts
  }

  private func look(at path: FilePath, _ names: FolderNames) throws(EngineError) -> FileFacts {
    var facts = FileFacts(path)
    facts.neighbours = Neighbours(of: path, among: names)
    do throws(EngineError) {
      let handle = try FileHandle.openRealm(path)
      try examine(handle, &facts)
    } catch {
      guard error.kind == .permission else { throw error }
      return FileFacts(path, refusal: error)
    }
    (facts.isWritable, facts.mayAllowWriting) = (path.isWritable, path.canChangeMode)
    let folder = path.directory
    (facts.isFolderWritable, facts.mayAllowFolderWriting) = (folder.isWritable, folder.canChangeMode)
    if !facts.isFolderWritable { facts.outputFolder = Self.outputFolders.first(where: \.isWritable) }
    facts.diskSpace = diskSpace(path)
    for index in facts.neighbours.siblings.indices { look(at: &facts.neighbours.siblings[index]) }
    return facts
  }

  /// Looks at bytes that are in memory.
  package func facts(of content: MemoryImage, path: FilePath) throws(EngineError) -> FileFacts {
    var facts = FileFacts(path)
    try examine(FileProbe(content), content, nil, &facts)
    return facts
  }

  private func examine(_ handle: FileHandle, _ facts: inout FileFacts) throws(EngineError) {
    guard try handle.status().isRegular else {
      let content = try handle.readStream(mustBeRealm: false)
      return try examine(FileProbe(content), content, nil, &facts)
    }
    guard try handle.status().size > 0 else {
      facts.content = .empty
      return
    }
    try examine(try FileProbe(handle), nil, handle, &facts)
  }

  /// What can be told of a backup.
  private func look(at sibling: inout Sibling) {
    guard let probe = try? FileProbe(sibling.path) else { return }
    sibling.format = probe.header?.selectedFormat
    guard let file = try? RealmFile.open(sibling.path, key: probe.header == nil ? key?.key : nil),
      let transaction = try? Database(file).transaction
    else { return }
    sibling.format = file.format
    sibling.schemaVersion = transaction.schemaVersion
    sibling.objectCount = transaction.classes().reduce(0) { $0 &+ $1.count }
  }

  // MARK: Bytes

  private func examine(
    _ probe: FileProbe, _ content: MemoryImage?, _ handle: FileHandle?, _ facts: inout FileFacts
  ) throws(EngineError) {
    facts.size = probe.fileSize
    facts.isDeep = isDeep
    facts.content =
      handle.map(FileProbe.isLockFile) ?? false
      ? .other(name: "a lock file", group: .lockFile) : Self.content(probe)
    let source = Source(path: facts.path, content: content, handle: handle)
    if probe.header != nil {
      facts.key = key?.isForAll ?? false ? .needless : .notNeeded
      return try examine(source, key: nil, &facts)
    }
    let mayBeEncrypted = probe.looksEncrypted || probe.looksCutEncrypted
    let isSaidToBe = key?.isForAll ?? false && facts.content == .unknown
    // Without one whole page nothing tells whose key it was.
    guard !mayBeEncrypted && !isSaidToBe || PageGeometry.pageCount(fileSize: facts.size) > 0 else {
      facts.content = .tooShort
      return
    }
    if let key, mayBeEncrypted || facts.content == .unknown || key.isForAll && facts.content == .zeros {
      let pages = try source.survey(key.key, pageMax: isDeep ? .max : PageSurvey.pageMaxQuick)
      if pages.proof == .right {
        facts.content = .realm
        facts.key = .right
        facts.keyWords = key.words
        facts.isEncrypted = true
        (facts.checkedPageCount, facts.failingPages) = (pages.checkedCount, pages.failing)
        return try examine(source, key: key.key, &facts)
      }
    }
    guard mayBeEncrypted || isSaidToBe else {
      if facts.content == .headerless {
        facts.damage = "the header is not that of a realm"
        try salvage(source, key: nil, &facts)
      }
      return
    }
    facts.isEncrypted = true
    facts.content = .realm
    facts.key = key == nil ? .missing : .wrong
  }

  private static func content(_ probe: FileProbe) -> FileFacts.Content {
    if probe.fileSize == 0 { return .empty }
    if probe.header != nil { return .realm }
    if !probe.isText, probe.isBeginningOfRealm { return .tooShort }
    if let kind = probe.kind { return .other(name: kind.name, group: kind.group) }
    if probe.isAllZero { return .zeros }
    if probe.isText, probe.endsAsText { return .other(name: "a text file", group: .page) }
    if probe.holdsNodes { return .headerless }
    if probe.isText { return .other(name: "a text file", group: .page) }
    return .unknown
  }

  /// Opens a realm, plain or with its key.
  private func examine(
    _ source: Source, key: EncryptionKey?, _ facts: inout FileFacts
  ) throws(EngineError) {
    var opened: RealmFile?
    do throws(EngineError) {
      let file = try source.open(key)
      opened = file
      facts.format = file.format
      facts.holdsNothing = file.topOffset == nil
      guard file.format <= FileFormat.newest else { return }
      try examine(file, &facts)
      if !facts.isEncrypted, !facts.size.isMultiple(of: Self.wordSize) {
        facts.damage = "its size, \(counted(facts.size, "byte")), is no multiple of \(Self.wordSize)"
      }
      if isDeep { try check(file, &facts) }
    } catch {
      guard error.isAboutBytes else { throw error }
      // What a writer was at is no damage.
      if let opened, LiveFile(opened).hasChanged { throw LiveReading.changed(facts.path) }
      facts.damage = [error.message, error.place].compactMap { $0 }.joined(separator: ", ")
    }
    if !facts.failingPages.isEmpty, facts.damage == nil {
      let first = facts.failingPages[0]
      facts.damage =
        "the check of encrypted page \(first) fails"
        + (facts.failingPages.count > 1 ? ", and others" : "")
    }
    if facts.damage != nil { try salvage(source, key: key, &facts) }
  }

  private func examine(_ file: RealmFile, _ facts: inout FileFacts) throws(EngineError) {
    let transaction = try Database(file).transaction
    facts.isUpgradeInterrupted = transaction.isUpgradeInterrupted
    facts.isSynced = transaction.top?.historyType.isSynced ?? false
    facts.schemaVersion = transaction.schemaVersion
    let classes = transaction.classes()
    facts.classCount = classes.count
    facts.objectCount = classes.reduce(0) { $0 &+ $1.count }
    do throws(EngineError) {
      if let space = try transaction.spaceUse() {
        facts.freeSize = max(0, space.free + file.fileSize - space.total)
      }
    } catch {
      guard error.isAboutBytes else { throw error }
      facts.isOnlyFreeSpaceDamaged = true
      throw error
    }
  }

  /// Reads all of it.
  private func check(_ file: RealmFile, _ facts: inout FileFacts) throws(EngineError) {
    let report = try FileInspection.inspect(file)
    guard !report.isSound, let first = report.findings.first(where: { $0.severity == .damage }) else {
      return
    }
    facts.damageCount = report.count(of: .damage)
    facts.damage = "\(first.place): \(first.words), offset \(first.offset)"
  }

  private func salvage(
    _ source: Source, key: EncryptionKey?, _ facts: inout FileFacts
  ) throws(EngineError) {
    guard isDeep || facts.size <= Self.salvagedSizeMax else { return }
    do throws(EngineError) {
      let file = try source.openDamaged(key)
      facts.isCutOff = file.isCutOff
      let totals = try Salvage(file).totals
      facts.recoverable = Recoverable(
        whole: totals.sound, partial: totals.partial + totals.setAside, lost: totals.knownLost,
        mayBeMore: totals.isLostUncertain)
    } catch {
      guard error.isAboutBytes else { throw error }
      facts.recoverable = Recoverable(whole: 0, partial: 0, lost: 0, mayBeMore: true)
    }
  }
}

/// Where the bytes are.
private struct Source {
  let path: FilePath
  let content: MemoryImage?
  let handle: FileHandle?

  func open(_ key: EncryptionKey?) throws(EngineError) -> RealmFile {
    if let content { return try RealmFile(content: content, path: path, key: key) }
    if let handle { return try RealmFile.open(handle, key: key) }
    return try RealmFile.open(path, key: key)
  }

  func openDamaged(_ key: EncryptionKey?) throws(EngineError) -> SalvageFile {
    try SalvageFile.open(path, content: content, key: key, acceptingUnverified: true)
  }

  func survey(_ key: EncryptionKey, pageMax: Int) throws(EngineError) -> PageSurvey {
    if let content { return try PageSurvey(content, key: key, pageMax: pageMax) }
    if let handle { return try PageSurvey(handle, key: key, pageMax: pageMax) }
    return try PageSurvey(try FileHandle.openRealm(path), key: key, pageMax: pageMax)
  }
}

extension EngineError {
  /// Whether the bytes of the file are the reason, rather than what surrounds it.
  fileprivate var isAboutBytes: Bool {
    switch kind {
    case .damaged, .notARealm, .formatTooNew, .upgradeNeeded, .constraint, .keyWrong, .keyMissing: true
    default: false
    }
  }
}
