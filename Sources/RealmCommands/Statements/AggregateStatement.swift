// `count Person where …`, `max age of Person where …`: one value, or one a group. Layer: RealmCommands, Statements.

import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension StatementRunner {
  func count(
    _ selection: Selection, by groups: Grouping?, of source: [UInt8], to out: inout OutputBuffer
  ) throws {
    try realm.read(to: &out) { realm, out in
      let query = try session.bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      if let groups {
        return try write(nil, named: "count", of: query, by: groups, of: source, in: realm, to: &out)
      }
      let count = try QueryExecutor(query, in: realm).count()
      try render.write(.int(Int64(count)), in: realm, to: &out)
    }
  }

  func aggregate(
    _ function: Aggregate, _ path: Expression, _ selection: Selection, by groups: Grouping?,
    of source: [UInt8], to out: inout OutputBuffer
  ) throws {
    try realm.read(to: &out) { realm, out in
      let query = try session.bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      let aggregate = try QueryText.bind(source) { () throws(BindingFailure) in
        try QueryAggregate(
          function, of: path, source: source, over: query, in: realm, arguments: session.settings.arguments)
      }
      if let groups {
        return try write(
          aggregate, named: function.rawValue, of: query, by: groups, of: source, in: realm, to: &out)
      }
      let value = try aggregate.value(try QueryExecutor(query, in: realm), in: realm)
      try render.write(value, in: realm, to: &out)
    }
  }

  /// A row a group: its values, then what was calculated.
  private func write(
    _ aggregate: QueryAggregate?, named name: String, of query: BoundQuery, by grouping: Grouping,
    of source: [UInt8], in realm: ReadTransaction, to out: inout OutputBuffer
  ) throws {
    let groups = try QueryText.bind(source) { () throws(BindingFailure) in
      try QueryGroups(
        by: grouping, aggregate, named: name, source: source, of: query, in: realm,
        arguments: session.settings.arguments)
    }
    let found = try groups.groups(try QueryExecutor(query, in: realm), in: realm)
    let results = Dictionary(uniqueKeysWithValues: found.map { ($0.representative, $0.result) })
    let columns = groups.columns + [SelectedColumn(name: name, source: .calculated(results))]
    var printer = RowPrinter(render, query.table, columns, in: realm)
    printer.rowNoun = "groups"
    try invocation.writeRows(of: query.table, found.map(\.representative), printer, to: &out)
  }
}
