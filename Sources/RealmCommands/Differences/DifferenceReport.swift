// What `diff` prints about two realms, as its options want it. Layer: RealmCommands, Differences.

import Arguments
import ByteText
import Migrations
import RealmEngine
import RealmSession
import Rendering
import TextFormats

/// One comparison.
struct DifferenceReport {
  enum Format: String {
    case text, statements, jsonl, json

    /// As `--format` says, else as the mode of printing does.
    init(_ arguments: ParsedArguments) {
      let format = arguments.text(.differenceFormat).flatMap(Format.init)
      let isForPrograms = arguments.text(.mode).flatMap(JSONForm.init) != nil
      self = format ?? (isForPrograms ? .json : .text)
    }

    /// Nil: text.
    var records: JSONRecords? {
      switch self {
      case .json: .inner
      case .jsonl: JSONRecords(asArray: false)
      case .text, .statements: nil
      }
    }
  }

  private let format: Format
  private let hasSchema: Bool
  private let hasData: Bool
  private let isSummary: Bool
  private let isColored: Bool
  private var scope = DifferenceScope()

  init(_ invocation: Invocation) throws {
    let arguments = invocation.arguments
    format = Format(arguments)
    hasSchema = !arguments.has(.dataOnly)
    hasData = !arguments.has(.schemaOnly)
    isSummary = arguments.has(.differenceSummary)
    isColored = Self.isColored(invocation)
    let names = arguments.words(.onlyClass).map(\.displayText)
    scope.classNames = names.isEmpty ? nil : names
    scope.matchesContent = arguments.text(.matching) == "content"
    scope.replacesChangedTypes = format == .statements
    scope.ignored = try arguments.words(.ignoredProperties).flatMap { try Self.ignored($0.displayText) }
    if format == .statements, scope.matchesContent {
      throw Diagnostic.usage(
        "statements name objects by their keys, and --match content finds them by their values",
        hint: "leave out --match")
    }
    if format == .statements, invocation.wantsJSON {
      throw Diagnostic.usage("statements are no JSON", hint: "leave out --format statements, or --json")
    }
    if format == .statements, isSummary {
      throw Diagnostic.usage("--summary counts, and --format statements does not")
    }
  }

  static func isColored(_ invocation: Invocation) -> Bool {
    invocation.outputIsColored && invocation.terminal.outputIsTerminal
      && invocation.arguments.word(.output) == nil
  }

  /// `Person.updatedAt, *.cache`
  private static func ignored(_ text: String) throws -> [(className: String?, property: String)] {
    try text.split(separator: ",").map { part in
      let word = String(part).trimmingBlanks
      guard let dot = word.firstIndex(of: "."), dot > word.startIndex, word.index(after: dot) < word.endIndex
      else {
        throw Diagnostic.usage(
          "--ignore '\(word)' is not a property", hint: "write Person.updatedAt or *.updatedAt")
      }
      let owner = String(word[..<dot])
      return (owner == "*" ? nil : owner, String(word[word.index(after: dot)...]))
    }
  }

  /// Whether the realms differ.
  func write(
    _ left: ReadTransaction, _ right: ReadTransaction, isOneFile: Bool, to out: inout OutputBuffer
  ) throws -> Bool {
    for name in scope.classNames ?? [] where left.table(named: name) == nil {
      _ = try right.requiredClass(name, allTables: false)
    }
    for (className, property) in scope.ignored {
      let classes = [left, right].flatMap { $0.classes() }.map(\.schema)
        .filter { className ?? $0.name == $0.name }
      guard classes.contains(where: { $0.property(named: property) != nil }) else {
        throw Diagnostic(
          .statement, code: "unknown-property",
          "--ignore – there is no property '\(className ?? "*").\(property)'",
          hint: EditDistance.suggestion(
            for: property, among: classes.flatMap { $0.properties.map(\.name) }))
      }
    }
    let realms = try RealmDifference(left, right, scope, isOneFile: isOneFile)
    let changes = hasSchema ? schemaChanges(left, right) : []
    if format == .statements {
      let start = out.mark
      var statements = try DifferenceStatements(realms, hasSchema ? changes : nil, hasData: hasData)
      try statements.write(to: &out)
      return out.hasGrown(since: start)
    }
    var writer = DifferenceWriter(realms, ChangeWriter(.differences, format.records, isColored: isColored))
    var isDifferent = false
    let lines = schemaLines(changes, left, right)
    isDifferent = !lines.isEmpty
    if format == .json {
      Self.writeMembers(schema: lines, to: &out)
      if !isSummary { out.text.append(literal: ",\"objects\":") }
    } else {
      for line in lines { writer.told.write(differenceOfSchema: line, to: &out) }
    }
    var summary = DifferenceSummary()
    guard hasData else {
      if !isSummary { writer.told.finish(&out) }
      if format == .json { summary.writeMembers(to: &out) }
      return isDifferent
    }
    for compared in realms.classes {
      let difference = try realms.difference(of: compared)
      isDifferent = isDifferent || !difference.isEmpty
      summary.add(compared.name, difference)
      if !isSummary { try writer.write(compared, difference, to: &out) }
    }
    for table in realms.pairs.onlyRight where table.count > 0 {
      isDifferent = true
      summary.add(table.schema.name, onlyRight: table.count)
      if !isSummary { try writer.write(.added, try table.allKeys(), of: table, to: &out) }
    }
    for table in realms.pairs.onlyLeft where table.count > 0 {
      isDifferent = true
      summary.add(table.schema.name, onlyLeft: table.count)
      if !isSummary { try writer.write(.removed, try table.allKeys(), of: table, to: &out) }
    }
    if !isSummary { writer.told.finish(&out) }
    if format == .json {
      summary.writeMembers(to: &out)
    } else if isSummary {
      summary.write(format.records, to: &out)
    }
    return isDifferent
  }

