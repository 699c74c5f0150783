// `summarize Person where …`: what can be said of each property of a class. Layer: RealmCommands, StatementOutput.

import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension StatementRunner {
  func summarize(_ selection: Selection, of source: [UInt8], to out: inout OutputBuffer) throws {
    try realm.read(to: &out) { realm, out in
      let query = try session.bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      let count = try QueryExecutor(query, in: realm).count()
      // Bars are for eyes.
      let hasBars = !render.mode.isForMachines
      let wantsJSON = [.json, .jsonl].contains(render.mode)
      let names = ["property", "type", "objects", "null", "distinct", "min", "max", "mean", "frequent"]
      var printer = ValueRowPrinter(
        render, names: names + (hasBars ? ["histogram"] : []), rowNoun: "properties", in: realm)
      var texts = ValueTexts(realm)
      printer.begin(to: &out)
      for property in query.table.schema.properties {
        let summary = try PropertySummary(
          property, of: query, in: realm, memoryLimit: invocation.memoryLimit)
        let values: [Value] = [
          .string(ByteString(property.name)), .string(ByteString(realm.type(of: property).word)),
          .int(Int64(count - summary.nullCount)), .int(Int64(summary.nullCount)),
          .int(Int64(summary.distinctCount)), Self.end(summary.least), Self.end(summary.greatest),
          summary.mean,
        ]
        // Where all values are different, none is frequent.
        let frequent = summary.frequent.first.map { $0.count > 1 } ?? false ? summary.frequent : []
        var cells = values.map { SelectedCell.value($0, hasTypedLinks: false) }
        cells.append(wantsJSON ? .counts(frequent) : Self.cell(try Self.text(of: frequent, &texts)))
        if hasBars { cells.append(Self.cell(Self.bars(summary.histogram))) }
        try printer.write(cells: cells, to: &out)
      }
      try printer.end(to: &out)
    }
  }

  /// Objects that links lead to have no order that would tell anything.
  private static func end(_ value: Value) -> Value { if case .link = value { .null } else { value } }

  private static func cell(_ text: String) -> SelectedCell {
    .value(.string(ByteString(text)), hasTypedLinks: false)
  }

  /// `Ada (12), Bob (9)`
  private static func text(
    of frequent: [(value: Value, count: Int)], _ texts: inout ValueTexts
  ) throws -> String {
    var parts: [String] = []
    for (value, count) in frequent { parts.append("\(cut(try texts.text(of: value))) (\(count))") }
    return parts.joined(separator: ", ")
  }

  private static let shownMax = 24

  private static func cut(_ text: String) -> String {
    text.count <= shownMax ? text : text.prefix(shownMax - 1) + "…"
  }

  /// A block for each part, as high as the part is of the largest one.
  private static func bars(_ counts: [Int]) -> String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    guard let greatest = counts.max(), greatest > 0 else { return "" }
    return String(
      counts.map { count in
        count == 0 ? " " : blocks[min(blocks.count - 1, count * blocks.count / greatest)]
      })
  }
}
