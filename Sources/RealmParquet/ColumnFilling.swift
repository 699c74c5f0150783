// One column of a table, with all leaves below it, filled block by block by one thread at a time. Layer: RealmParquet.
// Invariants: each row gives each leaf at least one entry; what a hostile file repeats is charged to a budget, and embedded
// objects are at most as many as their class has.

import ByteText
import Parquet
import RealmEngine
import Rendering

/// Gives the leaves of one column their values.
struct ColumnFilling {
  private let realm: ReadTransaction
  private let table: Table
  private let source: TableColumn.Source
  private let name: String
  private let leaves: [ParquetColumn]
  private let isNanoseconds: Bool
  private let budget: TraversalBudget
  private var texts: ValueWriting
  private var embeddedCounts: [TableKey: Int] = [:]
  private(set) var losses = ParquetLosses()

  init(
    _ column: TableColumn, _ leaves: [ParquetColumn], of table: Table, in realm: ReadTransaction,
    isNanoseconds: Bool
  ) {
    self.realm = realm
    self.table = table
    source = column.source
    name = "\(table.schema.name).\(column.field.name)"
    self.leaves = leaves
    self.isNanoseconds = isNanoseconds
    budget = TraversalBudget(realm.snapshot)
    texts = ValueWriting(realm)
  }

  /// Adds rows of a block.
  mutating func add(_ block: RowBlock, _ rows: [Int32]) throws(EngineError) {
    switch source {
    case .objectKey:
      leaves[0].write { chunk in
        for row in rows {
          chunk.beginRow()
          chunk.append(block.key(Int(row)).value)
        }
      }
    case .constant(let text):
      var bytes = ByteBuffer()
      bytes.append(text: text)
      leaves[0].write { chunk in
        for _ in rows {
          chunk.beginRow()
          chunk.append(bytes.span)
        }
      }
    case .missing: addNulls(rows.count)
    case .text(let property):
      for row in rows {
        let text = try texts.text(of: property, ObjectPosition(block: block, row: Int(row)), of: table)
        beginRow()
        addText(text, at: 0..<1, 0, 0)
      }
    case .property(let property, let shape):
      if case .leaf = shape, try addPlain(block, rows, property) { return }
      try addRows(of: block, rows, property, shape)
    }
  }

  private func beginRow() { for leaf in leaves { leaf.write { $0.beginRow() } } }

  private func addNulls(_ count: Int) {
    for leaf in leaves {
      leaf.write { chunk in
        for _ in 0..<count {
          chunk.beginRow()
          chunk.appendNull(definition: 0)
        }
      }
    }
  }

  // MARK: Columns of single values, a leaf at once

  /// False: the values need more than their leaf.
  private mutating func addPlain(
    _ block: RowBlock, _ rows: [Int32], _ property: Property
  ) throws(EngineError) -> Bool {
    switch try block.leaf(property) {
    case .integers(let leaf):
      add(rows, { leaf[$0] }, { $0.append($1) })
    case .doubles(let leaf): add(rows, { leaf[$0] }, { $0.append($1) })
    case .floats(let leaf): add(rows, { leaf[$0] }, { $0.append(Double($1)) })
    case .bools(let leaf): add(rows, { leaf[$0] }, { $0.append($1) })
    case .strings(let leaf):
      let snapshot = realm.snapshot
      var (total, repairedCount) = (0, 0)
      try leaves[0].write { chunk throws(EngineError) in
        for row in rows {
          chunk.beginRow()
          guard let text = try leaf.bytes(Int(row), in: snapshot) else {
            chunk.appendNull(definition: 0)
            continue
          }
          if text.count > TextLimits.inLeafSizeMax { total += text.count }
          if !chunk.append(text: text.bytes.span) { repairedCount += 1 }
        }
      }
      losses.texts += repairedCount
      try budget.charge(total, at: 0)
    case .dates(let leaf):
      for row in rows {
        let time = try leaf[Int(row)].map { date throws(EngineError) in
          try losses.ticks(date, isNanoseconds: isNanoseconds, of: name)
        }
        leaves[0].write { chunk in
          chunk.beginRow()
          time.map { chunk.append($0) } ?? chunk.appendNull(definition: 0)
        }
      }
    default: return false
    }
    return true
  }

  @inline(__always)
  private func add<Number>(
    _ rows: [Int32], _ value: (Int) -> Number?, _ append: (inout ColumnChunk, Number) -> Void
  ) {
    leaves[0].write { chunk in
      for row in rows {
        chunk.beginRow()
        if let value = value(Int(row)) { append(&chunk, value) } else { chunk.appendNull(definition: 0) }
      }
    }
  }

  // MARK: Columns of nested values, row by row

  private mutating func addRows(
    of block: RowBlock, _ rows: [Int32], _ property: Property, _ shape: ValueShape
  ) throws(EngineError) {
    let leaf = try block.leaf(property)
    for row in rows {
      beginRow()
      let position = ObjectPosition(block: block, row: Int(row))
      try add(
        property, shape, leaf, position, of: table, at: 0..<leaves.count, definition: 0, repetition: 0, 0)
    }
  }

