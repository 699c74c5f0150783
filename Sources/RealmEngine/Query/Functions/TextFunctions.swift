// Functions on texts. Layer: Query, Functions.
// Positions and lengths count Unicode scalars, blanks are those of Unicode.

import ByteText

extension ExpressionFunction {
  static let textFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "trim(text)", "without blanks at both ends", [.text], gives: gives(.string),
      .values { arguments, _ throws(EngineError) in .string(trimmed(try text(arguments[0]))) }),
    ExpressionFunction(
      "lower(text)", "in small letters", [.text], gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try cased(try text(arguments[0]), inCapitals: false, context)
      }),
    ExpressionFunction(
      "upper(text)", "in capital letters", [.text], gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try cased(try text(arguments[0]), inCapitals: true, context)
      }),
    ExpressionFunction(
      "length(text)", "how many characters (Unicode scalars) it has", [.text], gives: gives(.int),
      .values { arguments, _ throws(EngineError) in
        let text = try text(arguments[0])
        return .int(Int64(text.bytes.isASCII ? text.count : text.text.unicodeScalars.count))
      }),
    ExpressionFunction(
      "substring(text, start, count)", "characters from start, the first being 0; count may be left out",
      [.text, .whole], optional: [.whole], gives: gives(.string),
      .values { arguments, context throws(EngineError) in try substring(arguments, context) }),
    ExpressionFunction(
      "replace(text, what, with)", "with every occurrence of what replaced", [.text, .text, .text],
      gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try replaced(
          try text(arguments[0]), every: try text(arguments[1]), with: try text(arguments[2]), context)
      }),
    ExpressionFunction(
      "split(text, separator)", "the list of the parts between separators", [.text, .text],
      gives: { arguments in
        ExpressionType(.value(.string), isList: true, isOptional: arguments[0].isOptional)
      },
      .makesList { arguments, list throws(EngineError) in
        try forEachPart(of: try text(arguments[0]), by: try text(arguments[1])) {
          part throws(EngineError) in
          try list.checkRoom(for: 1)
          list.append(.string(part))
        }
      }),
    ExpressionFunction(
      "join(list, separator)", "the elements as one text, nulls left out", [.list, .text],
      gives: { _ in .value(.string) },
      .ofList { elements, rest, context throws(EngineError) in
        var parts: [ByteString] = []
        // What is too long is not gathered first.
        var size = 0
        for element in elements where element != .null {
          guard let words = try textForm(element, context, by: "join"), case .string(let part) = words else {
            throw EngineError(.constraint, "join cannot write \(element.kindName) as text")
          }
          parts.append(part)
          size += part.count
          try ComputedSize.check(textOf: size, by: "join")
        }
        return .string(try context.joined(parts, separator: try text(rest[0]), by: "join"))
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
    while start < end, bytes[start].isASCIIBlank { start += 1 }
    while end > start, bytes[end - 1].isASCIIBlank { end -= 1 }
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

  private static func substring(
    _ arguments: [Value], _ context: EvaluationContext
  ) throws(EngineError) -> Value {
    let whole = try text(arguments[0])
    let start = try Self.whole(arguments[1])
    let count = arguments.count > 2 ? try Self.whole(arguments[2]) : Int64.max
    guard start >= 0, count >= 0 else {
      throw EngineError(.constraint, "substring counts from 0: start \(start), count \(count)")
    }
    if whole.bytes.isASCII {
      let first = Int(min(start, Int64(whole.count)))
      return .string(whole.slice(first, Int(min(count, Int64(whole.count - first)))))
    }
    var part = String.UnicodeScalarView()
    for (index, scalar) in whole.text.unicodeScalars.enumerated() {
      guard Int64(index) >= start else { continue }
      guard Int64(index) - start < count else { break }
      part.append(scalar)
    }
    return try context.text(Array(String(part).utf8), by: "substring")
  }

  private static func replaced(
    _ whole: ByteString, every what: ByteString, with new: ByteString, _ context: EvaluationContext
  ) throws(EngineError) -> Value {
    var count = 0
    forEachPart(of: whole, by: what) { _ in count += 1 }
    guard count > 1 else { return .string(whole) }
    // There are no more occurrences than bytes, and what stands for them is no larger than a script.
    let size = whole.count + (count - 1) * (new.count - what.count)
    let result = try context.text(count: size, by: "replace") { bytes in
      var position = 0
      var isFirst = true
      forEachPart(of: whole, by: what) { part in
        if !isFirst {
          bytes.copy(new.bytes, at: position)
          position += new.count
        }
        isFirst = false
        bytes.copy(part.bytes, at: position)
        position += part.count
      }
    }
    return .string(result)
  }

  /// In capital or small letters. Cost: of ASCII one copy, of others two strings.
  private static func cased(
    _ text: ByteString, inCapitals: Bool, _ context: EvaluationContext
  ) throws(EngineError) -> Value {
    let maker = inCapitals ? "upper" : "lower"
    guard text.bytes.isASCII else {
      // Letters become three at most.
      return try context.text(
        Array((inCapitals ? text.text.uppercased() : text.text.lowercased()).utf8), by: maker)
    }
    return .string(
      try context.text(count: text.count, by: maker) {
        $0.fill(withASCII: text.bytes, inCapitals: inCapitals)
      })
  }

  /// The parts between separators, which are parts of the same bytes.
  static func forEachPart<E: Error>(
    of text: ByteString, by separator: ByteString, _ body: (ByteString) throws(E) -> Void
  ) throws(E) {
    var start = 0
    if separator.count > 0 {
      while let end = text.bytes.firstIndex(of: separator.bytes, from: start) {
        try body(text.slice(start, end - start))
        start = end + separator.count
      }
    }
    try body(text.slice(start, text.count - start))
  }

  static func split(_ text: ByteString, by separator: ByteString) -> [ByteString] {
    var parts: [ByteString] = []
    forEachPart(of: text, by: separator) { parts.append($0) }
    return parts
  }
}
