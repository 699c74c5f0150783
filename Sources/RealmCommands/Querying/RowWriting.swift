// The objects that a query finds, on their way to the output. Layer: RealmCommands, Querying.

import RealmEngine
import Rendering

extension Invocation {
  /// Writes the objects of a query as rows.
  func writeRows(
    of executor: QueryExecutor, _ printer: RowPrinter, to out: inout OutputBuffer
  ) throws(EngineError) {
    var printer = printer
    printer.begin(to: &out)
    try executor.forEachHits { hits throws(EngineError) in
      try printer.write(hits, to: &out)
      return true
    }
    try printer.end(to: &out)
    if printer.repairedCount > 0 {
      warn(
        printer.repairedCount == 1
          ? "1 text is not valid UTF-8 and is shown with U+FFFD"
          : "\(printer.repairedCount) texts are not valid UTF-8 and are shown with U+FFFD")
    }
  }
}
