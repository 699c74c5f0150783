// `count Person where …`, `max age, avg age of Person by city`: one value, one row, or a row a group.
// Layer: RealmCommands, StatementOutput.

import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension StatementRunner {
  func aggregate(
    _ aggregation: Aggregation, of source: [UInt8], to out: inout OutputBuffer
  ) throws {
    try realm.read(to: &out) { realm, out in
      let query = try session.bind(aggregation.selection, of: source, in: realm)
      invocation.warn(about: query)
      if aggregation.isPlainCount {
        let count = try QueryExecutor(query, in: realm).count()
        return try invocation.writeCount(count, render, in: realm, to: &out)
      }
      let aggregate = try QueryText.bind(source) { () throws(BindingFailure) in
        try AggregateQuery(
          aggregation.items, by: aggregation.groups, source: source, of: query.table, in: realm,
          arguments: session.settings.arguments)
      }
      try invocation.write(aggregate, over: query, render, in: realm, to: &out)
    }
  }
}

extension Invocation {
  /// Writes a number of objects, as any other calculation.
  func writeCount(
    _ count: Int, _ render: RenderSpec, in realm: ReadTransaction, to out: inout OutputBuffer
  ) throws(EngineError) {
    let value = Value.int(Int64(count))
    let rows = arguments.has(.header) ? render : render.ofSingleValue
    guard let rows else { return try render.write(value, in: realm, to: &out) }
    var printer = ValueRowPrinter(rows, names: ["count"], rowNoun: "groups", in: realm)
    printer.begin(to: &out)
    try printer.write([value], to: &out)
    try printer.end(to: &out)
  }

  /// Writes what `aggregate` says of the objects of a query.
  func write(
    _ aggregate: AggregateQuery, over query: BoundQuery, _ render: RenderSpec, in realm: ReadTransaction,
    to out: inout OutputBuffer
  ) throws {
    let result = try aggregate.result(
      try QueryExecutor(query, in: realm), in: realm, memoryLimit: memoryLimit)
    try write(result, isSingleValue: aggregate.isSingleValue, render, in: realm, to: &out)
  }

  /// Writes what was calculated: a value that stands alone as such, all else as rows.
  func write(
    _ result: AggregateResult, isSingleValue: Bool, _ render: RenderSpec, in realm: ReadTransaction,
    to out: inout OutputBuffer
  ) throws {
    let rows = isSingleValue && !arguments.has(.header) ? render.ofSingleValue : render
    guard let rows else {
      return try result.forEachRow { row throws(EngineError) in
        try render.write(row[0], in: realm, to: &out)
        return true
      }
    }
    var printer = ValueRowPrinter(
      rows, names: result.names, rowNoun: "groups", linkColumns: result.linkColumns, in: realm)
    printer.begin(to: &out)
    try result.forEachRow { row throws(EngineError) in
      try printer.write(row, to: &out)
      return true
    }
    try printer.end(to: &out)
  }
}

extension RenderSpec {
  /// How a value that stands alone is written as a row; nil: it is written as it is.
  fileprivate var ofSingleValue: RenderSpec? {
    if JSONForm(mode) != nil || mode == .sql || part != nil { return self }
    guard [.csv, .tsv, .html, .quote].contains(mode) else { return nil }
    var render = self
    render.hasHeader = false
    return render
  }
}
