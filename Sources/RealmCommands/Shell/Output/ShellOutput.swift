// Where results of a session go: the screen, a file or another program. Layer: RealmCommands, Shell, Output.

import ByteText
import RealmEngine
import Rendering

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The target of `.output` and `.once`.
final class ShellOutput {
  /// Somewhere else than standard output.
  enum Target {
    /// `mode`: what the name of the file asks for.
    case file(FileHandle, mode: OutputMode?)
    case program(ChildProcess)
    /// A text that a program opens when it is complete.
    case opened(TemporaryText, by: String, mode: OutputMode?)

    /// What `.output` names: a file, or a program behind a bar.
    init(_ name: [UInt8]) throws {
      if name.first == UInt8(ascii: "|") {
        self = .program(try ChildProcess(Array(name.dropFirst())))
        return
      }
      let path = FilePath(name)
      let mode = try OutputMode.named(by: path)
      self = .file(try FileHandle.openTextTarget(path, O_TRUNC, mode: 0o666), mode: mode)
    }
  }

  private let base: (descriptor: Int32, name: String)
  private let terminal: Terminal
  private let warn: (String) -> Void
  /// Files that hold what stood in an encrypted realm, which was said.
  private var plainNames: Set<String> = []
  /// Of the system's shell; nil where long results are cut.
  private var pagerCommand: [UInt8]?
  /// Whether the statement that runs may start a program.
  var allowsPager = true
  private var lasting: Target?
  private var once: Target?
  /// Texts that other programs may still have open.
  private var openedTexts: [TemporaryText] = []

  /// `descriptor`: of standard output, or of the file that the command line names.
  init(
    descriptor: Int32, name: String, _ terminal: Terminal, _ environment: (String) -> [UInt8]?,
    warn: @escaping (String) -> Void
  ) {
    base = (descriptor, name)
    self.warn = warn
    self.terminal = terminal
    if let named = environment("REALM_CLI_PAGER") ?? environment("PAGER") {
      page(through: named)
    } else if terminal.outputIsTerminal, Self.hasProgram(Self.less, environment("PATH")) {
      page(through: Self.less)
    }
  }

  /// Shows long results through a program; an empty command: cuts them.
  func page(through command: [UInt8]) {
    pagerCommand = command.isEmpty ? nil : Self.lessOptions + command
  }

  /// For who asks how long results are shown.
  var pagerName: String? {
    pagerCommand.map { String(decoding: $0.dropFirst(Self.lessOptions.count), as: UTF8.self) }
  }

  static let less = Array("less".utf8)

  /// Without these `less` shows colours as escape codes, breaks tables and stays open for a short text.
  private static let lessOptions = Array("LESS=\"${LESS-FRSX}\"; export LESS; ".utf8)

  private static func hasProgram(_ name: [UInt8], _ path: [UInt8]?) -> Bool {
    (path ?? []).split(separator: UInt8(ascii: ":")).contains { folder in
      FilePath(Array(folder)).child(name).isExecutable
    }
  }

  /// Whether results are for the eyes of the user.
  var isScreen: Bool {
    lasting == nil && once == nil && base.descriptor == StandardStreams.output && terminal.outputIsTerminal
  }

  var hasPager: Bool { pagerCommand != nil && allowsPager }

  /// The mode that the name of the present target asks for.
  var namedMode: OutputMode? {
    switch once ?? lasting {
    case .file(_, let mode), .opened(_, by: _, let mode): mode
    case .program, nil: nil
    }
  }

  /// Whether results go to a program, which need not read all of them.
  var isPiped: Bool { if case .program = once ?? lasting { true } else { false } }

  /// Where bytes go that are not written through `write`.
  var descriptor: Int32 { (once ?? lasting)?.descriptor ?? base.descriptor }

  /// `.output`; nil is standard output again.
  func redirect(to target: Target?) {
    lasting?.finish()
    lasting = target
  }

  /// `.once`: until `endOnce()`.
  func redirectOnce(to target: Target) {
    once?.finish()
    once = target
  }

  /// The result that `.once` was for is complete.
  func endOnce() {
    if case .opened(let text, by: _, mode: _) = once { openedTexts.append(text) }
    once?.finish()
    once = nil
  }

  /// Lends `body` the buffer of a result. `isPaged`: it may go to the pager.
  func write<Result>(isPaged: Bool, _ body: (inout OutputBuffer) throws -> Result) throws -> Result {
    if let target = once ?? lasting {
      return try write(body) { bytes throws(EngineError) in try target.write(bytes) }
    }
    guard isScreen else {
      return try write(body) { [base] bytes throws(EngineError) in
        try StandardStreams.write(bytes, to: base.descriptor, named: base.name)
      }
    }
    let screen = ScreenSink(
      rowCount: terminal.rowCount, pagerCommand: isPaged && allowsPager ? pagerCommand : nil)
    do {
      let result = try write(body) { bytes throws(EngineError) in try screen.take(bytes) }
      try screen.finish()
      return result
    } catch {
      try screen.finish()
      throw error
    }
  }

  private func write<Result>(
    _ body: (inout OutputBuffer) throws -> Result, _ sink: @escaping OutputBuffer.Sink
  ) throws -> Result {
    var out = OutputBuffer(sink: sink)
    out.onSecret = hideFile
    let result = try body(&out)
    try out.flush()
    return result
  }
}

extension ShellOutput {
  /// Lets nobody but the user read the file that results go to.
  private func hideFile() {
    let file: (descriptor: Int32, name: String)
    switch once ?? lasting {
    case .file(let handle, mode: _)?: file = (handle.descriptor, handle.path.displayName)
    case nil where base.descriptor != StandardStreams.output: file = base
    default: return
    }
    guard !plainNames.contains(file.name), OutputFile.hide(file.descriptor) else { return }
    plainNames.insert(file.name)
    warn("\(file.name) is not encrypted")
  }
}

extension ShellOutput.Target {
  fileprivate var descriptor: Int32? {
    switch self {
    case .program(let program): program.descriptor
    case .file(let handle, mode: _): handle.descriptor
    case .opened(let text, by: _, mode: _): text.handle.descriptor
    }
  }

  fileprivate func write(_ bytes: borrowing ByteBuffer) throws(EngineError) {
    switch self {
    case .program(let program): try program.write(bytes)
    case .file(let handle, mode: _): try write(bytes, to: handle)
    case .opened(let text, by: _, mode: _): try write(bytes, to: text.handle)
    }
  }

  private func write(_ bytes: borrowing ByteBuffer, to handle: FileHandle) throws(EngineError) {
    try StandardStreams.write(bytes, to: handle.descriptor, named: handle.path.displayName)
  }

  fileprivate func finish() {
    switch self {
    case .file: break
    case .program(let program): program.finish()
    case .opened(let text, let program, mode: _): _ = try? text.open(in: program)
    }
  }
}
