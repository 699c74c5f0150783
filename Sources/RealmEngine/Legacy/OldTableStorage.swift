// A table's top array of formats 2–9: its spec and its columns. Layer: Legacy.
// Invariant: the array of columns has one element for each column and one for each index of the spec. In a table that
// a later engine has begun to convert, the elements of indexes may be gone and those of columns empty.

/// A table's columns before their meaning for the classes is known.
package struct OldTableStorage: Sendable {
  let columns: [OldStoredColumn]
  /// By column; empty for hidden ones.
  let propertyNames: [String]
  package let rows: OldRows

  /// A table that no later engine has touched.
  init(_ top: NodeView, in snapshot: Snapshot, budget: TraversalBudget) throws(EngineError) {
    let spec = try OldSpec(try top.requiredRef(0), in: snapshot, budget: budget)
    let roots = try snapshot.refsNode(try top.requiredRef(1))
    guard roots.count == spec.slotCount else {
      throw EngineError.damaged(
        at: roots.ref.offset, expected: "\(spec.slotCount) columns and indexes", found: "\(roots.count)")
    }
    let slots = spec.columns.map(\.slot)
    try self.init(spec, roots, slots: slots, mayLackColumns: false, in: snapshot, budget: budget)
  }

  /// A table that a later engine has begun to convert, with its old columns complete but for hidden ones.
  init(
    converted top: NodeView, oppositeTables: PackedIntegers?, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) {
    let spec = try OldSpec(
      try top.requiredRef(0), oppositeTables: oppositeTables, in: snapshot, budget: budget)
    let roots = try snapshot.refsNode(try top.requiredRef(1))
    let hasIndexes = roots.count == spec.slotCount
    guard hasIndexes || roots.count == spec.columns.count else {
      throw EngineError.damaged(
        at: roots.ref.offset, expected: "\(spec.columns.count) columns", found: "\(roots.count)")
    }
    let slots = hasIndexes ? spec.columns.map(\.slot) : Array(spec.columns.indices)
    try self.init(spec, roots, slots: slots, mayLackColumns: true, in: snapshot, budget: budget)
  }

  /// A table that cannot be read.
  package static func none(in snapshot: Snapshot) -> OldTableStorage {
    OldTableStorage(withoutColumnsIn: snapshot)
  }

  private init(withoutColumnsIn snapshot: Snapshot) {
    columns = []
    propertyNames = []
    rows = OldRows(columns: [], in: snapshot)
  }

  /// A table of which some columns may be lost; `note` gets their names.
  package init(
    salvaging spec: OldSpec, _ roots: NodeView, in snapshot: Snapshot, budget: TraversalBudget,
    note: (String, EngineError) -> Void
  ) throws(EngineError) {
    var stored: [OldStoredColumn] = []
    var columns: [OldColumn?] = []
    for column in spec.columns {
      let described = try Self.described(column, in: snapshot, budget: budget, note: note)
      stored.append(described ?? OldStoredColumn(unknown: column))
      guard let described else {
        columns.append(nil)
        continue
      }
      do throws(EngineError) {
        columns.append(
          try OldColumn(
            described.form, isNullable: column.isNullable, root: try roots.requiredRef(column.slot),
            in: snapshot))
      } catch {
        guard Self.isLoss(error) else { throw error }
        columns.append(nil)
        if !column.isHidden { note(column.name, error) }
      }
    }
    self.columns = stored
    propertyNames = Self.propertyNames(stored)
    rows = OldRows(columns: columns, in: snapshot)
  }

  /// What a column holds, without its details where those are damaged; nil where nothing tells.
  private static func described(
    _ column: OldSpecColumn, in snapshot: Snapshot, budget: TraversalBudget,
    note: (String, EngineError) -> Void
  ) throws(EngineError) -> OldStoredColumn? {
    for candidate in [column, column.withoutDetail] {
      do throws(EngineError) {
        return try OldStoredColumn(candidate, in: snapshot, budget: budget)
      } catch {
        guard isLoss(error) else { throw error }
        note(column.name, error)
      }
    }
    return nil
  }

  private static func isLoss(_ error: EngineError) -> Bool {
    error.kind == .damaged || error.kind == .changedWhileRead
  }

  private init(
    _ spec: OldSpec, _ roots: NodeView, slots: [Int], mayLackColumns: Bool, in snapshot: Snapshot,
    budget: TraversalBudget
  ) throws(EngineError) {
    var stored: [OldStoredColumn] = []
    var columns: [OldColumn?] = []
    for (column, slot) in zip(spec.columns, slots) {
      let described = try OldStoredColumn(column, in: snapshot, budget: budget)
      stored.append(described)
      guard let root = try roots.ref(slot) else {
        guard mayLackColumns, column.isHidden else {
          throw EngineError.damaged(at: roots.ref.offset, expected: "a column in slot \(slot)", found: "0")
        }
        columns.append(nil)
        continue
      }
      try budget.charge(try snapshot.node(root))
      columns.append(try OldColumn(described.form, isNullable: column.isNullable, root: root, in: snapshot))
    }
    self.columns = stored
    propertyNames = Self.propertyNames(stored)
    rows = OldRows(columns: columns, in: snapshot)
  }

  /// The names of columns with those made unique that need it, as the official upgrade does; hidden columns have
  /// none.
  private static func propertyNames(_ columns: [OldStoredColumn]) -> [String] {
    var taken: Set<String> = []
    return columns.enumerated().map { number, column in
      if column.spec.isHidden { return "" }
      var name = column.spec.name
      if name.isEmpty {
        name = "col_\(number)"
      } else if taken.contains(name) {
        name += "_\(number)"
      }
      taken.insert(name)
      return name
    }
  }
}
