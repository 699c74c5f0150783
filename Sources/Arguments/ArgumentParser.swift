// Words -> ParsedArguments, by the table alone. Layer: Arguments.
// Options may stand anywhere, so the command's word is looked for first, stepping over every option that any
// command has; then the line is read again with that command's options only.

import ByteText

/// Reads one command line.
package struct ArgumentParser {
  private let program: ProgramSpec
  private let words: [Word]

  package init(_ program: ProgramSpec, _ words: [Word]) {
    self.program = program
    self.words = words
  }

  package func parse() throws(UsageError) -> ParsedArguments {
    let (path, commandWords) = try locateCommand()
    let scope = OptionScope(program: program, command: path.last ?? program.fallback)
    var occurrences: [ParsedArguments.Occurrence] = []
    var operands: [Word] = []
    /// Those of them that stand behind `--`.
    var dashedCount = 0
    var cursor = WordCursor(words)
    while let item = cursor.next() {
      switch item {
      case .operand(let word, let index):
        if commandWords.contains(index) { continue }
        operands.append(word)
        if cursor.optionsHaveEnded { dashedCount += 1 }
      case .long(let name, let value):
        let option = try scope.option(long: name)
        try take(option, "--\(option.name)", value, scope, &cursor, &occurrences)
      case .short(let letters):
        try takeShort(letters, scope, &cursor, &occurrences)
      }
      if let last = occurrences.last, isImmediate(last) {
        return ParsedArguments(
          path: path, occurrences: occurrences, immediate: last.name, operands: [], inputs: [], outputs: [])
      }
    }
    let command = try scope.requiredCommand(firstWord: operands.first)
    let assigned = try OperandAssignment(command: command, path: path, program: program).assign(
      operands, dashedCount: dashedCount)
    let named = named(command, assigned, occurrences)
    try refuseTwoReadersOfStandardInput(named)
    return ParsedArguments(
      path: path, occurrences: occurrences, immediate: nil, operands: assigned,
      inputs: named.filter { $0.kind.isInputFile && !$0.word.isDash }.map(\.word),
      outputs: named.filter { $0.kind.isOutputFile && !$0.word.isDash }.map(\.word))
  }

  // MARK: The command's word

  private func locateCommand() throws(UsageError) -> (path: [CommandSpec], words: [Int]) {
    var path: [CommandSpec] = []
    var found: [Int] = []
    var cursor = WordCursor(words)
    while let item = cursor.next() {
      switch item {
      case .operand(let word, let index):
        // Behind `--` nothing is a command, so that a file may have any name.
        guard !cursor.optionsHaveEnded else { return (path, found) }
        guard let next = try subcommand(word, of: path.last) else { return (path, found) }
        path.append(next)
        found.append(index)
        if next.subcommands.isEmpty { return (path, found) }
      case .long(let name, let value):
        if value == nil, valueFollows(name, cursor.upcoming) { cursor.skipValue() }
      case .short(let letters):
        if valueFollows(letters) { cursor.skipValue() }
      }
    }
    return (path, found)
  }

  private func subcommand(_ word: Word, of parent: CommandSpec?) throws(UsageError) -> CommandSpec? {
    let name = word.displayText
    guard let parent else { return program.command(named: name) }
    if let child = parent.subcommand(named: name) { return child }
    let names = parent.subcommands.map(\.name)
    let nearest = EditDistance.nearest(to: name, among: names)
    throw UsageError(
      "unknown subcommand '\(name)' of '\(parent.name)'",
      hint: nearest.map { "did you mean '\(parent.name) \($0)'?" }
        ?? "one of: " + names.joined(separator: ", "))
  }

  /// An option of any command: before the command is known, only whether a value follows matters.
  private func anyOption(_ matches: (Option) -> Bool) -> Option? {
    if let option = program.globalOption(where: matches) { return option }
    for command in [program.fallback].compactMap({ $0 }) + program.commands {
      if let option = command.option(where: matches) { return option }
      for child in command.subcommands {
        if let option = child.option(where: matches) { return option }
      }
    }
    return nil
  }

  /// Whether `word` is the value of the long option before it.
  private func valueFollows(_ name: ArraySlice<UInt8>, _ word: Word?) -> Bool {
    guard anyOption({ $0.isSpelled(name) && $0.value != nil }) != nil else { return false }
    let isFlagSomewhere = anyOption { $0.isSpelled(name) && $0.value == nil } != nil
    return !isFlagSomewhere || word.map { program.command(named: $0.displayText) == nil } ?? false
  }

  private func valueFollows(_ letters: ArraySlice<UInt8>) -> Bool {
    if let option = anyOption({ $0.isSingleDashWord && $0.isSpelled(letters) }) { return option.value != nil }
    for index in letters.indices {
      guard let option = anyOption({ $0.hasLetter(letters[index]) }), option.value != nil else { continue }
      return index == letters.endIndex - 1
    }
    return false
  }

  // MARK: Options

  private func takeShort(
    _ letters: ArraySlice<UInt8>, _ scope: OptionScope, _ cursor: inout WordCursor,
    _ occurrences: inout [ParsedArguments.Occurrence]
  ) throws(UsageError) {
    if let option = scope.singleDashWord(letters) {
      return try take(option, "-\(option.name)", nil, scope, &cursor, &occurrences)
    }
    for index in letters.indices {
      guard let option = scope.option(letter: letters[index]) else {
        throw scope.unknownShort(letters, at: index)
      }
      let spelling = "-" + String(decoding: [letters[index]], as: UTF8.self)
      guard option.value != nil else {
        try take(option, spelling, nil, scope, &cursor, &occurrences)
        if option.isImmediate { return }
        continue
      }
      let rest = letters[(index + 1)...]
      let attached = rest.isEmpty ? nil : Word(Array(rest))
      return try take(option, spelling, attached, scope, &cursor, &occurrences)
    }
  }

  private func take(
    _ option: Option, _ spelling: String, _ attached: Word?, _ scope: OptionScope,
    _ cursor: inout WordCursor, _ occurrences: inout [ParsedArguments.Occurrence]
  ) throws(UsageError) {
    guard let kind = option.value else {
      if let attached {
        throw UsageError("\(spelling) takes no value, but '\(attached.displayText)' was given")
      }
      occurrences.append(
        option.meaning.map { .init(name: $0.name, value: Word($0.value)) }
          ?? .init(name: option.name, value: nil))
      return
    }
    guard let value = attached ?? cursor.takeValue() else {
      throw UsageError("\(spelling) needs a value", hint: option.synopsis + " – " + option.help)
    }
    if let refusal = kind.refusal(of: value) {
      throw UsageError(
        "\(spelling) \(option.valueName) – \(refusal.message)",
        hint: refusal.nearest.map { "did you mean '\($0)'?" })
    }
    let other = occurrences.last { $0.name == option.name }?.value
    if let other, other.bytes != value.bytes, scope.takesOnce(option) {
      throw UsageError(
        "\(spelling) was given twice: '\(other.displayText)' and '\(value.displayText)'",
        hint: "leave one of them out")
    }
    occurrences.append(.init(name: option.name, value: value))
  }

  private func isImmediate(_ occurrence: ParsedArguments.Occurrence) -> Bool {
    program.globalOption { $0.name == occurrence.name }?.isImmediate ?? false
  }

  // MARK: Standard input

  /// What stands for a file or a text, operands before options, with what it is called.
  private func named(
    _ command: CommandSpec, _ operands: [(name: String, words: [Word])],
    _ occurrences: [ParsedArguments.Occurrence]
  ) -> [(name: String, kind: ValueKind, word: Word)] {
    zip(command.operands, operands).flatMap { operand, assigned in
      assigned.words.map { (operand.name, operand.kind, $0) }
    }
      + occurrences.compactMap { occurrence in
        let isIt: (Option) -> Bool = { $0.name == occurrence.name }
        guard let word = occurrence.value,
          let option = command.option(where: isIt) ?? program.globalOption(where: isIt),
          let kind = option.value
        else { return nil }
        return ("--\(option.name)", kind, word)
      }
  }

  private func refuseTwoReadersOfStandardInput(
    _ named: [(name: String, kind: ValueKind, word: Word)]
  ) throws(UsageError) {
    let readers = named.filter { $0.word.isDash && $0.kind.readsStandardInputAtDash }.map(\.name)
    guard readers.count > 1 else { return }
    throw UsageError(
      "\(readers[0]) and \(readers[1]) would both read standard input ('-')",
      hint: "only one of them can be '-'")
  }
}

/// A command line that means nothing.
package struct UsageError: Error, Sendable {
  /// One line without the program's name and without a full stop.
  package let message: String
  /// What to type instead.
  package let hint: String?
  /// There is no such option, or no place for such an argument.
  package let unexpectedWord: String?

  package init(_ message: String, unexpected word: String? = nil, hint: String? = nil) {
    self.message = message
    self.hint = hint
    unexpectedWord = word
  }
}
