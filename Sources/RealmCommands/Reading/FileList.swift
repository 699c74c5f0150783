// The files of a command that takes thousands of them: named on the command line, in lists and by directories.
// Layer: RealmCommands, Reading. Invariant: a file that is named twice is worked on once.

import Arguments
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Option {
  static let recursive = Option("recursive", "take all files named *.realm in and below directories")
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

  /// The files in their order.
  func listedFiles() throws -> [FilePath] {
    var words = arguments.words(.listedRealms)
    let isPiped = words.isEmpty && !terminal.inputIsTerminal
    if isPiped { words = [Word("-")] }
    if words.contains(where: \.isDash) { try refuseKeyOnInput(beside: "the list of files") }
    var list = FileList(isRecursive: arguments.has(.recursive))
    for word in words {
      let at = UInt8(ascii: "@")
      if word.isDash {
        try list.add(listedBy: try StandardStreams.inputHandle().readToEnd(), separator)
      } else if word.bytes.first == at {
        let path = FilePath(Array(word.bytes.dropFirst()))
        do {
          try list.add(listedBy: try FileHandle.openForReading(path).readToEnd(), separator)
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
    return list.paths
  }

  private var separator: UInt8 { arguments.has(.zeroSeparated) ? 0 : UInt8(ascii: "\n") }
}

/// Files, each once.
private struct FileList {
  let isRecursive: Bool
  private(set) var paths: [FilePath] = []
  private var known: Set<FilePath> = []

  private static let ending = Array(".realm".utf8)

  init(isRecursive: Bool) { self.isRecursive = isRecursive }

  mutating func add(listedBy text: [UInt8], _ separator: UInt8) throws {
    for name in text.split(separator: separator) { try add(FilePath(Array(name))) }
  }

  mutating func add(_ path: FilePath) throws {
    if isRecursive, let status = try? path.status, status.isDirectory { return try addFiles(below: path) }
    // A name that means something else to other commands is here that of a file.
    let isPlain = path.bytes != Array("-".utf8) && path.bytes != Array(":memory:".utf8)
    let named = isPlain ? path : FilePath(".").child(path.bytes)
    if known.insert(named).inserted { paths.append(named) }
  }

  /// Links to directories are not followed.
  private mutating func addFiles(below folder: FilePath) throws {
    var names: [[UInt8]]
    do {
      names = try FileHandle.openDirectory(folder).entryNames()
    } catch {
      throw Diagnostic(error, file: folder)
    }
    names.sort { $0.lexicographicallyPrecedes($1) }
    for name in names {
      let path = folder.child(name)
      guard let status = try? path.statusOfLink else { continue }
      if status.isDirectory {
        try addFiles(below: path)
      } else if name.suffix(Self.ending.count) == Self.ending[...], name.count > Self.ending.count {
        if known.insert(path).inserted { paths.append(path) }
      }
    }
  }
}
