// The prompt: typed lines become statements, errors are told and the session goes on. Layer: RealmCommands, Shell.

import ByteText
import CPlatform
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

/// A session at a terminal.
final class Interactive {
  private let shell: Shell
  private let invocation: Invocation
  private let editor: LineEditor
  private let history: HistoryFile?
  /// The lines of a statement that is not complete yet.
  private var pending: [UInt8] = []
  /// The quote or bracket that it is open in, if any.
  private var opener = ""
  private var wasWarned = false

  init(_ shell: Shell, _ invocation: Invocation) throws {
    let kind = invocation.environment("TERM") ?? []
    guard
      let editor = LineEditor(
        program: "realm-cli", showsOnError: !invocation.terminal.outputIsTerminal,
        isSteerable: !kind.isEmpty && kind != Array("dumb".utf8))
    else { throw Diagnostic(.failure, code: "terminal", "the terminal cannot be used") }
    self.shell = shell
    self.invocation = invocation
    self.editor = editor
    history = invocation.arguments.has(.safe) ? nil : HistoryFile(environment: invocation.environment)
    for line in history?.lines() ?? [] { editor.remember(line) }
    editor.complete = { [weak self] in self?.complete($0, ahead: $1) ?? LineCompletion() }
  }

  /// Until the user leaves. `first` are statements that run before the prompt appears.
  func run(first: [[UInt8]]) -> ExitStatus {
    EndSignals.notingInterrupts { converse(first) }
  }

  private func converse(_ first: [[UInt8]]) -> ExitStatus {
    greet()
    runInitFile()
    for statement in first { run(statement) }
    while shell.leaving == nil {
      _ = platform_take_interrupt()
      EndSignals.release()
      let mayIdle = shell.hasOpenTransaction && !(shell.realm?.isInMemory ?? true)
      editor.whileWaiting = shell.watching == nil ? nil : { [unowned self] in showNews() }
      switch editor.readLine(prompt: prompt, idleSeconds: mayIdle ? shell.idleTimeoutSeconds : nil) {
      case .idle:
        StandardStreams.writeError("\n")
        forgetPending()
        do { try shell.endIdleTransaction() } catch { report(error) }
      case .interrupted:
        StandardStreams.writeError("^C\n")
        forgetPending()
        if shell.watching != nil { tellOfEnd() }
        shell.watching = nil
      case .end:
        StandardStreams.writeError("\n")
        if mayLeave() { return shell.leaving ?? .success }
      case .text(let line): take(line)
      }
    }
    return shell.leaving ?? .success
  }

  /// The first control-D while changes wait for a commit only warns.
  private func mayLeave() -> Bool {
    guard shell.hasOpenTransaction, !wasWarned else { return true }
    wasWarned = true
    invocation.warn("a transaction is open: 'commit' saves its changes; Ctrl-D again discards them and quits")
    return false
  }

  private var prompt: String {
    var prompt = Prompt(
      file: shell.realm?.path, isWritable: shell.realm?.isWritable ?? false,
      isDryRun: shell.realm?.isDryRun ?? false, hasOpenTransaction: shell.hasOpenTransaction,
      idleSeconds: shell.idleTimeoutSeconds,
      isColored: invocation.errorIsColored)
    prompt.ownText = shell.settings.promptText
    return pending.isEmpty ? prompt.text : prompt.continuation(opener: opener)
  }

  // MARK: News

  /// Shows what a watch has found above the line that is typed.
  private func showNews() {
    let editor = editor
    var out = OutputBuffer { bytes throws(EngineError) in
      editor.hide()
      try StandardStreams.write(bytes, to: StandardStreams.output, named: "standard output")
    }
    do {
      try shell.writeNews(to: &out)
    } catch let error as Diagnostic where error.code == Diagnostic.cancelledCode {
      // The interrupt is seen next.
    } catch {
      editor.hide()
      report(error)
    }
    if shell.watching == nil {
      editor.hide()
      tellOfEnd()
      editor.whileWaiting = nil
    }
    editor.show()
  }

  private func tellOfEnd() { invocation.note("no longer showing changes") }

  // MARK: Beginning

  private func greet() {
    guard !invocation.isQuiet, let realm = shell.realm else { return }
    let name = realm.isInMemory ? "an empty realm in memory" : realm.path.displayName
    let access =
      !realm.isWritable
      ? ", read-only; '.open -w' to change it" : realm.isDryRun ? ", a dry run: nothing is saved" : ""
    StandardStreams.writeError(
      "realm-cli \(programVersion) – \(name)\(access)\n.help for help, .quit to leave\n")
  }

