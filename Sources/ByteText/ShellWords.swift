// Words of command lines that messages print. Layer: ByteText.
// Invariant: whatever bytes a word has, it comes out of the shell as it went in, so that who pastes a line runs nothing but its
// command.

private let plainBytes = Set(
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:=@%,".utf8)

/// One word for any shell, in quotes where it needs them.
package func shellWord(_ word: [UInt8]) -> String {
  let isPlain = !word.isEmpty && word.allSatisfy(plainBytes.contains)
  return isPlain ? String(decoding: word, as: UTF8.self) : shellQuoted(word)
}

package func shellWord(_ text: String) -> String { shellWord(Array(text.utf8)) }

/// One word for any shell, always in quotes. What steers text is printed by the shell: shown, it would not be what it was.
package func shellQuoted(_ word: [UInt8]) -> String {
  let text = String(validating: word, as: UTF8.self)
  guard let text, !text.unicodeScalars.contains(where: \.steersText) else {
    let octal = word.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "\"$(printf '\(octal.joined())')\""
  }
  let quote = UInt8(ascii: "'")
  let inner = word.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
  return "'" + String(decoding: inner, as: UTF8.self) + "'"
}

package func shellQuoted(_ text: String) -> String { shellQuoted(Array(text.utf8)) }
