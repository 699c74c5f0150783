// Objects and their values as JSON, straight from the leaves of a snapshot. Layer: Rendering.
// Invariants: whatever the file says, the writer ends: every node is charged to the budget, nesting is limited, and
// no class has more embedded objects written than it holds. Text goes to the buffer piece by piece, so that memory
// stays flat.

import ByteText
package import RealmEngine

/// Writes the objects of one snapshot.
package struct JSONWriter {
  let transaction: ReadTransaction
  let snapshot: Snapshot
  let format: ValueFormat
  /// What the walk over one snapshot may still meet.
  private(set) var budget: TraversalBudget
  /// How many levels of links are written as the objects they lead to.
  private let linkLevels: Int
  /// Properties stand by name and elements of sets by their text, however they are stored.
  let isCanonical: Bool
  /// The objects around the value that is being written, where links are followed.
  private var path: [ObjectLink] = []
  /// By the slot of the table.
  private let templates: [ObjectTemplate?]
  /// By the slot of the table: how many embedded objects may still be written.
  private var embeddedRemaining: [Int]
  /// How many objects and collections stand around the value that is being written.
  var depth = 0

  /// More nesting than any SDK makes by hand, and less than the stack holds.
  static let depthMax = 500

  /// `followingLinks`: as many levels of links are written as the objects they lead to, but no object inside itself.
  /// `isCanonical`: the same data give the same text however they are stored.
  package init(
    _ transaction: ReadTransaction, style: JSONStyle, followingLinks linkLevels: Int = 0,
    isCanonical: Bool = false
  ) {
    self.linkLevels = linkLevels
    self.isCanonical = isCanonical
    self.transaction = transaction
    snapshot = transaction.snapshot
    format = ValueFormat(style)
    budget = TraversalBudget(transaction.snapshot)
    templates = transaction.tables.map { $0.map { ObjectTemplate($0, isCanonical: isCanonical) } }
    embeddedRemaining = Self.embeddedCounts(transaction)
  }

  private static func embeddedCounts(_ transaction: ReadTransaction) -> [Int] {
    transaction.tables.map { $0?.count ?? 0 }
  }

  func template(_ key: TableKey) -> ObjectTemplate? {
    guard key.slot < templates.count, let template = templates[key.slot],
      template.table.schema.tableKey == key
    else { return nil }
    return template
  }

  /// Writes all objects of a table, a line each, in key order.
  package mutating func writeLines(of table: Table, to out: inout OutputBuffer) throws(EngineError) {
    guard let template = template(table.schema.tableKey) else { return }
    let columnCount = template.properties.count
    var cursor = table.blocks(budget: budget)
    var cells = CellTexts(format)
    var lineCount = 0
    while let block = try cursor.next() {
      cells.begin(rowCount: block.count)
      var columns: [Column] = []
      for index in 0..<columnCount {
        let leaf = try block.leaf(template.properties[index], budget: budget)
        let isTaken = try cells.take(leaf, head: template.heads[index], linkHead: linkHead(template, index))
        columns.append(isTaken ? .text : .leaf(leaf))
      }
      for row in 0..<block.count {
        out.text.append(template.lineHead)
        out.text.append(decimal: block.key(row).value)
        out.text.append(template.lineMiddle)
        var takenCount = 0
        for index in 0..<columnCount {
          switch columns[index] {
          case .text:
            cells.append(column: takenCount, row: row, to: &out.text)
            takenCount += 1
          case .leaf(let leaf):
            out.text.append(template.heads[index])
            try write(leaf, row, of: template.properties[index], to: &out)
          }
        }
        out.text.append(literal: "}}\n")
        try out.flushIfLarge()
      }
      lineCount += block.count
    }
    guard lineCount == table.count else {
      throw EngineError(
        .damaged,
        "the file is damaged: \(table.schema.name) should have \(table.count) objects, but has \(lineCount)")
    }
  }

  /// How the cells of one block's column are made.
  private enum Column {
    /// They stand finished in the cell texts.
    case text
    case leaf(Leaf)
  }

  /// The text before the keys of a column whose links are written without looking at their objects.
  private func linkHead(_ template: ObjectTemplate, _ index: Int) -> [UInt8]? {
    guard format.style == .typed, let target = template.properties[index].target.flatMap(self.template),
      !target.isEmbedded
    else { return nil }
    return target.linkHead
  }

  /// Writes one object as `{"name":value,…}`.
  package mutating func writeObject(
    _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard let template = template(table.schema.tableKey) else { return }
    path.append(ObjectLink(table: table.schema.tableKey, key: position.key))
    try write(template, position, to: &out)
    path.removeLast()
  }

  /// Writes the value of one property of an object of `table`.
  package mutating func writeValue(
    of property: Property, _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    path.append(ObjectLink(table: table.schema.tableKey, key: position.key))
    try writeValue(of: property, position, to: &out)
    path.removeLast()
  }

  mutating func writeValue(
    of property: Property, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    try write(try position.block.leaf(property), position.row, of: property, to: &out)
  }

  private mutating func write(
    _ template: ObjectTemplate, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    try nest()
    out.text.append(UInt8(ascii: "{"))
    for index in 0..<template.properties.count {
      out.text.append(template.heads[index])
      try writeValue(of: template.properties[index], position, to: &out)
    }
    out.text.append(UInt8(ascii: "}"))
    depth -= 1
  }

  /// Writes an embedded object.
  mutating func writeEmbedded(
    _ template: ObjectTemplate, _ key: ObjectKey, to out: inout OutputBuffer
  ) throws(EngineError) {
    let slot = template.table.schema.tableKey.slot
    embeddedRemaining[slot] -= 1
    guard embeddedRemaining[slot] >= 0 else {
      throw EngineError(
        .damaged, "the file is damaged: an embedded object of \(template.table.schema.name) has two owners")
    }
    guard let position = try template.table.find(key) else {
      throw EngineError(
        .damaged,
        "the file is damaged: the embedded object \(key.value) of \(template.table.schema.name) is missing")
    }
    if format.style == .typed { out.text.append(literal: "{\"$embedded\":") }
    try write(template, position, to: &out)
    if format.style == .typed { out.text.append(UInt8(ascii: "}")) }
  }

  /// Writes the object that a link leads to. False: links are not followed so far, or not to that object.
  mutating func writeLinked(
    _ template: ObjectTemplate, _ key: ObjectKey, to out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    let link = ObjectLink(table: template.table.schema.tableKey, key: key)
    guard path.count <= linkLevels, linkLevels > 0, !path.contains(link),
      let position = try template.table.find(key)
    else { return false }
    // Objects may be met on many ways: each is a walk of its own.
    let (outerBudget, outerRemaining) = (budget, embeddedRemaining)
    budget = TraversalBudget(snapshot)
    embeddedRemaining = Self.embeddedCounts(transaction)
    path.append(link)
    try write(template, position, to: &out)
    path.removeLast()
    (budget, embeddedRemaining) = (outerBudget, outerRemaining)
    return true
  }

  /// Goes one level down; the caller comes up again.
  mutating func nest() throws(EngineError) {
    depth += 1
    guard depth <= Self.depthMax else {
      throw EngineError(
        .damaged, "the file is damaged: values are nested more than \(Self.depthMax) levels deep")
    }
  }
}
