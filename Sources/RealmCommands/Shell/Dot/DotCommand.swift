// What the session's own commands are made of. Layer: RealmCommands, Shell, Dot.
// One table of them makes parsing, help, completion and the man page.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage

/// A command of the session: `.mode json`.
struct DotCommand: Sendable {
  /// Without its dot.
  let name: String
  /// Other spellings, as they are typed: `\d`.
  let synonyms: [String]
  let operands: [Arguments.Operand]
  /// One line without a full stop.
  let summary: String
  let examples: [Example]
  /// What it does with these words beside showing and changing the open realm. Commands of the program tell that themselves.
  private let deeds: @Sendable (DotArguments) -> [SideEffect]
  private let body: @Sendable (Shell, DotArguments) throws -> Void

  init(
    _ name: String, synonyms: [String] = [], takes operands: [Arguments.Operand] = [], _ summary: String,
    examples: [Example] = [], doing deeds: @escaping @Sendable (DotArguments) -> [SideEffect] = { _ in [] },
    run body: @escaping @Sendable (Shell, DotArguments) throws -> Void
  ) {
    self.name = name
    self.synonyms = synonyms
    self.operands = operands
    self.summary = summary
    self.examples = examples
    self.deeds = deeds
    self.body = body
  }

  /// For commands that do the same with all words.
  static func always(_ deed: SideEffect) -> @Sendable (DotArguments) -> [SideEffect] { { _ in [deed] } }

  /// `.open [FILE]`
  var synopsis: String { synopsis(".\(name)") }

  private func synopsis(_ name: String) -> String {
    ([name] + operands.map(\.synopsis)).joined(separator: " ")
  }

  /// What the word at this position is; the last operand may take several.
  func operand(at index: Int) -> Arguments.Operand? {
    index < operands.count ? operands[index] : operands.last.flatMap { $0.isRepeated ? $0 : nil }
  }

  /// Whether the first word may be any text, `--help` too.
  private var takesAnyText: Bool {
    if case .shellCommand? = operands.first?.kind { return true }
    return operands.first?.name == "TEXT"
  }

  /// Checks how many words there are and what they may be, then runs. `typed`: how the user calls it.
  func run(_ shell: Shell, _ arguments: DotArguments, as typed: String) throws {
    let arguments = withoutSemicolon(arguments)
    if let flag = arguments.flag, ["--help", "-h"].contains(flag), !takesAnyText {
      return try shell.help(DotHelp.text(about: ".\(name)"))
    }
    let called = synonyms.contains(typed) ? typed : ".\(name)"
    let requiredCount = operands.count { $0.isRequired }
    let countMax = operands.contains { $0.isRepeated } ? Int.max : operands.count
    guard arguments.words.count >= requiredCount else {
      let missing = operands.filter(\.isRequired)[arguments.words.count]
      throw Diagnostic.usage("\(called) – \(missing.name) is missing", hint: "usage: \(synopsis(called))")
    }
    guard arguments.words.count <= countMax else {
      let surplus = String(decoding: arguments.words[countMax], as: UTF8.self)
      throw Diagnostic.usage(
        "\(called) – unexpected argument '\(surplus)'",
        hint: OtherShellCommand.hint(forSurplus: surplus, of: name) ?? "usage: \(synopsis(called))")
    }
    for (index, word) in arguments.words.enumerated() {
      guard let operand = operand(at: index) else { continue }
      if operand.kind.isOutputFile { try shell.invocation.refuseInput(FilePath(word)) }
      guard let refusal = operand.kind.refusal(of: Word(word)) else { continue }
      throw Diagnostic.usage(
        "\(called) – \(refusal.message)",
        hint: refusal.nearest.map { "did you mean '\($0)'?" } ?? "usage: \(synopsis(called))")
    }
    try shell.permit(deeds(arguments), ".\(name)")
    try body(shell, arguments)
  }
}

