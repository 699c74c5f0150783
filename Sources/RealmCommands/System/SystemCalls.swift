// The commands' one bridge to the C library and to CPlatform. Layer: RealmCommands, System.
// Invariant: every pointer is valid for the call it is passed to; nothing unsafe leaves this file.

import Arguments
import ByteText
import CPlatform
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// System calls with Swift's types on the outside.
enum SystemCalls {
  /// The words behind the program's name, as bytes: `CommandLine.arguments` would repair what is not UTF-8,
  /// and needs /proc.
  static func commandLineWords() -> [Word] {
    var words: [Word] = []
    let count = platform_argument_count()
    words.reserveCapacity(Int(count))
    for index in 1..<max(1, count) {
      guard let pointer = unsafe platform_argument(index) else { break }
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

  /// What a shell command prints, as `content` has it, and its exit status; nil when it cannot be started. A command that is
  /// not done at `deadline` is asked to end.
  static func capture(
    shellCommand: [UInt8], sizeMax: Int, until deadline: Int
  ) throws(SystemCallError) -> (output: [UInt8], status: Int32)? {
    guard let (process, pipe) = start(shellCommand: shellCommand, pipeTo: STDOUT_FILENO) else { return nil }
    let result: Result<[UInt8], SystemCallError>
    do throws(SystemCallError) {
      result = .success(try [UInt8].content(of: pipe, sizeMax: sizeMax, until: deadline))
    } catch {
      result = .failure(error)
    }
    // Before the wait, so that a command which prints too much ends.
    close(pipe)
    let status = platform_wait_briefly_for_process(
      process, Int32(clamping: max(0, deadline - SystemClock.milliseconds)))
    let output = try result.get()
    guard status >= 0 else { throw SystemCallError(code: ETIMEDOUT) }
    return (output, status)
  }

  /// Starts a shell command with a pipe to one of its standard streams; nil when it cannot be started.
  static func start(shellCommand: [UInt8], pipeTo stream: Int32) -> (process: Int32, pipe: Int32)? {
    var pipe: Int32 = -1
    let process = unsafe FilePath(shellCommand).withCString {
      unsafe platform_start_shell_command($0, stream, &pipe)
    }
    return process < 0 ? nil : (process, pipe)
  }

  /// Runs a shell command on the process's own streams; returns its exit status, nil when it cannot be started.
  static func run(shellCommand: [UInt8]) -> Int32? {
    let process = unsafe FilePath(shellCommand).withCString {
      unsafe platform_start_shell_command($0, STDIN_FILENO, nil)
    }
    return process < 0 ? nil : platform_wait_for_process(process)
  }

  /// The folder that names are looked for in; nil where it has none any more.
  static func currentFolder() -> FilePath? {
    guard let name = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(name) }
    return FilePath(unsafe bytes(name))
  }

  static func changeFolder(_ path: FilePath) -> Bool { unsafe path.withCString { unsafe chdir($0) } == 0 }

  /// Whether the folder is there afterwards.
  static func makeFolder(_ path: FilePath, permissions: UInt16) -> Bool {
    unsafe path.withCString { unsafe mkdir($0, mode_t(permissions)) } == 0 || errno == EEXIST
  }

  /// The names in a folder, with a slash behind those of folders; empty where it cannot be read.
  static func names(in folder: FilePath) -> [[UInt8]] {
    let names = try? FileHandle.openDirectory(folder).entryNames()
    return (names ?? []).map { name in
      let status = try? FileHandle.open(folder.child(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)?.status()
      return status?.isDirectory ?? false ? name + [UInt8(ascii: "/")] : name
    }
  }

  static func setShrunkFileMessage(_ message: [UInt8]) {
    unsafe message.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe platform_set_shrunk_file_message(base, buffer.count)
    }
  }

  /// One of the parts of what a signal that ends the process says.
  static func setEndingPart(_ part: some BinaryInteger, _ text: [UInt8]) {
    unsafe text.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe platform_set_ending_part(Int32(part), base, buffer.count)
    }
  }

  /// From now on the terminal is told that this runs, after a second.
  static func beginActivity(_ label: [UInt8]) {
    unsafe label.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe platform_activity_begin(base, buffer.count)
    }
  }

  /// From now on the text formats show dates in this zone. False where the system has no zone of that name.
  static func selectTimeZone(_ name: String) -> Bool { unsafe platform_zone_select(name) }

  private static func bytes(_ pointer: UnsafePointer<CChar>) -> [UInt8] {
    let size = unsafe strlen(pointer)
    return unsafe UnsafeRawBufferPointer(start: pointer, count: size).map { $0 }
  }
}
