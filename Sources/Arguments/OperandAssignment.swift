// Operands by position: which word is FILE, which CLASS. Layer: Arguments.

/// Gives the words of a line to a command's operands.
struct OperandAssignment {
  let command: CommandSpec
  let path: [CommandSpec]
  let program: ProgramSpec

  /// From the left, each operand as many words as it may have; what stands behind it keeps what it needs. The last
  /// `dashedCount` words stand behind `--`.
  func assign(_ words: [Word], dashedCount: Int) throws(UsageError) -> [(name: String, words: [Word])] {
    guard let last = command.operands.last, last.occurrence == .behindDashes else {
      return try assign(words, to: command.operands)
    }
    return try assign(words.dropLast(dashedCount), to: command.operands.dropLast())
      + assign(words.suffix(dashedCount), to: [last])
  }

  private func assign(
    _ words: [Word], to operands: [Operand]
  ) throws(UsageError) -> [(name: String, words: [Word])] {
    var rest = words[...]
    var assigned: [(name: String, words: [Word])] = []
    for (index, operand) in operands.enumerated() {
      let reserved = operands[(index + 1)...].count(where: \.isRequired)
      let spare = max(operand.isRequired ? 1 : 0, rest.count - reserved)
      let count = min(rest.count, operand.isRepeated ? spare : min(1, spare))
      if count == 0 && operand.isRequired { throw missing(operand, given: words) }
      let taken = Array(rest.prefix(count))
      for word in taken { try check(word, operand) }
      assigned.append((operand.name, taken))
      rest = rest.dropFirst(count)
    }
    if let surplus = rest.first {
      throw UsageError(
        "unexpected argument '\(surplus.displayText)'", unexpected: surplus.displayText,
        hint: unquotedCondition(assigned, rest) ?? usageHint)
    }
    return assigned
  }

  /// With the condition that words behind a single one would be together.
  private func unquotedCondition(
    _ assigned: [(name: String, words: [Word])], _ rest: ArraySlice<Word>
  ) -> String? {
    guard case .condition? = command.operands.last?.kind, let first = assigned.last?.words.first?.displayText,
      !first.contains(" ")
    else { return nil }
    let words = [first] + rest.map(\.displayText)
    // What a statement has before its condition, a command has not.
    let text = (first == "where" ? words[1...] : words[...]).joined(separator: " ")
    let advice =
      first == "where" && rest.count == 1 ? "leave out 'where'" : "put the condition in quotes"
    // In single quotes a shell changes nothing.
    return
      "\(advice): '\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }

  private func check(_ word: Word, _ operand: Operand) throws(UsageError) {
    guard let refusal = operand.kind.refusal(of: word) else { return }
    throw UsageError(
      "\(operand.name) – \(refusal.message)",
      hint: refusal.nearest.map { "did you mean '\($0)'?" } ?? usageHint)
  }

  private func missing(_ operand: Operand, given words: [Word]) -> UsageError {
    let subject = path.isEmpty ? "" : path.map(\.name).joined(separator: " ") + " – "
    return UsageError("\(subject)\(operand.name) is missing", hint: usageHint)
  }

  private var usageHint: String {
    let usage = "usage: " + program.usage(path, command)
    return path.isEmpty ? usage + "; '\(program.name) help' lists the commands" : usage
  }
}