extension DotCommand {
  /// The same words without the `;` that ends a line by habit. Texts, files and what a shell is given keep it.
  private func withoutSemicolon(_ arguments: DotArguments) -> DotArguments {
    guard let last = arguments.words.last, last.last == UInt8(ascii: ";") else { return arguments }
    switch operand(at: arguments.words.count - 1)?.kind {
    case nil, .className?, .words?, .count?: break
    default: return arguments
    }
    let kept = last.count > 1 ? [Array(last.dropLast())] : []
    return DotArguments(
      words: arguments.words.dropLast() + kept, rest: arguments.rest, firstEnd: arguments.firstEnd)
  }
}

extension DotCommand {
  /// A line of the program for the file that is open here; `typed`: the command as it is called here.
  static func parse(_ line: [Word], as typed: String) throws -> ParsedArguments {
    do throws(UsageError) {
      return try ArgumentParser(Registry.program, line).parse()
    } catch {
      guard error.hint?.hasPrefix("usage: ") ?? false else { throw error }
      throw UsageError(
        error.message, unexpected: error.unexpectedWord,
        hint: "usage: \(try DotCommand.all.required(typed).synopsis)")
    }
  }
}

/// What stands behind the name.
struct DotArguments {
  let words: [[UInt8]]
  /// Everything as it was typed.
  let rest: [UInt8]
  /// Where the first word ends there.
  let firstEnd: Int

  /// `Person 7` as a statement says it, whatever quotes the name of the class is typed in.
  var objectName: [UInt8] {
    let name = spelledName(texts.first ?? "", as: .className)
    return Array(name.utf8) + rest.dropFirst(firstEnd)
  }

  var texts: [String] { words.map { String(decoding: $0, as: UTF8.self) } }
  var text: String? { texts.first }
  var path: FilePath? { words.first.map { FilePath($0) } }

  /// A first word that is an option rather than a name.
  var flag: String? { text.flatMap { $0.hasPrefix("-") && $0 != "-" ? $0 : nil } }

  /// `on` or `off`; `toggled` where neither is said.
  func flag(toggling current: Bool) -> Bool { text.map { ["on", "yes", "1"].contains($0) } ?? !current }
}

extension ParsedArguments {
  /// Refuses `--help` behind other words: the parser reads none of those then.
  func refuseImmediate(_ name: String) throws(Diagnostic) {
    guard let immediate else { return }
    throw Diagnostic.usage(".\(name) – unexpected argument '--\(immediate)'", hint: "write .help \(name)")
  }
}

extension Arguments.Operand {
  static let onOrOff = Operand("on|off", .oneOf(["on", "off", "yes", "no", "1", "0"]), .atMostOnce)
}

extension [DotCommand] {
  /// The command that `name` is, with its dot or backslash; an error names the nearest one.
  func required(_ typed: String) throws(Diagnostic) -> DotCommand {
    let name = typed.hasSuffix(";") ? String(typed.dropLast()) : typed
    if let found = first(where: { ".\($0.name)" == name || $0.synonyms.contains(name) }) { return found }
    // sqlite3 takes any beginning that only one command has.
    let stem = name.dropFirst()
    // `.save` is a backup there, and keeps a statement nowhere.
    let isForeign = OtherShellCommand.isForeign(String(stem))
    let beginnings = filter {
      name.hasPrefix(".") && !stem.isEmpty
        && (!isForeign && $0.name.hasPrefix(stem) || $0.synonyms.contains { $0.hasPrefix(name) })
    }
    if beginnings.count == 1 { return beginnings[0] }
    let synonyms = flatMap(\.synonyms).filter { $0.hasPrefix(".") }.map { String($0.dropFirst()) }
    let nearest =
      beginnings.first?.name ?? EditDistance.nearest(to: String(stem), among: map(\.name) + synonyms)
    throw Diagnostic(
      .statement, code: "unknown-command", "there is no command '\(name)'",
      hint: OtherShellCommand.hint(forCommand: name) ?? OtherShellCommand.hint(for: String(stem))
        ?? nearest.map { "did you mean '.\($0)'?" }
        ?? ".help lists all commands")
  }
}
