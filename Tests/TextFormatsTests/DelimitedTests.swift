import ByteText
import TestSupport
import Testing
import TextFormats

/// All records; a null field is nil.
private func records(_ reader: consuming DelimitedReader) throws -> [[String?]] {
  var all: [[String?]] = []
  do throws(TextFormatError) {
    while try reader.nextRecord() {
      all.append(
        (0..<reader.fieldCount).map { index in
          let text = reader.field(index).string
          return reader.isNull(index) ? nil : text
        })
    }
  } catch {
    throw Complaint(error)
  }
  return all
}

private func csv(_ text: String) throws -> [[String?]] {
  try records(DelimitedReader(Array(text.utf8).span, format: .csv))
}

private func tsv(_ text: String) throws -> [[String?]] {
  try records(DelimitedReader(Array(text.utf8).span, format: .tsv))
}

private func complaint(_ read: () throws -> [[String?]]) -> String? {
  do {
    _ = try read()
    return nil
  } catch {
    return (error as? Complaint).map { "\($0.line):\($0.column) \($0.message)" }
  }
}

private func csvField(_ bytes: [UInt8]) -> (text: String, isValid: Bool) {
  var buffer = ByteBuffer()
  let isValid = buffer.append(csvField: bytes.span)
  return (buffer.text, isValid)
}

private func csvField(_ text: String) -> (text: String, isValid: Bool) { csvField(Array(text.utf8)) }

private func tsvField(_ bytes: [UInt8]) -> (text: String, isValid: Bool) {
  var buffer = ByteBuffer()
  let isValid = buffer.append(tsvField: bytes.span)
  return (buffer.text, isValid)
}

private func tsvField(_ text: String) -> (text: String, isValid: Bool) { tsvField(Array(text.utf8)) }

@Suite("CSV and TSV")
struct DelimitedTests {
  @Test("fields may be quoted; nothing is null and two quotes are empty")
  func csvFields() throws {
    #expect(try csv("a,b\r\n\"x,\"\"y\"\"\n\",\"\"\n,z\n") == [["a", "b"], ["x,\"y\"\n", ""], [nil, "z"]])
    #expect(try csv("a") == [["a"]])
    #expect(try csv("a\n") == [["a"]])
    #expect(try csv("") == [])
    #expect(try csv("\n\"\"\n") == [[nil], [""]])
    #expect(try csv(",") == [[nil, nil]])
    #expect(try csv(",\n") == [[nil, nil]])
    #expect(try csv("\u{FEFF}a,b\n") == [["a", "b"]])
    #expect(try csv("\"a\"") == [["a"]])
    #expect(try csv(" a , b \n") == [[" a ", " b "]])
    var format = DelimitedFormat.csv
    format.separator = UInt8(ascii: ";")
    let semicolons = DelimitedReader(Array("a;b,c".utf8).span, format: format)
    #expect(try records(semicolons) == [["a", "b,c"]])
  }

  @Test("what stands beside quotes, and lone carriage returns, are read as most programs do")
  func looseCSV() throws {
    #expect(try csv("a,b\"c\n") == [["a", "b\"c"]])
    #expect(try csv("a\n\"b\"c\n") == [["a"], ["bc"]])
    #expect(try csv("\"a\"\"b\"\"\"c\"") == [["a\"b\"c\""]])
    #expect(try csv("a\rb\r\nc\n\rd") == [["a"], ["b"], ["c"], [nil], ["d"]])
  }

