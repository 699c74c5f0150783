// One column of a table of formats 2–9, read by row. Layer: Legacy.
// Invariant: all trees of a column have one element a row.

/// The values of a column, whatever it holds.
package struct OldColumn: Sendable {
  let form: OldForm
  let isNullable: Bool
  /// Rows that the column has values for.
  package let count: Int
  private let snapshot: Snapshot
  private let values: OldTree
  /// The nanoseconds of dates, the numbers of mixed values.
  private let companion: OldTree?
  private let mixedPayloads: OldMixedPayloads?

  /// `root` is what the table's array of columns names.
  init(_ form: OldForm, isNullable: Bool, root: Ref, in snapshot: Snapshot) throws(EngineError) {
    self.form = form
    self.isNullable = isNullable
    self.snapshot = snapshot
    switch form {
    case .dates:
      let top = try snapshot.refsNode(root)
      values = try OldTree(try top.requiredRef(0), in: snapshot) { node throws(EngineError) in
        try snapshot.oldIntegers(node, isNullable: true).count
      }
      companion = try OldTree(try top.requiredRef(1), in: snapshot) { $0.count }
      mixedPayloads = nil
    case .mixed:
      let top = try snapshot.refsNode(root)
      values = try OldTree(try top.requiredRef(0), in: snapshot) { $0.count }
      companion = try OldTree(try top.requiredRef(1), in: snapshot) { $0.count }
      mixedPayloads = try OldMixedPayloads(top, in: snapshot)
    default:
      values = try OldTree(root, in: snapshot) { node throws(EngineError) in
        try snapshot.oldLeaf(node, form, isNullable: isNullable).count
      }
      companion = nil
      mixedPayloads = nil
    }
    count = values.count
    guard companion == nil || companion?.count == count else {
      throw EngineError.damaged(
        at: root.offset, expected: "two trees of \(count) elements", found: "\(companion?.count ?? 0)")
    }
  }

  /// The rows around `row` that no leaf of the column ends between.
  package func rows(around row: Int) throws(EngineError) -> Range<Int> {
    let rows = try values.leaf(holding: row).rows
    return try companion.map { tree throws(EngineError) in
      rows.clamped(to: try tree.leaf(holding: row).rows)
    } ?? rows
  }

  /// The values of `rows`, which lie within what `rows(around:)` gives for the first of them. A budget is charged
  /// for a leaf when the leaf's first row is asked for.
  package func leaf(_ rows: Range<Int>, budget: TraversalBudget?) throws(EngineError) -> Leaf {
    switch form {
    case .dates:
      let seconds = try part(of: values, rows, budget: budget) { node throws(EngineError) in
        .integers(try snapshot.oldIntegers(node, isNullable: true))
      }
      guard case .integers(let seconds) = seconds, let companion else {
        preconditionFailure("dates have two trees of numbers")
      }
      return .dates(
        TimestampLeaf(seconds: seconds, nanoseconds: try numbers(of: companion, rows, budget: budget)))
    case .mixed:
      guard let companion, let mixedPayloads else { preconditionFailure("mixed columns have two trees") }
      let types = try numbers(of: values, rows, budget: budget)
      let data = try part(of: companion, rows, budget: budget) { node throws(EngineError) in
        .integers(IntegerLeaf(values: try snapshot.oldRefs(node).integers))
      }
      guard case .integers(let data) = data else { preconditionFailure("numbers give numbers") }
      return .mixed(try mixedPayloads.leaf(types: types, data: data.values, offset: companion.offset))
    default:
      return try part(of: values, rows, budget: budget) { node throws(EngineError) in
        try snapshot.oldLeaf(node, form, isNullable: isNullable)
      }
    }
  }

  private func numbers(
    of tree: OldTree, _ rows: Range<Int>, budget: TraversalBudget?
  ) throws(EngineError) -> PackedIntegers {
    let leaf = try part(of: tree, rows, budget: budget) { node throws(EngineError) in
      .integers(try snapshot.oldIntegers(node, isNullable: false))
    }
    guard case .integers(let numbers) = leaf else { preconditionFailure("numbers give numbers") }
    return numbers.values
  }

  private func part(
    of tree: OldTree, _ rows: Range<Int>, budget: TraversalBudget?,
    open: (NodeView) throws(EngineError) -> Leaf
  ) throws(EngineError) -> Leaf {
    let (ref, leafRows) = try tree.leaf(holding: rows.lowerBound)
    let node = try snapshot.node(ref)
    let leaf = try open(node)
    if let budget, rows.lowerBound == leafRows.lowerBound {
      // Whole seconds have no nodes below their own, as the other dates have.
      if case .dates = leaf { try budget.charge(node) } else { try budget.charge(node, with: leaf) }
    }
    guard leaf.count == leafRows.count, rows.upperBound <= leafRows.upperBound else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a leaf of \(leafRows.count) elements", found: "\(leaf.count)")
    }
    return rows == leafRows ? leaf : leaf.slice(rows.lowerBound - leafRows.lowerBound, rows.count)
  }
}

extension OldColumn {
  /// Calls `body` with the column's values, leaf by leaf, until it returns false.
  func forEachLeaf(
    budget: TraversalBudget? = nil, _ body: (Leaf) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let budget = budget ?? TraversalBudget(snapshot)
    var row = 0
    while row < count {
      let end = try rows(around: row).upperBound
      guard try body(try leaf(row..<end, budget: budget)) else { return }
      row = end
    }
  }

  /// The single value at `row`.
  func value(_ row: Int) throws(EngineError) -> Value {
    try leaf(row..<row + 1, budget: nil).value(0, in: snapshot)
  }
}
