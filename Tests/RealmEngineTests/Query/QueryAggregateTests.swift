// One value over all objects of a query.

import ByteText
import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Aggregates over a query")
struct QueryAggregateTests {
  private func aggregate(_ function: Aggregate, _ path: String, of predicate: String) throws -> Value {
    let asked = try Asked(Fixture.zoo, "Dog")
    let query = try asked.bound(predicate)
    let source = Array(path.utf8)
    return try QueryAggregate(
      function, of: try Expression(parsing: source), source: source, over: query, in: asked.realm
    ).value(try QueryExecutor(query, in: asked.realm), in: asked.realm)
  }

  @Test("sum and count agree with what the rows hold")
  func sum() throws {
    let asked = try Asked(Fixture.zoo, "Dog")
    var sum: Int64 = 0
    for age in Int64(0)...20 { sum += age * Int64(try asked.count("age == \(age)")) }
    #expect(try aggregate(.sum, "age", of: "TRUEPREDICATE") == .int(sum))
    #expect(
      try aggregate(.avg, "age", of: "TRUEPREDICATE")
        == .double(Double(sum) / Double(asked.table.count)))
    #expect(try aggregate(.max, "age", of: "age < 5") == .int(4))
    #expect(try aggregate(.min, "age", of: "age > 5") == .int(6))
  }

  @Test("limits and orders of the query count")
  func orderings() throws {
    #expect(try aggregate(.sum, "age", of: "age > 5 SORT(age ASC) LIMIT(1)") == .int(6))
  }

  @Test("of nothing there is a sum, but no least, greatest or average")
  func nothing() throws {
    #expect(try aggregate(.sum, "age", of: "FALSEPREDICATE") == .int(0))
    for function in [Aggregate.min, .max, .avg] {
      #expect(try aggregate(function, "age", of: "FALSEPREDICATE") == .null)
    }
  }

  @Test("texts and dates have a least and a greatest; paths may lead through links")
  func otherTypes() throws {
    #expect(try aggregate(.min, "name", of: "name == 'Fido' OR name == 'Rex'") == .string(ByteString("Fido")))
    #expect(try aggregate(.max, "born", of: "born != NULL") != .null)
    #expect(try aggregate(.max, "owner.age", of: "owner != NULL") != .null)
  }

  @Test(
    "what cannot be added up is refused with its place",
    arguments: [
      (Aggregate.sum, "name", "sum needs numbers; 'name' is string"),
      (.avg, "born", "avg needs numbers; 'born' is date"),
      (.max, "owner", "max needs values; 'owner' leads to objects"),
      (.sum, "aeg", "unknown property 'aeg' on class 'Dog'"),
    ])
  func refused(function: Aggregate, path: String, message: String) throws {
    do {
      _ = try aggregate(function, path, of: "TRUEPREDICATE")
      Issue.record("\(path) was accepted")
    } catch BindingFailure.query(let error) {
      #expect(error.message == message)
      #expect(Array(path.utf8).text(in: error.range) == path)
    }
  }
}
