// Strings, numbers and words of JSON. Layer: TextFormats, JSON, part of JSONReader.

import ByteText

extension JSONReader {
  /// Reads the string whose opening quote is at `position`, and leaves its text in `text`.
  mutating func readString() throws(TextFormatError) {
    // The quote stays in the window until the place of the token has been saved.
    var kept = position
    let quote = input.window[position]
    position += 1
    var runStart = position
    var isASCII = true
    isTextUnescaped = false
    while true {
      let run =
        quote == UInt8(ascii: "'")
        ? singleQuotedRun(in: input.window.span, from: position)
        : jsonPlainRun(in: input.window.span, from: position)
      isASCII = isASCII && run.isASCII
      position = run.end
      if position == input.window.count {
        try checkTextSize(runStart..<position)
        guard try refillWindow(keepingFrom: kept) else {
          throw TextFormatError("the text ends inside a string", at: location())
        }
        runStart -= droppedCount
        kept -= droppedCount
        continue
      }
      switch input.window[position] {
      case quote:
        try finishString(runStart..<position, isASCII: isASCII)
        return
      case UInt8(ascii: "\\"):
        try moveToUnescapedText(runStart..<position, isASCII: isASCII)
        try readEscape()
        isASCII = true
        kept = position
        runStart = position
      case let control:
        throw TextFormatError(
          "a control character (\(control)) in a string must be written as an escape",
          at: input.location(at: position))
      }
    }
  }

  /// Refuses a string that has grown too long; `run` is what is not unescaped of it yet.
  private mutating func checkTextSize(_ run: Range<Int>) throws(TextFormatError) {
    guard run.count + (isTextUnescaped ? unescapedText.count : 0) > textSizeMax else { return }
    throw TextFormatError(
      "this text has more than \(textSizeMax) bytes, which nothing can hold", at: location())
  }

  private mutating func finishString(_ run: Range<Int>, isASCII: Bool) throws(TextFormatError) {
    if isTextUnescaped {
      try moveToUnescapedText(run, isASCII: isASCII)
    } else {
      if !isASCII { try checkUTF8(run) }
      textRange = run
    }
    position += 1
  }

  private mutating func moveToUnescapedText(_ run: Range<Int>, isASCII: Bool) throws(TextFormatError) {
    if !isTextUnescaped {
      savedLocation = location()
      unescapedText.removeAll()
      isTextUnescaped = true
    }
    if !isASCII { try checkUTF8(run) }
    unescapedText.append(input.window[run].span)
  }

  private mutating func checkUTF8(_ range: Range<Int>) throws(TextFormatError) {
    guard let invalid = firstInvalidUTF8Index(in: input.window.span.extracting(range)) else { return }
    let location = input.location(at: range.lowerBound + invalid)
    throw TextFormatError("the string is not valid UTF-8", at: location)
  }

  /// Adds the character that the escape at `position` stands for to the unescaped text.
  private mutating func readEscape() throws(TextFormatError) {
    guard try makeAvailable(2) else {
      throw TextFormatError("the text ends inside a string", at: location())
    }
    switch input.window[position + 1] {
    case UInt8(ascii: "n"): finishEscape(UInt8(ascii: "\n"))
    case UInt8(ascii: "t"): finishEscape(UInt8(ascii: "\t"))
    case UInt8(ascii: "r"): finishEscape(UInt8(ascii: "\r"))
    case UInt8(ascii: "b"): finishEscape(0x08)
    case UInt8(ascii: "f"): finishEscape(0x0C)
    case let byte where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/"):
      finishEscape(byte)
    case UInt8(ascii: "'") where isRelaxed: finishEscape(UInt8(ascii: "'"))
    case UInt8(ascii: "u"):
      try readUnicodeEscape()
    default:
      throw TextFormatError("no such escape in a string", at: input.location(at: position))
    }
  }

  /// Reads until `count` bytes from `position` are in the window, and no further: more may never come from
  /// a pipe. False when the text ends before.
  private mutating func makeAvailable(_ count: Int) throws(TextFormatError) -> Bool {
    while input.window.count - position < count {
      guard try refillWindow(keepingFrom: position) else { return false }
    }
    return true
  }

  private mutating func finishEscape(_ byte: UInt8) {
    unescapedText.append(byte)
    position += 2
  }

