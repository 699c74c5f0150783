// Keys that one run of the program was told, so that nobody is asked twice. Layer: RealmCommands, Program.

import RealmEngine
import Synchronization

/// The key that an option names. Several files share it: standard input and a key command can be asked only once.
final class NamedKeyMemory: Sendable {
  private let key = Mutex<EncryptionKey?>(nil)

  func value(orFind find: () throws -> EncryptionKey?) throws -> EncryptionKey? {
    if let known = key.withLock({ $0 }) { return known }
    let found = try find()
    key.withLock { $0 = found }
    return found
  }
}

/// The keys that were typed in this session, so that nobody is asked twice for the same file.
final class TypedKeyMemory: Sendable {
  private let keys = Mutex<[(path: FilePath, key: EncryptionKey)]>([])

  subscript(path: FilePath) -> EncryptionKey? {
    let path = path.withoutCurrentFolder
    return keys.withLock { $0.last { $0.path == path }?.key }
  }

  /// The last key that is remembered of a file counts.
  func remember(_ key: EncryptionKey, for path: FilePath) {
    let path = path.withoutCurrentFolder
    keys.withLock { keys in
      keys.removeAll { $0.path == path }
      keys.append((path, key))
    }
  }
}

extension FilePath {
  /// `./a.realm` and `a.realm` are the same.
  fileprivate var withoutCurrentFolder: FilePath {
    bytes.starts(with: Array("./".utf8)) ? FilePath(Array(bytes.dropFirst(2))) : self
  }
}