  @Test("malformed CSV is refused with its place")
  func malformedCSV() {
    let cases = [
      ("æ,\"b\n\nc", "1:3 the text ends inside a quoted field"),
      ("\"", "1:1 the text ends inside a quoted field"),
    ]
    for (text, expected) in cases { #expect(complaint { try csv(text) } == expected, "\(text)") }
    let invalid = complaint {
      try records(
        DelimitedReader([0x61, 0x2C, 0x62, 0xFF].span, format: .csv))
    }
    #expect(invalid == "1:4 the text is not UTF-8: byte 255 at offset 3")
  }

  @Test("TSV has escapes instead of quotes")
  func tsvFields() throws {
    #expect(try tsv("a\\tb\t\\N\t\t\\\\N\n\"q\"\\n\\r\n") == [["a\tb", nil, "", "\\N"], ["\"q\"\n\r"]])
    #expect(
      complaint { try tsv("a\\x") } == "1:3 after a backslash must come t, n, r, N or another backslash")
    #expect(complaint { try tsv("a\\") } == "1:3 after a backslash must come t, n, r, N or another backslash")
    #expect(complaint { try tsv("\\Nx") } == "1:2 '\\N' must be the whole field")
    #expect(
      complaint { try tsv("a\\N") } == "1:3 after a backslash must come t, n, r, N or another backslash")
  }

  @Test("a record full of faults is told of by the first one, in time that its size asks for")
  func manyFaults() {
    let bytes = (0..<60_000).flatMap { _ in [0xFF, 0x2C] as [UInt8] }
    let invalid = complaint { try records(DelimitedReader(bytes.span, format: .csv)) }
    #expect(invalid == "1:1 the text is not UTF-8: byte 255 at offset 0")
    let escapes = complaint { try tsv(String(repeating: "\\a", count: 60_000)) }
    #expect(escapes == "1:2 after a backslash must come t, n, r, N or another backslash")
    // A look at all that came before, at each fault, takes minutes.
  }

  @Test("so many fields are read and no more; where their number is known, the others are counted")
  func manyFields() throws {
    let commas = String(repeating: ",", count: 70_000)
    #expect(complaint { try csv(commas) } == "1:65537 a record can have at most 65536 cells")
    var reader = DelimitedReader(Array("a,b\n1,2\(commas)\nc,d\n".utf8).span, format: .csv)
    reader.columnCount = 2
    var counts: [Int] = []
    while try reader.nextRecord() {
      counts.append(reader.fieldCount)
      guard reader.fieldCount > 2 else { continue }
      let place = reader.place(2)
      #expect(place.line == 2 && place.column == 5)
      let text = reader.field(1).string
      #expect(text == "2")
    }
    #expect(counts == [2, 70_002, 2])
  }

  @Test("every field says where it begins")
  func places() throws {
    var reader = DelimitedReader(
      Array("æ,b\n\"x\ny\",\"z\"".utf8).span, format: .csv)
    var places: [String] = []
    while try reader.nextRecord() {
      for index in 0..<reader.fieldCount {
        let place = reader.place(index)
        places.append("\(place.line):\(place.column)")
      }
    }
    #expect(places == ["1:1", "1:3", "2:1", "3:4"])
  }

  @Test("random tables survive writing and reading, whole and in pieces")
  func roundTrip() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for round in 0..<300 {
      let width = Int.random(in: 1...4, using: &random)
      let table: [[String?]] = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (0..<width).map { _ in random.next() % 5 == 0 ? nil : randomText(&random) }
      }
      let csvText = table.map { row in row.map { $0.map { csvField($0).text } ?? "" }.joined(separator: ",") }
        .map { $0 + (round % 2 == 0 ? "\n" : "\r\n") }.joined()
      #expect(try csv(csvText) == table, "seed \(seed)")
      let tsvText = table.map { row in
        row.map { $0.map { tsvField($0).text } ?? "\\N" }.joined(separator: "\t")
      }
      .map { $0 + "\n" }.joined()
      // A byte order mark at the very beginning is passed over, and TSV has no quotes to protect it.
      if !tsvText.utf8.starts(with: "\u{FEFF}".utf8) { #expect(try tsv(tsvText) == table, "seed \(seed)") }
      if round % 10 == 0 {
        let size = Int.random(in: 1...9, using: &random)
        let inPieces = try withPipe(Array(csvText.utf8), pieceSize: size) { descriptor in
          try records(
            try DelimitedReader(descriptor: descriptor, format: .csv))
        }
        #expect(inPieces == table, "seed \(seed)")
      }
    }
  }

  @Test(
    "a field that is too large is refused where it begins, before all of it was read",
    arguments: [
      ("a,b\n1,\"", "x", DelimitedFormat.csv), ("a,b\n1,\"", "\"\"", .csv), ("a,b\n1,", "x", .csv),
      ("a\tb\n1\t", "x", .tsv), ("a\tb\n1\t", "\\n", .tsv),
    ])
  func limits(_ start: String, _ content: String, _ format: DelimitedFormat) throws {
    let text = Array((start + String(repeating: content, count: 4_000_000)).utf8)
    try withPipe(text, pieceSize: 50_000) { descriptor in
      var reader = try DelimitedReader(descriptor: descriptor, format: format)
      reader.limits = [nil, .init(sizeMax: 1_000_000, refusal: "b is short")]
      _ = try reader.nextRecord()
      do {
        _ = try reader.nextRecord()
        Issue.record("the field was read")
      } catch let error as TextFormatError {
        #expect(error.location.line == 2 && error.location.column == 3)
        #expect(error.message.hasPrefix("b is short, not \"") && error.message.hasSuffix("…\""))
        let isPast = reader.isPastFault
        #expect(!isPast)
      }
      let readCount = reader.readCount
      #expect(readCount < text.count * 3 / 4)
    }
  }

  @Test("a record whose field is too large is kept as it came where it is to be shown")
  func keptLargeRecords() throws {
    let large = "1,\"\(String(repeating: "y", count: 1000))\",\"é\""
    var reader = DelimitedReader(Array("\(large)\n2,ok,z\n".utf8).span, format: .csv)
    reader.limits = [nil, .init(sizeMax: 100, refusal: "b is short"), nil]
    reader.keepsLargeRecords = true
    var isRefused = false
    do { _ = try reader.nextRecord() } catch { isRefused = reader.isPastFault }
    #expect(isRefused)
    let source = reader.source.string
    #expect(source == large)
    let isNext = try reader.nextRecord()
    #expect(isNext)
    let next = reader.field(1).string
    #expect(next == "ok")
  }

  @Test("a field that is not UTF-8 is written with U+FFFD, and the caller is told")
  func invalidText() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x2C, 0x09, 0x62]
    #expect(csvField(bytes) == ("\"a\u{FFFD},\tb\"", false))
    #expect(tsvField(bytes) == ("a\u{FFFD},\\tb", false))
    #expect(csvField("\u{FEFF}a") == ("\"\u{FEFF}a\"", true))
    #expect(csvField("a\tæ") == ("a\tæ", true))
  }

  @Test("random bytes never trap")
  func randomBytes() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let alphabet: [UInt8] = [0x22, 0x2C, 0x0A, 0x0D, 0x61, 0x5C, 0x4E, 0x09, 0xC3, 0xA6, 0xEF, 0xBB, 0xBF]
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      _ = try? records(DelimitedReader(bytes.span, format: .csv))
      _ = try? records(DelimitedReader(bytes.span, format: .tsv))
    }
  }
}
