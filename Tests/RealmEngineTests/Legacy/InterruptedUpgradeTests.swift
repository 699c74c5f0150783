import RealmEngine
import RealmRecovery
import TestSupport
import Testing

/// Files whose upgrade from format 9 stopped half-way.
struct InterruptedUpgradeTests {
  typealias Column = OldFileBuilder.Column

  /// A column as a later engine has converted it: with a key of its own.
  struct Converted {
    var name: String?
    var type: Int
    var attributes = 0
    /// The target's table number.
    var target: Int?
    /// The distinct texts of an enumerated column.
    var texts = 0
    var leafIndex: Int?
  }

  let builder = OldFileBuilder()

  private func key(_ column: Converted, _ index: Int, table: Int) -> Int64 {
    let attributes = column.attributes & ~1
    return Int64(column.leafIndex ?? index) | Int64(column.type) << 16 | Int64(attributes) << 22
      | Int64(table) << 30
  }

  /// A table in the shape of format 10. `details` is the old list beside the spec, where it is still there.
  private func table(
    _ number: Int, _ columns: [Converted], oldColumns: [Int]?, clusters: Int, details: [Int]? = nil
  ) -> Int {
    let names = builder.shortTexts(columns.compactMap(\.name), width: 32)
    let hasTexts = columns.contains { $0.texts != 0 }
    let spec = builder.refs([
      builder.integers(columns.map { Int64($0.type) }), names,
      builder.integers(columns.map { Int64($0.attributes) }), details.map { builder.refs($0) } ?? 0,
      hasTexts ? builder.refs(columns.filter { $0.name != nil }.map(\.texts)) : 0,
      builder.integers(columns.enumerated().map { key($1, $0, table: number) }),
    ])
    let opposites = builder.integers(columns.map { Int64($0.target ?? 0) }, width: 32)
    let tagged = { (number: Int) in OldFileBuilder.tagged(number) }
    return builder.refs([
      spec, oldColumns.map { builder.refs($0) } ?? 0, clusters, tagged(number), builder.refs([]), tagged(0),
      tagged(1), opposites, builder.integers(columns.map { _ in 0 }), 0, 0, 0,
    ])
  }

  /// A leaf cluster; `keys` nil counts from 0.
  private func cluster(keys: [Int64]? = nil, count: Int, _ leaves: [Int]) -> Int {
    builder.refs([keys.map { builder.integers($0, width: 64) } ?? OldFileBuilder.tagged(count)] + leaves)
  }

  private func emptyCluster() -> Int { cluster(count: 0, []) }

  /// The origins of the links that come in at each object, by property.
  private func incoming(_ reading: OldFileReading, _ name: String) throws -> [[Int64: [Int64]]] {
    let table = try reading.table(name)
    return try table.schema.backlinks.map { column in
      var origins: [Int64: [Int64]] = [:]
      for block in try table.allBlocks() {
        let leaf = try block.backlinks(column)
        for row in 0..<block.count {
          try reading.realm.snapshot.forEachOrigin(try leaf[row]) { key in
            origins[block.key(row).value, default: []].append(key.value)
            return true
          }
        }
      }
      return origins
    }
  }

  @Test("objects still in old columns, the spec already converted", arguments: [false, true])
  func converted(hasIndexes: Bool) throws {
    let texts = builder.shortTexts(["red", "blue"], width: 8)
    let index = hasIndexes ? [builder.refs([0], context: true)] : []
    let list = builder.refs([builder.shortTexts(["x", nil], width: 4)])
    let old =
      [builder.integers([5, 6])] + index + [builder.integers([1, 0]), builder.refs([0, list])]
      + [builder.integers([0, 1]), builder.refs([builder.integers([1, 0]), 0]), 0, 0]
    let tagged = { (number: Int) in OldFileBuilder.tagged(number) }
    let ref = table(
      0,
      [
        Converted(name: "id", type: 0, attributes: 1), Converted(name: "colour", type: 2, texts: texts),
        Converted(name: "tags", type: 2, attributes: 48),
        Converted(name: "link", type: 12, attributes: 16, target: 0),
        Converted(name: "links", type: 13, attributes: 32, target: 0), Converted(type: 14, target: 0),
        Converted(type: 14, target: 0),
      ], oldColumns: old, clusters: emptyCluster(),
      // As long as indexes are there, so is the list beside the spec.
      details: hasIndexes ? [tagged(0), tagged(0), tagged(0), tagged(3), tagged(0), tagged(4)] : nil)
    let reading = try OldFileReading(builder.file([("class_A", ref)]))
    #expect(try reading.values("id") == [.int(5), .int(6)])
    #expect(try reading.values("colour") == [text("blue"), text("red")])
    #expect(try reading.lists("tags") == [[], [text("x"), .null]])
    let key = try reading.table().schema.tableKey
    let link = { (row: Int64) in Value.link(ObjectLink(table: key, key: ObjectKey(row))) }
    #expect(try reading.values("link") == [.null, link(0)])
    #expect(try reading.lists("links") == [[link(1), link(0)], []])
    #expect(try incoming(reading, "A") == [[0: [1]], [1: [0], 0: [0]]])
  }

