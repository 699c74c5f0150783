// A text that another program is to show or change: an editor, a spreadsheet. Layer: RealmCommands, Shell, Output.
// Invariants: nobody but the user can read it; it goes with the session, and when a signal ends that.

import ByteText
import CPlatform
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of its own for one text.
final class TemporaryText {
  let handle: FileHandle
  private let path: FilePath
  private let name: TemporaryName

  private static let attemptsMax = 1000

  /// `ending` tells programs what it is: `.csv`.
  init(ending: String, _ environment: (String) -> [UInt8]?) throws(EngineError) {
    let named = environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 }
    let folder = FilePath(named ?? Array("/tmp".utf8))
    for number in 0..<Self.attemptsMax {
      let path = folder.child(Array("realm-cli-\(getpid())-\(number)\(ending)".utf8))
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      if let handle = FileHandle.open(path, flags, mode: 0o600) {
        self.handle = handle
        self.path = path
        name = TemporaryName(path)
        return
      }
      guard errno == EEXIST else { throw FileHandle.failure("cannot create", path) }
    }
    throw FileHandle.failure("cannot create a file in", folder, code: EEXIST)
  }

  deinit { path.remove() }

  /// Has `program`, a command of the system's shell, open it, and waits for that; gives its exit status.
  func open(in program: String) throws(EngineError) -> Int32 {
    let command = Array("\(program) \(path.shellText)".utf8)
    guard let status = SystemCalls.run(shellCommand: command) else {
      throw EngineError(.other, "cannot start \(program)")
    }
    return status
  }

  /// What stands in it now; an editor may have put another file in its place.
  func content() throws(EngineError) -> [UInt8] { try FileHandle.openForReading(path).readToEnd() }

  /// What the user makes of a text in an editor. `refusal`: what was not done where the editor fails.
  static func edited(
    _ text: [UInt8], ending: String, _ environment: (String) -> [UInt8]?, orSay refusal: String
  ) throws -> [UInt8] {
    let file = try TemporaryText(ending: ending, environment)
    var bytes = ByteBuffer()
    bytes.append(text)
    try StandardStreams.write(bytes, to: file.handle.descriptor, named: "the text for the editor")
    let status = try file.open(in: editor)
    guard status == 0 else {
      throw Diagnostic(.failure, code: "shell", "the editor exited with status \(status); \(refusal)")
    }
    return try file.content()
  }

  /// The user's own editor, as the shell finds it.
  static let editor = "${VISUAL:-${EDITOR:-vi}}"

  /// What opens a file with the program that belongs to it.
  static var opener: String {
    #if os(macOS)
      "open"
    #else
      "xdg-open"
    #endif
  }
}
