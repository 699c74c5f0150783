// A strict JSON reader (RFC 8259) that hands out one token at a time, from bytes or from a descriptor.
// Layer: TextFormats, JSON. Memory does not grow with the text, only with its deepest nesting and longest string.
// Text is checked: UTF-8, surrogates, control characters. Numbers keep their own text, so that nothing is
// lost before somebody knows which type they shall have.

import ByteText

package enum JSONToken: Sendable {
  case beginObject, endObject, beginArray, endArray
  /// A key; the value's tokens follow. The text is in `text`.
  case key
  /// A string, with its text in `text`.
  case string
  /// A number without fraction and exponent that fits: in `integer`; as it was written, in `text`.
  case integer
  /// Any other number, as it was written, in `text`.
  case number
  case `true`, `false`, null
  /// The text is over.
  case end
}

/// Reads the tokens of JSON text.
package struct JSONReader: ~Copyable {
  /// What a text consists of.
  package enum Framing: Sendable {
    /// One value.
    case document
    /// Any number of values, each on a line of its own (JSON Lines); empty lines are passed over.
    case lines
    /// Any number of values, with blanks, line ends or commas between them.
    case values
  }

  enum Expectation {
    /// A value, or the end in a text of lines.
    case outermostValue
    case firstElementOrEnd
    case value
    case firstKeyOrEnd
    case colon
    case separatorOrEnd
    case lineEnd
    case nothing
  }

  var input: TextInput
  /// The next byte in the window.
  var position = 0
  /// The first byte of the present token; everything before it may slide out of the window.
  var tokenStart = 0
  /// The token's place, once its first byte may have left the window.
  var savedLocation: TextLocation?
  /// Where the present token's text stands in the window, unless it had to be unescaped.
  var textRange = 0..<0
  var isTextUnescaped = false
  var unescapedText = ByteBuffer(capacity: 64)
  /// The value of an integer token.
  package internal(set) var integer: Int64 = 0

  /// Whether keys without quotes and texts in single quotes are read too, and commas behind the last one, as JavaScript has them.
  package var isRelaxed = false

  /// How many bytes a string may have; a longer one is refused before all of it was read.
  package var textSizeMax = Int.max

  /// Where the text begins that is kept.
  private var mark: Int?
  /// How many bytes slid out of the window last.
  private(set) var droppedCount = 0

  let framing: Framing
  private let depthMax: Int
  var expectation = Expectation.outermostValue
  /// True for an object, false for an array, from the outside in.
  private(set) var openContainers: [Bool] = []

  /// Values stand at most 500 levels deep in each other, and a typed one opens two containers a level. Whoever reads what others
  /// wrote must not stop before it.
  package static let standardDepthMax = 1100

  /// Reads from a copy of `bytes`.
  package init(
    _ bytes: Span<UInt8>, framing: Framing = .document, depthMax: Int = JSONReader.standardDepthMax
  ) {
    self.init(TextInput(bytes), framing: framing, depthMax: depthMax)
  }

  /// Reads a text from its beginning.
  package init(
    _ input: consuming TextInput, framing: Framing, depthMax: Int = JSONReader.standardDepthMax
  ) {
    self.input = input
    self.framing = framing
    self.depthMax = depthMax
  }

  /// Reads from an open descriptor, which stays open.
  package init(
    descriptor: Int32, framing: Framing, depthMax: Int = JSONReader.standardDepthMax
  ) throws(TextFormatError) {
    self.init(try TextInput(descriptor: descriptor), framing: framing, depthMax: depthMax)
  }

  /// How many objects and arrays are open around the next token.
  package var depth: Int { openContainers.count }

  /// The text of the present key, string or number; valid until the next token.
  package var text: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      isTextUnescaped ? unescapedText.span : input.window.span.extracting(textRange)
    }
  }

  /// Where the present token begins. Cost: counts the characters since the last place asked for.
  package mutating func location() -> TextLocation {
    savedLocation ?? input.location(at: tokenStart)
  }

  /// The next token. Throws when the text is not JSON, or cannot be read.
  package mutating func next() throws(TextFormatError) -> JSONToken {
    var byte = try nextByte()
    if expectation == .colon {
      guard byte == UInt8(ascii: ":") else { throw unexpected(byte, wanted: "':' after the key") }
      position += 1
      expectation = .value
      byte = try nextByte()
    } else if expectation == .separatorOrEnd, let isObject = openContainers.last {
      if byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return closeContainer() }
      guard byte == UInt8(ascii: ",") else {
        throw unexpected(byte, wanted: isObject ? "',' or '}'" : "',' or ']'")
      }
      position += 1
      byte = try nextByte()
      if isRelaxed, byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) { return closeContainer() }
      if isObject { return try readKey(byte, wanted: "another key after ','") }
      guard byte != UInt8(ascii: "]") else { throw unexpected(byte, wanted: "another value after ','") }
      expectation = .value
    }
    switch expectation {
    case .firstKeyOrEnd:
      if byte == UInt8(ascii: "}") { return closeContainer() }
      return try readKey(byte, wanted: "a key or '}'")
    case .firstElementOrEnd:
      if byte == UInt8(ascii: "]") { return closeContainer() }
      return try readValue(byte, wanted: "a value or ']'")
    case .value:
      return try readValue(byte, wanted: "a value")
    case .outermostValue, .lineEnd:
      if byte == nil && framing != .document { return .end }
      while framing == .values, byte == UInt8(ascii: ",") {
        position += 1
        byte = try nextByte()
        if byte == nil { return .end }
      }
      return try readValue(byte, wanted: "a value")
    case .nothing:
      guard byte == nil else { throw unexpected(byte, wanted: "nothing more") }
      return .end
    case .colon, .separatorOrEnd:
      preconditionFailure("handled above")
    }
  }

  /// Passes over the rest of the value whose first token is `token`.
  package mutating func skipRest(of token: JSONToken) throws(TextFormatError) {
    guard token == .beginObject || token == .beginArray else { return }
    let outside = depth - 1
    while depth > outside { _ = try next() }
  }

  private mutating func readKey(_ byte: UInt8?, wanted: String) throws(TextFormatError) -> JSONToken {
    if byte == UInt8(ascii: "\"") || isRelaxed && byte == UInt8(ascii: "'") {
      try readString()
    } else if isRelaxed, byte?.isJSONNameByte ?? false {
      try readName()
    } else {
      throw unexpected(byte, wanted: isRelaxed ? wanted : "\(wanted), in double quotes")
    }
    expectation = .colon
    return .key
  }

  private mutating func readValue(_ byte: UInt8?, wanted: String) throws(TextFormatError) -> JSONToken {
    guard let byte else { throw unexpected(nil, wanted: wanted) }
    switch byte {
    case UInt8(ascii: "{"):
      try openContainer(isObject: true)
      return .beginObject
    case UInt8(ascii: "["):
      try openContainer(isObject: false)
      return .beginArray
    case UInt8(ascii: "\""),
      UInt8(ascii: "'") where isRelaxed:
      try readString()
      finishValue()
      return .string
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      let isInteger = try readNumber()
      finishValue()
      return isInteger ? .integer : .number
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      let token = try readWord()
      finishValue()
      return token
    default:
      throw unexpected(byte, wanted: wanted)
    }
  }

  private mutating func openContainer(isObject: Bool) throws(TextFormatError) {
    if openContainers.count == depthMax {
      throw TextFormatError("nested more than \(depthMax) deep", at: location())
    }
    position += 1
    openContainers.append(isObject)
    expectation = isObject ? .firstKeyOrEnd : .firstElementOrEnd
  }

  private mutating func closeContainer() -> JSONToken {
    position += 1
    let isObject = openContainers.removeLast()
    finishValue()
    return isObject ? .endObject : .endArray
  }

  private mutating func finishValue() {
    if openContainers.isEmpty {
      expectation =
        switch framing {
        case .document: .nothing
        case .lines: .lineEnd
        case .values: .outermostValue
        }
    } else {
      expectation = .separatorOrEnd
    }
  }

  /// Passes over blanks and line ends, and gives the byte that begins the next token; nil at the end.
  mutating func nextByte() throws(TextFormatError) -> UInt8? {
    savedLocation = nil
    var mustEndLine = expectation == .lineEnd
    while true {
      position = blankRunEnd(in: input.window.span, from: position)
      if position == input.window.count {
        guard try refillWindow(keepingFrom: position) else {
          tokenStart = position
          return nil
        }
        continue
      }
      tokenStart = position
      let byte = input.window[position]
      if byte != UInt8(ascii: "\n") {
        if mustEndLine { throw unexpected(byte, wanted: "the end of the line") }
        return byte
      }
      if framing == .lines && !openContainers.isEmpty {
        throw TextFormatError("the value must end on the line where it begins", at: location())
      }
      mustEndLine = false
      input.passLineEnd(at: position)
      position += 1
    }
  }

  /// Reads more and slides the window so that `index`, or what is kept before it, is its first byte; false at the end of the text.
  mutating func refillWindow(keepingFrom index: Int) throws(TextFormatError) -> Bool {
    let kept = min(index, mark ?? index)
    guard try input.refill(keepingFrom: kept) else { return false }
    droppedCount = kept
    position -= kept
    tokenStart = max(0, tokenStart - kept)
    if mark != nil { mark = 0 }
    return true
  }

  /// Keeps the text from the present token on, until `endRecording`.
  package mutating func beginRecording() { mark = tokenStart }

  package mutating func endRecording() { mark = nil }

  package var isRecording: Bool { mark != nil }

  /// The text since `beginRecording`.
  package var recorded: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { input.window.span.extracting((mark ?? position)..<position) }
  }

  /// Bytes that were read from the descriptor.
  package var readCount: Int { input.readCount }

  /// Goes to the end of the present line, in a text of lines, whatever stands there.
  package mutating func skipLine() throws(TextFormatError) {
    openContainers = []
    expectation = .outermostValue
    savedLocation = nil
    while true {
      if let end = input.window.span.firstIndex(of: UInt8(ascii: "\n"), from: position) {
        position = end
        break
      }
      position = input.window.count
      guard try refillWindow(keepingFrom: position) else { break }
    }
    tokenStart = position
  }

  mutating func unexpected(_ byte: UInt8?, wanted: String) -> TextFormatError {
    guard let byte else {
      return TextFormatError("expected \(wanted), but the text ends", at: location())
    }
    var hint = ""
    switch byte {
    case UInt8(ascii: "'"): hint = "; JSON text must be in double quotes"
    case UInt8(ascii: "/"), UInt8(ascii: "#"): hint = "; JSON has no comments"
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if wanted.holds("after ','") { hint = "; JSON has no comma after the last one" }
    default: break
    }
    return TextFormatError("expected \(wanted), found \(described(byte))\(hint)", at: location())
  }

  private func described(_ byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
    case 0x80...: "a character outside ASCII"
    default: "a control character (\(byte))"
    }
  }
}

/// The end of a run of blanks, in which a line end is not counted.
private func blankRunEnd(in bytes: Span<UInt8>, from start: Int) -> Int {
  var index = start
  while index < bytes.count,
    bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t")
      || bytes[index] == UInt8(ascii: "\r")
  {
    index &+= 1
  }
  return index
}
