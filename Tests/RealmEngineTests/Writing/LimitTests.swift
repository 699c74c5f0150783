import RealmEngine
import Testing

@Suite("Limits of what can be written")
struct LimitTests {
  private func realm() throws -> (WritableDatabase, WriteTransaction, TableKey) {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Item", primaryKey: "_id",
        properties: [
          PropertyDefinition("_id", .string, isOptional: true), PropertyDefinition("text", .string),
          PropertyDefinition("data", .data, isOptional: true),
          PropertyDefinition("other", .object, target: "Item"),
          PropertyDefinition("map", .mixed, collection: .dictionary), PropertyDefinition("any", .mixed),
        ])
    ])
    return (realm, write, try #require(try write.schema(named: "Item")).tableKey)
  }

  private func kind(_ body: () throws -> Void) -> EngineError.Kind? {
    do {
      try body()
      return nil
    } catch { return (error as? EngineError)?.kind }
  }

  private func text(_ text: String) -> NewValue { .single(.string(ByteString(text))) }

  @Test("names keep to 57 and 63 bytes")
  func names() throws {
    let (_, write, _) = try realm()
    let name = { String(repeating: "é", count: $0 / 2) + ($0 % 2 == 1 ? "x" : "") }
    try write.addClasses([ClassDefinition(name(57), properties: [PropertyDefinition(name(63), .int)])])
    #expect(kind { try write.addClasses([ClassDefinition(name(58), properties: [])]) } == .constraint)
    #expect(kind { try write.addProperty("Item", PropertyDefinition(name(64), .int)) } == .constraint)
    #expect(kind { try write.addProperty("Item", PropertyDefinition("", .int)) } == .constraint)
    #expect(kind { try write.renameProperty("Item", "text", to: "data") } == .constraint)
    #expect(kind { try write.addClasses([ClassDefinition("Item", properties: [])]) } == .constraint)
    // None of the refusals spoiled the transaction.
    #expect(try write.view().classes().count == 2)
  }

  @Test("values that do not fit are refused before anything changes")
  func values() throws {
    let (realm, write, item) = try realm()
    let first = try write.create(item, [("_id", text("a"))])
    let link = ObjectLink(table: item, key: first)
    let huge = ByteString(copying: [UInt8](repeating: 65, count: 0xFF_FFF8 - 8 + 1))
    let cases: [(String, NewValue)] = [
      ("text", .null), ("text", .single(.int(1))), ("text", .single(.string(huge))),
      ("data", .single(.data(huge))),
      ("other", .single(.link(ObjectLink(table: item, key: ObjectKey(77))))), ("other", text("a")),
      ("map", .list([])), ("map", .dictionary([(ByteString("$a"), .null)])),
      ("map", .dictionary([(ByteString("a.b"), .null)])),
      ("_id", text("other")), ("any", .set([])),
    ]
    for (property, value) in cases {
      #expect(kind { try write.update(link, [(property, value)]) } == .constraint, "\(property)")
    }
    #expect(kind { _ = try write.create(item, [("_id", text("a"))]) } == .constraint)
    #expect(kind { _ = try write.create(item, [("text", text("no key"))]) } == .constraint)
    #expect(kind { try write.update(link, [("nothing", .null)]) } == .unknownProperty)
    var nested = NewValue.list([])
    for _ in 0..<101 { nested = .list([nested]) }
    #expect(kind { try write.update(link, [("any", nested)]) } == .constraint)
    try realm.commit(write)
    #expect(realm.database.transaction.table(item)?.count == 1)
  }

  @Test("more classes than a realm can hold are refused before the first is made")
  func classes() throws {
    let (_, write, _) = try realm()
    let definitions = (0..<65_535).map { ClassDefinition("C\($0)", properties: []) }
    #expect(kind { try write.addClasses(definitions) } == .constraint)
    #expect(try write.view().classes().count == 1)
    try write.addClasses([definitions[0]])
    #expect(try write.view().table(named: "C0") != nil)
  }

  @Test("a class takes the first free slot, and is found by its last name alone")
  func freeSlots() throws {
    let (_, write, item) = try realm()
    try write.addClasses(["A", "B", "C"].map { ClassDefinition($0, properties: []) })
    let slots = try ["A", "B", "C"].map { try #require(try write.schema(named: $0)).tableKey.slot }
    #expect(slots == [1, 2, 3].map { item.slot + $0 })
    try write.removeClass("B")
    try write.removeClass("A")
    try write.addClasses(["D", "E", "A"].map { ClassDefinition($0, properties: []) })
    let reused = try ["D", "E", "A"].map { try #require(try write.schema(named: $0)).tableKey.slot }
    #expect(reused == [slots[0], slots[1], slots[2] + 1])
    try write.renameClass("D", to: "F")
    #expect(try write.schema(named: "D") == nil && write.schema(named: "B") == nil)
    #expect(try write.schema(named: "F")?.tableKey.slot == slots[0])
    let view = try write.view()
    #expect(view.table(named: "F")?.schema.tableKey.slot == slots[0] && view.table(named: "D") == nil)
    #expect(view.table(named: "class_F") == nil)
  }

  @Test("the longest text and data fit")
  func longest() throws {
    let (realm, write, item) = try realm()
    let text = ByteString(copying: [UInt8](repeating: 65, count: 16_777_199))
    let data = ByteString(copying: [UInt8](repeating: 66, count: 0xFF_FFF0))
    _ = try write.create(
      item, [("_id", .null), ("text", .single(.string(text))), ("data", .single(.data(data)))])
    try realm.commit(write)
    let table = try #require(realm.database.transaction.table(item))
    var cursor = table.blocks()
    let block = try #require(try cursor.next())
    let leaf = try block.leaf(try #require(table.schema.property(named: "text")))
    #expect(try leaf.value(0, in: realm.database.transaction.snapshot) == .string(text))
  }
}
