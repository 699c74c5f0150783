// Writing a snapshot to a private file and reading it back before it gets its name. Layer: Jobs.
// Invariant: what is returned as written was read from the file and has the digest of what was to be written.

/// One copy of a snapshot, to be put in its place by `SafeReplacement`.
struct VerifiedCopy {
  let key: EncryptionKey?
  let history: HistoryTreatment
  /// About how many bytes there will be, for progress.
  let usedSize: Int
  /// Whose faults the copy may keep; nil: it may have none.
  var originalFile: RealmFile?

  /// `size`: bytes of the original's file.
  func write(
    _ original: ReadTransaction, size: Int, to replacement: SafeReplacement,
    _ progress: @escaping WholeFileJob.Progress
  ) throws(EngineError) -> WholeFileJob.Report {
    let written = try writeOut(original, to: replacement, progress)
    return try readBack(written, size: size, from: replacement, progress)
  }

  /// What is in a file now, to be read back.
  struct Written {
    fileprivate let digest: ContentDigest
    fileprivate let counts: [TableCount]
    fileprivate let start: Int
    fileprivate let end: Int
  }

  func writeOut(
    _ original: ReadTransaction, to replacement: SafeReplacement,
    _ progress: @escaping WholeFileJob.Progress
  ) throws(EngineError) -> Written {
    let start = SystemClock.milliseconds
    let usedSize = usedSize
    let output = try SequentialOutput(replacement.handle, key: key)
    let result = try CompactCopy.write(original, history: history, to: output) { done throws(EngineError) in
      try progress(.writing, done, usedSize)
    }
    return Written(
      digest: result.digest, counts: original.classes(allTables: true).map(Self.count), start: start,
      end: SystemClock.milliseconds)
  }

  /// Makes what was written durable, reads it and compares.
  func readBack(
    _ written: Written, size: Int, from replacement: SafeReplacement,
    _ progress: @escaping WholeFileJob.Progress
  ) throws(EngineError) -> WholeFileJob.Report {
    let usedSize = usedSize
    try progress(.syncing, usedSize, usedSize)
    try replacement.handle.synchronize()
    let synced = SystemClock.milliseconds
    let copy = try Database(try RealmFile.open(replacement.handle, key: key))
    try Self.compare(written.counts, copy.transaction)
    let digest = try CompactCopy.digest(of: copy.transaction, history: .keep) { done throws(EngineError) in
      try progress(.verifying, done, usedSize)
    }
    guard digest == written.digest else {
      throw EngineError(
        .other, "the copy does not read back as it was written",
        hint: "the disk or memory may be failing; nothing was replaced")
    }
    if EnvironmentSwitch.verifiesCommits { try verifyWholeFile(copy.file, madeOf: originalFile) }
    return WholeFileJob.Report(
      sizeBefore: size, sizeAfter: copy.file.fileSize,
      objectCount: copy.transaction.objectCount, nodeCount: digest.nodeCount,
      writingMilliseconds: written.end - written.start, syncingMilliseconds: synced - written.end,
      verifyingMilliseconds: SystemClock.milliseconds - synced)
  }

  /// How many objects a table has, to be compared with what its copy has.
  struct TableCount: Equatable {
    let name: String
    let count: Int
  }

  static func count(_ table: Table) -> TableCount {
    TableCount(name: table.schema.tableName, count: table.count)
  }

  static func compare(_ counts: [TableCount], _ copy: ReadTransaction) throws(EngineError) {
    guard counts == copy.classes(allTables: true).map(count) else {
      throw EngineError(.other, "the copy does not hold the classes and counts of the original")
    }
  }
}

extension ReadTransaction {
  /// Of all classes.
  var objectCount: Int { classes().reduce(0) { $0 + $1.count } }
}
