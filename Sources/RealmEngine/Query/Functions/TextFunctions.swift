// Functions on texts. Layer: Query. Positions and lengths count Unicode scalars, blanks are those of Unicode.

import ByteText

extension ExpressionFunction {
  static let textFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "trim(text)", "without blanks at both ends", [.text], gives: gives(.string),
      .values { arguments, _ throws(EngineError) in .string(trimmed(try text(arguments[0]))) }),
    ExpressionFunction(
      "lower(text)", "in small letters", [.text], gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try context.text(Array(try text(arguments[0]).text.lowercased().utf8))
      }),
    ExpressionFunction(
      "upper(text)", "in capital letters", [.text], gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try context.text(Array(try text(arguments[0]).text.uppercased().utf8))
      }),
    ExpressionFunction(
      "length(text)", "how many characters (Unicode scalars) it has", [.text], gives: gives(.int),
      .values { arguments, _ throws(EngineError) in
        let text = try text(arguments[0])
        return .int(Int64(text.isASCII ? text.count : text.text.unicodeScalars.count))
      }),
    ExpressionFunction(
      "substring(text, start, count)", "characters from start, the first being 0; count may be left out",
      [.text, .whole], optional: [.whole], gives: gives(.string),
      .values { arguments, context throws(EngineError) in try substring(arguments, context) }),
    ExpressionFunction(
      "replace(text, what, with)", "with every occurrence of what replaced", [.text, .text, .text],
      gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try context.text(
          replaced(
            try text(arguments[0]).bytes.array(), try text(arguments[1]).bytes.array(),
            by: try text(arguments[2]).bytes.array()))
      }),
    ExpressionFunction(
      "split(text, separator)", "the list of the parts between separators", [.text, .text],
      gives: { arguments in
        ExpressionType(.value(.string), isList: true, isOptional: arguments[0].isOptional)
      },
      .makesList { arguments, context throws(EngineError) in
        var parts: [Value] = []
        for part in split(
          try text(arguments[0]).bytes.array(), by: try text(arguments[1]).bytes.array())
        { parts.append(try context.text(part)) }
        return parts
      }),
    ExpressionFunction(
      "join(list, separator)", "the elements as one text, nulls left out", [.list, .text],
      gives: { _ in .value(.string) },
      .ofList { elements, rest, context throws(EngineError) in
        var parts: [ByteString] = []
        for element in elements where element != .null {
          if !parts.isEmpty { parts.append(try text(rest[0])) }
          guard let words = try textForm(element, context), case .string(let part) = words else {
            throw EngineError(.constraint, "join cannot write \(element.kindName) as text")
          }
          parts.append(part)
        }
        return .string(try context.joined(parts))
      }),
  ]

  static func text(_ value: Value) throws(EngineError) -> ByteString {
    guard case .string(let text) = value else {
      throw EngineError(.constraint, "expected a string, found \(value.kindName)")
    }
    return text
  }

  static func whole(_ value: Value) throws(EngineError) -> Int64 {
    guard case .int(let number) = value else {
      throw EngineError(.constraint, "expected an int, found \(value.kindName)")
    }
    return number
  }

  private static func trimmed(_ text: ByteString) -> ByteString {
    let bytes = text.bytes.span
    var start = 0
    var end = bytes.count
    while start < end, isBlank(bytes[start]) { start += 1 }
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    let inner = text.slice(start, end - start)
    guard start < end, bytes[start] >= 0x80 || bytes[end - 1] >= 0x80 else { return inner }
    let scalars = inner.text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return inner.slice(0, 0) }
    let head = scalars[..<first].reduce(0) { $0 + UTF8.width($1) }
    let tail = scalars[scalars.index(after: last)...].reduce(0) { $0 + UTF8.width($1) }
    // Text that is no UTF-8 has other lengths when it is shown; it stays as it is.
    guard head + tail <= inner.count else { return inner }
    return inner.slice(head, inner.count - head - tail)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func substring(
    _ arguments: [Value], _ context: EvaluationContext
  ) throws(EngineError) -> Value {
    let whole = try text(arguments[0])
    let start = try Self.whole(arguments[1])
    let count = arguments.count > 2 ? try Self.whole(arguments[2]) : Int64.max
    guard start >= 0, count >= 0 else {
      throw EngineError(.constraint, "substring counts from 0: start \(start), count \(count)")
    }
    if whole.isASCII {
      let first = Int(min(start, Int64(whole.count)))
      return .string(whole.slice(first, Int(min(count, Int64(whole.count - first)))))
    }
    var part = String.UnicodeScalarView()
    for (index, scalar) in whole.text.unicodeScalars.enumerated() {
      guard Int64(index) >= start else { continue }
      guard Int64(index) - start < count else { break }
      part.append(scalar)
    }
    return try context.text(Array(String(part).utf8))
  }

  private static func replaced(_ text: [UInt8], _ what: [UInt8], by new: [UInt8]) -> [UInt8] {
    guard !what.isEmpty else { return text }
    return Array(split(text, by: what).joined(separator: new))
  }

  static func split(_ text: [UInt8], by separator: [UInt8]) -> [ArraySlice<UInt8>] {
    guard !separator.isEmpty else { return [text[...]] }
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index + separator.count <= text.count {
      if text[index] == separator[0], text[index...].starts(with: separator) {
        parts.append(text[start..<index])
        index += separator.count
        start = index
      } else {
        index += 1
      }
    }
    parts.append(text[start...])
    return parts
  }
}
