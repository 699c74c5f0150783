// The files of a command that takes thousands of them: named on the command line, in lists and by directories.
// Layer: RealmCommands, Reading. Invariant: a file that is named twice is worked on once.

import Arguments
import FirstAid
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Option {
  static let recursive = Option("recursive", "take the realms in directories and in all folders below them")
  static let zeroSeparated = Option(
    "zero", letter: "0", "names in lists end with a zero byte, as 'find -print0' writes them")
  static let jobs = Option(
    "jobs", letter: "j", takes: .count, "N", "work on N files at once (default: one per processor core)")

  /// For all commands that take lists of files.
  static let fileLists = [recursive, zeroSeparated, jobs]
}

extension Arguments.Operand {
  /// Files, `@LIST` for the files that a list names, `-` for a list on standard input.
  static let listedRealms = Operand("FILE", .file, .any)
}

extension Invocation {
  /// How many files are worked on at once.
  var jobCount: Int {
    arguments.integer(.jobs).map { max(1, Int(clamping: min($0, 1024))) } ?? ParallelWork.workerCount
  }

  /// The files in their order. `once`: one under two names is taken once, which it is where files are changed too; then backups are
  /// taken only where one is named alone.
  func listedFiles(changing: Bool, once: Bool = false) throws -> [FilePath] {
    var words = arguments.words(.listedRealms)
    let isPiped = words.isEmpty && !terminal.inputIsTerminal
    if isPiped { words = [Word("-")] }
    if words.contains(where: \.isDash) { try refuseKeyOnInput(beside: "the list of files") }
    var list = FileList(isRecursive: arguments.has(.recursive), takesOnce: changing || once)
    for word in words {
      let at = UInt8(ascii: "@")
      if word.isDash {
        try list.add(listedBy: try StandardStreams.inputHandle().readText(), separator)
      } else if word.bytes.first == at {
        let path = FilePath(Array(word.bytes.dropFirst()))
        do {
          try list.add(listedBy: try FileHandle.openForReading(path).readText(), separator)
        } catch {
          throw Diagnostic(error, file: path)
        }
      } else {
        try list.add(FilePath(word.bytes))
      }
    }
    guard !list.paths.isEmpty || !isPiped && !words.isEmpty else {
      throw Diagnostic.usage(
        "FILE is missing", hint: "name files, '@LIST' for those that a list names, or pipe a list in")
    }
    if list.paths.isEmpty, let folder = list.emptyFolders.first {
      let names = list.emptyFolders.map(\.displayName).joined(separator: ", ")
      throw Diagnostic(.unavailable, code: "not-found", "no realm in \(names)", file: folder)
    }
    if !list.otherNames.isEmpty {
      let names = list.otherNames.map(\.displayName).joined(separator: ", ")
      note("left out, because it is another name of a file above: \(names)")
    }
    return changing ? originals(of: list.paths) : list.paths
  }

  /// Of several files those that are no backups, which would not be any longer.
  func originals(of paths: [FilePath]) -> [FilePath] {
    guard paths.count > 1 else { return paths }
    let backups = paths.filter(\.isBackup)
    guard !backups.isEmpty else { return paths }
    let names = backups.map(\.displayName).joined(separator: ", ")
    note("left out, because backups stay as they are: \(names); to change one, name it alone")
    return paths.filter { !$0.isBackup }
  }

  private var separator: UInt8 { arguments.has(.zeroSeparated) ? 0 : UInt8(ascii: "\n") }
}

extension FilePath {
  fileprivate var isBackup: Bool { OriginalBackup.isBackup(lastComponent) }
}

/// Files, each once, whichever links lead to it.
private struct FileList {
  /// A file that is taken once, or the name of one.
  private enum Identity: Hashable {
    case file(device: UInt64, inode: UInt64)
    case name(FilePath)

    init(_ path: FilePath, takesOnce: Bool) {
      if takesOnce, let status = try? path.status {
        self = .file(device: status.device, inode: status.inode)
      } else {
        self = .name((try? path.resolved) ?? path)
      }
    }
  }

  let isRecursive: Bool
  let takesOnce: Bool
  private(set) var paths: [FilePath] = []
  /// Folders without realms.
  private(set) var emptyFolders: [FilePath] = []
  /// Of files that are in the list under another name.
  private(set) var otherNames: [FilePath] = []
  private var names: Set<FilePath> = []
  private var known: Set<Identity> = []

  private static let ending = Array(".realm".utf8)

  init(isRecursive: Bool, takesOnce: Bool) {
    self.isRecursive = isRecursive
    self.takesOnce = takesOnce
  }

  mutating func add(listedBy text: [UInt8], _ separator: UInt8) throws {
    for name in text.split(separator: separator) {
      // Lists that were made on Windows.
      let name = separator != 0 && name.last == UInt8(ascii: "\r") ? name.dropLast() : name
      if !name.isEmpty { try add(FilePath(Array(name))) }
    }
  }

  mutating func add(_ path: FilePath) throws {
    if isRecursive, let status = try? path.status, status.isDirectory { return try addFiles(below: path) }
    // A name that means something else to other commands is here that of a file.
    let isPlain = path.bytes != Array("-".utf8) && path.bytes != Array(":memory:".utf8)
    let named = isPlain ? path : FilePath(".").child(path.bytes)
    take(named)
  }

  private mutating func take(_ path: FilePath) {
    let isNewName = names.insert(path).inserted
    if known.insert(Identity(path, takesOnce: takesOnce)).inserted {
      paths.append(path)
    } else if takesOnce, isNewName {
      otherNames.append(path)
    }
  }

  /// In the order of their paths.
  private mutating func addFiles(below folder: FilePath) throws {
    var found: [FilePath] = []
    try FolderContents.walk(folder, isRecursive: true) { folder, contents in
      do throws(EngineError) {
        let names = try contents.get().files
        found += names.filter {
          $0.count > Self.ending.count && $0.suffix(Self.ending.count) == Self.ending[...]
            && !OriginalBackup.isBackup($0)
        }
        .map { folder.child($0) }
      } catch {
        // Told in the place of what it holds, by who opens that; the others go on.
        found.append(folder.child(Array(".".utf8)))
      }
      return true
    }
    found.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    if found.isEmpty { emptyFolders.append(folder) }
    for path in found { take(path) }
  }
}

/// What is in a folder, in the order of the names.
struct FolderContents {
  let names: [[UInt8]]
  /// Names that are no folders'.
  let files: [[UInt8]]

  /// Visits a folder and, where that is asked for and the visit says so, the folders in it. Links are not followed, and what
  /// engines keep beside a realm is left out.
  static func walk(
    _ folder: FilePath, isRecursive: Bool,
    _ visit: (FilePath, Result<FolderContents, EngineError>) throws -> Bool
  ) throws {
    var folders: [[UInt8]] = []
    let contents = Result { () throws(EngineError) in
      let names = try folder.entryNames.sorted { $0.lexicographicallyPrecedes($1) }
      let known = names.filter { !FolderNames.isCompanion($0) }
      folders = known.filter { (try? folder.child($0).statusOfLink)??.isDirectory ?? false }
      let hidden = Set(folders)
      return FolderContents(names: names, files: known.filter { !hidden.contains($0) })
    }
    guard try visit(folder, contents), isRecursive else { return }
    for name in folders { try walk(folder.child(name), isRecursive: true, visit) }
  }
}
