// All objects of a class as JSON, a column at a time where their values are plain. Layer: Rendering, Rows.

import ByteText
package import RealmEngine

extension JSONWriter {
  /// Writes all objects of a table, or only those with certain keys, a line each, in key order.
  package mutating func writeLines(
    of table: Table, keys: Set<ObjectKey>? = nil, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard let template = template(table.schema.tableKey) else { return }
    let stream = RowStream(lineLayout(template), format, of: table, in: transaction)
    var rows = RowNumbers()
    var cursor = table.blocks(budget: budget)
    while let block = try cursor.next() {
      var found = rows.all(of: block)
      if let keys { found.removeAll { !keys.contains(block.key(Int($0))) } }
      let hits = SelectedRows(block: block, rows: found)
      ProgressCounter.advance(found.count)
      try stream.write(hits, budget: budget, to: &out) { column, leaf, position, out throws(EngineError) in
        // The first column is the key, which needs nothing.
        guard let leaf else { return }
        try write(leaf, position.row, of: template.properties[column - 1], to: &out)
      }
    }
    try stream.end(to: &out)
    let count = keys?.count ?? table.count
    guard stream.rowCount == count else {
      throw EngineError(
        damage: "\(table.schema.name) should have \(count) objects, but has \(stream.rowCount)"
      )
    }
  }

  /// `{"object":"Person","key":0,"values":{…}}`
  private func lineLayout(_ template: ObjectTemplate) -> RowLayout {
    var separators = [template.lineHead]
    for (index, head) in template.heads.enumerated() {
      separators.append(index == 0 ? template.lineMiddle + head : head)
    }
    separators.append((template.heads.isEmpty ? template.lineMiddle : []) + Array("}}\n".utf8))
    let columns = template.properties.map { property in
      RowLayout.Column(.property(property), linkHead: linkHead(property))
    }
    return RowLayout([RowLayout.Column(.key)] + columns, separators: separators)
  }

  /// The layout of `columns` as `{"name":value,…}`, each object between `opening` and `closing`.
  /// `isArray`: as `[value,…]`.
  /// `isNamed`: the first column is the object key, which stands before the object as `@7`.
  func objectLayout(
    _ columns: [SelectedColumn], opening: String, closing: String, isNamed: Bool = false,
    isArray: Bool = false
  ) -> RowLayout {
    var separators: [[UInt8]] = []
    var text = ByteBuffer()
    text.append(text: opening)
    if isNamed {
      text.append(UInt8(ascii: "@"))
      separators.append(text.bytes)
      text.removeAll()
      text.append(UInt8(ascii: " "))
    }
    text.append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    for (index, column) in columns.dropFirst(isNamed ? 1 : 0).enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if !isArray {
        text.append(jsonKey: column.name)
      }
      separators.append(text.bytes)
      text.removeAll()
    }
    text.append(text: (isArray ? "]" : "}") + closing)
    separators.append(text.bytes)
    let layoutColumns = columns.map { column in
      let source = RowLayout.Source(column)
      guard case .property(let property) = source else { return RowLayout.Column(source) }
      return RowLayout.Column(source, linkHead: linkHead(property))
    }
    return RowLayout(layoutColumns, separators: separators)
  }

  /// The text before the keys of a column whose links are written without looking at their objects.
  private func linkHead(_ property: Property) -> [UInt8]? {
    guard format.style == .typed, let target = property.target.flatMap(transaction.table)?.schema,
      target.kind != .embedded, form?.naming[target.tableKey] == nil
    else { return nil }
    return ObjectTemplate.linkHead(of: target)
  }
}
