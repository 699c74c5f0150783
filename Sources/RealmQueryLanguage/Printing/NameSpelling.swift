// How a name is written in statements, so that the lexer reads the same name back. Layer: Printing.
// Invariant: the spelling is one token on one line, whatever the name holds. Every name that statements are made of or
// offered for comes from here.

import ByteText

/// Where a name stands, which decides what it could be taken for.
package enum NamePlace: Sendable {
  case property
  /// A class at the beginning of a statement or behind a word of it.
  case className
  /// A class as the type of a property.
  case type
}

/// A name as statements take it: in backquotes unless it is a plain word that can be read in no other way.
package func spelledName(_ name: String, as place: NamePlace) -> String {
  let isMistakable =
    switch place {
    case .property: false
    case .className: StatementWords.reserved.contains(name.lowercased())
    case .type: TypeWord(rawValue: name) != nil || CollectionWord(rawValue: name) != nil
    }
  if !isMistakable, isPlainWord(Array(name.utf8)), !name.unicodeScalars.contains(where: \.isUnseen) {
    return name
  }
  var text = ByteBuffer()
  text.append(backquoted: name)
  return text.text
}

/// Whether the lexer takes these bytes for one word that is no literal, and would in front of any others.
private func isPlainWord(_ bytes: [UInt8]) -> Bool {
  guard let first = bytes.first, !first.isDigit, first != UInt8(ascii: "$"),
    bytes.allSatisfy({ $0.isIdentifierPart && $0 != UInt8(ascii: "-") }),
    // `T5`, `O5` and `L5` begin dates and keys.
    bytes.dropFirst().contains(where: { !$0.isDigit }) || !"TOL".utf8.contains(first)
  else { return false }
  var lexer = Lexer(source: bytes, bounds: bytes.indices, mode: .predicate, flavor: .statement)
  let token = lexer.next()
  return token.kind == .word && !token.isReserved && token.range.bounds == bytes.indices
}

extension ByteBuffer {
  /// Appends a name in backquotes: those in it doubled, backslashes and what is not seen as escapes.
  mutating func append(backquoted name: String) {
    append(UInt8(ascii: "`"))
    for scalar in name.unicodeScalars {
      switch scalar {
      case "`": append(UInt8(ascii: "`"), UInt8(ascii: "`"))
      case "\\": append(UInt8(ascii: "\\"), UInt8(ascii: "\\"))
      case _ where scalar.isUnseen: append(escapeOf: scalar)
      default: append(text: String(scalar))
      }
    }
    append(UInt8(ascii: "`"))
  }
}

/// A word of a shell command as its parser takes it: in double quotes unless it stands for itself.
package func spelledWord(_ word: String) -> String {
  let bytes = word.utf8
  let isPlain = bytes.first.map { !$0.isQuote } ?? false && !bytes.contains { $0.isBlank }
  if isPlain, !word.unicodeScalars.contains(where: \.isUnseen) { return word }
  var text = ByteBuffer()
  text.append(UInt8(ascii: "\""))
  for scalar in word.unicodeScalars {
    switch scalar {
    case "\"", "\\": text.append(UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value))
    case _ where scalar.isUnseen: text.append(escapeOf: scalar)
    default: text.append(text: String(scalar))
    }
  }
  text.append(UInt8(ascii: "\""))
  return text.text
}
