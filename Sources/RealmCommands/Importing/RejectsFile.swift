// Rows that an import refused, as they came, with the reason behind each. Layer: RealmCommands, Importing.
// A record gets one more cell; an object in JSON stands in another that holds the reason.

import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

/// Hears of bad rows and of progress.
final class ImportAudience: ImportListener {
  private var out: OutputBuffer?
  private let progress: ImportProgress
  private let countMax: Int?
  private var count = 0
  private var hasHeader = false
  /// Nil: the rows are objects.
  private var separator: UInt8?

  init(_ file: OutputFile?, name: String, countMax: Int?, _ progress: ImportProgress) {
    out = file.map { file in
      OutputBuffer { bytes throws(EngineError) in
        try StandardStreams.write(bytes, to: file.handle.descriptor, named: name)
      }
    }
    self.countMax = countMax
    self.progress = progress
  }

  func begin(columns: Span<UInt8>, separator: UInt8) {
    self.separator = separator
    guard !hasHeader, out != nil, !columns.isEmpty else { return }
    hasHeader = true
    out?.text.append(columns)
    out?.text.append(separator)
    out?.text.append(text: ImportOptions.reasonColumn + "\n")
  }

  func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws {
    count += 1
    if let countMax, count > countMax {
      throw ImportFault(
        "more rows are bad than --rejects-max allows (\(countMax)); the last one: \(fault.message)",
        at: fault.location, hint: "nothing was imported")
    }
    guard out != nil else { return }
    let end = row.count > 0 && row[row.count - 1] == UInt8(ascii: "\r") ? row.count - 1 : row.count
    let reason = (fault.location.map { "\($0.line):\($0.column) " } ?? "") + fault.message
    if let separator {
      out?.text.append(row.extracting(0..<end))
      out?.text.append(separator)
      _ = out?.text.append(csvField: reason.utf8.span, separator: separator)
      out?.text.append(UInt8(ascii: "\n"))
    } else {
      out?.text.append(literal: "{\"reason\":")
      out?.text.append(jsonString: reason)
      out?.text.append(literal: ",\"row\":")
      appendRow(row.extracting(0..<end))
      out?.text.append(literal: "}\n")
    }
    try out?.flushIfLarge()
  }

  /// The row itself, where it is JSON on one line; else its text.
  private func appendRow(_ row: Span<UInt8>) {
    var reader = JSONReader(row, framing: .lines)
    var isValue = false
    if let token = try? reader.next(), (try? reader.skipRest(of: token)) != nil, (try? reader.next()) == .end
    {
      isValue = true
    }
    if isValue { out?.text.append(row) } else { out?.text.append(jsonString: row.string) }
  }

  func progress(rowCount: Int, byteCount: Int) { progress.update(rowCount: rowCount, byteCount: byteCount) }

  /// Everything was told.
  func flush() throws(EngineError) { try out?.flush() }
}
