// How much of other people's text a message repeats. Layer: RealmCommands, Program. Errors, warnings and remarks all pass
// here, so that whoever words one may name what it is about without asking how long that is.

import ByteText

/// Messages that are short whatever they quote.
enum MessageText {
  /// Complaints about one text that are told one by one.
  static let complaintsMax = 20

  /// Characters of one quotation that are shown.
  static let quotedMax = 64
  /// Characters of a whole message; ours come to about a hundred.
  static let lengthMax = 300
  /// The middle of what is longer is left out at once.
  private static let lookedAtMax = 1 << 14

  /// The message with the middle of long quotations left out, and where that is not enough, its own.
  static func fitted(_ message: String) -> String {
    var scalars = Array(message.unicodeScalars.prefix(lookedAtMax))
    guard scalars.count > quotedMax else { return message }
    if scalars.count == lookedAtMax {
      scalars = scalars.prefix(lookedAtMax / 2) + message.unicodeScalars.suffix(lookedAtMax / 2)
    }
    var result: [Unicode.Scalar] = []
    var rest = scalars[...]
    while let open = rest.indices.first(where: { opensQuotation(at: $0, in: scalars) }) {
      result += rest[...open]
      rest = rest[(open + 1)...]
      let close = rest.indices.first { closesQuotation(at: $0, in: scalars) } ?? rest.endIndex
      result += shortened(rest[..<close], to: quotedMax)
      rest = rest[close...]
      if let quote = rest.popFirst() { result.append(quote) }
    }
    result += rest
    return String(String.UnicodeScalarView(shortened(result[...], to: lengthMax)))
  }

  /// A hint. A command in it is told whole or not at all: with its quotes cut it would be another one.
  static func fittedHint(_ hint: String) -> String? {
    guard hint.hasPrefix("realm-cli ") || hint.holds(" realm-cli ") else { return fitted(hint) }
    return hint.unicodeScalars.count <= lengthMax ? hint : nil
  }

  private static func shortened(_ text: ArraySlice<Unicode.Scalar>, to countMax: Int) -> [Unicode.Scalar] {
    guard text.count > countMax else { return Array(text) }
    let tailCount = countMax / 3
    return text.prefix(countMax - 1 - tailCount) + ["…"] + text.suffix(tailCount)
  }

  private static func opensQuotation(at index: Int, in text: [Unicode.Scalar]) -> Bool {
    text[index] == "'" && (index == 0 || " ([{".unicodeScalars.contains(text[index - 1]))
  }

  private static func closesQuotation(at index: Int, in text: [Unicode.Scalar]) -> Bool {
    text[index] == "'" && (index + 1 == text.count || " ,.;:?)]}".unicodeScalars.contains(text[index + 1]))
  }
}
