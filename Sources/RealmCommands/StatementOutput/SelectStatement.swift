// `Person where … select a, b`: objects as rows. Layer: RealmCommands, StatementOutput.

import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension StatementRunner {
  func select(
    _ selection: Selection, _ items: [SelectItem], of source: [UInt8], to out: inout OutputBuffer
  ) throws {
    try realm.read(to: &out) { realm, out in
      let query = try session.bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      if let key = selection.key, items.isEmpty, render.mode.showsTrees {
        return try writeTree(of: query.table, key, source, in: realm, to: &out)
      }
      let unnested = items.indices.filter { items[$0].unnested != nil }
      if let index = unnested.first {
        guard unnested.count == 1 else {
          throw Diagnostic(
            QueryError(.unsupported, "only one collection can be unnested", at: items[unnested[1]].range),
            in: source)
        }
        let printer = try elementPrinter(items, unnesting: index, of: source, query, in: realm)
        return try invocation.writeRows(of: try QueryExecutor(query, in: realm), printer, to: &out)
      }
      let columns =
        items.isEmpty
        ? nil
        : try columns(items, of: source, query, in: realm)
      let printer = RowPrinter(render, query.table, columns, in: realm)
      try invocation.writeRows(of: try QueryExecutor(query, in: realm), printer, to: &out)
    }
  }

  private func columns(
    _ items: [SelectItem], of source: [UInt8], _ query: BoundQuery, in realm: ReadTransaction
  ) throws -> [SelectedColumn] {
    try QueryText.bind(source) { () throws(BindingFailure) in
      try SelectedColumn.bind(
        items, source: source, of: query.table, in: realm, arguments: session.settings.arguments)
    }
  }

  /// A row for each element of the collection that the item at `index` names.
  private func elementPrinter(
    _ items: [SelectItem], unnesting index: Int, of source: [UInt8], _ query: BoundQuery,
    in realm: ReadTransaction
  ) throws -> ElementRowPrinter {
    let plain = items.map { item in
      item.unnested.map { SelectItem(value: $0, alias: item.alias, range: $0.range) } ?? item
    }
    let columns = try columns(plain, of: source, query, in: realm)
    guard case .property(_, let property) = columns[index].source, property.collection != nil else {
      throw Diagnostic(
        QueryError(.lists, "unnest needs a list, set or dictionary", at: plain[index].range), in: source)
    }
    let elements = try ExportColumns(realm: realm, isFlat: false).unnesting(
      columns[index].name, among: columns)
    return ElementRowPrinter(render, query.table, elements, in: realm)
  }

  /// One object that was named, with what it links to.
  private func writeTree(
    of table: Table, _ key: Constant, _ source: [UInt8], in realm: ReadTransaction, to out: inout OutputBuffer
  ) throws {
    guard let position = try table.find(try session.object(key, of: source, in: table)) else { return }
    var tree = ObjectTree(realm, followingLinks: 1, isColored: render.isColored)
    try tree.write(position, of: table, to: &out)
  }
}

extension OutputMode {
  /// Whether people look at it, so that one object may be more than a row.
  fileprivate var showsTrees: Bool { [.box, .table, .column, .line].contains(self) }
}
