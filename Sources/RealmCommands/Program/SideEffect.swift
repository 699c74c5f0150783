// What a command line or a dot command does beside reading and changing the realm it is about, and who may do it.
// Layer: RealmCommands, Program. Invariant: what a command does is told from the kinds of its options and operands, so that
// a new one is judged without being listed here.

import Arguments

/// Something that text from elsewhere must not have done in its reader's name.
enum SideEffect: Hashable, CaseIterable {
  case runsProgram, writesFile, opensFile

  var words: String {
    switch self {
    case .runsProgram: "runs a program"
    case .writesFile: "writes files"
    case .opensFile: "opens other files"
    }
  }
}

extension Option {
  static let safe = Option(
    "safe", singleDashWord: true,
    "run no programs, write no output files, and open no files but the realm and its key")
  static let allowShell = Option(
    "allow-shell", "let scripts run programs and write files: .shell, .output, .copy …")
}

extension SideEffect {
  /// Refuses it in the name of `--safe`.
  func refusal(of what: String) -> Diagnostic {
    Diagnostic(.unavailable, code: "not-allowed", "\(what) \(words), which --safe forbids")
  }

  /// Refuses it in statements that nobody has typed.
  func refusalInInput(of what: String) -> Diagnostic {
    Diagnostic(
      .unavailable, code: "not-allowed", "\(what) \(words), which scripts are not allowed to do",
      hint: "--allow-shell allows it, if you trust the script")
  }
}

extension ParsedArguments {
  /// The options that name the key of what the command line is about, as they stand on it.
  var keyOccurrences: [Occurrence] { occurrences(of: .keyFile, .keyEnvironment, .keyCommand) }

  /// What the program's own command line does. A program that prints the key of the realm is one like any other.
  var ownDeeds: [SideEffect] { (has(.keyCommand) ? [.runsProgram] : []) + deeds() }

  /// What this command line does. The files that it is about do not count, nor do its first `keyCount` keys, which are
  /// theirs.
  func deeds(besideKeys keyCount: Int = .max) -> [SideEffect] {
    let spec = path.last
    let keyNames = [Option.keyFile, .keyEnvironment, .keyCommand].map(\.name)
    var passedKeyCount = 0
    var deeds = path.first?.deeds(ofSubcommand: path.count > 1 ? spec?.name : nil) ?? []
    for occurrence in occurrences {
      if keyNames.contains(occurrence.name) {
        passedKeyCount += 1
        if passedKeyCount <= keyCount { continue }
      }
      let options = (spec?.options ?? []) + Option.globalGroups.flatMap(\.options)
      guard let value = occurrence.value, !value.isDash,
        let deed = options.first(where: { $0.name == occurrence.name })?.value?.deed
      else { continue }
      deeds.append(deed)
    }
    // Both keep a backup, whatever the command is.
    if has(.upgrades) || has(.detach) { deeds.append(.writesFile) }
    for operand in spec?.operands ?? [] {
      let isSubject = operand.name == Operand.file.name && operand.kind.deed == .opensFile
      guard !isSubject, words(operand).contains(where: { !$0.isDash }), let deed = operand.kind.deed else {
        continue
      }
      deeds.append(deed)
    }
    return deeds
  }
}

extension ValueKind {
  /// What happens with a value of this kind.
  fileprivate var deed: SideEffect? {
    switch self {
    case .shellCommand: .runsProgram
    case .outputFile: .writesFile
    case .file, .directory: .opensFile
    default: nil
    }
  }
}

extension CommandSpec {
  private static let migrationsThatOnlyRead = ["status", "plan", "lint", "verify", "schema"]

  /// What the command does whatever its words are.
  fileprivate func deeds(ofSubcommand subcommand: String?) -> [SideEffect] {
    switch group {
    case CommandGroup.files: return [.writesFile]
    case CommandGroup.migrations:
      let onlyReads = subcommand.map(Self.migrationsThatOnlyRead.contains) ?? true
      return onlyReads ? [.opensFile] : [.opensFile, .writesFile]
    default: return []
    }
  }
}
