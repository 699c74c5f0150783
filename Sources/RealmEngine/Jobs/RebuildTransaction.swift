// A realm that has to be made anew before it can be changed: one of an older format, or a synced one that becomes a local
// one. Layer: Jobs. Invariant: the file is the old one until the transaction is kept; then both steps are done
// by one change of names.

/// A transaction on a realm as it will be, while its place is held.
package final class RebuildTransaction {
  package let transaction: WriteTransaction
  /// The file format before.
  package let format: Int
  /// A synced realm becomes a local one.
  package let isDetached: Bool
  /// Puts the new file in its place, with all that the transaction changed; the original is kept.
  package let job: WholeFileJob

  /// Nil where the realm can be changed where it lies. Takes no lock then.
  package static func begin(
    _ path: FilePath, key: EncryptionKey?, upgrading isUpgrade: Bool, detaching isDetached: Bool,
    lockTimeoutMilliseconds: Int
  ) throws(EngineError) -> RebuildTransaction? {
    guard isUpgrade || isDetached, let resolved = try path.resolved else { return nil }
    let isNeeded = try LiveReading.read(path, key: key) { database throws(EngineError) in
      database.must(isUpgrade: isUpgrade, isDetached: isDetached)
    }
    guard isNeeded else { return nil }
    // Who may not write a file may not replace it either.
    _ = try DiskBacking.open(resolved)
    try resolved.requireRenamable()
    let place = try FilePlace.hold(resolved, given: path, timeoutMilliseconds: lockTimeoutMilliseconds)
    guard let live = try LiveReading.open(resolved, key: key, joining: false, attempt: 1) else {
      throw LiveReading.changed(path)
    }
    let database = try Database(live)
    // Another process may have done it meanwhile.
    guard database.must(isUpgrade: isUpgrade, isDetached: isDetached) else { return nil }
    return try RebuildTransaction(database, path, key, place, upgrading: isUpgrade, detaching: isDetached)
  }

  private init(
    _ database: Database, _ path: FilePath, _ key: EncryptionKey?, _ place: FilePlace,
    upgrading mayUpgrade: Bool,
    detaching mayDetach: Bool
  ) throws(EngineError) {
    format = database.file.format
    isDetached = mayDetach && database.isOfServer
    let isUpgrade = mayUpgrade && format < FileFormat.newest
    let transaction = try database.beginInMemory(upgrading: isUpgrade)
    self.transaction = transaction
    var job = WholeFileJob(
      source: path, key: key, newKey: key,
      target: .inPlace(backupLabel: isUpgrade ? "format-\(format)" : "synced"),
      history: isDetached ? .drop : .keep, isUpgrade: isUpgrade,
      content: .changed { _ throws(EngineError) in try transaction.finished() }, version: database.version)
    job.heldPlace = place
    self.job = job
  }
}

extension Database {
  fileprivate var isOfServer: Bool { transaction.top?.historyType.isSynced ?? false }

  /// Whether it must be made anew for what is asked.
  fileprivate func must(isUpgrade: Bool, isDetached: Bool) -> Bool {
    transaction.top != nil && (isUpgrade && file.format < FileFormat.newest || isDetached && isOfServer)
  }
}
