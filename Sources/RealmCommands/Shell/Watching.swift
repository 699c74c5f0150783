// A watch that goes on: what is watched of a realm, until when, and who is given its change sets. Layer: RealmCommands, Shell.
// The command and scripts wait for what comes; a prompt looks for it while its user types.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import Rendering

extension Arguments.Operand {
  /// The class that is watched.
  static let watchedClass = Operand("CLASS", .className, .atMostOnce)
}

extension Option {
  fileprivate static let properties = Option(
    "properties", takes: .properties, "PATHS",
    "report only changes of these, across up to four links: 'name, owner.address.city'")
  fileprivate static let initial = Option("initial", "print the current objects first")
  fileprivate static let count = Option("count", takes: .count, "N", "stop after N change sets")
  fileprivate static let duration = Option(
    "for", takes: .text, "TIME", "stop after TIME: 10s, 500ms, 5m")
  fileprivate static let run = Option(
    "exec", takes: .shellCommand, "COMMAND", "run COMMAND for each change set, with its JSON as input")

  /// What they have of their own.
  static let ofWatches: [Option] = [.properties, .initial, .count, .duration, .run]
}

/// `10s`, `500ms`, `5m`, `2h`, or seconds without a unit, in milliseconds.
func milliseconds(_ text: String) throws(Diagnostic) -> Int {
  let units: [(name: String, factor: Int)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000),
  ]
  for unit in units where text.hasSuffix(unit.name) {
    guard let number = Int(text.dropLast(unit.name.count)), number >= 0 else { continue }
    let (product, overflow): (Int, Bool) = number.multipliedReportingOverflow(by: unit.factor)
    return overflow ? Int(Int32.max) : min(product, Int(Int32.max))
  }
  throw Diagnostic.usage("'\(text)' is not a duration", hint: "10s, 500ms, 5m or 2h")
}

/// One watch of one realm.
final class Watching {
  private let invocation: Invocation
  private let path: FilePath
  private let watch: RealmWatch
  private let report: ChangeReport
  /// A program of the user, and what it is told.
  private let program: (command: [UInt8], report: ChangeReport)?
  private let deadline: Int?
  private var countLeft: Int64

  /// `invocation`: of `watch`.
  init(_ invocation: Invocation) throws {
    let arguments = invocation.arguments
    self.invocation = invocation
    path = FilePath(arguments.required(.file).bytes)
    deadline = try arguments.text(.duration).map { SystemClock.milliseconds + (try milliseconds($0)) }
    countLeft = arguments.integer(.count) ?? Int64.max
    let scope = try invocation.watchScope
    let isJSON = invocation.wantsJSON || arguments.text(.mode) == "jsonl"
    report = ChangeReport(scope, isJSON: isJSON, isColored: invocation.outputIsColored)
    program = arguments.word(.run).map { ($0.bytes, ChangeReport(scope, isJSON: true)) }
    let (path, isJoining) = (path, !arguments.has(.noJoin))
    watch = try Self.naming(path) {
      try invocation.withKey(for: path) { key throws(EngineError) in
        try RealmWatch(path, key: key, joining: isJoining)
      }
    }
  }

  /// Whether all that was wanted has come, or the time is over.
  var hasEnded: Bool { countLeft <= 0 || deadline.map { SystemClock.milliseconds >= $0 } ?? false }

  /// What there is before anything changes.
  func begin(to out: inout OutputBuffer) throws {
    try Self.naming(path) {
      let hasObjects = invocation.arguments.has(.initial)
      try report.writeBeginning(watch.current, withObjects: hasObjects, to: &out)
      try out.flush()
      try program?.report.begin(watch.current)
    }
  }

  /// Everything to the end.
  func run(to out: inout OutputBuffer) throws {
    try begin(to: &out)
    try Self.naming(path) {
      while countLeft > 0, let step = try watch.next(until: deadline) { try take(step, to: &out) }
    }
  }

  /// What came since the last time; does not wait.
  func takeNews(to out: inout OutputBuffer) throws {
    try Self.naming(path) {
      while countLeft > 0, let step = try watch.poll() { try take(step, to: &out) }
    }
  }

  private func take(_ step: RealmStep, to out: inout OutputBuffer) throws {
    if try report.write(step, to: &out) { countLeft -= 1 }
    try out.flush()
    guard let program else { return }
    var text = OutputBuffer()
    guard try program.report.write(step, to: &text) else { return }
    let child = try ChildProcess(program.command)
    do throws(EngineError) {
      try child.write(text.text)
    } catch {
      // It need not read.
      guard error.kind == .cancelled else { throw error }
    }
    let status = child.finish()
    let name = String(decoding: program.command, as: UTF8.self)
    if status != 0 { invocation.warn("'\(name)' exited with status \(status)") }
  }

  private static func naming<Result>(_ path: FilePath, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as EngineError {
      throw Diagnostic(error, file: path)
    }
  }
}

extension Invocation {
  fileprivate var watchScope: WatchScope {
    get throws {
      var scope = WatchScope(
        className: arguments.word(.watchedClass)?.displayText, allTables: showsAllTables)
      if arguments.word(.predicate) != nil { scope.query = try QueryText(arguments) }
      if let paths = arguments.word(.properties) {
        guard scope.className != nil else { throw Diagnostic.usage("--properties needs a CLASS") }
        scope.properties = try SelectionText(paths.bytes)
      }
      return scope
    }
  }
}
