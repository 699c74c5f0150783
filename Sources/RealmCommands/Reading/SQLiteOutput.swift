// A file of SQLite as a result: SQLite opens files by name, so that standard output gets a copy of one.
// Layer: RealmCommands, Reading.

import ByteText
import RealmEngine
import RealmSQL

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of SQLite in the making.
final class SQLiteOutput {
  private enum Target {
    case file(OutputFile)
    /// Where the bytes go when they are whole; a device is open for as long as it is held.
    case stream(SafeReplacement, to: Int32, OutputFile?, name: String)
  }

  private let target: Target
  /// Where SQLite writes it.
  let path: FilePath

  /// `isSecret`: nobody but the user may read it.
  init(_ invocation: Invocation, isSecret: Bool) throws {
    var (device, name) = (OutputFile?.none, "standard output")
    if let word = invocation.arguments.word(.output), !word.isDash {
      let file = try invocation.outputFile(
        FilePath(word.bytes), isSecret: isSecret, companions: SQLiteFile.companions)
      if let path = try file.hiddenPath {
        target = .file(file)
        self.path = path
        return
      }
      (device, name) = (file, FilePath(word.bytes).displayName)
    }
    let descriptor = device?.handle.descriptor ?? invocation.resultDescriptor
    guard !SystemCalls.isTerminal(descriptor) else {
      throw Diagnostic.usage("a terminal cannot show a file of SQLite", hint: "name a file: -o app.sqlite")
    }
    let replacement = try SafeReplacement(target: .temporarySQLite, like: nil)
    target = .stream(replacement, to: descriptor, device, name: name)
    path = try replacement.sqlitePath
  }

  deinit { discard() }

  /// The file is whole and proven. Gives what went wrong when it had its name.
  func keep() throws(EngineError) -> [String] {
    switch target {
    case .file(let file): return try file.keep()
    case .stream(let replacement, let descriptor, _, let name):
      // Who reads may take hours.
      replacement.discard()
      try replacement.handle.forEachPiece { piece throws(EngineError) in
        var bytes = ByteBuffer(capacity: piece.count)
        bytes.append(piece)
        try StandardStreams.write(bytes, to: descriptor, named: name)
      }
      return []
    }
  }

  func discard() {
    switch target {
    case .file(let file): file.remove()
    case .stream(let replacement, _, _, _): replacement.discard()
    }
  }
}

extension FilePath {
  /// What a file of SQLite that gets no name is made beside: always the same, so that where it needs a hidden name, the next one
  /// clears away what a killed process has left.
  static var temporarySQLite: FilePath { temporaryDirectory.child(Array("realm-cli.sqlite".utf8)) }
}

extension SafeReplacement {
  /// Where SQLite writes it. Without a name nothing is left of it, whatever ends the process.
  var sqlitePath: FilePath {
    get throws(EngineError) {
      if let path = SQLiteFile.path(to: handle) { return path }
      return try hiddenPath
    }
  }
}

extension FileHandle {
  private static let pieceSize = 1 << 20

  /// Reads a finished file from its beginning.
  func forEachPiece(_ body: ([UInt8]) throws(EngineError) -> Void) throws(EngineError) {
    lseek(descriptor, 0, SEEK_SET)
    var piece: [UInt8] = []
    repeat {
      piece.removeAll(keepingCapacity: true)
      do throws(SystemCallError) {
        _ = try piece.append(readingFrom: descriptor, countMax: Self.pieceSize)
      } catch {
        throw EngineError(.outputFailed, "cannot read the finished file: \(error.message)")
      }
      if !piece.isEmpty { try body(piece) }
    } while !piece.isEmpty
  }
}
