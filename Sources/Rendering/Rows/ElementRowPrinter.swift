// Objects as rows, one for each element of one of their collections. Layer: Rendering, Rows.
// Invariant: an object whose collection is empty has a row too, in which its element is null, so that nothing vanishes.

package import RealmEngine

/// The columns of rows that stand for elements.
package struct ElementColumns: Sendable {
  package enum Source: Sendable {
    case object(SelectedColumn)
    /// The key of an entry.
    case key
    case element
    /// A property of the embedded object that the element is.
    case inside(SelectedColumn, Table)
  }

  /// The column of the object that holds the collection.
  package let column: SelectedColumn
  package let collection: Property
  package let sources: [(name: String, source: Source)]

  package init(column: SelectedColumn, collection: Property, sources: [(name: String, source: Source)]) {
    self.column = column
    self.collection = collection
    self.sources = sources
  }
}

/// Finds the elements of objects.
private struct ElementWalk {
  let table: Table
  let column: SelectedColumn
  let snapshot: Snapshot
  let evaluator: RowEvaluator
  /// A collection belongs to one object, so one walk meets each but once.
  let budget: TraversalBudget

  /// Calls `body` with the elements of an object's collection, with their keys where it is a dictionary.
  func forEachElement(
    at position: ObjectPosition, _ body: (_ key: Value, _ element: Value) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard case .stored(let property, let owner, _) = try evaluator.cell(column, of: table, at: position),
      case .collections(let leaf) = try owner.block.leaf(property), let root = try leaf.root(owner.row)
    else { return }
    guard property.collection == .dictionary else {
      return try snapshot.forEachElement(of: property, at: root, budget: budget) {
        element throws(EngineError) in
        try body(.null, element)
        return true
      }
    }
    let entries = try snapshot.entries(of: property, at: root, budget: budget)
    for entry in entries.sorted(by: DictionaryEntry.comesFirst) { try body(entry.key, entry.value) }
  }
}

/// Writes objects of one class, a row for each element.
package struct ElementRowPrinter {
  private let columns: ElementColumns
  private let walk: ElementWalk
  private var rows: ValueRowPrinter
  private var cells: [SelectedCell]

  package init(
    _ spec: RenderSpec, _ table: Table, _ columns: ElementColumns, in transaction: ReadTransaction
  ) {
    self.columns = columns
    walk = ElementWalk(
      table: table, column: columns.column, snapshot: transaction.snapshot,
      evaluator: RowEvaluator(transaction), budget: TraversalBudget(transaction.snapshot))
    rows = ValueRowPrinter(spec, names: columns.sources.map(\.name), rowNoun: "elements", in: transaction)
    cells = columns.sources.map { _ in Self.null }
  }

  private static let null = SelectedCell.value(.null, hasTypedLinks: false)

  package var writesSQL: Bool { rows.writesSQL }

  /// Texts that were not valid UTF-8 and are shown with U+FFFD.
  package var repairedCount: Int { rows.repairedCount }

  package mutating func begin(to out: inout OutputBuffer) { rows.begin(to: &out) }

  package mutating func end(to out: inout OutputBuffer) throws(EngineError) { try rows.end(to: &out) }

  /// Writes the elements of the objects that a query finds.
  package mutating func write(
    allOf executor: QueryExecutor, to out: inout OutputBuffer
  ) throws(EngineError) {
    try executor.forEachObject { position throws(EngineError) in
      try Interruption.check()
      try write(position, to: &out)
      return true
    }
  }

  private mutating func write(
    _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    let walk = walk
    for (index, column) in columns.sources.enumerated() {
      guard case .object(let selected) = column.source else {
        cells[index] = Self.null
        continue
      }
      cells[index] = try walk.evaluator.cell(selected, of: walk.table, at: position)
    }
    var isEmpty = true
    try walk.forEachElement(at: position) { key, element throws(EngineError) in
      isEmpty = false
      try write(key, element, to: &out)
    }
    if isEmpty { try rows.write(cells: cells, to: &out) }
  }

  /// Writes the row of one element; the cells of its object are there.
  private mutating func write(
    _ key: Value, _ element: Value, to out: inout OutputBuffer
  ) throws(EngineError) {
    for (index, column) in columns.sources.enumerated() {
      switch column.source {
      case .object: continue
      case .key: cells[index] = .value(key, hasTypedLinks: false)
      case .element: cells[index] = .value(element, hasTypedLinks: columns.collection.isLink)
      case .inside(let selected, let inner):
        if case .link(let link) = element, let position = try inner.find(link.key) {
          cells[index] = try walk.evaluator.cell(selected, of: inner, at: position)
        } else {
          cells[index] = Self.null
        }
      }
    }
    try rows.write(cells: cells, to: &out)
  }
}
