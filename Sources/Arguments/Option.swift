// One option of the table. Layer: Arguments.
// Invariant: a letter takes a value in every command or in none, because the command's word is found by it. Of a long
// name that differs, the word behind it tells: the name of a command is no value.

/// An option as it is typed, explained and completed.
package struct Option: Sendable {
  /// Without dashes: `limit`.
  package let name: String
  /// The short form: `m` of `-m`.
  package let letter: Character?
  /// Also accepted whole behind a single dash, as sqlite3's `-csv` is.
  package let isSingleDashWord: Bool
  /// Nil for a flag.
  package let value: ValueKind?
  /// What help calls the value: `FILE`.
  package let valueName: String
  private let makeHelp: @Sendable () -> String
  /// Whether each of several values counts; of others, those of one command's own options contradict each other.
  let isRepeatable: Bool
  /// What a shorthand stands for: `--json` is `--mode json`.
  let meaning: Meaning?
  /// Parsing ends at such an option, whatever follows: `--help`.
  let isImmediate: Bool

  /// One line without a full stop.
  package var help: String { makeHelp() }

  struct Meaning: Sendable {
    let name: String
    let value: String
  }

  /// A flag.
  package init(
    _ name: String, letter: Character? = nil, singleDashWord: Bool = false, immediate: Bool = false,
    _ help: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(name, letter, singleDashWord, nil, "", help, nil, immediate)
  }

  /// An option with a value.
  package init(
    _ name: String, letter: Character? = nil, singleDashWord: Bool = false, repeatable: Bool = false,
    takes value: ValueKind, _ valueName: String, _ help: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(name, letter, singleDashWord, value, valueName, help, nil, false, repeatable)
  }

  /// A flag that stands for another option with this value.
  package init(_ name: String, singleDashWord: Bool = false, means option: Option, _ value: String) {
    let meaning = Meaning(name: option.name, value: value)
    self.init(
      name, nil, singleDashWord, nil, "", { "same as --\(meaning.name) \(meaning.value)" }, meaning, false)
  }

  private init(
    _ name: String, _ letter: Character?, _ isSingleDashWord: Bool, _ value: ValueKind?,
    _ valueName: String, _ makeHelp: @escaping @Sendable () -> String, _ meaning: Meaning?,
    _ isImmediate: Bool, _ isRepeatable: Bool = false
  ) {
    self.name = name
    self.letter = letter
    self.isSingleDashWord = isSingleDashWord
    self.value = value
    self.valueName = valueName
    self.makeHelp = makeHelp
    self.meaning = meaning
    self.isImmediate = isImmediate
    self.isRepeatable = isRepeatable || value?.joinsValues ?? false
  }
}

extension Option {
  /// `-m, --mode MODE`
  var synopsis: String {
    var text = letter.map { "-\($0), " } ?? ""
    if isSingleDashWord { text += "-\(name), " }
    text += "--\(name)"
    return value == nil ? text : "\(text) \(valueName)"
  }

  /// The help without what follows its first part.
  var brief: String {
    let pairs = zip(help.indices, help.indices.dropFirst())
    let end = pairs.first { ["; ", " ("].contains(help[$0...$1]) }?.0
    return String(help[..<(end ?? help.endIndex)])
  }

  func isSpelled(_ nameBytes: ArraySlice<UInt8>) -> Bool { name.utf8.elementsEqual(nameBytes) }

  func hasLetter(_ byte: UInt8) -> Bool { letter?.asciiValue == byte }
}

/// What help says about a list of options; neighbouring shorthands of one option share a row.
func explanations(_ options: [Option]) -> [(term: String, text: String)] {
  var rows: [(term: String, text: String)] = []
  var shortened: String?
  for option in options {
    if let meaning = option.meaning, meaning.name == shortened, let last = rows.indices.last {
      rows[last].term += ", " + option.synopsis
    } else if let meaning = option.meaning {
      rows.append((option.synopsis, "shorthand for --\(meaning.name) WORD"))
    } else {
      rows.append((option.synopsis, option.help))
    }
    shortened = option.meaning?.name
  }
  return rows
}

/// Options that help shows under one heading.
package struct OptionGroup: Sendable {
  package let title: String
  package let options: [Option]

  package init(_ title: String, _ options: [Option]) {
    self.title = title
    self.options = options
  }
}
