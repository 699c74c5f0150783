// A session: one open realm, settings, and what runs statements and dot commands one after the other.
// Layer: RealmCommands, Shell. Used by the prompt, by scripts and by statements on the command line.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

/// The state that statements and dot commands share.
final class Shell {
  let invocation: Invocation
  let output: ShellOutput
  /// Whether somebody types, and reads what comes back.
  let isInteractive: Bool
  var settings: ShellSettings
  var parameters: Parameters
  /// Nil while no realm is open.
  private var runner: StatementRunner?
  var session: StatementSession? { runner?.session }
  /// The command line that the open realm came from: its name, its key, whether it may be changed.
  private var opening: Invocation
  /// What `.all` repeats.
  private(set) var lastQuery: [UInt8]?
  /// The objects that were shown one by one, as statements; `.back` goes back through them.
  var shownObjects: [[UInt8]] = []
  /// What `.edit` begins with.
  private(set) var lastStatement: [UInt8]?
  /// What came from the editor for an object last, where it was refused.
  var refusedEdit: (object: [UInt8], text: [UInt8])?
  var statementLog: StatementLog?
  /// Whether a program asks and is answered statement by statement.
  var isDialog = false
  /// Goes on while statements are typed.
  var watching: Watching?
  private var showsAll = false
  var hasToldOfBegin = false
  var hasToldOfVersion = false
  var hasToldOfSettings = false
  /// The scripts that are being read, one inside the other: whether each is one transaction.
  var scripts: [Bool] = []
  /// Of the outermost script.
  var statementCount = 0
  /// Of the first error in a script that went on after it.
  var toldStatus = ExitStatus.success
  /// Whether the statement that runs was typed, at the prompt or on the command line: what comes from a pipe or a file may
  /// have been written by anybody.
  var isTyped = true
  /// Whether changes are kept so that `.undo` can take them back.
  private var keepsHistory: Bool
  /// Set by `.quit`: the session is over.
  private(set) var leaving: ExitStatus?

  init(_ invocation: Invocation, isInteractive: Bool, _ output: ShellOutput) throws {
    self.invocation = invocation
    self.isInteractive = isInteractive
    self.output = output
    keepsHistory = isInteractive
    opening = invocation
    settings = ShellSettings(invocation.arguments, isInteractive: isInteractive)
    parameters = try Parameters(invocation.arguments)
  }

  /// Ends the session when the statement that runs is done.
  func leave(_ status: ExitStatus) { leaving = status }

  // MARK: Realm

  var realm: SessionRealm? { session?.realm }

  var hasOpenTransaction: Bool { realm?.isInTransaction ?? false }

  /// What statements have changed so far, whether it is committed or not.
  var changedCount: Int { session.map { $0.pending.total + $0.committed.total } ?? 0 }

  var hasPendingChanges: Bool { session.map { $0.pending.total > 0 } ?? false }

  func requiredRealm() throws(Diagnostic) -> SessionRealm {
    if let realm { return realm }
    throw Diagnostic(.statement, code: "no-realm", "no realm is open", hint: "type .open FILE")
  }

  /// Refuses what dot commands may not do here.
  func permit(_ deeds: [SideEffect], _ what: String) throws(Diagnostic) {
    if invocation.arguments.has(.safe), let deed = deeds.first { throw deed.refusal(of: what) }
    guard !isTyped, !invocation.arguments.has(.allowShell),
      let deed = deeds.first(where: { $0 != .opensFile })
    else { return }
    throw deed.refusalInInput(of: what)
  }

  /// Opens the realm that a command line names instead of the one that is open, which stays when that fails. `history`: what
  /// was changed in it before.
  func open(_ invocation: Invocation, with history: UndoHistory? = nil) throws {
    guard !hasOpenTransaction else { throw Self.openTransaction("open another realm") }
    let arguments = invocation.arguments
    runner = StatementRunner(
      session: try invocation.statementSession(
        on: arguments.required(.file), isWritable: arguments.has(.write)),
      invocation: invocation, render: try invocation.renderSpec(isTyped: false))
    opening = invocation
    watching = nil
    if keepsHistory { realm?.keepHistory(history) }
  }

  /// From now on changes can be undone.
  func keepHistory() {
    keepsHistory = true
    realm?.keepHistory()
  }