  /// `~/.config/realm-cli/init`: what its user always wants. Its errors are told and do not end the session.
  private func runInitFile() {
    if invocation.arguments.has(.noInit) || invocation.arguments.has(.safe) { return }
    if let word = invocation.arguments.word(.initFile) {
      do { try shell.run(scriptIn: FilePath(word.bytes), isTyped: true) } catch { report(error) }
      return
    }
    guard let folder = UserFolders.configuration(invocation.environment) else { return }
    let path = folder.child(Array("init".utf8))
    do {
      try path.requireTextSource()
      try shell.run(scriptIn: path, isTyped: true)
    } catch let error as EngineError where error.kind == .notFound {
      return
    } catch {
      report(error)
    }
  }

  // MARK: Statements

  private func forgetPending() {
    pending = []
  }

  private func take(_ line: [UInt8]) {
    wasWarned = false
    pending += line + [UInt8(ascii: "\n")]
    switch StatementScanner.ending(of: pending) {
    case .complete:
      if goesOnInPaste() {
        opener = ""
        return
      }
    case .open(let byte):
      opener = String(UnicodeScalar(byte))
      return
    case .continued, .unfinished:
      opener = ""
      return
    }
    let source = pending
    remember(source)
    forgetPending()
    run(Self.meant(by: source) ?? source)
  }

  /// Whether the next pasted line goes on with the statement, as `where` does; then `pending` says so too. A half of what
  /// was pasted may be far more than was meant: all objects of a class.
  private func goesOnInPaste() -> Bool {
    let word = OtherShellCommand.firstWord(of: editor.nextPastedLine)
    // A class may be called Order.
    guard OtherShellCommand.isClause(word),
      !((try? shell.schema(of: []))?.classes.contains { $0.name == word } ?? false)
    else { return false }
    let joined = pending.dropLast() + Array("\\\n".utf8)
    guard case .continued = StatementScanner.ending(of: joined) else { return false }
    pending = Array(joined)
    return true
  }

  /// What people type at a prompt that they do not know yet.
  private static func meant(by source: [UInt8]) -> [UInt8]? {
    let words = source.split { $0.isBlankByte || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: ";") }
    switch (String(decoding: words.first ?? [], as: UTF8.self).lowercased(), words.count) {
    case ("help", 1), ("?", 1): return Array(".help".utf8)
    case ("help", 2): return Array(".help ".utf8) + words[1]
    case ("exit", 1), ("quit", 1): return Array(".quit".utf8)
    default: return nil
    }
  }

  /// Runs what was typed, each statement for itself, up to the first that fails.
  private func run(_ source: [UInt8]) {
    var scanner = StatementScanner()
    while shell.leaving == nil, case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
      do {
        try shell.run(in: source, range)
      } catch {
        return report(error)
      }
    }
  }

  /// A statement of several lines comes back as one where that can be.
  private func remember(_ source: [UInt8]) {
    var lines = source.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    if lines.count > 1, let line = StatementScanner.onOneLine(source) { lines = [line] }
    for line in lines where line.contains(where: { !$0.isBlankByte }) {
      editor.remember(line)
      history?.add(line)
    }
  }

  private func report(_ error: any Error) {
    var diagnostic = Diagnostic(error)
    switch diagnostic.code {
    case "read-only": diagnostic.hint = "'.open -w' opens it for writing"
    case "upgrade-needed":
      diagnostic.hint = "after '.open -w --upgrade' the first change upgrades it; a backup is kept"
    default:
      if let parameter = diagnostic.parameter { diagnostic.hint = parameter.textAtPrompt }
    }
    guard diagnostic.code == Diagnostic.cancelledCode else { return invocation.report(diagnostic) }
    // Without an interrupt it was a pager that its user left.
    guard platform_take_interrupt() != 0 else { return }
    editor.forgetPaste()
    StandardStreams.tell(diagnostic.hint.map { "cancelled – \($0)\n" } ?? "cancelled\n")
  }

  // MARK: Completion

  private func complete(_ typed: [UInt8], ahead: [UInt8]) -> LineCompletion {
    // A file that cannot be read at the moment has no names to offer.
    let schema = try? shell.realm?.read { $0.schemaDescription(allTables: invocation.showsAllTables) }
    let environment = invocation.environment
    let completer = Completer(schema ?? SchemaDescription(version: nil, classes: [])) {
      (try? SavedQueries(environment).all().map { $0.name }) ?? []
    }
    return completer.complete(typed, after: pending, ahead: ahead)
  }
}
