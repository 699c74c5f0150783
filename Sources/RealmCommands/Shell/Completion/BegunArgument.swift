// The word of a dot command that the cursor is in, which may be in quotes that are still open.
// Layer: RealmCommands, Shell, Completion.

import ByteText
import RealmQueryLanguage

/// A word that has been begun; an empty one behind a blank.
struct BegunArgument {
  /// With the quote that it begins with.
  let typed: [UInt8]
  /// Without quotes and escapes.
  let content: [UInt8]
  /// The words between the command and this one.
  let before: [[UInt8]]

  /// Nil where the line cannot be cut into words.
  init?(_ line: [UInt8]) {
    for quote in ["", "'", "\""] {
      guard let statement = try? Statement(parsing: line + Array(quote.utf8)),
        case .shell(let command) = statement.kind
      else { continue }
      let words = command.arguments
      if let last = words.last, !quote.isEmpty || !(line.last?.isBlankByte ?? true) {
        typed = Array(line[last.range.offset...])
        content = last.kind
        before = words.dropLast().map(\.kind)
      } else {
        typed = []
        content = []
        before = words.map(\.kind)
      }
      return
    }
    return nil
  }

  /// How the word may go on, in the quotes that it was begun in. They stay open where it may go on behind `text`.
  func candidate(_ text: String, isFinished: Bool = true) -> Candidate? {
    if typed.first == UInt8(ascii: "'") {
      // Nothing is escaped between these.
      let isPossible = !text.unicodeScalars.contains { $0 == "'" || $0.isUnseen }
      return isPossible ? Candidate(text: "'\(text)", suffix: isFinished ? "' " : "") : nil
    }
    if typed.first != UInt8(ascii: "\""), spelledWord(text) == text {
      return Candidate(text: text, suffix: isFinished ? " " : "")
    }
    // A blank makes any word one that is put in quotes.
    let quoted = spelledWord(text + " ").dropLast(2)
    return Candidate(text: String(quoted), suffix: isFinished ? "\" " : "")
  }
}
