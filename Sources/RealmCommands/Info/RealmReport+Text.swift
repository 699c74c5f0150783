// A report for people: in full, or as one line of several. Layer: RealmCommands, Info.

import ByteText
import RealmEngine
import Rendering

extension RealmReport {
  /// `app.realm: format 24, 131072 bytes, schema 3, 3 classes, 361 objects`
  var line: String {
    var parts: [String] = []
    if let format, failure == nil || format > 0 { parts.append("format \(format)") }
    if isEncrypted ?? false { parts.append("encrypted") }
    if let fileSize { parts.append(SizeText.bytes(fileSize)) }
    if let facts {
      parts.append(facts.schemaVersion.map { "schema \($0)" } ?? "no schema version")
      parts.append(counted(facts.classes.count, "class", "classes"))
      parts.append(counted(facts.objectCount, "object"))
      if facts.classes.isEmpty, let others = facts.otherTables { parts.append(others) }
    }
    if let failure { parts.append(failure.reason.visible) }
    return "\(file.displayName): \(parts.joined(separator: ", "))\n"
  }

  /// A fact a line, then the classes.
  var text: String {
    var lines: [(label: String, value: String)] = [("file", file.displayName)]
    if let format { lines.append(("format", "\(format) – \(FileGeneration.writers(ofFormat: format))")) }
    if let fileSize { lines.append(("size", sizeText(fileSize))) }
    if let isEncrypted { lines.append(("encrypted", isEncrypted ? "yes" : "no")) }
    if let facts {
      if let history = facts.history { lines.append(("history", history.name)) }
      lines.append(("schema version", facts.schemaVersion.map { "\($0)" } ?? "none"))
      if let version = facts.dataVersion { lines.append(("data version", "\(version)")) }
    }
    if let header { lines.append(("top array", topText(header))) }
    let width = (lines.map(\.label.count).max() ?? 0) + 2
    let head = lines.map { TerminalWidth.padded($0.label, to: width) + $0.value + "\n" }.joined()
    return head + (facts?.classTable ?? "")
  }

  private func sizeText(_ fileSize: Int) -> String {
    var text = SizeText.bytes(fileSize)
    if fileSize >= 1024 { text += " (\(fileSize) bytes)" }
    guard let space = facts?.space else { return text }
    text += ": \(SizeText.bytes(space.used)) used, \(SizeText.bytes(space.free)) free"
    if space.pinned > 0 { text += ", \(SizeText.bytes(space.pinned)) kept for older versions" }
    return text
  }

  private func topText(_ header: FileHeader) -> String {
    switch header.form {
    case .empty: return "none: nothing was stored yet"
    case .streaming: return "named at the end: the file was written in one go and not changed since"
    case .slots:
      let current = header.selectedSlot
      let previous = header.topRef(slot: 1 - current)
      return "at \(header.topRef(slot: current)) (slot \(current))"
        + (previous == 0 ? "" : ", the version before at \(previous)")
    }
  }
}

extension SnapshotFacts {
  /// `2 tables that are not classes, with 1000 rows`; nil where there are none.
  fileprivate var otherTables: String? {
    guard otherTableCount > 0 else { return nil }
    let tables = counted(otherTableCount, "table that is not a class", "tables that are not classes")
    return "\(tables), with \(counted(otherRowCount, "row"))"
  }

  /// Names, kinds, counts and sizes, in columns.
  fileprivate var classTable: String {
    guard !classes.isEmpty else {
      return "\nno classes\n" + (otherTables.map { "\($0); --all-tables shows them\n" } ?? "")
    }
    let isMeasured = classes.contains { $0.size != nil }
    var rows = [["class", "kind", "objects"] + (isMeasured ? ["bytes", "index bytes"] : [])]
    for entry in classes {
      let sizes = entry.size?.properties ?? []
      let indexSize = sizes.isEmpty ? nil : sizes.reduce(0) { $0 + $1.index }
      rows.append(
        [entry.schema.name.visible, entry.schema.kind.name, "\(entry.count)"]
          + (isMeasured ? [cell(entry.size?.total), cell(indexSize)] : []))
      guard let size = entry.size else { continue }
      for (property, propertySize) in zip(entry.schema.properties, size.properties) {
        let index = property.indexRef == nil ? "" : "\(propertySize.index)"
        rows.append(["  \(property.name.visible)", "", "", "\(propertySize.values)", index])
      }
      if size.backlinks > 0 { rows.append(["  (incoming links)", "", "", "\(size.backlinks)", ""]) }
    }
    return "\n" + alignedColumns(rows, rightAligned: 2...4)
  }

  private func cell(_ size: Int?) -> String { size.map { "\($0)" } ?? "" }
}

/// Cells in columns that are two blanks apart, as wide as their widest cell.
private func alignedColumns(_ rows: [[String]], rightAligned: ClosedRange<Int>) -> String {
  let columnCount = rows.first?.count ?? 0
  let widths = (0..<columnCount).map { column in rows.map { TerminalWidth.width($0[column]) }.max() ?? 0 }
  return rows.map { row in
    let cells = row.enumerated().map { column, cell in
      let padded = TerminalWidth.padded(cell, to: widths[column])
      return rightAligned.contains(column) ? padded.dropFirst(cell.count) + cell : padded
    }
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }.joined()
}
