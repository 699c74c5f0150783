// Documents as YAML text that any YAML reader understands. Layer: TextFormats, YAML.
// Text stands in double quotes unless it is a plain word that no reader takes for anything else.

import ByteText

extension ByteBuffer {
  /// Appends a document as YAML, two blanks a level, with a line end after the last line.
  ///
  /// Nodes marked as flow stand on one line, everything in them too. Scalars without quotes are written as
  /// they are, so they must be YAML numbers or words. Recursion is as deep as the document, whose readers
  /// limit it.
  package mutating func append(yaml node: DocumentNode) {
    if isInline(node) {
      append(flow: node)
      append(UInt8(ascii: "\n"))
    } else {
      appendBlock(node, depth: 0)
    }
  }

  /// Whether a node stands on the line of its key.
  private func isInline(_ node: DocumentNode) -> Bool {
    switch node.content {
    case .scalar: true
    case .sequence(let items): node.isFlow || items.isEmpty
    case .mapping(let entries): node.isFlow || entries.isEmpty
    }
  }

  private mutating func appendBlock(_ node: DocumentNode, depth: Int) {
    switch node.content {
    case .scalar: break
    case .sequence(let items):
      for item in items {
        append(repeating: UInt8(ascii: " "), count: 2 * depth)
        append(UInt8(ascii: "-"))
        appendValue(item, depth: depth + 1)
      }
    case .mapping(let entries):
      for entry in entries {
        append(repeating: UInt8(ascii: " "), count: 2 * depth)
        appendText(entry.key)
        append(UInt8(ascii: ":"))
        appendValue(entry.value, depth: depth + 1)
      }
    }
  }

  /// Appends what follows a "-" or ":" up to the end of its last line.
  private mutating func appendValue(_ node: DocumentNode, depth: Int) {
    if isInline(node) {
      append(UInt8(ascii: " "))
      append(flow: node)
      append(UInt8(ascii: "\n"))
    } else {
      append(UInt8(ascii: "\n"))
      appendBlock(node, depth: depth)
    }
  }

  private mutating func append(flow node: DocumentNode) {
    switch node.content {
    case .scalar(let text, let isQuoted):
      if isQuoted { appendText(text) } else { append(text: text) }
    case .sequence(let items):
      append(UInt8(ascii: "["))
      for (index, item) in items.enumerated() {
        if index > 0 { append(literal: ", ") }
        append(flow: item)
      }
      append(UInt8(ascii: "]"))
    case .mapping(let entries):
      append(literal: entries.isEmpty ? "{" : "{ ")
      for (index, entry) in entries.enumerated() {
        if index > 0 { append(literal: ", ") }
        appendText(entry.key)
        append(literal: ": ")
        append(flow: entry.value)
      }
      append(literal: entries.isEmpty ? "}" : " }")
    }
  }

  /// Appends a text as YAML takes it wherever one may stand: as it is where it is a plain word, else in quotes.
  private mutating func appendText(_ text: String) {
    if isPlainWord(text) {
      append(text: text)
      return
    }
    append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars { appendQuoted(scalar) }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendQuoted(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append(literal: "\\\"")
    case "\\": append(literal: "\\\\")
    // YAML has no halves of pairs.
    case _ where scalar.isUnseen && scalar.value > 0xFFFF:
      append(literal: "\\U00")
      for shift in [16, 8, 0] {
        append(hexadecimal: UInt8(truncatingIfNeeded: scalar.value >> UInt32(shift)))
      }
    // What YAML does not print, what it takes for a line end or a byte order mark, and what nobody would see.
    case _ where scalar.isUnseen: append(escapeOf: scalar)
    default:
      for byte in String(scalar).utf8 { append(byte) }
    }
  }
}

/// Whether text may stand without quotes: a word of ASCII letters, digits, "_" and "-" that begins with a
/// letter or "_" and means nothing to a YAML reader.
private func isPlainWord(_ text: String) -> Bool {
  let bytes = text.utf8
  guard let first = bytes.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
  let isWord = bytes.allSatisfy { $0 < 0x80 && $0.isNameByte || $0 == UInt8(ascii: "-") }
  return isWord && !reservedWords.contains(text.lowercased())
}

/// What YAML 1.1 or 1.2 readers turn into truth values and null.
private let reservedWords: Set<String> = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
