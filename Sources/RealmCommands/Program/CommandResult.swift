// What each kind of command writes, which modes that leaves it, and what programs get. Layer: RealmCommands, Program.
// Invariant: a command cannot be made without saying what it writes, so that a new one is checked like all others.

import Arguments
import Rendering
import TextFormats

/// What a command writes.
enum CommandResult: Sendable {
  /// An element a file.
  case files([JSONField])
  /// What came of one realm: an object with the keys of an element.
  case file([JSONField])
  /// An object that is shown.
  case object([JSONField])
  /// Objects, groups or elements, in every mode; `others`: what some options make of it.
  case rows(others: [JSONShape])
  /// A line for each change.
  case changes([JSONField])
  /// A text of its own; the modes say what they mean there.
  case document(modes: [OutputMode])

  static let rows = CommandResult.rows(others: [])

  /// The modes that the command has.
  var modes: [OutputMode] {
    switch self {
    case .files, .file: [.json, .jsonl]
    case .object: [.line, .json, .jsonl]
    case .rows: OutputMode.allCases
    case .changes: [.jsonl]
    case .document(let modes): modes
    }
  }

  /// Of the document that --json prints; nil where there is none.
  var shape: JSONShape? {
    switch self {
    case .files(let fields): .list(Self.element(fields))
    case .file(let fields): Self.element(fields)
    case .object(let fields), .changes(let fields): .object(fields, isOpen: false)
    case .rows(let others): .either([.list(.row)] + others)
    case .document: nil
    }
  }

  /// What went wrong, on standard error and in the element of its file.
  static let error = JSONShape.object(
    .text("kind"), .text("message"), .text("file").orNull, .integer("line").orNull,
    .integer("column").orNull, .text("hint").orNull, .integer("exit"))

  /// An entry for each class whose objects were changed.
  static let changes = JSONField("changes", .list(.object(CommandResult.counts, isOpen: false)))
  static let counts: [JSONField] = [
    .text("class"), .integer("created"), .integer("updated"), .integer("deleted"),
  ]

  static func element(_ fields: [JSONField]) -> JSONShape {
    func element(_ status: [FileResult.Status], _ more: [JSONField]) -> JSONShape {
      .object(
        [
          .text("file"), JSONField("status", .word(status.map(\.rawValue))), .integer("exit"),
          JSONField.flag("dry_run").optional,
        ] + more, isOpen: false)
    }
    return .either([
      element([.ok], fields),
      element([.skipped, .failed], fields.map(\.optional) + [JSONField("error", error, isRequired: false)]),
    ])
  }
}

extension Command {
  /// Refuses an option of all commands that does nothing here.
  func refuseIdleOptions(_ arguments: ParsedArguments) throws(Diagnostic) {
    for occurrence in arguments.occurrences {
      let isOwn = spec.options.contains { $0.name == occurrence.name && $0.takes(occurrence.value) }
      guard !isOwn, let option = Option.globalOption(named: occurrence.name),
        !acts(option, occurrence.value?.displayText, writesOutput: arguments.has(.output))
          || option.name == Option.output.name && tellsOnly(arguments)
      else { continue }
      let name = spec.name.isEmpty ? "a session" : "'\(arguments.path.map(\.name).joined(separator: " "))'"
      if option.name == Option.mode.name, let mode = occurrence.value?.displayText {
        if spec.options.contains(where: { $0.name == "format" && $0.takes(occurrence.value) }) {
          throw Diagnostic.usage("\(name) has no --\(mode)", hint: "write --format \(mode)")
        }
        let modes = result.modes.map { "--\($0.rawValue)" }.joined(separator: ", ")
        throw Diagnostic.usage(
          "\(name) does not print \(mode)",
          hint: (modes.isEmpty ? "its output is a document of its own" : "what it prints otherwise: \(modes)")
            + (mode == OutputMode.table.rawValue ? "; the name of a class follows the file" : ""))
      }
      let isOfJSON = option.name == Option.output.name && result.modes.contains(.json)
      throw Diagnostic.usage(
        "--\(option.name) does nothing for \(name)\(isOfJSON ? " without --json" : "")",
        // Where `psql` and others read a script.
        hint: spec.name.isEmpty && option.name == Option.force.name
          ? "leave it out; statements in a file: --file SCRIPT" : "leave it out")
    }
  }

  /// Whether all that is written is a sentence on standard error. A file for it would be empty, and might be meant as the result.
  private func tellsOnly(_ arguments: ParsedArguments) -> Bool {
    guard [CommandGroup.writing, CommandGroup.files].contains(spec.group) else { return false }
    let isForPeople = !arguments.words(.mode).contains { OutputMode(rawValue: $0.displayText) != nil }
    return spec.has(Option.dryRun.name) && !arguments.has(.dryRun) && isForPeople
  }

  /// `value` nil: one of those that the option takes.
  func acts(_ option: Option, _ value: String?, writesOutput: Bool) -> Bool {
    let takesFile =
      spec.operands.contains { $0.kind.isFile } || spec.options.contains { $0.value?.isFile ?? false }
    switch option.name {
    case Option.help.name, Option.version.name, Option.quiet.name, Option.verbose.name, Option.safe.name,
      Option.color.name, Option.batch.name, Option.noInput.name, Option.yes.name:
      return true
    case Option.mode.name:
      return value.map { word in result.modes.contains { $0.rawValue == word } } ?? !result.modes.isEmpty
    case Option.header.name, Option.noHeader.name, Option.wrap.name, Option.timeZone.name:
      if case .rows = result { return true }
      return false
    case Option.output.name:
      if case .document = result { return takesFile }
      return true
    case Option.maxInput.name: return takesFile
    case Option.force.name: return writesOutput
    case Option.keyFile.name, Option.keyEnvironment.name, Option.keyCommand.name:
      if case .file = result { return true }
      return takesFile
    case Option.noJoin.name: return spec.has("snapshot") || spec.has(Option.upgrades.name)
    case Option.write.name: return spec.has(Option.upgrades.name)
    default: return false
    }
  }
}

extension CommandSpec {
  fileprivate func has(_ name: String) -> Bool { options.contains { $0.name == name } }
}

extension Option {
  static func globalOption(named name: String) -> Option? {
    globalGroups.flatMap(\.options).first { $0.name == name }
  }

  /// An option of the same name may have words of its own: `import --mode upsert`.
  fileprivate func takes(_ word: Word?) -> Bool {
    guard let word, let value else { return true }
    return value.refusal(of: word) == nil
  }
}

extension ValueKind {
  fileprivate var isFile: Bool { if case .file = self { true } else { false } }
}
