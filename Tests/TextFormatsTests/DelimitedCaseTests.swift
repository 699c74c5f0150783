// Texts of records, and what Python's csv module reads in them: fixtures/csv, which says how they were made.

import Foundation
import Testing
import TextFormats

@Suite("CSV beside another reader")
struct DelimitedCaseTests {
  private struct Case: Decodable {
    let bytes: String
    let delimiter: String
    let quote: String?
    /// Nil where the text ends inside quotes.
    let rows: [[String]]?
  }

  private static func cases() throws -> [Case] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "fixtures/csv/cases.jsonl"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      try JSONDecoder().decode(Case.self, from: Data(line.utf8))
    }
  }

  /// All rows, a blank line as one without cells; nil where the text ends inside quotes.
  private static func rows(_ bytes: [UInt8], _ format: DelimitedFormat, pieceSize: Int) throws -> [[String]]?
  {
    try withPipe(bytes, pieceSize: pieceSize) { descriptor in
      var rows: [[String]] = []
      do {
        var reader = try DelimitedReader(descriptor: descriptor, format: format)
        while try reader.nextRecord() {
          rows.append(reader.isBlankLine ? [] : (0..<reader.fieldCount).map { reader.field($0).string })
        }
        return rows
      } catch let error as TextFormatError where error.message == "the text ends inside a quoted field" {
        return nil
      }
    }
  }

  @Test("300 texts are read as Python's csv module reads them, whole and in pieces")
  func agreement() throws {
    let cases = try Self.cases()
    #expect(cases.count == 300)
    for (number, text) in cases.enumerated() {
      let bytes = Array(try #require(Data(base64Encoded: text.bytes)))
      var format = DelimitedFormat.csv
      format.separator = try #require(text.delimiter.utf8.first)
      format.quote = text.quote?.utf8.first
      for pieceSize in [1 << 16, 1 + number % 7] {
        let rows = try Self.rows(bytes, format, pieceSize: pieceSize)
        #expect(rows == text.rows, "line \(number + 1) of cases.jsonl, in pieces of \(pieceSize)")
      }
    }
  }
}
