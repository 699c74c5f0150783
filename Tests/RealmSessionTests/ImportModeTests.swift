// The ways of importing agree: with and without rejects, inserting, changing and passing over, many rows at once and one by one.

import RealmEngine
import RealmSession
import TestSupport
import Testing
import TextFormats

@Suite("Modes of imports")
struct ImportModeTests {
  /// Keeps what was rejected.
  private final class Audience: ImportListener {
    var rejects: [(row: String, fault: String)] = []

    func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws {
      let place = fault.location.map { "\($0.line):\($0.column) " } ?? ""
      rejects.append((row.string, place + fault.message))
    }
    func begin(columns: Span<UInt8>, separator: UInt8) {}
    func progress(rowCount: Int, byteCount: Int) {}
  }

  private static func transaction() throws -> WriteTransaction {
    let transaction = try WritableDatabase.inMemory().begin()
    try transaction.addClasses([
      ClassDefinition(
        "Node", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int), PropertyDefinition("age", .int, isOptional: true, index: .general),
          PropertyDefinition("next", .object, target: "Node"),
          PropertyDefinition("all", .object, collection: .list, target: "Node"),
          PropertyDefinition("home", .object, target: "Home"),
        ]),
      ClassDefinition(
        "Home", kind: .embedded,
        properties: [
          PropertyDefinition("street", .string), PropertyDefinition("node", .object, target: "Node"),
        ]),
    ])
    return transaction
  }

  private static let header = "id,age,next,all,home.street,home.node"

  private static func run(
    _ rows: [String], _ options: ImportOptions = ImportOptions(), in transaction: WriteTransaction,
    _ audience: Audience = Audience()
  ) throws -> ImportReport {
    let text = ([header] + rows).joined(separator: "\n") + "\n"
    let source = ImportSource("a.csv", SourceFormat.Wish()) { TextInput(Array(text.utf8).span) }
    return try ImportJob(options, className: "Node", in: transaction, audience).run([source])
  }

  private static func accepts(_ rows: [String]) throws -> Bool {
    do {
      _ = try run(rows, in: try transaction())
      return true
    } catch is ImportFault {
      return false
    }
  }

  /// All objects as lines, in the order of their primary keys, links as the primary keys of their objects.
  private static func contents(of transaction: WriteTransaction) throws -> [String] {
    let view = try transaction.view()
    let table = try #require(view.table(named: "Node", allTables: false))
    func key(_ link: Value) throws -> String {
      guard case .link(let link) = link, let table = view.table(link.table),
        let position = try table.find(link.key)
      else { return "\(link)" }
      return try text(table, position, table.schema.properties[0])
    }
    func text(_ table: Table, _ position: ObjectPosition, _ property: Property) throws -> String {
      let leaf = try position.block.leaf(property)
      if case .collections(let leaf) = leaf {
        var elements: [String] = []
        if let root = try leaf.root(position.row) {
          var links: [Value] = []
          try view.snapshot.forEachElement(of: property, at: root) { value in
            links.append(value)
            return true
          }
          elements = try links.map(key)
        }
        return "[" + elements.joined(separator: " ") + "]"
      }
      let value = try leaf.value(position.row, in: view.snapshot, target: property.target)
      guard case .link(let link) = value, let inner = view.table(link.table) else {
        if case .string(let text) = value { return text.text }
        return "\(value)"
      }
      guard inner.schema.kind == .embedded, let position = try inner.find(link.key) else {
        return try key(value)
      }
      return try inner.schema.properties.map { try text(inner, position, $0) }.joined(separator: "/")
    }
    var lines: [String] = []
    for block in try table.allBlocks() {
      for row in 0..<block.count {
        let position = ObjectPosition(block: block, row: row)
        lines.append(try table.schema.properties.map { try text(table, position, $0) }.joined(separator: "|"))
      }
    }
    return lines.sorted()
  }

  /// Rows of which some are bad, some repeat a key, and some link to what is not there.
  private static func rows(_ random: inout SplitMix64) -> [String] {
    func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    let count = number(3) == 0 ? 400 + number(300) : 1 + number(40)
    let keys = number(4) == 0 ? count : count + count / 20 + 1
    return (0..<count).map { index in
      let id = number(12) == 0 ? number(keys) : index
      let age = number(40) == 0 ? "x" : number(5) == 0 ? "" : "\(number(90))"
      func link() -> String { "\(number(keys))" }
      let next = number(3) > 0 ? "" : number(30) == 0 ? "\(keys + 7)" : link()
      let all = number(4) > 0 ? "" : "\"[\((0..<number(3)).map { _ in link() }.joined(separator: ","))]\""
      let home = number(4) > 0 ? "," : "s,\(number(2) == 0 ? "" : link())"
      return "\(id),\(age),\(next),\(all),\(home)"
    }
  }

  private static func id(_ row: String) -> String { String(row.prefix { $0 != "," }) }

  @Test("what is not rejected is what may be imported, and what is rejected may not be added to it")
  func rejects() throws {
    let seed = testSeed()
    for seed in seed..<seed + 15 {
      var random = SplitMix64(state: seed)
      let rows = Self.rows(&random)
      var options = ImportOptions()
      options.keepsRejects = true
      let audience = Audience()
      let transaction = try Self.transaction()
      let report = try Self.run(rows, options, in: transaction, audience)
      #expect(report.rejectedCount == audience.rejects.count, "seed \(seed)")
      #expect(report.insertedCount + report.rejectedCount == rows.count, "seed \(seed)")
      // They come in order, so they can be taken out again.
      var rest = audience.rejects.map(\.row)[...]
      var lines = audience.rejects.map { Int($0.fault.prefix { $0 != ":" }) ?? 0 }[...]
      let good = rows.enumerated().filter { index, row in
        guard lines.first == index + 2 else { return true }
        #expect(rest.first == row, "seed \(seed)")
        rest = rest.dropFirst()
        lines = lines.dropFirst()
        return false
      }.map(\.element)
      #expect(rest.isEmpty, "seed \(seed)")
      let plain = try Self.transaction()
      _ = try Self.run(good, in: plain)
      #expect(try Self.contents(of: plain) == Self.contents(of: transaction), "seed \(seed)")
      for row in audience.rejects.map(\.row).shuffled(using: &random).prefix(3) {
        #expect(try !Self.accepts(good + [row]), "seed \(seed): \(row)")
      }
    }
  }

  @Test("upsert leaves the last row of a key, skip the first, and both insert what is new")
  func repeated() throws {
    let seed = testSeed()
    for seed in seed..<seed + 15 {
      var random = SplitMix64(state: seed)
      var rows = Self.rows(&random).filter { !$0.contains("x") }
      // Links lead to what is there: every key has a row.
      let keys = rows.count + rows.count / 20 + 8
      rows += (0..<keys).map { "\($0),7,,,," }.filter { row in !rows.contains { Self.id($0) == Self.id(row) }
      }
      rows = rows.filter { !$0.contains("\(rows.count + 7)") }
      for mode in [IngestMode.upsert, .skip] {
        var kept: [String: Int] = [:]
        for (index, row) in rows.enumerated() where mode == .upsert || kept[Self.id(row)] == nil {
          kept[Self.id(row)] = index
        }
        let expected = try Self.transaction()
        let distinct = kept.values.sorted().map { rows[$0] }
        guard (try? Self.run(distinct, in: expected)) != nil else { continue }
        var options = ImportOptions()
        options.mode = mode
        let transaction = try Self.transaction()
        let report = try Self.run(rows, options, in: transaction)
        #expect(report.insertedCount == kept.count, "seed \(seed) \(mode)")
        let found = try Self.contents(of: transaction)
        #expect(try found == Self.contents(of: expected), "seed \(seed) \(mode)")
      }
    }
  }

  @Test("a row is rejected with what links to it, and a cycle of good ones is not")
  func dangling() throws {
    var options = ImportOptions()
    options.keepsRejects = true
    let audience = Audience()
    let transaction = try Self.transaction()
    let rows = [
      "1,,2,,,", "2,,3,,,", "3,,9,,,", "4,,5,,,", "5,,4,,,", "6,,6,,,", "7,,,\"[4,1]\",,", "8,x,,,,",
      "10,,,,s,8",
    ]
    let report = try Self.run(rows, options, in: transaction, audience)
    let message = "Node has no object with this primary key"
    #expect(
      audience.rejects.map(\.fault) == [
        "2:4 \(message)", "3:4 \(message)", "4:4 \(message)", "8:5 \(message)",
        "9:3 Node.age is int?, not \"x\"",
        "10:9 \(message)",
      ])
    #expect(report.insertedCount == 3 && report.rejectedCount == 6)
    #expect(try Self.contents(of: transaction).map(Self.shownID) == ["4", "5", "6"])
  }

  private static func shownID(_ line: String) -> String {
    String(line.filter(\.isNumber).prefix(1))
  }
}
