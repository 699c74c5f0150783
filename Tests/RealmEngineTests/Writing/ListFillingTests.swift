import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Giving a property computed lists")
struct ListFillingTests {
  private static let rows = 1200

  /// The text of a row: nothing, short ones, longer ones, and some with letters that are not ASCII.
  private static func text(_ number: Int) -> String {
    switch number % 5 {
    case 0: ""
    case 1: "a,b\(number),,"
    case 2: "łódź,\(number)→ß,x"
    case 3: String(repeating: "long ", count: 5) + ",\(number)"
    default: String(repeating: "longer ", count: 20) + "," + String(repeating: "y", count: number % 90)
    }
  }

  private static func parts(_ number: Int) -> [String] {
    text(number).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  private static func makeRealm() throws -> WritableDatabase {
    try WritableDatabase.withRows([
      PropertyDefinition("n", .int), PropertyDefinition("text", .string, isOptional: true),
      PropertyDefinition("list", .string, collection: .list, isOptional: true),
      PropertyDefinition("set", .string, collection: .set),
      PropertyDefinition("numbers", .int, collection: .list),
      PropertyDefinition("dates", .date, collection: .list, isOptional: true),
    ]) { write, table in
      for number in 0..<rows {
        _ = try write.create(
          table,
          [
            ("n", .single(.int(Int64(number)))),
            ("text", .single(number % 7 == 0 ? .null : .string(ByteString(text(number))))),
          ])
      }
    }
  }

  private static func lists(_ realm: ReadTransaction, _ name: String) throws -> [[Value]] {
    let table = try #require(realm.table(named: "Row"))
    let property = try #require(table.schema.property(named: name))
    var lists: [[Value]] = []
    for block in try table.allBlocks() {
      guard case .collections(let roots) = try block.leaf(property) else { preconditionFailure("no lists") }
      for row in 0..<block.count {
        var list: [Value] = []
        if let root = try roots.root(row) {
          try table.snapshot.forEachElement(of: property, at: root) {
            list.append($0.owned())
            return true
          }
        }
        lists.append(list)
      }
    }
    return lists
  }

  private static func expect(
    _ realm: WritableDatabase, _ name: String, _ expected: (Int) -> [String?],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let lists = try lists(realm.database.transaction, name)
    for (number, list) in lists.enumerated() {
      let wanted = expected(number).map { $0.map { Value.string(ByteString($0)) } ?? .null }
      guard list != wanted else { continue }
      Issue.record("\(name) of \(number): \(list), not \(wanted)", sourceLocation: sourceLocation)
      return
    }
  }

  @Test("lists and sets are made of texts, for some objects and for all", arguments: [15, 800, Self.rows])
  func splitting(count: Int) throws {
    let realm = try Self.makeRealm()
    var write = try realm.begin()
    let keys = try write.keys(of: "Row")
    let chosen = count == Self.rows ? nil : ObjectKeyList(Array(keys.prefix(count)))
    for name in ["list", "set"] {
      #expect(try write.fill("Row", name, with: "split(text, ',')", keys: chosen).touchedCount == count)
    }
    try realm.commit(write)
    func parts(_ number: Int) -> [String] { number < count && number % 7 != 0 ? Self.parts(number) : [] }
    try Self.expect(realm, "list") { parts($0) }
    try Self.expect(realm, "set") { number in
      Set(parts(number)).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
    // Once more, of what is there now.
    write = try realm.begin()
    let changes = try [
      ("list", "map(list, upper(it))"), ("set", "filter(list, length(it) > 1)"), ("n", "count(list)"),
    ].map { name, text in PropertyChange(name, try write.bound("Row", name, text)) }
    _ = try write.fill(
      "Row", changes, keys: chosen,
      environment: ExpressionEnvironment(now: Timestamp(seconds: 0, nanoseconds: 0), seed: 1))
    try realm.commit(write)
    try Self.expect(realm, "list") { parts($0).map { $0.uppercased() } }
    try Self.expect(realm, "set") { number in
      Set(parts(number).filter { $0.unicodeScalars.count > 1 }).sorted {
        Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
      }
    }
    let table = try #require(realm.database.transaction.table(named: "Row"))
    let position = try #require(try table.find(keys[1]))
    let property = try #require(table.schema.property(named: "n"))
    #expect(
      try position.block.leaf(property).value(position.row, in: table.snapshot)
        == .int(Int64(parts(1).count)))
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }

  @Test("elements become what the property holds, null where it may be")
  func fitting() throws {
    let realm = try Self.makeRealm()
    let write = try realm.begin()
    _ = try write.fill("Row", "numbers", with: "n % 3 == 0 ? null : map(split(text, ','), length(it) + n)")
    _ = try write.fill("Row", "dates", with: "map(split(text, ','), it == 'x' ? null : date(n))")
    #expect(throws: BindingFailure.self, "null is no int") {
      try write.fill("Row", "numbers", with: "map(split(text, ','), it == 'x' ? null : 1)")
    }
    try realm.commit(write)
    let numbers = try Self.lists(realm.database.transaction, "numbers")
    let dates = try Self.lists(realm.database.transaction, "dates")
    for number in 0..<Self.rows {
      let parts = number % 7 == 0 ? [] : Self.parts(number)
      #expect(
        numbers[number]
          == (number % 3 == 0 ? [] : parts.map { .int(Int64($0.unicodeScalars.count + number)) }))
      #expect(
        dates[number]
          == parts.map { $0 == "x" ? .null : .date(Timestamp(seconds: Int64(number), nanoseconds: 0)) })
    }
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }

  @Test("lists that take the place of others leave no nodes behind")
  func nodesAreGivenUp() throws {
    let realm = try Self.makeRealm()
    for _ in 0..<3 {
      let write = try realm.begin()
      _ = try write.fill("Row", "list", with: "split(text, ',')")
      try realm.commit(write)
      let findings = try FileInspection.inspect(realm.database.file).findings
      #expect(findings.isEmpty, "\(findings)")
    }
  }
}

extension WriteTransaction {
  fileprivate func keys(of className: String) throws -> [ObjectKey] {
    let table = try #require(try view().table(named: className))
    var keys: [ObjectKey] = []
    for block in try table.allBlocks() { for row in 0..<block.count { keys.append(block.key(row)) } }
    return keys
  }
}
