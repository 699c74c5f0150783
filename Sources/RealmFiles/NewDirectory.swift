// A directory that is made for files which do not stand in it yet. Layer: RealmFiles.
// Invariant: where nothing comes to stand in it nothing is left of it, also when a signal ends the process; one that stood there
// before stays.

/// A directory that was made here.
package final class NewDirectory {
  private let path: FilePath
  private let temporary: TemporaryName

  /// Nil: there was a directory, or something else of that name.
  package init?(_ path: FilePath) throws(EngineError) {
    // A signal between making it and knowing that it is ours would leave it behind.
    EndSignals.hold()
    defer { EndSignals.release() }
    guard try path.makeDirectory() else { return nil }
    self.path = path
    temporary = TemporaryName(directory: path)
  }

  /// Removes it where nothing is in it.
  package func discard() { path.removeDirectory() }
}
