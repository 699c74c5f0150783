import RealmEngine
import Testing

/// How rows of old columns fall into blocks.
struct OldBlockTests {
  typealias Column = OldFileBuilder.Column

  @Test("a block ends where any column's leaf ends, and holds more rows than a cluster can")
  func boundaries() throws {
    let builder = OldFileBuilder()
    let numbers = (0..<2500).map(Int64.init)
    let leaf = { (range: Range<Int>) in builder.integers(Array(numbers[range])) }
    let seconds = builder.compactTree(
      [
        builder.nullable(numbers[..<1000].map { $0 }, sentinel: -1),
        builder.nullable(numbers[1000..<2000].map { $0 }, sentinel: -1),
        builder.nullable(numbers[2000...].map { $0 }, sentinel: -1),
      ],
      perChild: 1000, total: 2500)
    let nanoseconds = builder.generalTree(
      [leaf(0..<7), leaf(7..<1007), leaf(1007..<2007), leaf(2007..<2500)], ends: [7, 1007, 2007], total: 2500)
    let reading = try builder.open([
      Column(
        name: "a", type: 0,
        root: builder.compactTree(
          [leaf(0..<1000), leaf(1000..<2000), leaf(2000..<2500)], perChild: 1000, total: 2500)),
      Column(
        name: "b", type: 0,
        root: builder.generalTree(
          [leaf(0..<300), leaf(300..<1300), leaf(1300..<2300), leaf(2300..<2500)], ends: [300, 1300, 2300],
          total: 2500)),
      Column(name: "c", type: 8, root: builder.refs([seconds, nanoseconds])),
    ])
    let table = try reading.table()
    #expect(table.count == 2500)
    var counts: [Int] = []
    for block in try table.allBlocks() { counts.append(block.count) }
    #expect(counts == [7, 293, 700, 7, 293, 700, 7, 293, 200])
    let directory = try table.directory()
    #expect(try (0..<directory.count).map { try directory.block($0).count } == counts)
    #expect(
      try (0..<directory.count).map { try directory.block($0).key(0).value } == [
        0, 7, 300, 1000, 1007, 1300, 2000, 2007, 2300,
      ])
    #expect(try reading.values("a") == numbers.map(Value.int))
    #expect(try reading.values("b") == numbers.map(Value.int))
    #expect(
      try reading.values("c") == numbers.map { .date(Timestamp(seconds: $0, nanoseconds: Int32($0))) })
  }

  @Test("rows of a block and keys lead to each other")
  func keys() throws {
    let builder = OldFileBuilder()
    let reading = try builder.open([
      Column(
        type: 0,
        root: builder.compactTree([builder.integers([1, 2]), builder.integers([3])], perChild: 2, total: 3))
    ])
    var cursor = try reading.table().blocks()
    _ = try cursor.next()
    let block = try #require(try cursor.next())
    #expect(block.key(0) == ObjectKey(2))
    #expect(block.row(of: ObjectKey(2)) == 0)
    #expect(block.row(of: ObjectKey(1)) == nil && block.row(of: ObjectKey(3)) == nil)
    let table = try reading.table()
    #expect(try table.find(ObjectKey(2))?.key == ObjectKey(2))
    for key in [-1, 3, Int64.max, Int64.min] { #expect(try table.find(ObjectKey(key)) == nil) }
  }

  @Test("deep trees of small leaves, as test builds of the engine made them")
  func deep() throws {
    let builder = OldFileBuilder()
    let numbers = (0..<1024).map(Int64.init)
    var nodes = stride(from: 0, to: 1024, by: 4).map { builder.integers(Array(numbers[$0..<$0 + 4])) }
    var perChild = 4
    while nodes.count > 1 {
      nodes = stride(from: 0, to: nodes.count, by: 4).map { first in
        let children = Array(nodes[first..<first + 4])
        // Forms alternate, general above compact and the other way round.
        return perChild == 16
          ? builder.generalTree(children, ends: (1..<4).map { $0 * perChild }, total: 4 * perChild)
          : builder.compactTree(children, perChild: perChild, total: 4 * perChild)
      }
      perChild *= 4
    }
    let reading = try builder.open([Column(type: 0, root: nodes[0])])
    #expect(try reading.values() == numbers.map(Value.int))
  }

  @Test("a walk's budget is charged once for a leaf that several blocks share")
  func budget() throws {
    let builder = OldFileBuilder()
    let long = builder.bigTexts((0..<100).map { "text \($0)" })
    let parts = builder.compactTree(
      (0..<100).map { builder.integers([Int64($0)]) }, perChild: 1, total: 100)
    let reading = try builder.open([
      Column(name: "a", type: 2, root: long), Column(name: "b", type: 0, root: parts),
    ])
    let table = try reading.table()
    for _ in 0..<3 {
      var cursor = table.blocks()
      var blocks = 0
      while let block = try cursor.next() {
        for property in table.schema.properties { _ = try block.leaf(property, budget: cursor.budget) }
        blocks += 1
      }
      #expect(blocks == 100)
    }
  }
}
