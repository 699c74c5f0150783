// Takes a realm away with all that engines keep beside it. Layer: RealmFiles.
// Invariants: nothing goes that is not known to be a realm's, and nothing while somebody else has the realm open; what is
// removed behind the lock is looked at again there; the lock file goes last.

/// A realm that was looked at and can be removed. Nobody is kept out by looking.
package struct RealmRemoval {
  private let path: FilePath
  private let key: EncryptionKey?
  private let isForced: Bool
  private let realm: FilePath
  /// The link that the realm was named by, and the pipe by which engines tell of commits.
  private let companions: [FilePath]
  private let management: ManagementFolder?
  /// The lock file, where it is there.
  private let lock: [FilePath]
  /// Bytes of the realm itself.
  package let size: Int

  /// Throws `.notARealm` for what does not look like one, and `.keyMissing` for what may be an encrypted one: only its key
  /// shows that it is. `isForced`: looks are enough.
  package init(_ path: FilePath, key: EncryptionKey?, isForced: Bool) throws(EngineError) {
    let handle = try FileHandle.openRealm(path)
    let status = try handle.status()
    guard status.isRegular, let realm = try path.resolved else { throw path.notAFile(status) }
    var isLikely = isForced && status.size == 0
    if isForced, key == nil, !isLikely { isLikely = try FileProbe(handle).looksEncrypted }
    if !isLikely { try Self.requireRealm(handle, status.size, key) }
    try realm.requireRenamable()
    self.path = path
    self.key = key
    self.isForced = isForced
    self.realm = realm
    size = status.size
    let link = try path.statusOfLink?.isLink ?? false ? [path] : []
    companions = link + (try Self.notes(of: realm))
    management = try ManagementFolder(of: realm)
    let lock = realm.appending(LiveSession.suffix)
    self.lock = try lock.statusOfLink == nil ? [] : [lock]
  }

  /// What will be removed.
  package var paths: [FilePath] { [realm] + companions + (management?.removedPaths ?? []) + lock }

  /// A realm with damage can be removed as well. An empty file may be one that nothing was written to yet, or anything else.
  private static func requireRealm(
    _ handle: FileHandle, _ size: Int, _ key: EncryptionKey?
  ) throws(EngineError) {
    guard size > 0 else {
      throw EngineError(
        .notARealm, of: handle.path, "is empty, so nothing shows that it is a realm",
        hint: "remove it in any case with --force")
    }
    guard try FileProbe(handle).header == nil else { return }
    do throws(EngineError) {
      _ = try RealmFile.open(handle, key: key)
    } catch {
      switch error.kind {
      case .keyMissing:
        throw EngineError(
          .keyMissing, of: handle.path, "may be an encrypted realm, which only its key can show",
          hint: "name the key, or remove it in any case with --force")
      case .notARealm: throw error.advising("other files are removed with the system's rm")
      case .damaged: break
      default: throw error
      }
    }
  }

  /// A pipe by which engines tell of commits, or an empty file in its place.
  private static func notes(of realm: FilePath) throws(EngineError) -> [FilePath] {
    let note = realm.appending(".note")
    guard let status = try note.statusOfLink, status.isPipe || status.isRegular && status.size == 0 else {
      return []
    }
    return [note]
  }

  /// Removes everything. Throws `.busy` where the realm is in use. Gives what went wrong when the realm was gone.
  package func run(lockTimeoutMilliseconds: Int) throws(EngineError) -> [String] {
    let place = try FilePlace.hold(realm, given: path, timeoutMilliseconds: lockTimeoutMilliseconds)
    let now = try RealmRemoval(path, key: key, isForced: isForced)
    guard now.realm == realm else {
      throw EngineError(.outdated, of: path, "leads to another file now", hint: "try again")
    }
    let directory = try FileHandle.openDirectory(realm.directory)
    EndSignals.hold()
    do throws(EngineError) {
      try directory.removeFile(realm.lastComponent)
    } catch {
      EndSignals.release()
      throw error
    }
    // The realm is gone; what fails from here on is told and does not keep the rest from going.
    var remarks: [String] = []
    for path in now.companions {
      do throws(EngineError) {
        try remove(path, in: directory)
      } catch {
        remarks.append(error.message)
      }
    }
    do throws(EngineError) {
      remarks += try now.management?.remove(from: directory) ?? []
    } catch {
      remarks.append(error.message)
    }
    place.removeLockFiles()
    do throws(EngineError) {
      try FileHandle.synchronizeDirectory(realm.directory)
    } catch {
      remarks.append("\(path.displayName) is gone, but may be back after a power cut: \(error.message)")
    }
    return remarks
  }

  private func remove(_ path: FilePath, in directory: FileHandle) throws(EngineError) {
    if path.directory == realm.directory { return try directory.removeFile(path.lastComponent) }
    guard path.unlink() else { throw FileHandle.failure("cannot remove", path) }
  }
}