  /// A table of targets whose keys are not their row numbers: row 0 has key 900, row 1 key 70, row 2 key 500.
  private func targets(_ number: Int) -> Int {
    table(
      number,
      [
        Converted(name: "name", type: 2), Converted(name: "!ROW_INDEX", type: 0, leafIndex: 2),
        Converted(type: 14, target: 0, leafIndex: 1),
      ], oldColumns: nil,
      clusters: cluster(
        keys: [70, 500, 900], count: 3,
        [
          builder.shortTexts(["one", "two", "zero"], width: 8), builder.refs([0, 0, 0]),
          builder.integers([1, 2, 0]),
        ]))
  }

  @Test("values in clusters, links in old columns, targets with new keys")
  func linksLeft() throws {
    let list = builder.integers([0, 0, 2])
    let origin = table(
      0,
      [
        Converted(name: "id", type: 0), Converted(name: "link", type: 12, attributes: 16, target: 1),
        Converted(name: "links", type: 13, attributes: 32, target: 1),
      ], oldColumns: [0, builder.integers([0, 2]), builder.refs([list, 0])],
      clusters: cluster(
        count: 2, [builder.integers([5, 6]), builder.integers([0, 0]), builder.refs([0, 0])]))
    let names = [
      Column(name: "pk_table", type: 2, root: builder.shortTexts(["B"], width: 4)),
      Column(name: "pk_property", type: 2, root: builder.shortTexts(["name"], width: 8)),
    ]
    let target = targets(1)
    let reading = try OldFileReading(
      builder.file([
        ("class_A", origin), ("class_B", target), ("pk", builder.table(names)),
        ("!UPDATE_PROGRESS", builder.table([])),
      ]))
    #expect(reading.realm.remarks.count == 1)
    #expect(reading.realm.classes(allTables: true).map(\.schema.name) == ["A", "B", "pk"])
    let schema = try reading.table("B").schema
    #expect(schema.properties.map(\.name) == ["name"] && schema.primaryKey?.name == "name")
    #expect(try reading.values("name", of: "B") == [text("one"), text("two"), text("zero")])
    let link = { (row: Int64) in Value.link(ObjectLink(table: schema.tableKey, key: ObjectKey(row))) }
    #expect(try reading.values("id") == [.int(5), .int(6)])
    #expect(try reading.values("link") == [.null, link(70)])
    #expect(try reading.lists("links") == [[link(900), link(900), link(500)], []])
    #expect(try incoming(reading, "B") == [[70: [1]], [900: [0, 0], 500: [0]]])
    #expect(
      schema.backlinks.map(\.originColumn) == (try reading.table().schema.properties[1...].map(\.columnKey)))
  }

  @Test("objects in old columns, in trees, whose targets have new keys")
  func manyLinks() throws {
    let rows = (0..<2500).map { Int64($0 % 4) }
    let leaves = stride(from: 0, to: 2500, by: 1000).map {
      builder.integers(Array(rows[$0..<min(2500, $0 + 1000)]))
    }
    let column = builder.compactTree(leaves, perChild: 1000, total: 2500)
    let origin = table(
      0, [Converted(name: "link", type: 12, attributes: 16, target: 1)], oldColumns: [column],
      clusters: emptyCluster())
    let reading = try OldFileReading(builder.file([("class_A", origin), ("class_B", targets(1))]))
    let table = try reading.table("B").schema.tableKey
    let keys: [Int64] = [900, 70, 500]
    let values = try reading.values("link")
    #expect(
      values
        == rows.map {
          $0 == 0 ? .null : .link(ObjectLink(table: table, key: ObjectKey(keys[Int($0) - 1])))
        })
    let origins = try #require(try incoming(reading, "B").first)
    #expect(origins[70] == (0..<2500).filter { $0 % 4 == 2 })
    #expect(try reading.table().find(ObjectKey(2001)) != nil)
  }

  @Test("everything in clusters of several hundred objects, and only the last step missing")
  func finished() throws {
    let count = 300
    let leaf = { (range: Range<Int64>) in self.builder.integers(range.map { $0 }) }
    let links = { (range: Range<Int64>) in self.builder.integers(range.map { $0 % 2 }) }
    let clusters = [Int64(0)..<256, 256..<Int64(count)].map { range in
      cluster(count: range.count, [leaf(range), links(range)])
    }
    let tree = builder.integers(
      [builder.integers([0, 256], width: 16), 3, OldFileBuilder.tagged(count)].map(Int64.init)
        + clusters.map(Int64.init), inner: true, refs: true)
    let ref = table(
      0, [Converted(name: "id", type: 0), Converted(name: "link", type: 12, attributes: 16, target: 0)],
      oldColumns: nil, clusters: tree)
    let reading = try OldFileReading(builder.file([("class_A", ref)]))
    #expect(try reading.values("id") == (0..<Int64(count)).map(Value.int))
    #expect(try incoming(reading, "A") == [[0: (0..<Int64(count)).filter { $0 % 2 == 1 }]])
  }

  @Test("objects half moved are refused with words")
  func halfMoved() throws {
    let origin = table(
      0, [Converted(name: "id", type: 0), Converted(name: "link", type: 12, attributes: 16, target: 0)],
      oldColumns: [0, builder.integers([0, 0, 0])],
      clusters: cluster(count: 2, [builder.integers([5, 6]), builder.integers([0, 0])]))
    let bytes = builder.file([("class_A", origin)])
    let error = #expect(throws: EngineError.self) { try OldFileReading(bytes) }
    #expect(error?.kind == .upgradeNeeded && error?.message.contains("interrupted") == true)
  }

  @Test("salvage says that objects are half moved, and goes on")
  func halfMovedSalvage() throws {
    let origin = table(
      0, [Converted(name: "id", type: 0), Converted(name: "link", type: 12, attributes: 16, target: 1)],
      oldColumns: [0, builder.integers([0, 0, 0])],
      clusters: cluster(count: 2, [builder.integers([5, 6]), builder.integers([0, 0])]))
    let bytes = builder.file([("class_A", origin), ("class_B", targets(1))])
    #expect(throws: EngineError.self) { try OldFileReading(bytes) }
    let salvage = try Salvage(
      try SalvageFile.open(FilePath("test"), content: MemoryImage.holding(bytes), key: nil))
    #expect(!salvage.isSound)
    #expect(salvage.log.damages.contains { $0.reason.contains("interrupted") })
  }

  @Test(
    "rows that take no room in the file are charged for each property that links to them",
    arguments: [100, 200_000])
  func bytelessRows(_ count: Int) throws {
    let links = (0..<40).map { Converted(name: "link\($0)", type: 12, attributes: 16, target: 1) }
    let origin = table(
      0, links, oldColumns: links.map { _ in builder.integers([]) }, clusters: emptyCluster())
    let leaves = stride(from: 0, to: count, by: 1000).map { first in
      builder.integers(Array(repeating: 0, count: min(1000, count - first)))
    }
    let column = leaves.count == 1 ? leaves[0] : builder.compactTree(leaves, perChild: 1000, total: count)
    let target = table(
      1, [Converted(name: "value", type: 0)], oldColumns: [column], clusters: emptyCluster())
    let bytes = builder.file([("class_A", origin), ("class_B", target)])
    guard count > 1000 else {
      let reading = try OldFileReading(bytes)
      #expect(try reading.values("value", of: "B").count == count)
      #expect(try incoming(reading, "B") == Array(repeating: [:], count: links.count))
      return
    }
    let error = #expect(throws: EngineError.self) { try OldFileReading(bytes) }
    #expect(error?.kind == .damaged && error?.message.contains("over and over") == true)
  }

  @Test("files with bytes changed at random are refused or read", arguments: [1, 2])
  func mutations(_ seed: UInt64) throws {
    let list = builder.integers([0, 0, 2])
    let origin = table(
      0,
      [
        Converted(name: "id", type: 0), Converted(name: "link", type: 12, attributes: 16, target: 1),
        Converted(name: "links", type: 13, attributes: 32, target: 1),
      ], oldColumns: [0, builder.integers([0, 2]), builder.refs([list, 0])],
      clusters: cluster(
        count: 2, [builder.integers([5, 6]), builder.integers([0, 0]), builder.refs([0, 0])]))
    let sound = builder.file([("class_A", origin), ("class_B", targets(1))])
    var random = SplitMix64(state: seed)
    for round in 0..<OldWalk.rounds {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 24..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      do {
        var report = OldWalk()
        try report.read(OldFileReading(bytes).realm)
      } catch let error as EngineError {
        #expect(
          [.damaged, .upgradeNeeded].contains(error.kind), "seed \(seed), round \(round): \(error.message)")
      }
    }
  }
}
