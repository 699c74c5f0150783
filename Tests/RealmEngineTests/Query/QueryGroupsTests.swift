// Objects by their values: counted, and aggregated, group by group.

import ByteText
import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Groups of a query")
struct QueryGroupsTests {
  /// The groups, with the cells of their columns read from the representatives.
  private func groups(
    _ className: String, _ paths: String, of predicate: String = "TRUEPREDICATE",
    _ aggregate: (Aggregate, String)? = nil, order: String = "",
    in fixture: Result<ReadTransaction, any Error> = Fixture.zoo
  ) throws -> [(values: [Value], result: Value)] {
    let asked = try Asked(fixture, className)
    let query = try asked.bound(predicate)
    let statement = Array("count \(className) by \(paths) \(order)".utf8)
    guard case .count(_, by: let grouping?) = try Statement(parsing: statement).kind else { return [] }
    let aggregated = try aggregate.map { function, path in
      try QueryAggregate(
        function, of: try Expression(parsing: Array(path.utf8)), source: Array(path.utf8), over: query,
        in: asked.realm)
    }
    let groups = try QueryGroups(
      by: grouping, aggregated, named: aggregate?.0.rawValue ?? "count", source: statement, of: query,
      in: asked.realm)
    let evaluator = ReferenceEvaluator(asked.realm)
    return try groups.groups(try QueryExecutor(query, in: asked.realm), in: asked.realm).map { group in
      let position = try #require(try asked.table.find(group.representative))
      let values = try groups.columns.map { column in
        switch try evaluator.cell(column, of: asked.table, at: position) {
        case .objectKey(let key): return Value.int(key.value)
        case .stored(let property, let end, of: let table):
          return try end.block.leaf(property).value(end.row, in: table.snapshot, target: property.target)
        case .value(let value, _): return value
        case .list: return .null
        }
      }
      return (values, group.result)
    }
  }

  @Test(
    "every object is in one group, and groups come in ascending order",
    arguments: ["address.city", "active", "nick", "age", "address.city, active", "height", "@key"])
  func counts(paths: String) throws {
    let found = try groups("Person", paths)
    let counts = found.compactMap { group in if case .int(let count) = group.result { count } else { nil } }
    #expect(counts.reduce(0, +) == 200)
    for (left, right) in zip(found, found.dropFirst()) {
      let orders = zip(left.values, right.values).map { $0.storedOrder($1) }
      #expect(orders.first { $0 != 0 } ?? 0 < 0, "\(paths): \(left.values), \(right.values)")
    }
  }

  @Test("a group has as many objects as a condition on its value finds")
  func agreesWithConditions() throws {
    let asked = try Asked(Fixture.zoo, "Person")
    let found = try groups("Person", "address.city", of: "age > 60")
    #expect(found.count == 5)
    for group in found {
      let condition =
        if case .string(let city) = group.values[0] { "'\(city.text)'" } else { "NULL" }
      #expect(group.result == .int(Int64(try asked.count("age > 60 AND address.city == \(condition)"))))
    }
  }

  @Test("orders and limits of the query come first")
  func limits() throws {
    let found = try groups("Dog", "breed", of: "TRUEPREDICATE SORT(age DESC) LIMIT(7)")
    #expect(found.reduce(0) { $0 + ($1.result.doubleValue ?? 0) } == 7)
  }

  @Test(
    "groups are sorted by what was calculated and by their values, and as many come as are asked for",
    arguments: [
      "sort(count desc)", "sort(count asc, city desc)", "sort(city desc)", "SORT(city DESC) SORT(count ASC)",
    ])
  func ordered(order: String) throws {
    let all = try groups("Person", "address.city as city, active", of: "age < 70")
    let found = try groups("Person", "address.city as city, active", of: "age < 70", order: order)
    #expect(found.count == all.count && all.count > 5)
    let counts = found.map { $0.result.doubleValue ?? 0 }
    let isDescending = order.hasPrefix("sort(count desc)")
    if order.contains("count") { #expect(counts == (isDescending ? counts.sorted(by: >) : counts.sorted())) }
    for (left, right) in zip(found, found.dropFirst()) {
      guard !order.contains("count") || left.result == right.result else { continue }
      let city = left.values[0].storedOrder(right.values[0])
      // What is equal by all that was asked for stays in the order of all values.
      #expect(isDescending ? city <= 0 : city >= 0, "\(order)")
      if city == 0 { #expect(left.values[1].storedOrder(right.values[1]) < 0) }
    }
    let few = try groups("Person", "address.city as city, active", of: "age < 70", order: order + " limit(3)")
    #expect(few.map(\.values) == found.prefix(3).map(\.values))
    #expect(try groups("Person", "active", order: "limit(99)").count == 2)
    #expect(try groups("Person", "active", order: "limit(0)").isEmpty)
  }

  @Test("groups are sorted by aggregates, where some have none")
  func orderedByAggregate() throws {
    let found = try groups("Dog", "breed", (.max, "born"), order: "sort(max desc)")
    #expect(found.count > 1)
    for (left, right) in zip(found, found.dropFirst()) {
      #expect(left.result.storedOrder(right.result) >= 0)
    }
  }

  @Test(
    "an order that groups cannot have is refused with its place",
    arguments: [
      ("sort(age asc)", "age", "groups have no 'age'"), ("sort(avg asc)", "avg", "groups have no 'avg'"),
      ("distinct(active)", "distinct(active)", "groups are distinct already"),
    ])
  func refusedOrder(order: String, place: String, message: String) throws {
    do {
      _ = try groups("Person", "active", order: order)
      Issue.record("\(order) was accepted")
    } catch BindingFailure.query(let error) {
      #expect(error.message == message)
      #expect(Array("count Person by active \(order)".utf8).text(in: error.range) == place)
    }
  }

  @Test("aggregates are of the objects of the group")
  func aggregates() throws {
    let found = try groups("Dog", "breed", (.max, "age"))
    #expect(found.count > 1)
    for group in found {
      guard case .string(let breed) = group.values[0] else { continue }
      let all = try groups("Dog", "vaccinated", of: "breed == '\(breed.text)'", (.max, "age"))
      #expect(all.map { $0.result.doubleValue ?? 0 }.max() == group.result.doubleValue)
    }
  }

  @Test("numbers that are equal are one group, however they are stored: NaN, and both zeros")
  func equalNumbers() throws {
    for property in ["double_o", "float_o"] {
      let found = try groups("AllTypes", property, in: Fixture.allTypes)
      let texts = found.map { "\($0.values[0].doubleValue ?? .nan)" }
      #expect(texts.count { $0 == "0.0" || $0 == "-0.0" } <= 1)
      #expect(found.count { $0.values[0].isNaN } <= 1)
    }
  }

  @Test("lists and dictionaries inside of mixed values are groups of their own")
  func nestedCollections() throws {
    let found = try groups("Person", "extra")
    let nested = found.filter { $0.values[0].storedOrder(.list(NestedCollection(rootOffset: 0))) >= 0 }
    #expect(nested.count > 1)
    #expect(nested.allSatisfy { $0.result == .int(1) })
    #expect(found.count > nested.count)
  }

  @Test(
    "what has several values for an object is refused with its place",
    arguments: ["tags", "dogs.name", "attrs", "dogs", "@links.Person.bestFriend.age"])
  func refused(path: String) throws {
    do {
      _ = try groups("Person", path)
      Issue.record("\(path) was accepted")
    } catch BindingFailure.query(let error) {
      #expect(error.message == "cannot group by '\(path)': each object must have one value there")
      #expect(Array("count Person by \(path)".utf8).text(in: error.range) == path)
    }
  }
}
