// Settings of the environment that the engine itself obeys. Layer: RealmFiles; a bridge to the C library.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

package enum EnvironmentSwitch {
  /// `REALM_VERIFY=1`: every commit and every copy is followed by an inspection of the whole file. For tests.
  package static let verifiesCommits = isOn("REALM_VERIFY")

  /// A path that a variable says; nil where it says none.
  static func path(_ name: String) -> FilePath? {
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe Array(UnsafeBufferPointer(start: value, count: strlen(value))).map(
      UInt8.init(bitPattern:))
    return bytes.isEmpty ? nil : FilePath(bytes)
  }

  private static func isOn(_ name: String) -> Bool {
    guard let value = unsafe getenv(name) else { return false }
    return unsafe strcmp(value, "") != 0 && strcmp(value, "0") != 0
  }
}

extension FilePath {
  /// Where temporary files belong: `TMPDIR`, else `/tmp`.
  package static var temporaryDirectory: FilePath {
    guard let value = unsafe getenv("TMPDIR") else { return FilePath("/tmp") }
    let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value)).map { $0 }
    return bytes.isEmpty ? FilePath("/tmp") : FilePath(bytes)
  }
}
