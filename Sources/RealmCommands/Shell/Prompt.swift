// What stands before the cursor. Layer: RealmCommands, Shell.

import ByteText
import RealmEngine
import Rendering

/// The prompt: which file, whether it can be changed, whether changes wait for `commit`.
struct Prompt {
  /// Nil while no realm is open.
  let file: FilePath?
  let isWritable: Bool
  /// Whether changes only seem to be made.
  var isDryRun = false
  let hasOpenTransaction: Bool
  /// After which an open transaction ends.
  let idleSeconds: Int?
  let isColored: Bool
  /// What `.prompt` has set in the place of everything.
  var ownText: String?

  /// `zoo.realm [ro]> `, `zoo.realm [write]> `, `zoo.realm [write *]> `, `zoo.realm [write * 60 s]> `,
  /// `zoo.realm [dry run]> `
  var text: String { ownText?.visible ?? name + mark(isColored: isColored) + Self.sign }

  /// As wide as the prompt, so that the lines of a statement stand one below the other. `opener` is the quote or
  /// bracket that is open.
  func continuation(opener: String) -> String {
    let width = TerminalWidth.width(ownText?.visible ?? name + mark(isColored: false) + Self.sign)
    let end = opener + "…" + Self.sign
    return String(repeating: " ", count: max(0, width - end.count)) + end
  }

  private static let sign = "> "

  private var name: String {
    guard let file else { return "realm-cli" }
    return String(decoding: file.lastComponent, as: UTF8.self).visible
  }

  private func mark(isColored: Bool) -> String {
    guard file != nil else { return "" }
    guard isWritable else { return " [ro]" }
    let idle = idleSeconds.map { " \($0) s" } ?? ""
    let word = isDryRun ? "dry run" : "write"
    let mark = hasOpenTransaction ? "[\(word) *\(idle)]" : "[\(word)]"
    return " " + (isColored ? Self.colored(mark, hasOpenTransaction ? "1;31" : "33") : mark)
  }

  private static func colored(_ text: String, _ code: String) -> String {
    let invisible = String(UnicodeScalar(LineEditor.invisibleMark))
    return "\(invisible)\u{1B}[\(code)m\(invisible)\(text)\(invisible)\u{1B}[0m\(invisible)"
  }
}
