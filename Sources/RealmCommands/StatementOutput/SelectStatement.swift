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
      let columns =
        items.isEmpty
        ? nil
        : try QueryText.bind(source) { () throws(BindingFailure) in
          try SelectedColumn.bind(
            items, source: source, of: query.table, in: realm, arguments: session.settings.arguments)
        }
      let printer = RowPrinter(render, query.table, columns, in: realm)
      try invocation.writeRows(of: try QueryExecutor(query, in: realm), printer, to: &out)
    }
  }
}
