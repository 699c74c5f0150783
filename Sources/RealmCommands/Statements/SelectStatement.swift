// `Person where … select a, b`: objects as rows. Layer: RealmCommands, Statements.

import RealmEngine
import RealmQueryLanguage
import Rendering

extension StatementSession {
  func select(
    _ selection: Selection, _ items: [SelectItem], of source: [UInt8], to out: inout OutputBuffer
  ) throws {
    try realm.read(to: &out) { realm, out in
      let query = try bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      let columns =
        items.isEmpty
        ? nil
        : try QueryText.bind(source) { () throws(BindingFailure) in
          try SelectedColumn.bind(items, source: source, of: query.table, in: realm)
        }
      let printer = RowPrinter(settings.render, query.table, columns, in: realm)
      try invocation.writeRows(of: try QueryExecutor(query, in: realm), printer, to: &out)
    }
  }

  /// The objects that a statement is about.
  func bind(
    _ selection: Selection, of source: [UInt8], in realm: ReadTransaction
  ) throws -> BoundQuery {
    let table = try table(selection.className, of: source, in: realm)
    let predicate =
      selection.predicate ?? Predicate(condition: Condition(.constant(true), range: selection.range))
    return try QueryText.bind(source) { () throws(BindingFailure) in
      try BoundQuery(
        predicate, source: source, of: table, in: realm, arguments: settings.arguments)
    }
  }

  /// The class that a statement names.
  func table(_ name: Name, of source: [UInt8], in realm: ReadTransaction) throws -> Table {
    do throws(Diagnostic) {
      return try realm.requiredClass(name.text, allTables: settings.showsAllTables)
    } catch {
      throw error.located(at: name.range, in: source)
    }
  }
}

extension Diagnostic {
  /// The same with the place in the text that it is about.
  func located(at range: SourceRange, in source: [UInt8]) -> Diagnostic {
    var diagnostic = self
    diagnostic.excerpt = SourceExcerpt(String(decoding: source, as: UTF8.self), range.bounds)
    return diagnostic
  }
}
