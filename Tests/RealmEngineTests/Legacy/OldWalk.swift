import Foundation
import RealmEngine
import TestSupport

/// Reads whatever a file offers.
struct OldWalk {
  private(set) var valueCount = 0

  /// How many damaged files to try.
  static let rounds = TestScale.cases(fast: 100, usual: 400, long: 2000)

  mutating func read(_ realm: ReadTransaction) throws {
    for case let table? in realm.tables {
      var cursor = table.blocks()
      let lists = TraversalBudget(realm.snapshot)
      while let block = try cursor.next() {
        for property in table.schema.properties {
          try read(block, property, in: realm, cursor.budget, lists)
        }
        for column in table.schema.backlinks {
          let leaf = try block.backlinks(column, budget: cursor.budget)
          for row in 0..<leaf.count {
            guard case .many(let ref) = try leaf[row] else { continue }
            try realm.snapshot.forEachElementLeaf(ref, .integerKeys, budget: lists) { _ in true }
          }
        }
      }
      _ = try table.find(ObjectKey(Int64(table.count / 2)))
    }
  }

  private mutating func read(
    _ block: RowBlock, _ property: Property, in realm: ReadTransaction, _ budget: TraversalBudget,
    _ lists: TraversalBudget
  ) throws {
    let leaf = try block.leaf(property, budget: budget)
    for row in 0..<block.count {
      guard case .collections(let roots) = leaf else {
        _ = try leaf.value(row, in: realm.snapshot, target: property.target)
        valueCount += 1
        continue
      }
      guard let root = try roots.root(row) else { continue }
      try realm.snapshot.forEachElement(of: property, at: root, budget: lists) { _ in
        valueCount += 1
        return true
      }
    }
  }

  /// A file with every kind of column and leaf.
  static func everyKind() throws -> [UInt8] {
    typealias Column = OldFileBuilder.Column
    let builder = OldFileBuilder()
    let list = { (type: Int, attributes: Int, column: Int) in
      Column(
        name: "list\(type)", type: 5,
        details: [builder.spec([Column(name: "!ARRAY_VALUE", type: type, attributes: attributes)])],
        root: builder.refs([0, builder.refs([column])]))
    }
    let dates = { builder.refs([builder.nullable([5, nil], sentinel: 127), builder.integers([6, 0])]) }
    let texts = builder.shortTexts(["red", "blue"], width: 8)
    let columns = [
      Column(
        name: "int", type: 0, attributes: 1,
        root: builder.compactTree([builder.integers([300]), builder.integers([2])], perChild: 1, total: 2),
        index: builder.refs([0], context: true)),
      Column(name: "intOrNull", type: 0, attributes: 16, root: builder.nullable([nil, 7], sentinel: 127)),
      Column(name: "bool", type: 1, attributes: 16, root: builder.nullable([nil, 1], sentinel: 3)),
      Column(name: "float", type: 9, root: builder.floats([1, 2])),
      Column(name: "double", type: 10, attributes: 16, root: builder.doubles([1, 2])),
      Column(name: "seconds", type: 7, root: builder.integers([1, -1])),
      Column(name: "date", type: 8, root: dates()),
      Column(name: "short", type: 2, attributes: 16, root: builder.shortTexts(["a", nil], width: 4)),
      Column(
        name: "medium", type: 2, attributes: 16, root: builder.mediumTexts(["a", nil], marksNulls: true)),
      Column(name: "big", type: 2, root: builder.bigTexts(["a", nil])),
      Column(name: "enumerated", type: 3, texts: texts, root: builder.integers([1, 0])),
      Column(name: "small", type: 4, root: builder.smallData([[1], nil], marksNulls: true)),
      Column(name: "large", type: 4, attributes: 16, root: builder.bigData([[1], nil])),
      Column(
        name: "mixed", type: 6,
        root: builder.refs([
          builder.integers([2, 8]), builder.integers([1, 1], refs: true),
          builder.smallData([[65, 0]], marksNulls: true),
          builder.refs([builder.nullable([5], sentinel: 127), builder.integers([6])]),
        ])),
      list(0, 16, builder.nullable([nil, 3], sentinel: 7)), list(2, 0, builder.shortTexts(["x"], width: 4)),
      list(8, 16, dates()), list(4, 0, builder.smallData([[1, 2]], marksNulls: false)),
      Column(name: "link", type: 12, details: [OldFileBuilder.tagged(0)], root: builder.integers([1, 1])),
      Column(
        name: "links", type: 13, details: [OldFileBuilder.tagged(0)],
        root: builder.refs([0, builder.integers([1, 0])])),
      Column(
        name: nil, type: 14, details: [OldFileBuilder.tagged(0), OldFileBuilder.tagged(18)],
        root: builder.refs([builder.integers([0, 1]), 0])),
      Column(
        name: nil, type: 14, details: [OldFileBuilder.tagged(0), OldFileBuilder.tagged(19)],
        root: builder.refs([OldFileBuilder.tagged(1), OldFileBuilder.tagged(1)])),
    ]
    let keys = [
      Column(name: "pk_table", type: 2, root: builder.shortTexts(["A"], width: 4)),
      Column(name: "pk_property", type: 2, root: builder.shortTexts(["int"], width: 4)),
    ]
    return builder.file([
      ("class_A", builder.table(columns)), ("pk", builder.table(keys)),
      ("metadata", builder.table([Column(name: "version", type: 0, root: builder.integers([3]))])),
    ])
  }
}
