// The options that one command line may use, and what to say about the others. Layer: Arguments.

import ByteText

/// A command's own options and the global ones.
struct OptionScope {
  let program: ProgramSpec
  /// Nil where no command was named and there is no fallback.
  let command: CommandSpec?

  func option(letter: UInt8) -> Option? { first { $0.hasLetter(letter) } }

  func singleDashWord(_ name: ArraySlice<UInt8>) -> Option? {
    first { $0.isSingleDashWord && $0.isSpelled(name) }
  }

  func option(long name: ArraySlice<UInt8>) throws(UsageError) -> Option {
    if let option = first(where: { $0.isSpelled(name) }) { return option }
    throw unknown(String(decoding: name, as: UTF8.self), typed: "--" + String(decoding: name, as: UTF8.self))
  }

  /// What `-limit` or the `x` of `-qx` was meant to be.
  func unknownShort(_ letters: ArraySlice<UInt8>, at index: Int) -> UsageError {
    let word = String(decoding: letters, as: UTF8.self)
    if letters.count > 2, let long = nearestName(to: word), index == letters.startIndex || long == word {
      return UsageError("unknown option -\(word)", hint: "did you mean --\(long)?")
    }
    // A letter outside ASCII is several bytes; show it whole.
    let letter = String(decoding: letters[index...], as: UTF8.self).prefix(1)
    return unknown(String(letter), typed: letters.count > 1 ? "-\(letter) in -\(word)" : "-\(letter)")
  }

  /// The command to run; an error where the line names none.
  func requiredCommand(firstWord: Word?) throws(UsageError) -> CommandSpec {
    if let command {
      guard !command.subcommands.isEmpty else { return command }
      let names = command.subcommands.map(\.name)
      throw UsageError("\(command.name) needs a subcommand", hint: "one of: " + names.joined(separator: ", "))
    }
    let help = "see '\(program.name) --help'"
    guard let name = firstWord?.displayText else { throw UsageError("no command given", hint: help) }
    throw UsageError(
      "unknown command '\(name)'",
      hint: program.nearestCommand(to: name).map { "did you mean '\($0)'?" } ?? help)
  }

  /// Of options of all commands the last value counts, so that an alias may have some.
  func takesOnce(_ option: Option) -> Bool {
    !option.isRepeatable && program.globalOption { $0.name == option.name } == nil
  }

  // MARK: Suggestions

  private func first(where matches: (Option) -> Bool) -> Option? {
    command?.option(where: matches) ?? program.globalOption(where: matches)
  }

  private func nearestName(to name: String) -> String? {
    let globals = program.globalOptions.flatMap(\.options)
    return EditDistance.nearest(to: name, among: ((command?.options ?? []) + globals).map(\.name))
  }

  private func unknown(_ name: String, typed: String) -> UsageError {
    func error(_ hint: String) -> UsageError {
      UsageError("unknown option \(typed)", unexpected: typed, hint: hint)
    }
    for other in program.otherOptions where other.names.contains(name) {
      if let meant = other.meanings.first(where: { meaning in first { $0.name == meaning } != nil }) {
        return error("did you mean --\(meant)?")
      }
      if let advice = other.advice { return error(advice) }
    }
    let owners = commandsWith(name)
    if !owners.isEmpty {
      return error(
        "it is an option of " + owners.map { "'\($0)'" }.joined(separator: ", "))
    }
    if name.unicodeScalars.count > 1, let nearest = nearestName(to: name) {
      return error("did you mean --\(nearest)?")
    }
    // What runs without being named has no help of its own.
    let words = [program.name, command?.name ?? "", "--help"].filter { !$0.isEmpty }
    return error("see '\(words.joined(separator: " "))'")
  }

  /// The commands that have the option which this one has not.
  private func commandsWith(_ name: String) -> [String] {
    let spelled: (Option) -> Bool = { option in
      option.name == name || option.letter.map { String($0) == name } ?? false
    }
    return program.listedCommands.flatMap { command in
      let own = command.option(where: spelled) == nil ? [] : [command.name]
      let children = command.subcommands.filter { $0.option(where: spelled) != nil }
      return own + children.map { "\(command.name) \($0.name)" }
    }
  }
}

/// Names of an option in other programs, and what to write here.
package struct OtherOption: Sendable {
  let names: [String]
  /// Options that mean the same; the first that a command has is suggested.
  let meanings: [String]
  let advice: String?

  package init(_ names: [String], means meanings: [String]) {
    self.names = names
    self.meanings = meanings
    advice = nil
  }

  package init(_ names: [String], advice: String) {
    self.names = names
    meanings = []
    self.advice = advice
  }
}