  private mutating func readUnicodeEscape() throws(TextFormatError) {
    guard try makeAvailable(6), let unit = escapedUnit(in: input.window.span, at: position) else {
      throw TextFormatError(
        "'\\u' must be followed by four hexadecimal digits", at: input.location(at: position))
    }
    var scalar = Unicode.Scalar(unit)
    if scalar == nil {
      if unit < 0xDC00, try makeAvailable(12),
        let low = escapedUnit(in: input.window.span, at: position + 6)
      {
        scalar = Unicode.Scalar(high: unit, low: low)
      }
      guard scalar != nil else {
        throw TextFormatError("half of a surrogate pair is missing", at: input.location(at: position))
      }
      position += 6
    }
    position += 6
    guard let scalar else { return }
    for byte in UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter { unescapedText.append(byte) }
  }

  /// Reads the number that begins at `position` and leaves it in `text`; returns whether it is one for
  /// `integer`.
  mutating func readNumber() throws(TextFormatError) -> Bool {
    while true {
      position = numberRunEnd(in: input.window.span, from: position)
      if position < input.window.count { break }
      guard try refillWindow(keepingFrom: tokenStart) else { break }
    }
    textRange = tokenStart..<position
    isTextUnescaped = false
    switch numberShape(text) {
    case .integer:
      guard let value = Int64(decimalText: text) else { return false }
      integer = value
      return true
    case .other:
      return false
    case .malformed(let why):
      throw TextFormatError(why, at: location())
    }
  }

  /// Reads a key without quotes at `position`.
  mutating func readName() throws(TextFormatError) {
    while true {
      while position < input.window.count, input.window[position].isJSONNameByte { position += 1 }
      if position < input.window.count { break }
      guard try refillWindow(keepingFrom: tokenStart) else { break }
    }
    textRange = tokenStart..<position
    isTextUnescaped = false
    try checkUTF8(textRange)
  }

  /// Reads `true`, `false` or `null` at `position`.
  mutating func readWord() throws(TextFormatError) -> JSONToken {
    while true {
      position = wordRunEnd(in: input.window.span, from: position)
      if position < input.window.count { break }
      guard try refillWindow(keepingFrom: tokenStart) else { break }
    }
    let word = input.window.span.extracting(tokenStart..<position).extracting(first: 24).string
    switch word {
    case "true": return .true
    case "false": return .false
    case "null": return .null
    default:
      throw TextFormatError(
        "expected a value, found '\(word)'; text must be in double quotes", at: location())
    }
  }
}

extension UInt8 {
  /// Whether it may stand in a key without quotes.
  var isJSONNameByte: Bool { isNameByte || self == UInt8(ascii: "$") }
}

/// The end of what stands for itself in a text in single quotes.
private func singleQuotedRun(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isASCII: Bool) {
  var index = start
  var isASCII = true
  while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "'"),
    bytes[index] != UInt8(ascii: "\\")
  {
    if bytes[index] >= 0x80 { isASCII = false }
    index += 1
  }
  return (index, isASCII)
}

enum NumberShape {
  case integer, other
  case malformed(String)
}

/// Checks the grammar of a number, which is stricter than what most readers take.
func numberShape(_ text: Span<UInt8>) -> NumberShape {
  var index = text[0] == UInt8(ascii: "-") ? 1 : 0
  let wholeStart = index
  index = digitRunEnd(in: text, from: index)
  if index == wholeStart { return .malformed("a number must have a digit before anything else") }
  if index - wholeStart > 1 && text[wholeStart] == UInt8(ascii: "0") {
    return .malformed("a number must not begin with a superfluous 0")
  }
  if index == text.count { return .integer }
  if text[index] == UInt8(ascii: ".") {
    let fractionStart = index + 1
    index = digitRunEnd(in: text, from: fractionStart)
    if index == fractionStart { return .malformed("a digit must follow the point of a number") }
  }
  if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
    guard decimalExponent(text.extracting(droppingFirst: index + 1)) != nil else {
      return .malformed("digits must follow the 'e' of a number")
    }
    index = text.count
  }
  return index == text.count ? .other : .malformed("no number looks like this")
}

private func digitRunEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 { index += 1 }
  return index
}

/// The end of a run of bytes that can stand in a number.
func numberRunEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < bytes.count {
    switch bytes[index] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      index += 1
    default:
      return index
    }
  }
  return index
}

private func wordRunEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < bytes.count, bytes[index] | 0x20 >= UInt8(ascii: "a"),
    bytes[index] | 0x20 <= UInt8(ascii: "z")
  {
    index += 1
  }
  return index
}