  /// `.open` with the words behind it: options and a file as on the command line. Without a file the one that is open
  /// is opened anew.
  func open(_ words: [Word]) throws {
    let program = Registry.program
    let file = opening.arguments.word(.file)
    let usage = "usage: .open [-w] [--key-file KEY] FILE"
    var opened = (try? ArgumentParser(program, words).parse()).map { invocation.with($0) }
    var inheritedKeyCount = 0
    if opened?.arguments.word(.file) == nil, let file {
      let line = words + [Word("--"), file]
      opened = invocation.with(try ArgumentParser(program, line).parse())
      if opened?.keyWords.isEmpty ?? true {
        opened = opening.with(try ArgumentParser(program, opening.keyWords + line).parse(), sameKey: true)
        inheritedKeyCount = .max
      }
    }
    guard let opened, opened.arguments.path.isEmpty, opened.arguments.immediate == nil else {
      throw Diagnostic.usage(".open – no file given", hint: usage)
    }
    if let surplus = opened.arguments.words(.statement).first {
      throw Diagnostic.usage(".open – unexpected argument '\(surplus.displayText)'", hint: usage)
    }
    let deeds = opened.arguments.deeds(besideKeys: inheritedKeyCount)
    try permit(deeds, ".open")
    if opened.arguments.has(.write) { try permit([.writesFile], ".open -w") }
    try open(opened)
  }

  func close() {
    runner = nil
    watching = nil
  }

  /// What a selection in `source` is about in the open realm.
  func bind(_ selection: Selection, of source: [UInt8], in realm: ReadTransaction) throws -> BoundQuery {
    guard let session else { throw Diagnostic(.statement, code: "no-realm", "no realm is open") }
    return try session.bind(selection, of: source, in: realm)
  }

  /// The open realm, which was named from `folder`, is named from everywhere.
  func moveOpening(from folder: FilePath) throws {
    let word = opening.arguments.word(.file)
    guard realm != nil, let word, word.bytes.first != UInt8(ascii: "/"), !word.isDash,
      word.text != SessionRealm.memoryName
    else { return }
    let absolute = Word(folder.child(word.bytes).bytes)
    let flags = opening.arguments.has(.write) ? [Word("--write")] : []
    let line = opening.keyWords + opening.snapshotWords + flags + [Word("--"), absolute]
    let history = realm?.history
    try open(
      opening.with(try ArgumentParser(Registry.program, line).parse(), sameKey: true), with: history)
  }

  /// Makes the changes of the open transaction durable.
  func commit() throws { try session?.commit() }

  /// Forgets the changes of the open transaction.
  func rollback() throws { try session?.rollback() }

  /// Runs a command of the program on the realm that is open, with the key that opened it.
  func run(_ command: Command, subcommand: String? = nil, _ words: [Word]) throws {
    try run(command, onRealm(command, subcommand: subcommand, words))
  }

  /// Runs one that puts another file in the place of the realm that is open, which must be open for writing.
  func replaceFile(by command: Command, subcommand: String? = nil, _ words: [Word]) throws {
    guard !hasOpenTransaction else { throw Self.openTransaction(subcommand ?? command.spec.name) }
    let realm = try requiredRealm()
    let rehearsal = realm.isDryRun ? [Word("--\(Option.dryRun.name)")] : []
    let invocation = try onRealm(command, subcommand: subcommand, rehearsal + words)
    if let surplus = invocation.arguments.words(.realms).dropFirst().first {
      throw Diagnostic.usage(".\(command.spec.name) – unexpected argument '\(surplus.displayText)'")
    }
    try permit(command, invocation)
    try realm.requireWritable()
    try run(command, invocation)
  }

  /// The call of a command of the program on the realm that is open; `name`: of the dot command, for complaints.
  func onRealm(
    _ command: Command, subcommand: String? = nil, as name: String? = nil, _ words: [Word]
  ) throws -> Invocation {
    let realm = try requiredRealm()
    guard !realm.isInMemory else {
      throw Diagnostic(
        .statement, code: "in-memory",
        ".\(name ?? command.spec.name) needs a file, and this realm has none")
    }
    let names = [command.spec.name] + (subcommand.map { [$0] } ?? [])
    let takesSnapshot = command.spec.options.contains { $0.name == Option.snapshot.name }
    let place = opening.keyWords + (takesSnapshot ? opening.snapshotWords : [])
    let modes = modeWords(of: Command.named(names) ?? command)
    let line = names.map { Word($0) } + place + modes + [opening.fileOperand]
    let typed = ".\(name ?? command.spec.name)"
    if let refusal = OtherShellCommand.refusal(ofSignsIn: words, of: typed, behind: line) { throw refusal }
    let parsed = try DotCommand.parse(line + words, as: typed)
    var call = opening.with(parsed, sameKey: true)
    call.session = CallingSession(realm)
    return call
  }

  /// Refuses what may not be done here.
  func permittedOnRealm(_ command: Command, _ words: [Word]) throws -> Invocation {
    let invocation = try onRealm(command, words)
    try permit(command, invocation)
    return invocation
  }

