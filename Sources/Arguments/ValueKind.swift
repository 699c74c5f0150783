// What a value on the command line stands for: what the parser accepts, what the shell completes.
// Layer: Arguments.

import ByteText

/// The kind of an option's value or of an operand.
package enum ValueKind: Sendable {
  /// A file that is read; `-` is standard input.
  case file
  case outputFile
  case directory
  /// Text given on the line, or `-` for standard input.
  case textOrDash
  /// The name of a class in the file on the line.
  case className
  /// A property, or several with commas, of the class on the line.
  case properties
  /// Any text in UTF-8, with commas between its parts.
  case list
  /// A statement: most of them begin with a class.
  case statement
  /// A condition on the class on the line; it begins with a property.
  case condition
  /// Any text in UTF-8.
  case text
  case shellCommand
  /// Zero or more, in decimal.
  case count
  /// Zero or more seconds, in decimal, with a fraction or without.
  case seconds
  case integer
  /// A number of bytes, with a unit or without: `256M`.
  case size
  /// The name of a command of this program, or of a topic that stands beside them.
  case command(topics: @Sendable () -> [String])
  /// One of a few words, which are put together when somebody asks for them.
  case words(@Sendable () -> [String])

  package static func oneOf(_ words: @autoclosure @escaping @Sendable () -> [String]) -> ValueKind {
    .words(words)
  }
}

extension ValueKind {
  /// Two of these with a lone dash would both read standard input.
  var readsStandardInputAtDash: Bool {
    switch self {
    case .file, .directory, .textOrDash: true
    default: false
    }
  }

  var isInputFile: Bool { if case .file = self { true } else { false } }
  package var isOutputFile: Bool { if case .outputFile = self { true } else { false } }

  /// Whether several values of an option are one list.
  var joinsValues: Bool {
    switch self {
    case .properties, .list: true
    default: false
    }
  }

  /// Paths and shell commands are bytes; everything else has to be UTF-8.
  private var isText: Bool {
    switch self {
    case .file, .outputFile, .directory, .shellCommand: false
    default: true
    }
  }

  /// Why `word` is not acceptable, as a sentence, and the nearest word that is; nil when it is acceptable.
  package func refusal(of word: Word) -> (message: String, nearest: String?)? {
    let shown = "'\(word.displayText)'"
    guard let text = word.text else { return isText ? ("\(shown) is not UTF-8 text", nil) : nil }
    if case .words(let makeWords) = self {
      let words = makeWords()
      guard !words.contains(text) else { return nil }
      return (
        "unknown value \(shown) (expected \(words.joined(separator: ", ")))",
        EditDistance.nearest(to: text, among: words)
      )
    }
    return reason(against: word, text).map { ("\(shown) \($0)", nil) }
  }

  private func reason(against word: Word, _ text: String) -> String? {
    switch self {
    case .count:
      guard let number = word.count else { return "is not a whole number" }
      return number < 0 ? "is less than 0" : nil
    case .seconds: return word.milliseconds == nil ? "is not a number of seconds" : nil
    case .size: return word.byteCount == nil ? "is not a size such as 256M" : nil
    case .integer: return word.integer == nil ? "is not a whole number" : nil
    case .file, .outputFile, .directory, .className: return text.isEmpty ? "is empty" : nil
    default: return nil
    }
  }
}
