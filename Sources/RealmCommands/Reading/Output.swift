// Where a command's result goes: standard output, or the file of `--output`. Layer: RealmCommands, Reading.
// Invariants: a file that `--output` makes or replaces is there whole or not at all; no file is written through a link.

import ByteText
import RealmEngine
import Rendering

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Invocation {
  /// Lends `body` the buffer of the result and writes what is left in it afterwards.
  func withOutput<Result>(_ body: (inout OutputBuffer) throws -> Result) throws -> Result {
    try withOutputDescriptor { descriptor, name in try write(to: descriptor, named: name, body) }
  }

  /// Lends `body` the file descriptor of the result and its name.
  func withOutputDescriptor<Result>(_ body: (Int32, String) throws -> Result) throws -> Result {
    guard let word = arguments.word(.output), !word.isDash else {
      return try body(resultDescriptor, "standard output")
    }
    let path = FilePath(word.bytes)
    let file = try outputFile(path)
    do {
      let result = try body(file.handle.descriptor, path.displayName)
      try file.keep()
      return result
    } catch {
      file.remove()
      throw error
    }
  }

  /// Makes a file for results; it must not be one that is read.
  func outputFile(_ path: FilePath) throws(EngineError) -> OutputFile {
    try OutputFile(
      path, mayReplace: mayReplaceOutput, inputs: arguments.words(.file).map { FilePath($0.bytes) })
  }

  private func write<Result>(
    to descriptor: Int32, named name: String, _ body: (inout OutputBuffer) throws -> Result
  ) throws -> Result {
    var out = OutputBuffer { bytes throws(EngineError) in
      try StandardStreams.write(bytes, to: descriptor, named: name)
    }
    let result = try body(&out)
    try out.flush()
    return result
  }
}

/// The file that a result is written to.
final class OutputFile {
  let handle: FileHandle
  private let path: FilePath
  private var end: End

  /// What becomes of the file at the end.
  private enum End {
    /// It was made here, so that half a result is better removed.
    case removed(TemporaryName)
    /// The result takes the place of another file when it is whole.
    case replaced(SafeReplacement)
    /// It stays: a device or a pipe, which is there to be written to, or a whole result.
    case kept
  }

  private static let permissions: mode_t = 0o666

  fileprivate init(_ path: FilePath, mayReplace: Bool, inputs: [FilePath]) throws(EngineError) {
    self.path = path
    if let handle = FileHandle.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: Self.permissions)
    {
      self.handle = handle
      end = .removed(TemporaryName(path))
      return
    }
    guard errno == EEXIST else { throw FileHandle.failure("cannot create", path) }
    guard let status = path.status, status.isRegular else {
      try path.requireTextTarget()
      guard let handle = FileHandle.open(path, O_WRONLY | O_CLOEXEC) else {
        throw FileHandle.failure("cannot write to", path)
      }
      self.handle = handle
      end = .kept
      return
    }
    for input in inputs where status.isSameFile(as: input.status) {
      throw EngineError(.alreadyExists, "\(path.displayName) is the file that is read")
    }
    guard mayReplace else {
      throw EngineError(
        .alreadyExists, "\(path.displayName) exists already", hint: "--force replaces it")
    }
    try path.requireTextTarget()
    // Who may not write a file may not replace it either.
    guard FileHandle.open(path, O_WRONLY | O_CLOEXEC) != nil else {
      throw FileHandle.failure("cannot write to", path)
    }
    let replacement = try SafeReplacement(target: path, like: status)
    handle = replacement.handle
    end = .replaced(replacement)
  }

  /// The result is whole.
  func keep() throws(EngineError) {
    if case .replaced(let replacement) = end { try replacement.commit(replacing: true) }
    end = .kept
  }

  /// The result is not whole.
  func remove() {
    switch end {
    case .removed: path.remove()
    case .replaced(let replacement): replacement.discard()
    case .kept: break
    }
    end = .kept
  }
}