  /// The first members of the object for programs.
  static func writeMembers(schema lines: [String], to out: inout OutputBuffer) {
    out.text.append(literal: "\"schema\":")
    out.text.append(json: .sequence(lines.map { .string($0) }))
  }

  private func schemaChanges(_ left: ReadTransaction, _ right: ReadTransaction) -> [SchemaChange] {
    left.schemaDescription().changes(to: right.schemaDescription()).filter { change in
      guard scope.includes(change.className) else { return false }
      return change.propertyName.map { !scope.ignores(change.className, $0) } ?? true
    }
  }

  private func schemaLines(
    _ changes: [SchemaChange], _ left: ReadTransaction, _ right: ReadTransaction
  ) -> [String] {
    var lines = changes.map(\.text)
    if hasSchema, scope.classNames == nil, left.schemaVersion != right.schemaVersion {
      func word(_ version: Int64?) -> String { version.map { "\($0)" } ?? "none" }
      lines.append("~ schema version \(word(left.schemaVersion)) → \(word(right.schemaVersion))")
    }
    return lines
  }
}

/// One line per class: how many objects differ, and how.
private struct DifferenceSummary {
  private typealias Row = (name: String, onlyLeft: Int, onlyRight: Int, changed: Int, same: Int)

  private var rows: [Row] = []

  mutating func add(_ name: String, _ difference: ClassDifference) {
    rows.append(
      (
        name, difference.removed.count, difference.added.count, difference.changed.count, difference.sameCount
      ))
  }

  mutating func add(_ name: String, onlyLeft: Int = 0, onlyRight: Int = 0) {
    rows.append((name, onlyLeft, onlyRight, 0, 0))
  }

  /// The last members of the object for programs: what would make the second realm of the first.
  func writeMembers(to out: inout OutputBuffer) {
    var counts = ChangeCounts()
    for row in rows {
      counts.add(created: row.onlyRight, updated: row.changed, deleted: row.onlyLeft, to: row.name)
    }
    out.text.append(literal: ",\"changes\":")
    out.text.append(json: counts.changes)
  }

  /// `records`: nil for text.
  func write(_ records: JSONRecords?, to out: inout OutputBuffer) {
    var records = records
    let sorted = rows.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let width = sorted.map { TerminalWidth.width($0.name.visible) }.max() ?? 0
    for row in sorted {
      if records != nil {
        records?.begin(&out)
        out.text.append(literal: "{\"class\":")
        out.text.append(jsonString: row.name)
        out.text.append(
          text: ",\"only_a\":\(row.onlyLeft),\"only_b\":\(row.onlyRight),\"changed\":\(row.changed)"
            + ",\"same\":\(row.same)}")
        records?.end(&out)
      } else {
        let name = TerminalWidth.padded(row.name.visible, to: width)
        out.text.append(
          text: "\(name)  only in A: \(row.onlyLeft), only in B: \(row.onlyRight)"
            + ", changed: \(row.changed), same: \(row.same)\n")
      }
    }
    records?.finish(&out)
  }
}
