// The one form in which the program says that something went wrong. Layer: RealmCommands, Program.
// Invariant: what is printed holds no control characters but newlines of our own.

import Arguments
import ByteText
package import RealmEngine
import RealmSession
import TextFormats

/// What went wrong, for people and for programs.
package struct Diagnostic: Error, Sendable {
  package let exit: ExitStatus
  /// A word that stays the same between versions: `unknown-class`.
  package let code: String
  /// One line: what, where and why, with dashes between them.
  package private(set) var message: String
  /// What to do about it.
  package var hint: String? {
    get { longHint.flatMap(MessageText.fittedHint) }
    set { longHint = newValue }
  }
  private var longHint: String?
  /// The parameter that the hint is about.
  private(set) var parameter: ParameterHint?
  /// Of the command line, where there is no use for it.
  private(set) var unexpectedWord: String?
  /// The error of the engine that it tells.
  private(set) var cause: EngineError?
  /// What the message calls the file that it is about; nil where it does not name it.
  private var namedFile: String?
  package var file: FilePath?
  package var excerpt: SourceExcerpt?
  /// Whether the message says which line it is about.
  private let saysLine: Bool
  /// Where it stands in a text of which there is no excerpt.
  var location: TextLocation?
  /// Of the script that it stopped, where there is no excerpt.
  package var scriptLine: Int?
  /// The script that it stopped, where that has a name.
  package var script: FilePath?

  package init(
    _ exit: ExitStatus, code: String, _ message: String, hint: String? = nil, file: FilePath? = nil,
    excerpt: SourceExcerpt? = nil, saysLine: Bool = false
  ) {
    self.exit = exit
    self.code = code
    self.message = MessageText.fitted(message)
    longHint = hint
    self.file = file
    self.excerpt = excerpt
    self.saysLine = saysLine
  }

  /// `reason`: the message without the name of the file, with which it begins.
  init(_ exit: ExitStatus, code: String, of file: FilePath, _ reason: String, hint: String? = nil) {
    self.init(exit, code: code, "\(file.displayName) \(reason)", hint: hint, file: file)
    namedFile = file.displayName
  }

  /// A command line that means nothing.
  package static func usage(_ message: String, hint: String? = nil) -> Diagnostic {
    Diagnostic(.usage, code: "usage", message, hint: hint)
  }
}

extension Diagnostic {
  /// The one place that turns an error into words and an exit status.
  package init(_ error: any Error, file: FilePath? = nil) {
    switch error {
    case var diagnostic as Diagnostic:
      diagnostic.file = diagnostic.file ?? file
      self = diagnostic
    case let error as UsageError:
      self = .usage(error.message, hint: error.hint)
      unexpectedWord = error.unexpectedWord
    case let error as EngineError: self.init(engine: error, file: file)
    case let error as SessionError: self.init(session: error, file: file)
    default:
      // Not its description: the program carries no names of types.
      self.init(.failure, code: "other", "something failed that has no words", file: file)
    }
  }

  /// An error of a script in a file.
  init(_ error: any Error, script path: FilePath) {
    self.init(error, file: path)
    script = script ?? path
  }

  private init(engine error: EngineError, file: FilePath?, exit refusal: ExitStatus? = nil) {
    let (status, code) = ExitStatus.forError(error.kind)
    // What has a status of its own (a full disk, damage) keeps it.
    let exit = status == .failure ? refusal ?? status : status
    // Most messages of the engine are about bytes and do not know the file's name.
    let name = file?.displayName
    let opening = name.map { error.file?.isName(after: $0) ?? false ? "" : "\($0) – " } ?? ""
    self.init(
      exit, code: code, opening + error.message + Self.end(of: error),
      hint: error.hint ?? Self.advice(error.kind, file), file: file)
    parameter = error.parameter
    cause = error
    namedFile = name ?? error.file
  }

  private static func end(of error: EngineError) -> String { error.place.map { " – \($0)" } ?? "" }

  /// The message without the name of the file at its beginning.
  var reason: String {
    guard let cause else { return message }
    let isNamed = cause.file.map { $0 == file?.displayName } ?? false
    return MessageText.fitted((isNamed ? cause.reason : cause.message) + Self.end(of: cause))
  }

  /// What to do about damage where the engine does not say it.
  private static func advice(_ kind: EngineError.Kind, _ file: FilePath?) -> String? {
    guard kind == .damaged, let file, file != .standardInput else { return nil }
    return file.doctorHint
  }