  /// Adds what a property of an object holds. `range`: of the leaves below the property. `definition`: the level of those
  /// around it that are there. `depth`: how many lists are around it.
  private mutating func add(
    _ property: Property, _ shape: ValueShape, _ leaf: Leaf, _ position: ObjectPosition, of table: Table,
    at range: Range<Int>, definition: Int, repetition: Int, _ depth: Int
  ) throws(EngineError) {
    guard property.collection != nil else {
      if case .leaf(.json) = shape, property.type == .object {
        // An embedded object that is not taken apart.
        let text = try texts.document(of: property, position, of: table)
        return addText(text, at: range, definition, repetition)
      }
      let value = try leaf.value(position.row, in: realm.snapshot, target: property.target)
      return try add(value, shape, at: range, definition: definition, repetition: repetition, depth)
    }
    guard case .collections(let roots) = leaf, let root = try roots.root(position.row) else {
      // A list that was never written to is empty.
      return addNull(at: range, definition: definition + 1, repetition: repetition)
    }
    switch shape {
    case .list(let element):
      var isFirst = true
      // The state is this value's own, which a closure cannot change while it is lent.
      var elements: [Value] = []
      try realm.snapshot.forEachElement(of: property, at: root, budget: budget) { value in
        elements.append(value)
        return true
      }
      for value in elements {
        try add(
          value, element, at: range, definition: definition + 2,
          repetition: isFirst ? repetition : depth + 1, depth + 1)
        isFirst = false
      }
      if isFirst { addNull(at: range, definition: definition + 1, repetition: repetition) }
    case .map(let value):
      var isFirst = true
      for entry in try realm.snapshot.entries(of: property, at: root, budget: budget) {
        let level = isFirst ? repetition : depth + 1
        isFirst = false
        addText(
          try texts.plain(entry.key), at: range.lowerBound..<range.lowerBound + 1, definition + 1, level)
        try add(
          entry.value, value, at: range.dropFirst(), definition: definition + 2, repetition: level, depth + 1)
      }
      if isFirst { addNull(at: range, definition: definition + 1, repetition: repetition) }
    case .leaf, .embedded, .absent: preconditionFailure("collections are lists and maps")
    }
  }

  /// Adds a single value: of a property, of a list, or under a key.
  private mutating func add(
    _ value: Value, _ shape: ValueShape, at range: Range<Int>, definition: Int, repetition: Int, _ depth: Int
  ) throws(EngineError) {
    guard case .embedded(let key, let properties) = shape else {
      guard case .leaf(let type) = shape else { preconditionFailure("lists are not elements of lists") }
      return try add(value, type, at: range, definition, repetition)
    }
    guard case .link(let link) = value, let inner = realm.table(key) else {
      return addNull(at: range, definition: definition, repetition: repetition)
    }
    let count = embeddedCounts[key, default: 0] + 1
    embeddedCounts[key] = count
    guard count <= inner.count, let position = try inner.find(link.key) else {
      throw EngineError(damage: "embedded objects of \(inner.schema.name) are missing or have two owners")
    }
    var start = range.lowerBound
    for (property, shape) in properties {
      let end = start + shape.leafCount
      defer { start = end }
      guard let property else {
        addNull(at: start..<end, definition: definition + 1, repetition: repetition)
        continue
      }
      try add(
        property, shape, try position.block.leaf(property), position, of: inner, at: start..<end,
        definition: definition + 1, repetition: repetition, depth)
    }
  }

  private mutating func add(
    _ value: Value, _ type: ParquetType, at range: Range<Int>, _ definition: Int, _ repetition: Int
  ) throws(EngineError) {
    let leaf = leaves[range.lowerBound]
    switch (type, value) {
    case (_, .null): addNull(at: range, definition: definition, repetition: repetition)
    case (.int64, .int(let value)): leaf.write { $0.append(value, repetition: repetition) }
    case (.bool, .bool(let value)): leaf.write { $0.append(value, repetition: repetition) }
    case (.float, .float(let value)): leaf.write { $0.append(Double(value), repetition: repetition) }
    case (.double, .double(let value)): leaf.write { $0.append(value, repetition: repetition) }
    case (.timestamp, .date(let date)):
      let time = try losses.ticks(date, isNanoseconds: isNanoseconds, of: name)
      leaf.write { $0.append(time, repetition: repetition) }
    case (.bytes, .data(let bytes)), (.text, .string(let bytes)):
      if bytes.count > TextLimits.inLeafSizeMax { try budget.charge(bytes.count, at: 0) }
      guard type == .bytes else { return addText(bytes, at: range, definition, repetition) }
      leaf.write { $0.append(bytes.bytes.span, repetition: repetition) }
    case (.json, _): addText(try texts.json(value), at: range, definition, repetition)
    case (_, .link(let link)):
      let name = try texts.name(of: link)
      if case .null = name { losses.links += 1 }
      if case .string(let text) = name {
        try budget.charge(nameOfSize: text.count)
        return addText(text, at: range, definition, repetition)
      }
      try add(name, type, at: range, definition, repetition)
    default: addText(try texts.plain(value), at: range, definition, repetition)
    }
  }

  private mutating func addText(
    _ text: ByteString?, at range: Range<Int>, _ definition: Int, _ repetition: Int
  ) {
    guard let text else { return addNull(at: range, definition: definition, repetition: repetition) }
    var isWhole = true
    leaves[range.lowerBound].write { isWhole = $0.append(text: text.bytes.span, repetition: repetition) }
    if !isWhole { losses.texts += 1 }
  }

  private func addNull(at range: Range<Int>, definition: Int, repetition: Int) {
    for leaf in leaves[range] {
      leaf.write { $0.appendNull(definition: definition, repetition: repetition) }
    }
  }
}
