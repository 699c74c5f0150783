import RealmEngine
import TestSupport
import Testing

/// Rows that lead to each other over many blocks; some lead nowhere.
@Suite("Conditions, SORT and DISTINCT over links")
struct LinkedRowsTests {
  private static let realm = Result { () throws -> ReadTransaction in
    var random = SplitMix64(state: 11)
    let owner = ClassDefinition("Owner", primaryKey: "id", properties: [PropertyDefinition("id", .int)])
    let properties = [
      PropertyDefinition("number", .int, isOptional: true), PropertyDefinition("date", .date),
      PropertyDefinition("text", .string, isOptional: true),
      PropertyDefinition("code", .int, index: .general), PropertyDefinition("group", .int, index: .general),
      PropertyDefinition("link", .object, target: "Row"),
      PropertyDefinition("owner", .object, target: "Owner"),
    ]
    let realm = try WritableDatabase.withRows(properties, beside: [owner]) { write, key in
      var links: [NewValue] = []
      let owners = try #require(try write.schema(named: "Owner")).tableKey
      // The last one has most rows.
      let ownerLinks = try (0..<4).map { id in
        let made = try write.create(owners, [("id", .single(.int(Int64(id))))])
        return NewValue.single(.link(ObjectLink(table: owners, key: made)))
      }
      for _ in 0..<3000 {
        // Many to the same few, others anywhere.
        let isNull = links.isEmpty || random.oneIn(12)
        let link =
          isNull ? .single(.null) : links[random.below(random.oneIn(3) ? min(9, links.count) : links.count)]
        let text = ByteString("text \(random.below(3000))")
        let code = Int64(random.below(100))
        let made = try write.create(
          key,
          [
            ("code", .single(.int(code))), ("group", .single(.int(code % 4))),
            ("number", .single(random.oneIn(9) ? .null : .int(Int64(random.below(500))))),
            ("date", .single(.date(Timestamp(seconds: Int64(random.below(900)), nanoseconds: 7)))),
            ("text", .single(random.oneIn(9) ? .null : .string(text))), ("link", link),
            ("owner", ownerLinks[code < 3 ? Int(code) : 3]),
          ])
        links.append(.single(.link(ObjectLink(table: key, key: made))))
      }
    }
    return realm.database.transaction
  }

  @Test(
    "the objects are those of the row-by-row evaluator",
    arguments: [
      "link.number > 250", "link.link.number <= 400", "link.date != null", "link.number == link.code",
      "link.link.text > link.link.text", "link.number != link.code", "link.text == link.text",
      "link.number >= link.code OR link.number == 7", "link.number + 1 > code", "link == null",
      "link != null",
      "link.link == null", "@links.Row.link.@count > 2", "ANY @links.Row.link.number > 400",
      "link.text == text", "link.text < link.link.text", "link.date > date", "text != link.text",
      "link.link.text >= link.text", "date == link.link.date", "link.text == null AND text == link.text",
      "link.code == 7", "link.link.code == 9", "7 == link.code AND number > 100",
      "link.code == 7 OR code == 8", "link.group == 3", "2 == link.link.group",
      "link.group == 1 AND code == 7", "owner == obj('Owner', 1)", "owner == obj('Owner', 3)",
      "owner IN {obj('Owner', 2), obj('Owner', 1)}", "owner IN {obj('Owner', 3), obj('Owner', 0)}",
    ])
  func conditions(text: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let query = try asked.bound(text)
    let expected = try RowEvaluator(asked.realm).keys(query)
    #expect(!expected.isEmpty || text.contains(".text > ") || text.contains("link.text == text"))
    let executor = try QueryExecutor(query, in: asked.realm)
    #expect(try executor.keys() == expected)
    #expect(try executor.count() == expected.count)
  }

  @Test(
    "an index of the class that links lead to names the objects",
    arguments: ["link.code == 7", "9 == link.link.code"])
  func index(text: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let plan = try QueryExecutor(try asked.bound(text), in: asked.realm).plan
    #expect(plan.indexUses.map(\.isUsed) == [true])
    guard case .index = plan.access else {
      Issue.record("the rows are scanned")
      return
    }
  }