  /// Commands that examine damage themselves.
  private static let examiners = ["doctor", "check", "recover"]

  /// The same complaint of the command that was called: one that examines damage advises no other.
  func told(by arguments: ParsedArguments) -> Diagnostic {
    guard let name = arguments.path.first?.name, Self.examiners.contains(name), longHint == file?.doctorHint
    else { return self }
    var own = self
    own.hint = nil
    return own
  }

  private init(session error: SessionError, file: FilePath?) {
    let file = error.file ?? file
    switch error.cause {
    case .engine(let cause): self.init(engine: cause, file: file)
    case .refused(let cause): self.init(engine: cause, file: file, exit: .refused)
    case .query(let cause):
      self.init(.statement, code: cause.code.rawValue, cause.messageWithSuggestion)
      parameter = cause.parameter
    case .statement(let code, let message): self.init(.statement, code: code, message)
    case .constraint(let code, let message): self.init(.refused, code: code, message)
    case .readOnly(let path): self.init(.usage, code: "read-only", of: path, "is open read-only")
    case .declined(let message): self.init(declined: message)
    }
    self.hint = error.hint ?? hint
    self.file = file
    excerpt = error.place.map { place in
      SourceExcerpt(String(decoding: place.source, as: UTF8.self), place.range.bounds)
    }
  }

  /// The user was asked and said no; `result` says what has become of it.
  init(declined result: String) { self.init(.failure, code: "declined", result) }

  /// Words what a session throws; failures of the output are not the file's.
  static func wording(_ error: any Error, file: FilePath) -> any Error {
    error is SessionError || error is Diagnostic ? Diagnostic(error, file: file) : error
  }
}

extension String {
  /// Whether it is the name of a file, or of one beside it that is called after it: `app.realm.lock`.
  fileprivate func isName(after name: String) -> Bool { self == name || hasPrefix("\(name).") }
}

extension Diagnostic {
  /// The user stopped it; there is nothing to say about that.
  static let cancelledCode = "cancelled"

  /// There is no class, or table of SQL, of the name.
  static let unknownClassCode = "unknown-class"

  private static let opening = "realm-cli:"

  /// Whether the message names the file.
  func names(_ path: FilePath) -> Bool { namedFile == path.displayName }

  /// The same among complaints about other files.
  func naming(_ path: FilePath, _ separator: String = ":") -> Diagnostic {
    guard !names(path) else { return self }
    var named = self
    named.message = "\(path.displayName)\(separator) \(message)"
    named.namedFile = path.displayName
    return named
  }

  /// `realm-cli: …`, then the source line with carets, then the hint. `columns`: of the terminal that it is for.
  package func text(columns: Int? = nil) -> String {
    func fitted(_ line: String) -> String { columns.map { ScreenLines.fitted(line, columns: $0) } ?? line }
    var text = fitted("\(Self.opening) \(place)\(message.visible)\n")
    if let excerpt { text += excerpt.rendering(columns: columns) }
    if let hint { text += fitted("hint: \(hint.visible)\n") }
    return text
  }

  /// `line 3: ` in a text of several lines; complaints about documents say it themselves.
  private var place: String {
    guard !saysLine, let line = excerpt.flatMap({ $0.hasOtherLines ? $0.line : nil }) ?? scriptLine else {
      return ""
    }
    return "\(script.map { "\($0.displayName), " } ?? "")line \(line): "
  }

  /// Says it on standard error.
  func report(asJSON: Bool, isColored: Bool) {
    if asJSON { return StandardStreams.writeError(json) }
    let text = text(columns: Terminal.columnCount(of: StandardStreams.error))
    var marked = ByteBuffer()
    if isColored {
      marked.append(.alarm)
      marked.append(text: Self.opening)
      marked.append(.plain)
    }
    marked.append(text: isColored ? String(text.dropFirst(Self.opening.count)) : text)
    StandardStreams.writeError(marked: marked)
  }

  /// What programs are told; every key is always there.
  var document: DocumentNode {
    .mapping([
      .text("kind", code), .text("message", message), .text("file", file?.name),
      .number("line", excerpt?.line ?? location?.line ?? scriptLine),
      .number("column", excerpt?.column ?? location?.column), .text("hint", hint),
      .number("exit", Int(exit.code)),
    ])
  }

  /// The same as one line of its own.
  package var json: String {
    var text = ByteBuffer()
    text.append(json: .mapping([DocumentEntry("error", document)]))
    return text.text + "\n"
  }
}
