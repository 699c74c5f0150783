// The files that belong to a realm and lie beside it: backups of SDKs and of this program, what a client reset or an app's own
// rescue left. Layer: FirstAid. Invariant: a folder's names are read once; a file has siblings by its name alone.

package import RealmEngine

/// The names in one folder.
package struct FolderNames: Sendable {
  package let folder: FilePath
  package let all: [[UInt8]]
  private let known: Set<[UInt8]>
  /// Those that look like remainders of a realm, in order.
  private let marked: [[UInt8]]

  /// Siblings of one file that are told.
  private static let siblingsMax = 16
  /// Names that are compared for one file.
  private static let comparedMax = 1000

  private static let marks: [(mark: [UInt8], kind: String)] = [
    (".backup-before", "a backup that an app made before a migration"),
    (".backup.realm", "a backup of realm-cli or of an SDK"),
    (".backup", "a backup of an SDK's upgrade"),
    ("client_reset", "left by a client reset"), ("client-reset", "left by a client reset"),
    ("_corrupt", "put aside by an app as damaged"), ("-new", "an unfinished copy of an SDK"),
    (".recovered", "recovered by realm-cli"), (".bak", "a backup"), ("_backup", "a backup"),
  ].map { (Array($0.0.utf8), $0.1) }
  private static let companions = [".lock", ".note", ".management"].map { Array($0.utf8) }

  /// A folder that cannot be read has no names.
  package init(_ folder: FilePath) { self.init(folder, (try? folder.entryNames) ?? []) }

  package init(_ folder: FilePath, _ names: [[UInt8]]) {
    self.folder = folder
    all = names
    known = Set(all)
    marked = all.filter { Self.kind(of: $0) != nil && !Self.isCompanion($0) }.sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  package func has(_ name: [UInt8]) -> Bool { known.contains(name) }

  /// The other database whose folder it is; nil for any other folder.
  package var otherDatabase: String? {
    let isLevelDB = has(Array("CURRENT".utf8)) && all.contains { $0.starts(with: "MANIFEST-".utf8) }
    return isLevelDB ? "a LevelDB database, as Firestore and others make" : nil
  }

  /// Whether a name says that its file is a realm, or what remains of one.
  package static func isNamedRealm(_ path: FilePath) -> Bool {
    let (name, suffix) = (path.lastComponent, Array(".realm".utf8))
    return name.suffix(suffix.count) == suffix[...] || kind(of: name) != nil && holds(name, suffix)
  }

  private static func kind(of name: [UInt8]) -> String? {
    marks.first { holds(name, $0.mark) }?.kind
  }

  private static func holds(_ name: [UInt8], _ part: [UInt8]) -> Bool {
    guard name.count > part.count else { return false }
    return (0...name.count - part.count).contains { name[$0..<$0 + part.count].elementsEqual(part) }
  }

  /// What engines keep beside a realm.
  package static func isCompanion(_ name: [UInt8]) -> Bool {
    companions.contains { name.count > $0.count && name.suffix($0.count) == $0[...] }
  }

  /// The files that are named after `path` and are not itself, the newest first.
  package func siblings(of path: FilePath) -> [Sibling] {
    let (name, stem) = (path.lastComponent, path.stem)
    let first = marked.indices.partitionPoint { marked[$0].lexicographicallyPrecedes(stem) }
    var found: [Sibling] = []
    for other in marked[first...].prefix(Self.comparedMax) where other != name {
      guard other.starts(with: stem) else { break }
      // `app` is not the name of `application.backup.realm`.
      let next = other.dropFirst(stem.count).first ?? 0
      guard [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_")].contains(next) else { continue }
      let path = path.sibling(other)
      guard let kind = Self.kind(of: other), let status = try? path.statusOfLink, status.isRegular,
        let modified = path.modificationTime
      else { continue }
      found.append(Sibling(path: path, kind: kind, modified: modified, size: status.size))
    }
    return Array(found.sorted { $0.modified > $1.modified }.prefix(Self.siblingsMax))
  }
}

extension Neighbours {
  /// What is beside `path`, which is in the folder of `names`.
  init(of path: FilePath, among names: FolderNames) {
    self.init()
    let name = path.lastComponent
    hasManagementFolder = names.has(name + Array(".management".utf8))
    if names.has(name + Array(".lock".utf8)), let holders = LockHolders.ofSession(of: path) {
      hasLockFile = true
      processes = holders.map { Process(number: $0, name: Self.name(ofProcess: $0)) }
    }
    siblings = names.siblings(of: path)
  }

  private static func name(ofProcess number: Int) -> String? {
    let text = try? FileHandle.openForReading(FilePath("/proc/\(number)/comm")).readToEnd(sizeMax: 4096)
    return text.map { FilePath($0.filter { $0 != UInt8(ascii: "\n") }).displayName }
  }
}
