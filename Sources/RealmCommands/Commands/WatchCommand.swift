// `watch`: what every commit does to the objects of a realm. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import Rendering

extension Option {
  fileprivate static let properties = Option(
    "properties", takes: .properties, "NAMES", "only changes of these properties count: 'name, age'")
  fileprivate static let initial = Option("initial", "print the objects first")
  fileprivate static let count = Option("count", takes: .count, "N", "end after N change sets")
  fileprivate static let duration = Option(
    "for", takes: .text, "TIME", "end after so long: 10s, 500ms, 5m")
  fileprivate static let run = Option(
    "exec", takes: .shellCommand, "COMMAND", "run COMMAND for each change set, with its JSON as input")
}

extension Command {
  private static let className = Arguments.Operand("CLASS", .className, .atMostOnce)

  /// `watch FILE [CLASS [PREDICATE]]`
  static let watch = Command(
    CommandSpec(
      "watch", group: CommandGroup.reading, summary: "show what every commit changes",
      operands: [.file, className, .predicate],
      options: [.properties, .initial, .count, .duration, .run, .argument, .argumentText],
      details: [
        """
        Prints how many objects there are, then for each commit by any process the objects that were \
        inserted, deleted and modified, with the old and new values of what changed. A change of an embedded \
        object is one of its owner. With PREDICATE, objects count as inserted when they begin to meet it. \
        With --jsonl each change set is one line. Commits that follow one another too fast are one change \
        set, which says how many they were.
        """,
        """
        Where apps have the realm open, their session keeps the version that was seen last. Otherwise it is \
        kept in memory, and the file may have up to 1 GB.
        """,
      ],
      examples: [
        Example(
          "realm-cli watch app.realm Person 'age >= 18'", "who comes of age, and all changes of adults"),
        Example("realm-cli watch app.realm --jsonl --for 1m", "all changes of a minute, a JSON object each"),
        Example(
          "realm-cli watch app.realm Order --count 1 --exec 'jq .changes'", "the next change of an order"),
      ]),
    waits: true
  ) { invocation in try invocation.watch(className) }
}

/// `10s`, `500ms`, `5m`, `2h`, or seconds without a unit, in milliseconds.
private func duration(_ text: String) throws(Diagnostic) -> Int {
  let units: [(name: String, factor: Int)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000),
  ]
  for unit in units where text.hasSuffix(unit.name) {
    guard let number = Int(text.dropLast(unit.name.count)), number >= 0 else { continue }
    let (product, overflow): (Int, Bool) = number.multipliedReportingOverflow(by: unit.factor)
    return overflow ? Int(Int32.max) : min(product, Int(Int32.max))
  }
  throw Diagnostic.usage("'\(text)' is no time", hint: "10s, 500ms, 5m or 2h")
}

extension Invocation {
  fileprivate func watch(_ className: Arguments.Operand) throws -> ExitStatus {
    let word = arguments.required(.file)
    guard !word.isDash else { throw Diagnostic.usage("what comes from standard input does not change") }
    var deadline: Int?
    if let text = arguments.text(.duration) { deadline = SystemClock.milliseconds + (try duration(text)) }
    let scope = try watchScope(className)
    let path = FilePath(word.bytes)
    do {
      let watch: RealmWatch = try openWatch(path)
      try withOutput { (out: inout OutputBuffer) throws -> Void in
        try report(on: watch, scope, until: deadline, to: &out)
      }
    } catch let error as EngineError {
      throw Diagnostic(error, file: path)
    }
    return .success
  }

  private func openWatch(_ path: FilePath) throws -> RealmWatch {
    let isJoining = !arguments.has(.noJoin)
    return try withKey(for: path) { (key: EncryptionKey?) throws(EngineError) -> RealmWatch in
      try RealmWatch(path, key: key, joining: isJoining)
    }
  }

  private func report(
    on watch: RealmWatch, _ scope: WatchScope, until deadline: Int?, to out: inout OutputBuffer
  ) throws {
    let isJSON = wantsJSON || arguments.text(.mode) == "jsonl"
    let form: ChangeForm = isJSON ? .json : .lines(isColored: outputIsColored)
    let report = ChangeReport(scope, form)
    try report.writeBeginning(watch.current, withObjects: arguments.has(.initial), to: &out)
    try out.flush()
    let command: [UInt8]? = arguments.word(.run)?.bytes
    let messages = ChangeReport(scope, .json)
    try messages.begin(watch.current)
    let countMax: Int64 = arguments.integer(.count) ?? Int64.max
    var count: Int64 = 0
    while count < countMax {
      guard let step: RealmStep = try watch.next(until: deadline) else { return }
      if try report.write(step, to: &out) { count += 1 }
      try out.flush()
      if let command { try run(command, messages, step) }
    }
  }
}

extension Invocation {
  private func watchScope(_ className: Arguments.Operand) throws -> WatchScope {
    var scope = WatchScope(className: arguments.word(className)?.displayText, allTables: showsAllTables)
    if arguments.word(.predicate) != nil { scope.query = try QueryText(arguments) }
    if let names = arguments.text(.properties) {
      guard scope.className != nil else { throw Diagnostic.usage("--properties needs a CLASS") }
      scope.properties = names.split(separator: ",").map { (name: Substring) -> String in
        String(name.filter { (letter: Character) -> Bool in letter != " " })
      }
    }
    return scope
  }

  /// Hands one change set to a program of the user.
  private func run(_ command: [UInt8], _ report: ChangeReport, _ step: RealmStep) throws {
    var text = OutputBuffer()
    guard try report.write(step, to: &text) else { return }
    let child = try ChildProcess(command)
    do throws(EngineError) {
      try child.write(text.text)
    } catch {
      // It need not read.
      guard error.kind == .cancelled else { throw error }
    }
    let status = child.finish()
    if status != 0 { warn("'\(String(decoding: command, as: UTF8.self))' ended with status \(status)") }
  }
}