  @Test(
    "objects that an index names are compared with the links where there are many of them",
    arguments: [("link.group == 3", 1), ("2 == link.link.group", 2)])
  func links(text: String, hopCount: Int) throws {
    let asked = try Asked(Self.realm, "Row")
    let plan = try QueryExecutor(try asked.bound(text), in: asked.realm).plan
    #expect(plan.indexUses.map(\.outcome) == [.linkedObjectsNamed])
    let steps = plan.condition.steps.map(\.text)
    #expect(steps.count == 1 && steps[0].hasPrefix("link: link to one of "))
    if hopCount == 1 {
      let named = try Asked(Self.realm, "Row").bound("group == 3")
      let count = try QueryExecutor(named, in: asked.realm).count()
      #expect(steps == ["link: link to one of \(count) objects that were found first"])
    }
  }

  @Test(
    "objects of a class that is too large for a scan are compared with the links where an index names them")
  func largeClass() throws {
    let made = try WritableDatabase.withRows([
      PropertyDefinition("group", .int, index: .general), PropertyDefinition("number", .int),
      PropertyDefinition("link", .object, target: "Row"),
    ]) { write, key in
      var links: [NewValue] = []
      for number in 0..<17_000 {
        let row = try write.create(
          key, [("group", .single(.int(Int64(number % 3)))), ("number", .single(.int(Int64(number))))])
        links.append(.single(.link(ObjectLink(table: key, key: row))))
      }
      try write.addClasses([
        ClassDefinition("Few", properties: [PropertyDefinition("row", .object, target: "Row")])
      ])
      let few = try #require(try write.schema(named: "Few")).tableKey
      for number in 0..<40 { _ = try write.create(few, [("row", links[number * 400])]) }
    }
    let asked = try Asked(.success(made.database.transaction), "Few")
    let steps = { (text: String) in
      try QueryExecutor(try asked.bound(text), in: asked.realm).plan.condition.steps.map(\.text)
    }
    #expect(try steps("row.group == 1") == ["row: link to one of 5667 objects that were found first"])
    #expect(try steps("row.number == 1") == ["object by object"])
    let executor = try QueryExecutor(try asked.bound("row.group == 1"), in: asked.realm)
    #expect(try executor.count() == 13)
  }

  @Test(
    "objects that link to an object are known to that object, unless they are many",
    arguments: [
      ("owner IN {obj('Owner', 2), obj('Owner', 1)}", [QueryPlan.IndexUse.Outcome.linksFollowedBack]),
      ("owner == obj('Owner', 0) OR code == 7", [.linksFollowedBack, .valuesLookedUp(1)]),
      ("owner == obj('Owner', 3)", [.noIndex]), ("owner != obj('Owner', 0)", [.noIndex]),
      ("owner IN {obj('Owner', 0), NULL}", [.noIndex]),
    ])
  func incomingLinks(text: String, outcomes: [QueryPlan.IndexUse.Outcome]) throws {
    let asked = try Asked(Self.realm, "Row")
    let plan = try QueryExecutor(try asked.bound(text), in: asked.realm).plan
    #expect(plan.indexUses.map(\.outcome) == outcomes)
  }

  @Test("an index that names nothing because another one does is not said to be used")
  func otherIndex() throws {
    let asked = try Asked(Self.realm, "Row")
    let plan = try QueryExecutor(try asked.bound("code == 7 AND link.group == 3"), in: asked.realm).plan
    #expect(plan.indexUses.map(\.outcome) == [.valuesLookedUp(1), .tooManyObjects])
  }

  @Test(
    "the order is that of the row-by-row evaluator",
    arguments: [
      "TRUEPREDICATE SORT(link.number ASC)", "TRUEPREDICATE SORT(link.number DESC)",
      "TRUEPREDICATE SORT(link.text ASC, date DESC)",
      "TRUEPREDICATE SORT(link.link.date DESC, link.text ASC)",
      "number > 250 SORT(link.link.number ASC) LIMIT(30)", "TRUEPREDICATE SORT(link.date ASC) LIMIT(5)",
      "TRUEPREDICATE DISTINCT(link.number)", "number < 30 DISTINCT(link.text, link.link.number)",
      "TRUEPREDICATE SORT(link.text DESC) DISTINCT(link.link.date) LIMIT(40)",
      "TRUEPREDICATE DISTINCT(link) SORT(link.number ASC)", "number == null SORT(link.link ASC)",
    ])
  func order(text: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let query = try asked.bound(text)
    let expected = try RowEvaluator(asked.realm).keys(query)
    #expect(!expected.isEmpty)
    #expect(try QueryExecutor(query, in: asked.realm).keys() == expected)
  }
}
