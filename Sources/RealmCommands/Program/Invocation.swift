// What a command is given: its arguments, the terminal, and ways to tell the user something.
// Layer: RealmCommands, Program.

import Arguments
import ByteText
import CPlatform
import RealmEngine
import RealmSession
import Rendering
import Synchronization
import TextFormats

/// The two modes for programs that errors and warnings follow.
enum JSONForm: String {
  /// One document.
  case document = "json"
  /// A line for each element of it.
  case lines = "jsonl"

  /// Nil: a mode that is not JSON.
  init?(_ mode: OutputMode) { self.init(rawValue: mode.rawValue) }
}

/// One call of a command.
struct Invocation: Sendable {
  let arguments: ParsedArguments
  private(set) var terminal: Terminal
  /// Reads environment variables.
  let environment: @Sendable (String) -> [UInt8]?
  /// Where results go that `--output` does not name a file for.
  var resultDescriptor = StandardStreams.output
  /// Of the command line.
  private(set) var namedKey = NamedKeyMemory()
  /// Of the session.
  private(set) var typedKeys = TypedKeyMemory()
  /// Takes what would be told on standard error; nil: it is told.
  private(set) var messages: MessageLog?
  /// Where the call is made in a session, whose open transaction it is to see.
  var session: CallingSession?
  /// Whether the call is for one of many files, some of which may be encrypted.
  private(set) var isOneOfMany: Bool

  init(
    arguments: ParsedArguments, terminal: Terminal, environment: @escaping @Sendable (String) -> [UInt8]?
  ) {
    self.arguments = arguments
    self.terminal = terminal
    self.environment = environment
    isOneOfMany = arguments.words(.realms).count > 1 || !arguments.words(.newRealm).isEmpty
  }

  /// The same place with another command line. `sameKey`: it names the key of this one.
  func with(_ arguments: ParsedArguments, sameKey: Bool = false) -> Invocation {
    var other = Invocation(arguments: arguments, terminal: terminal, environment: environment)
    other.typedKeys = typedKeys
    if sameKey { other.namedKey = namedKey }
    return other
  }
}

/// The session that calls a command, on the thread that the command begins on.
final class CallingSession: @unchecked Sendable {
  let realm: SessionRealm

  init(_ realm: SessionRealm) { self.realm = realm }
}

extension Invocation {
  /// Names the file of a key, for realms that turn out to be encrypted.
  static let keyFileVariable = "REALM_CLI_KEY_FILE"

  /// Throws where a file to be written is one that is read: a realm, a key, a list or a text.
  func refuseInput(_ output: FilePath) throws(EngineError) {
    guard let status = try? output.status, status.isRegular else { return }
    var inputs = arguments.inputs.map(\.bytes)
    if let key = environment(Self.keyFileVariable) { inputs.append(key) }
    for input in inputs + inputs.filter({ $0.first == UInt8(ascii: "@") }).map({ Array($0.dropFirst()) })
    where status.isSameFile(as: try? FilePath(input).status) {
      throw EngineError(.alreadyExists, of: output, "is the file being read")
    }
  }
}

extension Invocation {
  /// The same call for one of many files.
  func amongOthers() -> Invocation {
    var other = self
    other.isOneOfMany = true
    return other
  }

  /// The same call when nobody is asked anything.
  func unattended() -> Invocation {
    var other = self
    other.terminal = Terminal(
      inputIsTerminal: false, outputIsTerminal: terminal.outputIsTerminal, errorIsTerminal: false)
    return other
  }

  /// The same call for one of many files: nobody is asked anything, and `messages` takes what is told.
  func unattended(_ messages: MessageLog) -> Invocation { amongOthers().unattended().telling(messages) }

  /// The same call with `messages` taking what is told.
  func telling(_ messages: MessageLog) -> Invocation {
    var other = self
    other.messages = messages
    return other
  }
}

/// What is to be told of a file when its turn has come.
final class MessageLog: Sendable {
  struct Message: Hashable {
    let text: String
    let isWarning: Bool
  }

  private let state = Mutex<[Message]>([])

  var all: [Message] { state.withLock { $0 } }

  func add(_ text: String, isWarning: Bool) {
    state.withLock { $0.append(Message(text: text, isWarning: isWarning)) }
  }
}

extension Invocation {
  func tell(_ message: MessageLog.Message) {
    message.isWarning ? warn(message.text) : note(message.text)
  }
}

// MARK: Global options

