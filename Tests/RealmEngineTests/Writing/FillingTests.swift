import RealmEngine
import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Giving a property computed values")
struct FillingTests {
  private static let rows = 6000

  /// A class of `rows` objects with `n` 0, 1, 2 … and an indexed text of it.
  private static func makeRealm() throws -> WritableDatabase {
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("n", .int), PropertyDefinition("text", .string, index: .general),
      PropertyDefinition("any", .mixed), PropertyDefinition("next", .object, target: "Row"),
    ]) { write, table in
      for number in 0..<rows {
        _ = try write.create(
          table,
          [
            ("n", .single(.int(Int64(number)))), ("text", .single(.string(ByteString("text \(number)")))),
            ("any", .single(.int(Int64(number)))),
          ])
      }
    }
    return realm
  }

  private static func table(_ realm: ReadTransaction) throws -> Table {
    try #require(realm.table(named: "Row"))
  }

  private static func keys(_ realm: WritableDatabase) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var cursor = try table(realm.database.transaction).blocks()
    while let block = try cursor.next() { for row in 0..<block.count { keys.append(block.key(row)) } }
    return keys
  }

  private static func fill(
    _ write: WriteTransaction, _ name: String, _ text: String, _ keys: [ObjectKey]?
  ) throws -> FillReport {
    try write.fill("Row", name, with: text, keys: keys.map { ObjectKeyList($0) })
  }

  private static func bound(
    _ write: WriteTransaction, _ name: String, _ text: String
  ) throws -> BoundExpression {
    try write.bound("Row", name, text)
  }

  /// The values of a property, in key order.
  private static func values(_ realm: WritableDatabase, _ name: String) throws -> [Value] {
    let table = try table(realm.database.transaction)
    let property = try #require(table.schema.property(named: name))
    var values: [Value] = []
    for block in try table.allBlocks() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        values.append(try leaf.value(row, in: table.snapshot, target: property.target).owned())
      }
    }
    return values
  }

  /// How many of all objects are asked for: few, which are changed one by one, and many, changed leaf by leaf.
  @Test(
    "the objects asked for get their values, whatever their number and order",
    arguments: TestScale.current == .fast ? [2, 100, 2900] : [1, 2, 90, 100, 2900, rows])
  func someObjects(count: Int) throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    let chosen = Set((0..<count).map { $0 * (Self.rows / count) })
    let write = try realm.begin()
    let keys = chosen.map { all[$0] } + [ObjectKey(1 << 40)]
    for (name, text) in [("n", "n * 2 + 1"), ("text", "'changed ' + string(n)"), ("any", "n + 5")] {
      #expect(try Self.fill(write, name, text, keys).touchedCount == count)
    }
    try realm.commit(write)
    let numbers = (0..<Self.rows).map { chosen.contains($0) ? $0 * 2 + 1 : $0 }
    #expect(try Self.values(realm, "n") == numbers.map { .int(Int64($0)) })
    #expect(
      try Self.values(realm, "text")
        == numbers.enumerated().map { number, new in
          .string(ByteString(chosen.contains(number) ? "changed \(new)" : "text \(number)"))
        })
    #expect(
      try Self.values(realm, "any")
        == numbers.enumerated().map { number, new in .int(Int64(chosen.contains(number) ? new + 5 : number)) }
    )
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }

  @Test("what reads other objects sees them as they were", arguments: [3, Self.rows])
  func valuesOfOthers(count: Int) throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    var write = try realm.begin()
    let table = try #require(try write.schema(named: "Row")).tableKey
    for index in 1..<all.count {
      let link = ObjectLink(table: table, key: all[index - 1])
      try write.update(ObjectLink(table: table, key: all[index]), [("next", .single(.link(link)))])
    }
    try realm.commit(write)
    write = try realm.begin()
    _ = try Self.fill(write, "n", "next.n ?? -1", Array(all.prefix(count)))
    try realm.commit(write)
    #expect(
      try Self.values(realm, "n") == (0..<Self.rows).map { .int(Int64($0 < count ? $0 - 1 : $0)) })
  }

  @Test(
    "several properties see the object as it was, whether one by one or leaf by leaf",
    arguments: [3, 2900, Self.rows])
  func exchange(count: Int) throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    let write = try realm.begin()
    let changes = try [
      ("n", "n + length(text)"), ("text", "'n was ' + string(n)"), ("any", "n"), ("next", "next"),
    ].map { name, text in PropertyChange(name, try Self.bound(write, name, text)) }
    let report = try write.fill(
      "Row", changes, keys: count == Self.rows ? nil : ObjectKeyList(Array(all.prefix(count))),
      environment: ExpressionEnvironment(now: Timestamp(seconds: 0, nanoseconds: 0), seed: 1))
    try realm.commit(write)
    #expect(report.touchedCount == count)
    for (index, values) in zip(
      try Self.values(realm, "n"), zip(try Self.values(realm, "text"), try Self.values(realm, "any"))
    ).enumerated() {
      let isChanged = index < count
      let length = "text \(index)".utf8.count
      #expect(values.0 == .int(Int64(isChanged ? index + length : index)))
      #expect(values.1.0 == .string(ByteString(isChanged ? "n was \(index)" : "text \(index)")))
      #expect(values.1.1 == .int(Int64(index)))
    }
  }

  @Test("one object of many is changed by a few nodes, its index entry too")
  func oneObject() throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    let write = try realm.begin()
    for name in ["n", "text"] {
      let before = write.changeCount
      _ = try Self.fill(write, name, name == "n" ? "-1" : "'other'", [all[4321]])
      #expect(write.changeCount - before < 40, "\(name)")
    }
  }

  @Test("a value that does not fit is refused by the object's name, and nothing changes")
  func misfit() throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    let write = try realm.begin()
    let error = #expect(throws: BindingFailure.self) {
      try Self.fill(write, "n", "n == 7 ? null : 1", [all[6], all[7]])
    }
    guard case .engine(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.kind == .constraint && reason.place == "object \(all[7].value)")
    #expect(!write.isChanged)
  }

  @Test("where a value cannot be computed nothing has changed, and the transaction goes on")
  func failure() throws {
    let realm = try Self.makeRealm()
    let write = try realm.begin()
    for (name, text) in [("n", "10 / (5000 - n)"), ("text", "n < 5000 ? 'a' : string(int(text))")] {
      #expect(throws: BindingFailure.self) { try Self.fill(write, name, text, nil) }
      #expect(!write.isChanged)
    }
    #expect(try Self.fill(write, "n", "n + 1", nil).touchedCount == Self.rows)
    try realm.commit(write)
    #expect(try Self.values(realm, "n") == (1...Self.rows).map { .int(Int64($0)) })
    #expect(try Self.values(realm, "text")[0] == .string(ByteString("text 0")))
  }

  @Test("where one of many embedded objects cannot be made none is, and their keys are free again")
  func embeddedFailure() throws {
    let realm = try Self.makeRealm()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("Part", kind: .embedded, properties: [PropertyDefinition("n", .int)])
    ])
    try write.addProperty("Row", PropertyDefinition("part", .object, target: "Part"))
    func fill(_ text: String) throws {
      let value = ValueForm.object([("n", .expression(try Self.bound(write, "n", text)))])
      _ = try write.fill(
        "Row", [PropertyChange("part", form: value)],
        environment: ExpressionEnvironment(now: Timestamp(seconds: 0, nanoseconds: 0), seed: 1))
    }
    let changeCount = write.changeCount
    #expect(throws: BindingFailure.self) { try fill("10 / (5000 - n)") }
    #expect(write.changeCount == changeCount)
    // The second time what is there goes, and nothing of it is left.
    for factor in 2...3 { try fill("n * \(factor)") }
    try realm.commit(write)
    let part = try #require(realm.database.transaction.table(named: "Part"))
    #expect(part.count == Self.rows)
    let property = try #require(part.schema.properties.first)
    for number in [0, 255, 256, Self.rows - 1] {
      let sequence = Self.rows + number
      let key = ObjectKey(Int64(sequence & 0xFF | (sequence & ~0xFF) << 8))
      let place = try #require(try part.find(key))
      let leaf = try place.block.leaf(property)
      #expect(try leaf.value(place.row, in: part.snapshot) == .int(Int64(number * 3)))
    }
  }

  @Test("a change that failed half done is neither seen nor committed")
  func halfDone() throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    let write = try realm.begin()
    let schema = try #require(try write.schema(named: "Row"))
    let property = try #require(schema.property(named: "next"))
    #expect(throws: EngineError.self) {
      try write.setLinks(schema.tableKey, property, [(all[0], ObjectKey(1 << 40))])
    }
    #expect(throws: EngineError.self) { try write.view() }
    #expect(throws: EngineError.self) { try realm.commit(write) }
  }

  @Test("links are found by texts and numbers: the first object of each value", arguments: [3, Self.rows])
  func finding(count: Int) throws {
    let realm = try Self.makeRealm()
    let all = try Self.keys(realm)
    let write = try realm.begin()
    let keys = Array(all.suffix(count))
    // Not the indexed property: a copy of it, in which each text stands twice.
    try write.addProperty("Row", PropertyDefinition("name", .string, isOptional: true))
    _ = try Self.fill(write, "name", "n == 7 ? null : 'é ' + string(n % 3000)", nil)
    _ = try Self.fill(write, "next", "find(Row, 'name', 'é ' + string(n + 1))", keys)
    try realm.commit(write)
    let table = try Self.table(realm.database.transaction).schema.tableKey
    func link(_ number: Int) -> Value {
      // Null is nobody's value, so that the second object of that text is the first.
      number > 2999 || number < 0
        ? .null : .link(ObjectLink(table: table, key: all[number == 7 ? 3007 : number]))
    }
    let first = Self.rows - count
    #expect(
      try Self.values(realm, "next") == (0..<Self.rows).map { $0 < first ? .null : link($0 + 1) })
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }
}

extension WriteTransaction {
  func bound(_ className: String, _ name: String, _ text: String) throws -> BoundExpression {
    let source = Array(text.utf8)
    return try BoundExpression(
      try Expression(parsing: source), source: source,
      in: ExpressionScope(.object(className: className, old: name), in: try view()))
  }

  /// Gives objects what a text makes of them; `keys` nil: all.
  func fill(
    _ className: String, _ name: String, with text: String, keys: ObjectKeyList? = nil
  ) throws -> FillReport {
    try fill(
      className, [PropertyChange(name, try bound(className, name, text))], keys: keys,
      environment: ExpressionEnvironment(now: Timestamp(seconds: 0, nanoseconds: 0), seed: 1))
  }
}
