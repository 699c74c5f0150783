// What was typed, sorted: the command, its options in order, its operands by name. Layer: Arguments.
// Invariant: every value has passed its kind's check, so that reading it again cannot fail.

/// A command line that the table allows.
package struct ParsedArguments: Sendable {
  /// An option as it stood on the line; a shorthand has become what it means.
  package struct Occurrence: Sendable {
    package let name: String
    /// Nil for a flag.
    package let value: Word?
  }

  /// Outermost first: `migrate`, `apply`. Empty for the fallback, and when help or version came first.
  package let path: [CommandSpec]
  package let occurrences: [Occurrence]
  /// The option that ended parsing early, such as `--help`; the operands are then not checked.
  package let immediate: String?
  let operands: [(name: String, words: [Word])]
  /// The files that are read, and those that are written, without standard input and output.
  package let inputs: [Word]
  package let outputs: [Word]
}

extension ParsedArguments {
  package func has(_ option: Option) -> Bool { occurrences.contains { $0.name == option.name } }

  /// The last value given to `option`, or the values of a list.
  package func word(_ option: Option) -> Word? {
    guard option.value?.joinsValues ?? false else {
      return occurrences.last { $0.name == option.name }?.value
    }
    let words = words(option)
    return words.isEmpty ? nil : Word(Array(words.map(\.bytes).joined(separator: ", ".utf8)))
  }

  /// Every value given to `option`, in order.
  package func words(_ option: Option) -> [Word] {
    occurrences.filter { $0.name == option.name }.compactMap(\.value)
  }

  /// The value of `option`, as text.
  package func text(_ option: Option) -> String? { word(option)?.displayText }

  /// The last value given to an option of kind `count` or `integer`.
  package func integer(_ option: Option) -> Int64? { word(option)?.count }

  /// Where the order of different options matters: `--arg` and `--arg-text`.
  package func occurrences(of options: Option...) -> [Occurrence] {
    occurrences.filter { occurrence in options.contains { $0.name == occurrence.name } }
  }

  /// The words that stand for an operand; empty where an optional one is missing.
  package func words(_ operand: Operand) -> [Word] {
    operands.first { $0.name == operand.name }?.words ?? []
  }

  /// The word of an operand that stands once, nil where an optional one is missing.
  package func word(_ operand: Operand) -> Word? { words(operand).first }

  /// The word of a required operand, which the parser has made sure of.
  package func required(_ operand: Operand) -> Word {
    guard let word = word(operand) else {
      preconditionFailure("\(operand.name) is not a required operand of this command")
    }
    return word
  }

  /// The text of an operand whose kind is text.
  package func text(_ operand: Operand) -> String? { word(operand)?.displayText }
}