extension Invocation {
  var isQuiet: Bool { arguments.has(.quiet) }
  var isVerbose: Bool { arguments.has(.verbose) }
  var isDryRun: Bool { arguments.has(.dryRun) }
  var mayReplaceOutput: Bool { arguments.has(.force) }
  var showsAllTables: Bool { arguments.has(.allTables) }
  /// Whether the result is for programs.
  var wantsJSON: Bool { jsonForm != nil }
  /// How programs want the result. A word that is no mode of printing belongs to a command that has modes of its own.
  var jsonForm: JSONForm? {
    arguments.words(.mode).last { OutputMode(rawValue: $0.displayText) != nil }.flatMap {
      JSONForm(rawValue: $0.displayText)
    }
  }

  /// Whether somebody is there to answer questions.
  var isInteractive: Bool {
    terminal.inputIsTerminal && terminal.errorIsTerminal && !arguments.has(.batch) && !arguments.has(.noInput)
  }

  private var colorChoice: ColorChoice { arguments.text(.color).flatMap(ColorChoice.init) ?? .auto }

  /// Whether standard output gets colors.
  var outputIsColored: Bool {
    colorChoice.applies(isTerminal: terminal.outputIsTerminal, environment: environment)
  }

  /// Whether standard error gets colors.
  var errorIsColored: Bool {
    colorChoice.applies(isTerminal: terminal.errorIsTerminal, environment: environment)
  }
}

// MARK: Telling and asking

extension Invocation {
  /// A remark about what was done, on standard error; not with `--quiet`, nor for programs, whose result says it.
  func note(_ text: String) {
    if let messages { return messages.add(text, isWarning: false) }
    if !isQuiet, !wantsJSON { StandardStreams.tell(MessageText.fitted(text).visible + "\n") }
  }

  /// Tells of an error after which the program goes on.
  func report(_ diagnostic: Diagnostic) {
    diagnostic.report(asJSON: wantsJSON, isColored: errorIsColored)
  }

  /// What `report` writes where errors go to a file.
  func text(of diagnostic: Diagnostic) -> String { wantsJSON ? diagnostic.json : diagnostic.text() }

  /// A detail for `--verbose`.
  func detail(_ text: String) {
    if isVerbose { tell(text, as: "note") }
  }

  /// Does what may take long, and shows on a terminal that it runs.
  func showingActivity<Result>(_ label: String, _ body: () throws -> Result) rethrows -> Result {
    guard terminal.errorIsTerminal, !isQuiet else { return try body() }
    ActivityLine.begin(MessageText.fitted(label).visible)
    defer { ActivityLine.end() }
    return try body()
  }

  /// Something the user should change, though it is no error.
  func warn(_ text: String) {
    if let messages { return messages.add(text, isWarning: true) }
    wantsJSON ? tell(text, as: "warning") : tell("warning – \(text)")
  }

  /// For programs an object with one key, which says what it is.
  private func tell(_ text: String, as kind: String? = nil) {
    if wantsJSON, let kind {
      let message = DocumentEntry.text("message", MessageText.fitted(text))
      return StandardStreams.writeError(json: .mapping([.object(kind, [message])]))
    }
    StandardStreams.tell("realm-cli: \(MessageText.fitted(text).visible)\n")
  }

  /// What went wrong when what was wanted had been done, so that it is no failure.
  func warn(of remarks: [String]) {
    for remark in remarks { warn(remark) }
  }

  /// Tells what was done and cannot be taken back: that it cannot be told is no failure of it.
  func writeAfterwards(_ text: borrowing ByteBuffer, to descriptor: Int32) {
    platform_survive_closed_pipes(1)
    defer { platform_survive_closed_pipes(0) }
    do throws(SystemCallError) {
      try StandardStreams.put(text, on: descriptor)
    } catch {
      warn("the result cannot be written to standard output – \(error.message)")
    }
  }

  /// Before something is removed or upgraded, which `deed` says: true at once with `--yes`, otherwise the user is asked. Without a
  /// terminal it is an error that names `--yes`.
  func confirm(_ deed: String) throws -> Bool {
    if arguments.has(.yes) { return true }
    guard isInteractive else {
      throw Diagnostic.usage(
        "\(deed) – confirmation required", hint: "use --yes in scripts")
    }
    let answer = try terminal.ask("\(MessageText.fitted(deed).visible)? [y/N] ") ?? []
    return answer.first.map { $0 | 0x20 == UInt8(ascii: "y") } ?? false
  }
}
