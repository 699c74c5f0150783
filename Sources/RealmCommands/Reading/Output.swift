// Where a command's result goes: standard output, or the file of `--output`. Layer: RealmCommands, Reading.
// Invariant: a file that `--output` made is there whole or not at all.

import ByteText
import CPlatform
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
      file.keep()
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
struct OutputFile {
  let handle: FileHandle
  private let path: FilePath
  /// Whether the file is new, so that half a result is better removed.
  private let isNew: Bool
  private let temporarySlot: Int32

  private static let permissions: mode_t = 0o666

  fileprivate init(_ path: FilePath, mayReplace: Bool, inputs: [FilePath]) throws(EngineError) {
    self.path = path
    if let handle = FileHandle.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: Self.permissions)
    {
      self.handle = handle
      isNew = true
      temporarySlot = SystemCalls.registerTemporary(path)
      return
    }
    guard errno == EEXIST else { throw FileHandle.failure("cannot create", path) }
    guard let handle = FileHandle.open(path, O_WRONLY | O_CLOEXEC) else {
      throw FileHandle.failure("cannot write to", path)
    }
    // A device or a pipe is there to be written to.
    let status = try handle.status()
    if status.isRegular {
      for input in inputs {
        guard try FileHandle.open(input, O_RDONLY | O_CLOEXEC)?.status() != status else {
          throw EngineError(.alreadyExists, "\(path.displayName) is the file that is read")
        }
      }
      guard mayReplace else {
        throw EngineError(
          .alreadyExists, "\(path.displayName) exists already", hint: "--force replaces it")
      }
      guard ftruncate(handle.descriptor, 0) == 0 else { throw FileHandle.failure("cannot empty", path) }
    }
    self.handle = handle
    isNew = false
    temporarySlot = -1
  }

  /// The result is whole.
  func keep() { platform_forget_temporary(temporarySlot) }

  /// The result is not whole.
  func remove() {
    guard isNew else { return }
    SystemCalls.remove(path)
    keep()
  }
}
