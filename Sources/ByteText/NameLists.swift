// Lists of names as users write them, where names in backquotes may hold what separates them. Layer: ByteText.

extension String {
  /// The parts between separators outside of backquotes.
  package func names(separatedBy separator: Character) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in self {
      if character == "`" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }

  /// A name without its backquotes, in which a doubled one stands for one.
  package var withoutBackquotes: String {
    guard count > 1, first == "`", last == "`" else { return self }
    var name = ""
    var isDoubled = false
    for character in dropFirst().dropLast() {
      if character == "`" { isDoubled.toggle() }
      if !isDoubled || character != "`" { name.append(character) }
    }
    return name
  }
}
