// What stands before the cursor. Layer: RealmCommands, Shell.

import ByteText
import RealmEngine
import Rendering

/// The prompt: which file, whether it can be changed, whether changes wait for `commit`.
struct Prompt {
  /// Nil while no realm is open.
  let file: FilePath?
  let isWritable: Bool
  let hasOpenTransaction: Bool
  /// After which an open transaction ends.
  let idleSeconds: Int?
  let isColored: Bool
  /// What `.prompt` has set in the place of the name.
  var ownText: String?

  /// `zoo.realm [ro]> `, `zoo.realm [write]> `, `zoo.realm [write *]> `, `zoo.realm [write * 60 s]> `
  var text: String { name + mark(isColored: isColored) + "> " }

  /// As wide as the prompt, so that the lines of a statement stand one below the other. `opener` is the quote or
  /// bracket that is open.
  func continuation(opener: String) -> String {
    let width = TerminalWidth.width(name + mark(isColored: false))
    return String(repeating: " ", count: max(0, width - opener.count - 1)) + opener + "…> "
  }

  private var name: String {
    if let ownText { return ownText.visible }
    guard let file else { return "realm-cli" }
    return String(decoding: file.lastComponent, as: UTF8.self).visible
  }

  private func mark(isColored: Bool) -> String {
    guard file != nil else { return "" }
    guard isWritable else { return " [ro]" }
    let idle = idleSeconds.map { " \($0) s" } ?? ""
    let mark = hasOpenTransaction ? "[write *\(idle)]" : "[write]"
    return " " + (isColored ? Self.colored(mark, hasOpenTransaction ? "1;31" : "33") : mark)
  }

  private static func colored(_ text: String, _ code: String) -> String {
    let invisible = String(UnicodeScalar(LineEditor.invisibleMark))
    return "\(invisible)\u{1B}[\(code)m\(invisible)\(text)\(invisible)\u{1B}[0m\(invisible)"
  }
}
