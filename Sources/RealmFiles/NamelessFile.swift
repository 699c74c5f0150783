// A file without a name, for results in between: nothing of it is left however the process ends. Layer: RealmFiles.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileHandle {
  #if os(Linux)
    /// O_TMPFILE, which the C library hides behind a feature macro.
    private static let temporary: Int32 = 0x41_0000
  #endif

  /// An empty file that only this process knows, where TMPDIR says, else where large temporary files belong.
  package static func nameless() throws(EngineError) -> FileHandle {
    let wanted = EnvironmentSwitch.path("TMPDIR")
    let directories = wanted.map { [$0] } ?? [FilePath("/var/tmp"), FilePath("/tmp")]
    for directory in directories {
      #if os(Linux)
        if let handle = open(directory, O_RDWR | O_CLOEXEC | temporary, mode: 0o600) { return handle }
      #endif
      let name = "realm-cli-\(getpid())-\(UInt64.random(in: .min ... .max))"
      let path = directory.child(Array(name.utf8))
      guard let handle = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600) else {
        continue
      }
      path.remove()
      return handle
    }
    throw failure("cannot make a temporary file in", directories[0])
  }
}
