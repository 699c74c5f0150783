// The objects that a query finds, on their way to the output. Layer: RealmCommands, Querying.

import ByteText
import RealmEngine
import Rendering

extension Invocation {
  /// Writes the objects of a query as rows.
  func writeRows(
    of executor: QueryExecutor, _ printer: RowPrinter, to out: inout OutputBuffer
  ) throws(EngineError) {
    try writeRows(printer, to: &out) { printer, out throws(EngineError) in
      try printer.write(allOf: executor, memoryLimit: memoryLimit, to: &out)
    }
  }

  /// Writes the objects of `table` with these keys as rows.
  func writeRows(
    of table: Table, _ keys: [ObjectKey], _ printer: RowPrinter, to out: inout OutputBuffer
  ) throws(EngineError) {
    try writeRows(printer, to: &out) { printer, out throws(EngineError) in
      try OrderedRows.forEach(keys, in: table) { rows throws(EngineError) in
        try printer.write(rows, to: &out)
      }
    }
  }

  private func writeRows(
    _ printer: RowPrinter, to out: inout OutputBuffer,
    _ body: (inout RowPrinter, inout OutputBuffer) throws(EngineError) -> Void
  ) throws(EngineError) {
    var printer = printer
    if !printer.leftOutNames.isEmpty {
      warn("'insert' sets properties, and leaves out: \(printer.leftOutNames.joined(separator: ", "))")
    }
    printer.begin(to: &out)
    try body(&printer, &out)
    try printer.end(to: &out)
    warn(ofRepairs: printer.repairedCount, inSQL: printer.writesSQL)
  }

  /// Writes the elements of the objects of a query as rows.
  func writeRows(
    of executor: QueryExecutor, _ printer: ElementRowPrinter, to out: inout OutputBuffer
  ) throws(EngineError) {
    var printer = printer
    printer.begin(to: &out)
    try printer.write(allOf: executor, to: &out)
    try printer.end(to: &out)
    warn(ofRepairs: printer.repairedCount, inSQL: printer.writesSQL)
  }

  /// Says that links are null, because nothing names their objects.
  func warn(ofNullLinks count: Int) {
    guard count > 0 else { return }
    let links = counted(
      count, "link is null, because its object has", "links are null, because their objects have")
    warn("\(links) null as primary key")
  }

  func warn(ofRepairs count: Int, inSQL: Bool) {
    guard count > 0 else { return }
    let (texts, are, hold) = count == 1 ? ("1 text", "is", "holds") : ("\(count) texts", "are", "hold")
    warn(
      inSQL
        ? "\(texts) \(hold) zero bytes or \(are) not valid UTF-8: SQLite reads the bytes, PostgreSQL U+FFFD"
        : "\(texts) \(are) not valid UTF-8 and \(are) shown with U+FFFD")
  }
}
