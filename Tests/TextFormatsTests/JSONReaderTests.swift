import ByteText
import Foundation
import TestSupport
import Testing
import TextFormats

/// All tokens with their texts, as one line each.
private func tokens(_ reader: consuming JSONReader) -> Result<[String], Complaint> {
  var lines: [String] = []
  do throws(TextFormatError) {
    while true {
      let token = try reader.next()
      switch token {
      case .end: return .success(lines)
      case .key, .string, .number: lines.append("\(token) \(reader.text.string)")
      case .integer: lines.append("\(token) \(reader.text.string) \(reader.integer)")
      default: lines.append("\(token)")
      }
    }
  } catch {
    return .failure(Complaint(error))
  }
}

private func tokens(_ text: String, framing: JSONReader.Framing = .document) -> Result<[String], Complaint> {
  tokens(JSONReader(Array(text.utf8).span, framing: framing))
}

private func complaint(_ bytes: [UInt8], framing: JSONReader.Framing = .document) -> String? {
  if case .failure(let complaint) = tokens(JSONReader(bytes.span, framing: framing)) {
    "\(complaint.line):\(complaint.column) \(complaint.message)"
  } else {
    nil
  }
}

private func complaint(_ text: String, framing: JSONReader.Framing = .document) -> String? {
  complaint(Array(text.utf8), framing: framing)
}

