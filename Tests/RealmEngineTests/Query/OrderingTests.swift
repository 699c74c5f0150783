import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("SORT, DISTINCT, LIMIT and OFFSET")
struct OrderingTests {
  private func person() throws -> Asked { try Asked(Fixture.zoo, "Person") }

  /// The values of a path for the objects of a query, in its order.
  private func values(_ path: String, _ predicate: String) throws -> [Value] {
    let asked = try person()
    let side = try asked.bound("\(path) == NULL")
    let evaluator = RowEvaluator(asked.realm)
    let operand: BoundOperand =
      switch side.predicate {
      case .property(let condition): .path(BoundPath(end: .value(condition.property)))
      case .comparison(let comparison): comparison.left
      default: .constant(.null)
      }
    return try asked.keys(predicate).map { key in
      let position = try #require(try asked.table.find(ObjectKey(key)))
      return try evaluator.evaluate(operand, in: asked.table, at: position).values.first ?? .null
    }
  }

  @Test("null values come first when ascending, and last when descending")
  func nullValues() throws {
    let ascending = try values("nick", "TRUEPREDICATE SORT(nick ASC)")
    let nullCount = ascending.prefix { $0 == .null }.count
    #expect(nullCount == 50 && !ascending.dropFirst(nullCount).contains(.null))
    let descending = try values("nick", "TRUEPREDICATE SORT(nick DESC)")
    #expect(descending.suffix(50).allSatisfy { $0 == .null } && descending.first != .null)
  }

  @Test("null links on the way come last when ascending, and first when descending")
  func nullLinks() throws {
    let asked = try person()
    let friendless = Set(try asked.keys("bestFriend == NULL"))
    let ascending = try asked.keys("TRUEPREDICATE SORT(bestFriend.nick ASC)")
    #expect(Set(ascending.suffix(friendless.count)) == friendless)
    let nicks = try values("bestFriend.nick", "bestFriend != NULL SORT(bestFriend.nick ASC)")
    #expect(nicks.first == .null && nicks.last != .null)
    let descending = try asked.keys("TRUEPREDICATE SORT(bestFriend.nick DESC)")
    #expect(Set(descending.prefix(friendless.count)) == friendless)
  }

  @Test("equal objects keep their order, and of two sorts in a row the later decides first")
  func stability() throws {
    let asked = try person()
    let once = try asked.keys("TRUEPREDICATE SORT(active ASC)")
    let inactive = try asked.keys("active == false")
    #expect(Array(once.prefix(inactive.count)) == inactive)
    #expect(
      try asked.keys("TRUEPREDICATE SORT(name ASC) SORT(active DESC)")
        == asked.keys("TRUEPREDICATE SORT(active DESC, name ASC)"))
  }

  @Test("mixed values sort by kind, then by value")
  func mixed() throws {
    let sorted = try values("extra", "TRUEPREDICATE SORT(extra ASC)")
    let last = try #require(sorted.last)
    #expect(sorted.first == .null && TypeNames(of: last) == TypeNames(word: "dictionary"))
    for (one, next) in zip(sorted, sorted.dropFirst()) { #expect(one.storedOrder(next) <= 0) }
    let descending = try values("extra", "TRUEPREDICATE SORT(extra DESC)")
    #expect(descending.last == .null)
  }

  @Test("DISTINCT keeps the first of equals, one null, and no object behind a null link")
  func distinct() throws {
    let asked = try person()
    #expect(try asked.count("TRUEPREDICATE DISTINCT(nick)") == 12)
    #expect(try asked.count("TRUEPREDICATE DISTINCT(bestFriend.name)") == 64)
    #expect(try asked.count("TRUEPREDICATE DISTINCT(bestFriend)") == 116)
    #expect(try asked.keys("TRUEPREDICATE DISTINCT(active)") == [0, 1])
    let oldest = try asked.keys("TRUEPREDICATE SORT(age DESC) DISTINCT(name) LIMIT(3)")
    #expect(oldest == Array(try asked.keys("TRUEPREDICATE SORT(age DESC) DISTINCT(name)").prefix(3)))
  }

  @Test("clauses are applied in the order they are written")
  func order() throws {
    let asked = try person()
    #expect(Set(try asked.keys("TRUEPREDICATE LIMIT(3) SORT(age DESC)")) == [0, 1, 2])
    #expect(try asked.count("TRUEPREDICATE LIMIT(10) LIMIT(4)") == 4)
    #expect(try asked.count("TRUEPREDICATE LIMIT($0)", ["7"]) == 7)
    #expect(try asked.count("TRUEPREDICATE LIMIT(99999999999999999999)") == 200)
    let query = try asked.bound("TRUEPREDICATE").adding(.offset(198)).adding(.limit(5))
    #expect(try RowEvaluator(asked.realm).keys(query).map(\.value) == [198, 199])
  }

  @Test("sort keys and distinct paths can be given apart from the predicate")
  func apart() throws {
    let asked = try person()
    let source = Array("age desc, name".utf8)
    let query = try asked.bound("age < 20")
      .sorted(by: SortKey.list(parsing: source), source: source, in: asked.realm)
    #expect(
      try RowEvaluator(asked.realm).keys(query).map(\.value)
        == asked.keys("age < 20 SORT(age DESC, name ASC)"))
  }
}
