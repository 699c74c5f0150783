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
  /// Lends `body` the buffer of the result and writes what is left in it afterwards. Nobody but the user may read a file of
  /// --output with what stood in an encrypted realm.
  /// `holdsValues`: whether it is more than the schema.
  func withOutput<Result>(
    holdsValues: Bool = true, _ body: (inout OutputBuffer) throws -> Result
  ) throws -> Result {
    var plainName: String?
    let result = try withOutputDescriptor { descriptor, name in
      try write(to: descriptor, named: name) { out in
        if holdsValues, namesOutputFile {
          out.onSecret = { if OutputFile.hide(descriptor) { plainName = name } }
        }
        return try body(&out)
      }
    }
    if let plainName { warn("\(plainName) is not encrypted") }
    return result
  }

  /// Lends `body` the file descriptor of the result and its name. `hasEffects`: whether `body` did what cannot be taken back,
  /// so that it is done although the result's file does not get its name.
  func withOutputDescriptor<Result>(
    hasEffects: @autoclosure () -> Bool = false, _ body: (Int32, String) throws -> Result
  ) throws -> Result {
    guard let word = arguments.word(.output), !word.isDash else {
      return try body(resultDescriptor, "standard output")
    }
    let path = FilePath(word.bytes)
    let file = try outputFile(path)
    do {
      let result = try body(file.handle.descriptor, path.displayName)
      do throws(EngineError) {
        warn(of: try file.keep())
      } catch {
        guard hasEffects() else { throw error }
        file.remove()
        warn("the changes were saved, but the output is incomplete: \(error.message)")
      }
      return result
    } catch {
      file.remove()
      throw error
    }
  }

  var namesOutputFile: Bool { arguments.word(.output).map { !$0.isDash } ?? false }

  /// The width of the terminal that the result goes to; nil where it goes elsewhere.
  var resultColumnCount: Int? {
    arguments.word(.output) == nil ? Terminal.columnCount(of: resultDescriptor) : nil
  }

  /// Makes a file for results; it must not be one that is read.
  /// `isSecret`: nobody but the user may read it. `companions`: endings of names that other programs take for parts of it.
  func outputFile(
    _ path: FilePath, isSecret: Bool = false, companions: [String] = []
  ) throws(EngineError) -> OutputFile {
    try refuseInput(path)
    let file = try OutputFile(path, mayReplace: mayReplaceOutput, isSecret: isSecret)
    if let replacement = file.replacement {
      let found = try CompanionFiles(of: replacement.target, companions, mayRemove: mayReplaceOutput)
      for path in try found.present { try refuseInput(path) }
      replacement.companions = found
    }
    return file
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
  /// Where the bytes go.
  let handle: FileHandle
  /// What gives a regular file its name when it is whole; nil for a device or what the process has open, which is there to be written to.
  fileprivate let replacement: SafeReplacement?
  private let isReplacing: Bool

  private static let permissions: mode_t = 0o666
  private static let secretPermissions: mode_t = 0o600

  /// Lets nobody but the user read a regular file; false for others.
  static func hide(_ descriptor: Int32) -> Bool {
    (FileHandle.status(of: descriptor)?.isRegular ?? false) && fchmod(descriptor, secretPermissions) == 0
  }

  fileprivate init(
    _ path: FilePath, mayReplace: Bool, isSecret: Bool
  ) throws(EngineError) {
    let permissions = isSecret ? Self.secretPermissions : Self.permissions
    guard let status = try path.status else {
      try path.requireTextTarget()
      let replacement = try SafeReplacement(target: path, like: nil, mode: permissions)
      self.init(replacement, isReplacing: false)
      return
    }
    guard status.isRegular else {
      try path.requireTextTarget()
      self.init(device: try Self.openForWriting(path))
      return
    }
    guard mayReplace else {
      throw EngineError(
        .alreadyExists, of: path, "already exists", hint: "--force replaces it")
    }
    try path.requireTextTarget()
    // Who may not write a file may not replace it either.
    _ = try Self.openForWriting(path)
    let replacement = try SafeReplacement(
      target: try path.resolved ?? path, like: isSecret ? nil : status, mode: permissions)
    self.init(replacement, isReplacing: true)
  }

  private static func openForWriting(_ path: FilePath) throws(EngineError) -> FileHandle {
    guard let handle = FileHandle.open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) else {
      throw FileHandle.failure("cannot write to", path)
    }
    return handle
  }

  private init(device: FileHandle) {
    handle = device
    replacement = nil
    isReplacing = false
  }

  private init(_ replacement: SafeReplacement, isReplacing: Bool) {
    handle = replacement.handle
    self.replacement = replacement
    self.isReplacing = isReplacing
  }

  /// The name of the file while it is in the making; nil for a device.
  var hiddenPath: FilePath? { get throws(EngineError) { try replacement?.hiddenPath } }

  /// The result is whole: what may fail before names change is done.
  func prepare() throws(EngineError) {
    if isReplacing { try replacement?.prepare() }
  }

  /// Gives the result its name. Gives what went wrong when it had it.
  func keep() throws(EngineError) -> [String] {
    EndSignals.hold()
    do throws(EngineError) {
      // A result can be made again: nobody waits for the disk.
      return try replacement?.commit(replacing: isReplacing, isDurable: false) ?? []
    } catch {
      EndSignals.release()
      throw error
    }
  }

  /// The result is not whole, or not wanted; `isKept`: it has its name already. What it replaced is gone then.
  func remove(isKept: Bool = false) {
    if isKept, !isReplacing { replacement?.target.remove() }
    replacement?.discard()
  }
}