@Suite("JSONReader")
struct JSONReaderTests {
  @Test("every kind of token comes with its text")
  func allTokens() throws {
    let text = #" {"a" : [1, -2.5e+3, "x\n\"é😀\u00e9\uD83D\uDE00", true, false, null, {}, []], "":-0} "#
    #expect(
      try tokens(text).get() == [
        "beginObject", "key a", "beginArray", "integer 1 1", "number -2.5e+3", "string x\n\"é😀é😀", "true",
        "false", "null", "beginObject", "endObject", "beginArray", "endArray", "endArray", "key ",
        "integer -0 0", "endObject",
      ])
  }

  @Test("integers are exact to the last bit, and what does not fit keeps its digits")
  func integers() throws {
    #expect(
      try tokens("[9223372036854775807,-9223372036854775808,9223372036854775808,1.0,1e2]").get() == [
        "beginArray", "integer 9223372036854775807 9223372036854775807",
        "integer -9223372036854775808 -9223372036854775808", "number 9223372036854775808", "number 1.0",
        "number 1e2", "endArray",
      ])
  }

  @Test("malformed text is refused with its place and the reason")
  func malformedText() {
    let cases: [(String, String)] = [
      ("", "1:1 expected a value, but the text ends"),
      ("  \n ", "2:2 expected a value, but the text ends"),
      (
        "[1,\n 2,\n]", "3:1 expected another value after ',', found ']'; JSON has no comma after the last one"
      ),
      (
        "{\"a\":1,}",
        "1:8 expected another key after ',', in double quotes, found '}'; JSON has no comma after the last one"
      ),
      ("{\"a\" 1}", "1:6 expected ':' after the key, found '1'"),
      ("{a:1}", "1:2 expected a key or '}', in double quotes, found 'a'"),
      (
        "{'a':1}",
        "1:2 expected a key or '}', in double quotes, found '''; JSON text must be in double quotes"
      ),
      ("[1 2]", "1:4 expected ',' or ']', found '2'"),
      ("{\"a\":1 \"b\":2}", "1:8 expected ',' or '}', found '\"'"),
      ("[1]]", "1:4 expected nothing more, found ']'"),
      ("1 2", "1:3 expected nothing more, found '2'"),
      ("[", "1:2 expected a value or ']', but the text ends"),
      ("{\"a\":", "1:6 expected a value, but the text ends"),
      ("{\"a\"", "1:5 expected ':' after the key, but the text ends"),
      ("[// no\n]", "1:2 expected a value or ']', found '/'; JSON has no comments"),
      ("nul", "1:1 expected a value, found 'nul'; text must be in double quotes"),
      ("NaN", "1:1 expected a value, found 'NaN'; text must be in double quotes"),
      ("truex", "1:1 expected a value, found 'truex'; text must be in double quotes"),
      ("01", "1:1 a number must not begin with a superfluous 0"),
      ("-", "1:1 a number must have a digit before anything else"),
      ("-.5", "1:1 a number must have a digit before anything else"),
      ("1.", "1:1 a digit must follow the point of a number"),
      ("1.e5", "1:1 a digit must follow the point of a number"),
      ("1e", "1:1 digits must follow the 'e' of a number"),
      ("1e+", "1:1 digits must follow the 'e' of a number"),
      ("1-2", "1:1 no number looks like this"),
      ("+1", "1:1 expected a value, found '+'"),
      ("\"abc", "1:1 the text ends inside a string"),
      ("\"a\\n", "1:1 the text ends inside a string"),
      ("\"abc\\", "1:1 the text ends inside a string"),
      ("\"a\nb\"", "1:3 a control character (10) in a string must be written as an escape"),
      ("\"æ\u{1}\"", "1:3 a control character (1) in a string must be written as an escape"),
      ("\"a\\x\"", "1:3 no such escape in a string"),
      ("\"a\\u12g4\"", "1:3 '\\u' must be followed by four hexadecimal digits"),
      ("\"\\uD83D\"", "1:2 half of a surrogate pair is missing"),
      ("\"\\uD83D\\u0041\"", "1:2 half of a surrogate pair is missing"),
      ("\"\\uDE00\"", "1:2 half of a surrogate pair is missing"),
      ("[\u{00A0}1]", "1:2 expected a value or ']', found a character outside ASCII"),
      ("[\u{0}]", "1:2 expected a value or ']', found a control character (0)"),
    ]
    for (text, expected) in cases { #expect(complaint(text) == expected, "\(text)") }
    #expect(complaint([0x22, 0x61, 0xC3, 0x28, 0x22]) == "1:3 the string is not valid UTF-8")
    #expect(complaint([0x22, 0xED, 0xA0, 0x80, 0x22]) == "1:2 the string is not valid UTF-8")
    #expect(complaint([0x22, 0x5C, 0x6E, 0x80, 0x22]) == "1:4 the string is not valid UTF-8")
  }

  @Test("nesting has a limit, and deep text within it needs no stack")
  func nesting() throws {
    let deep = String(repeating: "[", count: 1100) + String(repeating: "]", count: 1100)
    #expect(try tokens(deep).get().count == 2200)
    #expect(complaint("[" + deep + "]") == "1:1101 nested more than 1100 deep")
    let unlimited = String(repeating: "[", count: 1_000_000)
    #expect(complaint(unlimited) == "1:1101 nested more than 1100 deep")
  }

  @Test("lines hold one value each; empty lines count but mean nothing")
  func lines() throws {
    #expect(
      try tokens("{\"a\":1}\r\n\n  \n[2]\n\"x\"", framing: .lines).get() == [
        "beginObject", "key a", "integer 1 1", "endObject", "beginArray", "integer 2 2", "endArray",
        "string x",
      ])
    #expect(try tokens("", framing: .lines).get() == [])
    #expect(try tokens("\n\n", framing: .lines).get() == [])
    #expect(complaint("1\n2 3\n", framing: .lines) == "2:3 expected the end of the line, found '3'")
    #expect(
      complaint("1\n\n[2,\n3]\n", framing: .lines) == "3:4 the value must end on the line where it begins")
    #expect(complaint("{\"a\":1}{}", framing: .lines) == "1:8 expected the end of the line, found '{'")
    #expect(complaint("[1", framing: .lines) == "1:3 expected ',' or ']', but the text ends")
  }

  @Test("a byte order mark is passed over")
  func byteOrderMark() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("[1,x]".utf8)
    #expect(complaint(bytes) == "1:4 expected a value, found 'x'; text must be in double quotes")
    try withPipe(bytes, pieceSize: 1) { descriptor in
      let result = tokens(try JSONReader(descriptor: descriptor, framing: .document))
      #expect(throws: Complaint.self) { try result.get() }
    }
  }

  @Test("places count characters, in lines, through strings with escapes")
  func places() throws {
    var reader = JSONReader(Array("{\n \"æø\": \"x\\ny\",\n\t\"b\": 12 }".utf8).span)
    var seen: [String] = []
    var token = try reader.next()
    while token != .end {
      let place = reader.location()
      seen.append("\(token) \(place.line):\(place.column)@\(place.offset)")
      token = try reader.next()
    }
    #expect(
      seen == [
        "beginObject 1:1@0", "key 2:2@3", "string 2:8@11", "key 3:2@20", "integer 3:7@25",
        "endObject 3:10@28",
      ])
  }

  @Test("a text that arrives in pieces of any size reads the same")
  func pieces() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<20 {
      var text = ""
      for _ in 0..<30 {
        let value = randomDocument(&random, depth: 3)
        text += written { $0.append(json: value, indentation: nil) } + "\n"
      }
      let expected = try tokens(text, framing: .lines).get()
      let size = Int.random(in: 1...40, using: &random)
      let got = try withPipe(Array(text.utf8), pieceSize: size) { descriptor in
        try tokens(try JSONReader(descriptor: descriptor, framing: .lines)).get()
      }
      #expect(got == expected, "seed \(seed)")
    }
  }

  @Test("places stay right when the window has slid")
  func placesInLongText() throws {
    // A string larger than one read, with characters of two bytes, and lines before and after it.
    let long = String(repeating: "æ", count: 400_000)
    let text = "[\n\"\(long)\", \"\\t\(long)\",\n 7, x]"
    let result = try withPipe(Array(text.utf8), pieceSize: 50_000) { descriptor in
      tokens(try JSONReader(descriptor: descriptor, framing: .document))
    }
    guard case .failure(let complaint) = result else {
      Issue.record("not refused")
      return
    }
    #expect(complaint.line == 3 && complaint.column == 5)
    #expect(complaint.offset == text.utf8.count - 2)
  }

  @Test("the rest of a value can be passed over")
  func skipping() throws {
    var reader = JSONReader(Array("[{\"a\":[1,{\"b\":2}]}, 5]".utf8).span)
    _ = try reader.next()
    try reader.skipRest(of: try reader.next())
    let token = try reader.next()
    #expect(token == .integer)
    let integer = reader.integer
    #expect(integer == 5)
    try reader.skipRest(of: token)
    let end = try reader.next()
    #expect(end == .endArray)
  }

  @Test("random bytes never trap, and what is accepted Foundation accepts too")
  func randomBytes() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let alphabet = Array("{}[]:,\"\\u0123456789eE+-.truefalsn \n\u{E6}".utf8) + [0xFF, 0x00, 0xC3]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...14, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      guard case .success(let lines) = tokens(JSONReader(bytes.span)) else { continue }
      let accepted = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      // Foundation refuses numbers that no double holds; they may still be decimals.
      let isHuge = lines.contains { $0.hasPrefix("number ") && Double($0.dropFirst(7))?.isFinite != true }
      #expect(accepted || isHuge, "\(String(decoding: bytes, as: UTF8.self)), seed \(seed)")
    }
  }

  @Test("lines that are passed over whole count like those read by tokens")
  func wholeLines() throws {
    let text = "{\"a\":1}\n\n{\"a\":22}\n[3\n"
    var reader = JSONReader(Array(text.utf8).span, framing: .lines)
    var begins = [try reader.beginLine()]
    #expect(reader.bytesAhead.string == text)
    reader.passLines(8, count: 1)
    begins.append(try reader.beginLine())
    #expect(reader.bytesAhead.string == "{\"a\":22}\n[3\n")
    // What is looked at may still be read by tokens.
    let first = try reader.next()
    let place = reader.location()
    #expect(first == .beginObject && place == TextLocation(line: 3, column: 1, offset: 9))
    try reader.skipRest(of: first)
    let second = try reader.next()
    let next = reader.location()
    #expect(second == .beginArray && next == TextLocation(line: 4, column: 1, offset: 18))
    var end = JSONReader(Array("1\n2\n3\n \n".utf8).span, framing: .lines)
    begins.append(try end.beginLine())
    end.passLines(6, count: 3)
    begins.append(try end.beginLine())
    #expect(begins == [true, true, true, false])
    let last = try end.next()
    let behind = end.location()
    #expect(last == .end && behind == TextLocation(line: 5, column: 1, offset: 8))
  }

  @Test("lines ahead come in pieces of whole lines, and keep their place while the reader goes on")
  func batch() throws {
    let text = "0\n1\n22\n333\n\n4\n5\n6\n7"
    var reader = JSONReader(Array(text.utf8).span, framing: .lines)
    _ = try reader.next()
    let begins = try reader.beginLine()
    let batch = try reader.linesAhead(inPiecesOf: 2, sizeMax: 100, piecesMax: .max)
    let pieces = batch.pieces.map { batch.bytes.span.extracting($0).string }
    #expect(begins && pieces == ["1\n22\n", "333\n\n", "4\n5\n"])
    let isBefore = reader.isBefore(batch.pieces[0].upperBound, of: batch)
    reader.passLines(5, count: 2)
    let isAt = reader.isAt(batch.pieces[1].lowerBound, of: batch)
    #expect(isBefore && isAt)
    let token = try reader.next()
    #expect(token == .integer && reader.integer == 333)
    let stillBefore = reader.isBefore(batch.pieces[1].upperBound, of: batch)
    _ = try reader.beginLine()
    let isNext = reader.isAt(batch.pieces[2].lowerBound, of: batch)
    #expect(stillBefore && isNext)
    // No more than is asked for.
    let few = try reader.linesAhead(inPiecesOf: 1, sizeMax: 3, piecesMax: .max)
    #expect(few.pieces.count == 2)
  }

  /// What a step of a scanner gives, how far it goes, and whether the bytes were too few.
  private static func scan<Result>(
    _ text: String, _ step: (inout JSONLineScanner, Span<UInt8>) -> Result
  ) -> (result: Result, position: Int, isCut: Bool) {
    var scanner = JSONLineScanner()
    let bytes = Array(text.utf8)
    let result = step(&scanner, bytes.span)
    return (result, scanner.position, scanner.isCut)
  }

  @Test(
    "a scanner takes the integers that the reader would, but the longest",
    arguments: [
      ("12,", 12), ("-5}", -5), ("0,", 0), ("-0,", 0), ("123456789012345678,", 123_456_789_012_345_678),
      ("05,", nil), ("-,", nil), ("x", nil), ("1234567890123456789,", nil),
    ] as [(String, Int64?)])
  func scannedIntegers(_ text: String, _ value: Int64?) {
    let found = Self.scan(text) { scanner, bytes in scanner.integer(in: bytes) }
    #expect(found.result == value && !found.isCut)
    #expect(found.position == (value == nil ? 0 : text.utf8.count - 1))
    let cut = Self.scan("12") { scanner, bytes in scanner.integer(in: bytes) }
    #expect(cut.result == nil && cut.isCut && cut.position == 0)
  }

  @Test(
    "a scanner takes the numbers that a double holds",
    arguments: [
      ("-1.5e2]", -150), ("7,", 7), ("01.5,", nil), ("1e999,", nil), ("1.,", nil), ("],", nil),
    ] as [(String, Double?)])
  func scannedNumbers(_ text: String, _ value: Double?) {
    let found = Self.scan(text) { scanner, bytes in scanner.double(in: bytes) }
    #expect(found.result == value && !found.isCut)
    let cut = Self.scan("1.5") { scanner, bytes in scanner.double(in: bytes) }
    #expect(cut.result == nil && cut.isCut)
  }

  @Test(
    "a scanner takes texts without escapes, and tells where bytes end too soon",
    arguments: [
      ("\",", 0, false), ("è 中\",", 6, false), ("a\\n\"", nil, false), ("a\u{7}\"", nil, false),
      ("abc", nil, true),
    ] as [(String, Int?, Bool)])
  func scannedTexts(_ text: String, _ size: Int?, _ isCut: Bool) {
    let found = Self.scan(text) { scanner, bytes in scanner.text(in: bytes) }
    #expect(found.result?.count == size && found.isCut == isCut)
    #expect(found.position == size.map { $0 + 1 } ?? 0)
    var scanner = JSONLineScanner()
    let invalid: [UInt8] = [0xFF, UInt8(ascii: "\"")]
    let refused = scanner.text(in: invalid.span)
    #expect(refused == nil && !scanner.isCut)
  }

  @Test(
    "a text that is too long is refused where it begins, before all of it was read", arguments: ["x", "\\n"])
  func limits(_ content: String) throws {
    let text = Array(("{\"a\":1,\n \"b\":\"" + String(repeating: content, count: 4_000_000)).utf8)
    try withPipe(text, pieceSize: 50_000) { descriptor in
      var reader = try JSONReader(descriptor: descriptor, framing: .document)
      reader.textSizeMax = 1_000_000
      for _ in 0..<4 { _ = try reader.next() }
      do {
        _ = try reader.next()
        Issue.record("the text was read")
      } catch let error as TextFormatError {
        #expect(error.location.line == 2 && error.location.column == 6)
        #expect(error.message == "this text has more than 1000000 bytes, which nothing can hold")
      }
      let readCount = reader.readCount
      #expect(readCount < text.count * 3 / 4)
    }
  }
}
