import RealmEngine
import Testing

@Suite("How conditions are asked")
struct QueryPlanTests {
  /// The steps of a scan; nil where an index names the objects.
  private func steps(_ asked: Asked, _ text: String) throws -> [String]? {
    let plan = try QueryExecutor(try asked.bound(text), in: asked.realm).plan
    guard case .scan = plan.access else { return nil }
    return plan.condition.steps.map(\.text)
  }

  @Test(
    "lists, links and incoming links are read a block at a time",
    arguments: [
      "ANY scores == 5", "ALL scores > 3", "NONE tags == 'red'", "scores.@count > 2", "ANY scores IN {1, 5}",
      "5 IN scores", "ALL ratings BETWEEN {1, 2}", "dogs.@count == 2", "ANY dogs.name == 'Rex'",
      "ALL dogs.name == 'Rex'", "bestFriend.age BETWEEN {20, 30}", "bestFriend.name IN {'Ada', 'Bob'}",
      "bestFriend.scores.@count > 1", "ANY bestFriend.scores == 5", "ALL bestFriend.scores == 5",
      "@links.@count > 1", "@links.Person.bestFriend.@count > 1", "ANY @links.Person.bestFriend.age > 30",
      "SUBQUERY(@links.Person.bestFriend, $p, $p.age > 30).@count > 0", "bestFriend.age + 1 > age",
      "bestFriend.scores.@sum > 3", "bestFriend.bestFriend.name.@size > 3", "name LIKE 'A*d?'",
      "age < weight",
      "name == nick", "weight IN {40, 40.5}", "extra == 'text'", "balance > 3", "'Ada' BEGINSWITH name",
      "SUBQUERY(dogs, $d, $d.age > 3).@count > 1",
      "SUBQUERY(dogs, $d, $d.age + 1 > 3).@count == scores.@count", "extra.@size > 3",
      "ALL scores * 2 > 50", "bestFriend.attrs['size'] + 1 > 4", "balance * 2 > 10",
    ])
  func blocks(predicate: String) throws {
    let steps = try #require(try steps(try Asked(Fixture.zoo, "Person"), predicate))
    #expect(!steps.isEmpty && !steps.contains("object by object"))
  }

  @Test(
    "elements of lists are compared one with the other where there are as many of them",
    arguments: [
      ("tags == {}", false), ("tags == {'red'}", false), ("tags == {'red', 'Green'}", true),
      ("scores < {3, 4, 5}", true),
    ])
  func lists(predicate: String, asksObjects: Bool) throws {
    let asked = try Asked(Fixture.zoo, "Person")
    let steps = try #require(try steps(asked, predicate))
    #expect(steps.contains { $0.hasSuffix(": number of elements") })
    #expect(steps.contains("object by object") == asksObjects)
    let query = try asked.bound(predicate)
    #expect(try QueryExecutor(query, in: asked.realm).keys() == RowEvaluator(asked.realm).keys(query))
  }

  @Test("a full-text index names the objects for a scan that asks more than words")
  func words() throws {
    let place = try Asked(Fixture.place, "Place")
    #expect(try steps(place, "blurb TEXT 'fox'") == nil)
    #expect(
      try steps(place, "NOT blurb TEXT 'fox'") == ["not", "one of 10 objects that an index named"])
    #expect(try steps(place, "blurb TEXT '-fox'") == ["object by object"])
  }
}
