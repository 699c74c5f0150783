// Results that go to a directory with a file for each. Layer: RealmCommands, Reading.
// Invariants: a file that was made here is there whole or not at all, and so are all of them together, but for old files that were replaced before another one could not be; whatever a
// class is called, its file lies in the directory.

import ByteText
import RealmEngine
import RealmModels
import Rendering

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A directory that results are written to.
final class DirectoryOutput {
  private let path: FilePath
  private let makeFile: (FilePath) throws(EngineError) -> OutputFile
  private var files: [OutputFile] = []
  /// Those that are taken, by the suffix of their files.
  private var names: [String: ModelNames] = [:]
  /// Files that are not called as what they hold, a sentence each.
  fileprivate var renamings: [String] = []
  /// Asked before bytes leave; throws where they may be wrong.
  fileprivate var guardBeforeFlush: (() throws(EngineError) -> Void)?
  /// Nil where it was there before.
  private let made: NewDirectory?

  /// Makes the directory where there is none.
  init(
    _ path: FilePath, makeFile: @escaping (FilePath) throws(EngineError) -> OutputFile
  ) throws(EngineError) {
    self.path = path
    self.makeFile = makeFile
    do throws(EngineError) {
      made = try NewDirectory(path)
    } catch {
      guard error.kind == .notFound else { throw error }
      throw error.advising("create it first: mkdir -p \(path.shellText)")
    }
    guard made != nil || Self.isDirectory(path) else {
      throw FileHandle.failure("cannot make the directory", path, code: EEXIST)
    }
  }

  /// Whether there is a directory of that name.
  static func isDirectory(_ path: FilePath) -> Bool {
    FileHandle.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) != nil
  }

  /// Writes the file of `name`, which may hold any characters.
  func write(
    _ name: String, suffix: String, _ body: (inout OutputBuffer) throws(EngineError) -> Void
  ) throws(EngineError) {
    let slash: [UInt8] = path.bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    // Names that differ only in case are one on some systems.
    let taken = names[suffix, default: ModelNames(tellingCases: false)].take(all: [name]) { $0 }[0]
    let fileName = Self.fileName(name, isDistinct: taken == name) + Array(suffix.utf8)
    if taken != name {
      renamings.append("\(name): its file is called \(String(decoding: fileName, as: UTF8.self))")
    }
    let filePath = FilePath(path.bytes + slash + fileName)
    let file = try makeFile(filePath)
    files.append(file)
    var out = OutputBuffer { bytes throws(EngineError) in
      try StandardStreams.write(bytes, to: file.handle.descriptor, named: filePath.displayName)
    }
    out.guardBeforeFlush = guardBeforeFlush
    try body(&out)
    try out.flush()
  }

  /// All files are whole: gives them their names. Gives what went wrong then.
  func keep() throws(EngineError) -> [String] {
    for file in files { try file.prepare() }
    var remarks: [String] = []
    for (index, file) in files.enumerated() {
      do throws(EngineError) {
        remarks += try file.keep()
      } catch {
        for file in files[..<index] { file.remove(isKept: true) }
        throw error
      }
    }
    files.removeAll()
    return remarks
  }

  /// The files are not whole, or not wanted.
  func discard() {
    for file in files { file.remove() }
    files.removeAll()
    renamings.removeAll()
    names.removeAll()
  }

  /// The same, and nothing more will be written.
  func abandon() {
    discard()
    made?.discard()
  }

  /// The name that the file of such a name was written for.
  static func name(ofFile bytes: some Collection<UInt8>) -> String {
    var name: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let escaped = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        name.append(escaped)
        rest = rest.dropFirst(2)
      } else {
        name.append(byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The bytes of `name`, with `%2F` for what a file's name cannot hold or what could mean another place. Not `isDistinct`: there is
  /// a file of a name that differs in case alone, so that what has a case is written like that, and else the first byte.
  static func fileName(_ name: String, isDistinct: Bool = true) -> [UInt8] {
    func isPlainCase(_ byte: UInt8) -> Bool { byte < 0x80 && !(0x41...0x5A).contains(byte) }
    let isLowercase = name.utf8.allSatisfy(isPlainCase)
    var text = ByteBuffer()
    for byte in name.utf8 {
      let isPlain =
        byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "%")
        && (isDistinct || isPlainCase(byte) && !(isLowercase && text.isEmpty))
      if isPlain, !(byte == UInt8(ascii: ".") && text.isEmpty) {
        text.append(byte)
      } else {
        text.append(UInt8(ascii: "%"))
        text.append(hexadecimal: byte)
      }
    }
    return text.bytes
  }
}

extension Invocation {
  /// Lends `body` a directory for what one version of the realm gives; its files get their names together. `hasData`: where
  /// the realm is encrypted, nobody but the user may read them, who is told that they are not.
  func writeDirectory(
    _ path: FilePath, hasData: Bool = false, _ body: (DirectoryOutput, ReadTransaction) throws -> Void
  ) throws {
    var isSecret = false
    let directory = try DirectoryOutput(path) { file throws(EngineError) in
      try outputFile(file, isSecret: isSecret)
    }
    var nothing = OutputBuffer()
    do {
      try withSnapshot(of: arguments.required(.file), to: &nothing) { database, out in
        // The file may have changed in an attempt before this one.
        directory.discard()
        directory.guardBeforeFlush = out.guardBeforeFlush
        isSecret = hasData && database.file.image.isEncrypted
        try body(directory, database.transaction)
      }
      warn(of: try directory.keep() + directory.renamings)
    } catch {
      directory.abandon()
      throw error
    }
    if isSecret { warn("the files in \(path.displayName) are not encrypted") }
  }
}