  private func permit(_ command: Command, _ invocation: Invocation) throws(Diagnostic) {
    try invocation.arguments.refuseImmediate(command.spec.name)
    let keyCount = opening.arguments.keyOccurrences.count
    try permit(invocation.arguments.deeds(besideKeys: keyCount), ".\(command.spec.name)")
  }

  /// Runs a command of the program with a whole command line.
  func run(_ command: Command, line words: [Word]) throws {
    try run(command, invocation.with(try ArgumentParser(Registry.program, words).parse()))
  }

  private func run(_ command: Command, _ invocation: Invocation) throws {
    try permit(command, invocation)
    var invocation = invocation
    invocation.resultDescriptor = output.descriptor
    defer { output.endOnce() }
    let status = try command.run(invocation, names: invocation.arguments.path.map(\.name).dropFirst())
    guard status == .success else {
      throw Diagnostic(status, code: "command", ".\(command.spec.name) exited with status \(status.code)")
    }
    if isInteractive, let file = invocation.arguments.word(.output), !file.isDash {
      invocation.tell("written to \(file.displayText)")
    }
  }

  // MARK: Running

  /// Runs one statement or dot command in a text of its own.
  func runStatement(_ source: [UInt8]) throws { try run(in: source, SourceRange(source.indices)) }

  /// Runs the one that stands at `range`; complaints show its line. `parsed`: what it was read as, where that is known.
  func run(
    in source: [UInt8], _ range: SourceRange, _ parsed: Result<Statement, QueryError>? = nil
  ) throws {
    // What was done before has been told.
    EndSignals.release()
    output.allowsPager = isTyped || invocation.arguments.has(.allowShell)
    let start = SystemClock.milliseconds
    let isPiped = output.isPiped
    var outcome = "ok"
    defer {
      statementLog?.add(source[range.bounds], milliseconds: SystemClock.milliseconds - start, code: outcome)
    }
    do {
      try runStatement(in: source, range, parsed)
    } catch let error
      where isPiped && Diagnostic(error).code == Diagnostic.cancelledCode && !Interruption.isPending
    {
      // 'head' has seen enough.
    } catch let error where isInteractive && scripts.isEmpty {
      outcome = Diagnostic(error).code
      throw error
    } catch {
      var diagnostic = Diagnostic(error)
      outcome = diagnostic.code
      let lines = source[..<range.offset].count { $0 == UInt8(ascii: "\n") }
      let hasOthers =
        lines > 0 || source[range.end...].dropFirst().contains { !$0.isBlankByte && $0 != UInt8(ascii: "\n") }
      if diagnostic.excerpt == nil, diagnostic.scriptLine == nil, hasOthers,
        diagnostic.code != Diagnostic.cancelledCode
      {
        diagnostic.scriptLine = lines + 1
      }
      throw error.endsScripts ? error : diagnostic
    }
  }

  private func runStatement(
    in source: [UInt8], _ range: SourceRange, _ parsed: Result<Statement, QueryError>?
  ) throws {
    do {
      let statement = try parse(source, range, parsed)
      if case .shell(let command) = statement.kind { return try runDotCommand(command, source) }
      let start = SystemClock.milliseconds
      defer { if settings.showsTime { invocation.tell("\(SystemClock.milliseconds - start) ms") } }
      try execute(statement, source, range)
    } catch  where error is Diagnostic || error is SessionError {
      let statement = source[range.bounds]
      let explained = OtherShellCommand.explaining(Diagnostic(error), of: statement)
      throw explainingUnknownClass(namingLinks(explained, of: statement), of: statement)
    }
  }

  private func parse(
    _ source: [UInt8], _ range: SourceRange, _ parsed: Result<Statement, QueryError>?
  ) throws(Diagnostic) -> Statement {
    do throws(QueryError) {
      if let parsed { return try parsed.get() }
      return try Statement(parsing: source, in: range)
    } catch {
      throw Diagnostic(error, in: source)
    }
  }

  private func runDotCommand(_ command: ShellCommand, _ source: [UInt8]) throws {
    let name = String(decoding: command.name.kind, as: UTF8.self)
    let dotCommand = try DotCommand.all.required(name)
    try dotCommand.run(
      self,
      DotArguments(
        words: command.arguments.map(\.kind), rest: Array(source[command.rest.bounds]),
        firstEnd: (command.arguments.first?.range.end ?? command.rest.offset) - command.rest.offset),
      as: name)
  }

