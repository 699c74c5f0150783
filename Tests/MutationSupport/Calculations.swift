// Asks damaged realms for aggregates, groups and rows in order: of each property, with so little memory that groups and
// rows do not fit.

import RealmEngine
import RealmQueryLanguage
import Rendering

extension Exercise {
  /// Bytes for sorting, so few that the rows of a class are sorted in several passes.
  private static let sortMemory = 1 << 11

  /// Calculates, groups and sorts what there is: of each property one statement, of each class one order. `turn` says
  /// which, so that many mutants are asked everything.
  static func calculate(_ realm: ReadTransaction, turn: Int) throws(EngineError) {
    for table in realm.classes() where table.schema.kind != .asymmetric {
      let properties = Array(table.schema.properties.prefix(16))
      if properties.isEmpty { continue }
      for (index, property) in properties.enumerated() {
        let other = properties[(index + 1 + turn) % properties.count]
        let statements = statements(of: property, besides: other, in: table)
        try calculate(statements[(index + turn) % statements.count], of: table, in: realm)
      }
      let place = turn % properties.count
      try sort(properties[place], besides: properties[(place + 1) % properties.count], of: table, in: realm)
    }
  }

  private static func statements(
    of property: Property, besides other: Property, in table: Table
  ) -> [String] {
    let name = spelledName(property.name, as: .property)
    let group = spelledName(other.name, as: .property)
    let rows = "of \(spelledName(table.schema.name, as: .className))"
    return [
      "count, count \(name), count distinct \(name) \(rows)",
      "min \(name), max \(name) \(rows) by \(group)",
      "sum \(name), avg \(name), median \(name), stddev \(name) \(rows)",
      "sum \(name) as total, median \(name) \(rows) by \(group) having total > 3 sort(total desc) limit(5)",
      "count, avg \(group) \(rows) by \(name), \(group) having count > 1 sort(count desc)",
      "count distinct \(name) \(rows) by \(name) ?? \(name)",
      "max \(name).@count \(rows) by \(group).@type",
    ]
  }

  /// What does not fit the schema is passed over; what the bytes refuse is not.
  private static func calculate(
    _ text: String, of table: Table, in realm: ReadTransaction
  ) throws(EngineError) {
    let source = Array(text.utf8)
    guard case .aggregate(let aggregation)? = (try? Statement(parsing: source))?.kind else { return }
    let query: AggregateQuery
    do throws(BindingFailure) {
      query = try AggregateQuery(
        aggregation.items, by: aggregation.groups, source: source, of: table, in: realm)
    } catch {
      if case .engine(let error) = error { throw error }
      return
    }
    let all = BoundQuery(table: table, predicate: .constant(true), orderings: [])
    do throws(EngineError) {
      let result = try query.result(
        try QueryExecutor(all, in: realm), in: realm, memoryLimit: 1 << 20)
      try result.forEachRow { _ in true }
    } catch {
      // A sum that is too large is no damage, nor is more than there is memory for.
      guard [.constraint, .refused, .tooLarge].contains(error.kind) else { throw error }
    }
  }

  /// Writes all objects in the order of two properties, to nowhere.
  private static func sort(
    _ property: Property, besides other: Property, of table: Table, in realm: ReadTransaction
  ) throws(EngineError) {
    let keys = [property, other].map { spelledName($0.name, as: .property) }
    let source = Array("TRUEPREDICATE SORT(\(keys[0]) DESC, \(keys[1]) ASC)".utf8)
    guard let predicate = try? Predicate(parsing: source) else { return }
    let query: BoundQuery
    do throws(BindingFailure) {
      query = try BoundQuery(
        predicate, source: source, of: table, in: realm, arguments: QueryArguments())
    } catch {
      if case .engine(let error) = error { throw error }
      return
    }
    var out = OutputBuffer { _ throws(EngineError) in }
    var printer = RowPrinter(RenderSpec(.csv), table, nil, in: realm)
    try printer.write(
      allOf: try QueryExecutor(query, in: realm), memoryLimit: sortMemory, to: &out)
    try printer.end(to: &out)
  }
}
