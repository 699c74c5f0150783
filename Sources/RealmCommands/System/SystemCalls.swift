// The commands' one bridge to the C library and to CPlatform. Layer: RealmCommands, System.
// Invariant: every pointer is valid for the call it is passed to; nothing unsafe leaves this file.

import Arguments
import CPlatform
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// System calls with Swift's types on the outside.
enum SystemCalls {
  /// The words behind the program's name, as bytes: `CommandLine.arguments` would repair what is not UTF-8.
  static func commandLineWords() -> [Word] {
    var words: [Word] = []
    words.reserveCapacity(Int(CommandLine.argc))
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
      words.append(unsafe Word(bytes(pointer)))
    }
    return words
  }

  /// The value of an environment variable; nil when it is not set.
  static func environment(_ name: String) -> [UInt8]? {
    guard let pointer = unsafe getenv(name) else { return nil }
    return unsafe bytes(pointer)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// What a shell command prints, at most `sizeMax` bytes, and its exit status; nil when it cannot be started.
  static func capture(shellCommand: [UInt8], sizeMax: Int) -> (output: [UInt8], status: Int32)? {
    var output = [UInt8](repeating: 0, count: sizeMax)
    var status: Int32 = 0
    let size = unsafe FilePath(shellCommand).withCString { command in
      unsafe output.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("sizeMax is positive") }
        return unsafe platform_capture_shell_command(command, base, buffer.count, &status)
      }
    }
    guard size >= 0 else { return nil }
    return (Array(output.prefix(size)), status)
  }

  /// Has the file removed if a signal ends the process; returns what `platform_forget_temporary` takes.
  static func registerTemporary(_ path: FilePath) -> Int32 {
    unsafe path.withCString { unsafe platform_register_temporary($0) }
  }

  /// Removes a file; it may be gone already.
  static func remove(_ path: FilePath) {
    _ = unsafe path.withCString { unsafe unlink($0) }
  }

  static func setShrunkFileMessage(_ message: [UInt8]) {
    unsafe message.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe platform_set_shrunk_file_message(base, buffer.count)
    }
  }

  private static func bytes(_ pointer: UnsafePointer<CChar>) -> [UInt8] {
    let size = unsafe strlen(pointer)
    return unsafe UnsafeRawBufferPointer(start: pointer, count: size).map { $0 }
  }
}
