// Programs that the user has beside this one: a pager, the other end of a pipe, a shell command.
// Layer: RealmCommands, Shell, Output.

import ByteText
import CPlatform
import RealmEngine

/// A running program that reads what is written to it.
final class ChildProcess {
  private let process: Int32
  private var input: FileHandle?

  /// Starts `command` with the shell.
  init(_ command: [UInt8]) throws(EngineError) {
    // It may use the same terminal.
    ActivityLine.end()
    guard let (process, descriptor) = SystemCalls.start(shellCommand: command, pipeTo: StandardStreams.input)
    else {
      throw EngineError(.other, "cannot start '\(String(decoding: command, as: UTF8.self))'")
    }
    self.process = process
    input = FileHandle(adopting: descriptor, path: FilePath(command))
    platform_survive_closed_pipes(1)
  }

  /// Of its input; nil once that has ended.
  var descriptor: Int32? { input?.descriptor }

  /// Throws `.cancelled` where the program reads no more: its user has seen enough.
  func write(_ bytes: borrowing ByteBuffer) throws(EngineError) {
    guard let input else { return }
    do throws(SystemCallError) {
      try bytes.write(to: input.descriptor)
    } catch {
      guard error.isBrokenPipe else {
        throw FileHandle.failure("cannot write to", input.path, code: error.code)
      }
      throw EngineError(.cancelled, of: input.path, "no longer reads its input")
    }
  }

  /// Ends its input and waits for it; returns its exit status.
  @discardableResult
  func finish() -> Int32 {
    guard input != nil else { return 0 }
    input = nil
    let status = platform_wait_for_process(process)
    platform_survive_closed_pipes(0)
    return status
  }

  deinit { finish() }
}
