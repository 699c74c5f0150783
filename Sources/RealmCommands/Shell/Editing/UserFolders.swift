// Where the program keeps what belongs to its user. Layer: RealmCommands, Shell, Editing.

import RealmEngine

/// Folders by the XDG rules.
enum UserFolders {
  /// Of `history`.
  static func state(_ environment: (String) -> [UInt8]?) -> FilePath? {
    folder("XDG_STATE_HOME", "/.local/state", environment)
  }

  /// Of `init`.
  static func configuration(_ environment: (String) -> [UInt8]?) -> FilePath? {
    folder("XDG_CONFIG_HOME", "/.config", environment)
  }

  private static func folder(
    _ variable: String, _ homeSuffix: String, _ environment: (String) -> [UInt8]?
  ) -> FilePath? {
    // The rules say that a path which is not absolute does not count.
    if let base = environment(variable), base.first == UInt8(ascii: "/") {
      return FilePath(base + Array("/realm-cli".utf8))
    }
    guard let home = environment("HOME"), !home.isEmpty else { return nil }
    return FilePath(home + Array("\(homeSuffix)/realm-cli".utf8))
  }

  /// Makes a folder and those above it where they are missing.
  static func make(_ folder: FilePath, permissions: UInt16) {
    guard !SystemCalls.makeFolder(folder, permissions: permissions), folder.directory != folder else {
      return
    }
    make(folder.directory, permissions: permissions)
    _ = SystemCalls.makeFolder(folder, permissions: permissions)
  }
}
