// Statements over many objects, answered column by column and object by object.

import RealmEngine
import RealmQueryLanguage
import Testing

/// What a statement like `count, avg age of Person by city` gives.
struct Answered {
  var names: [String] = []
  var rows: [[Value]] = []

  /// `byRows`: by the judge, which looks at one object after the other.
  init(
    _ statement: String, in fixture: Result<ReadTransaction, any Error> = Fixture.zoo, byRows: Bool = false,
    memoryLimit: Int = 1 << 30
  ) throws {
    let realm = try fixture.get()
    let source = Array(statement.utf8)
    guard case .aggregate(let aggregation) = try Statement(parsing: source).kind else {
      Issue.record("\(statement) is no aggregate")
      return
    }
    let table = try #require(realm.table(named: aggregation.selection.className.text))
    let everything = Predicate(
      condition: Expression(.truth(true), range: aggregation.selection.range), orderings: [])
    let query = try BoundQuery(
      aggregation.selection.predicate ?? everything, source: source, of: table, in: realm)
    let aggregate = try AggregateQuery(
      aggregation.items, by: aggregation.groups, source: source, of: table, in: realm)
    let executor = try QueryExecutor(query, in: realm)
    let result =
      byRows
      ? try RowAggregation(aggregate, in: realm).result(executor)
      : try aggregate.result(executor, in: realm, memoryLimit: memoryLimit)
    names = result.names
    try result.forEachRow { row in
      rows.append(row)
      return true
    }
  }

  static func value(
    _ statement: String, in fixture: Result<ReadTransaction, any Error> = Fixture.zoo
  ) throws -> Value {
    let answered = try Answered(statement, in: fixture)
    #expect(answered.rows.count == 1 && answered.names.count == 1)
    return answered.rows[0][0]
  }

  /// What is wrong with a statement, with the place that it is about.
  static func complaint(_ statement: String) -> String {
    do {
      _ = try Answered(statement)
      return "accepted"
    } catch let error as QueryError {
      return "«\(Array(statement.utf8).text(in: error.range))» \(error.message)"
    } catch BindingFailure.query(let error) {
      return "«\(Array(statement.utf8).text(in: error.range))» \(error.message)"
    } catch {
      return "\(error)"
    }
  }
}