  /// Makes classes that stand one after the other in a script; they may link to each other.
  func createClasses(_ classes: [DeclaredClass]) throws {
    _ = try requiredRealm()
    guard let session else { return }
    let counts = try session.run(creating: classes)
    try output.write(isPaged: false) { out in tellPrograms(of: counts, to: &out) }
  }

  private func execute(_ statement: Statement, _ source: [UInt8], _ range: SourceRange) throws {
    _ = try requiredRealm()
    guard var runner else { return }
    let session = runner.session
    let spec = spec
    runner.render = spec
    runner.parameters = parameters
    let waiting = session.pending
    session.settings = StatementSettings(
      arguments: parameters.arguments, showsAllTables: invocation.showsAllTables,
      isConfirmed: invocation.arguments.has(.yes))
    // With the document that may follow what was parsed.
    lastStatement = Array(source[range.bounds])
    refusedEdit = nil
    if statement.isQuery {
      lastQuery = lastStatement
      tellOfUnusedSettings(in: spec.mode)
    }
    defer { output.endOnce() }
    let (counts, isEmpty) = try invocation.showingActivity(activityLabel) {
      try output.write(isPaged: !spec.mode.isForMachines) { out in
        let mark = out.mark
        let counts = try runner.run(statement, of: source, to: &out)
        if !statement.showsSomething { tellPrograms(of: counts, to: &out) }
        return (counts, !out.hasGrown(since: mark))
      }
    }
    if case .select(let selection, _) = statement.kind, selection.key != nil {
      shownObjects.append(Array(source[statement.range.bounds]))
    }
    guard isInteractive else { return }
    if isEmpty, output.isScreen {
      switch statement.kind {
      case .select: invocation.tell("no objects")
      case .aggregate(let aggregation) where aggregation.groups != nil: invocation.tell("no groups")
      default: break
      }
    }
    if settings.showsChanges { tell(of: statement, counts, waiting: waiting) }
  }

  /// What the terminal shows while a statement runs.
  private var activityLabel: String {
    isInteractive ? "running; press Ctrl-C to stop" : "running"
  }

  /// How long an open transaction may wait for input; nil: as long as it takes.
  var idleTimeoutSeconds: Int? {
    invocation.arguments.integer(.idleTimeout).flatMap { $0 > 0 ? Int(clamping: $0) : nil }
  }

  /// Nobody has typed for so long: others get their turn.
  func endIdleTransaction() throws {
    let name = realm?.path.displayName ?? ""
    try rollback()
    invocation.tell(
      "(no input for \(idleTimeoutSeconds ?? 0) s: rolled back, other programs can open \(name) again)")
  }

  /// What the name of the command line's output file asks for.
  private var fileMode: OutputMode {
    guard invocation.arguments.has(.output), let runner else { return .tsv }
    return runner.render.mode
  }

  /// How the next result is shown. What is longer than the screen goes to the pager or is cut.
  var spec: RenderSpec {
    guard output.isScreen else { return settings.spec(for: nil, otherwise: output.namedMode ?? fileMode) }
    let terminal = invocation.terminal
    let hint =
      isInteractive
      ? "'.all' shows all, 'select NAME, …' only some properties"
      : "use a pipe or set PAGER to see all"
    let screen = Screen(
      columnCount: terminal.columnCount, rowCount: terminal.rowCount,
      cutHint: output.hasPager || showsAll ? nil : hint,
      widthHint: isInteractive ? "'\\x on' shows all" : "--line shows all")
    return settings.spec(for: screen, showsAll: showsAll, isColored: invocation.outputIsColored)
  }

  /// `.all`: the last query once more, uncut.
  func repeatQuery() throws {
    guard let lastQuery else {
      throw Diagnostic(.statement, code: "no-query", "there is no previous query", hint: "run a query first")
    }
    showsAll = true
    defer { showsAll = false }
    try runStatement(lastQuery)
  }

  /// Whether anything was changed so far.
  var hasChanged: Bool { session.map { $0.committed.total > 0 } ?? false }

}

extension Invocation {
  /// The options that name the key, as words.
  fileprivate var keyWords: [Word] {
    arguments.keyOccurrences.flatMap { occurrence in
      [Word("--\(occurrence.name)")] + (occurrence.value.map { [$0] } ?? [])
    }
  }

  /// Which snapshot was asked for, as words.
  fileprivate var snapshotWords: [Word] {
    arguments.word(.snapshot).map { [Word("--\(Option.snapshot.name)"), $0] } ?? []
  }

  /// The open file as an operand, never an option.
  fileprivate var fileOperand: Word {
    let word = arguments.required(.file)
    return word.bytes.first == UInt8(ascii: "-") ? Word(Array("./".utf8) + word.bytes) : word
  }
}
