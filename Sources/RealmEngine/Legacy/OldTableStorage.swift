// A table's top array of formats 2–9: its spec and its columns. Layer: Legacy.
// Invariant: the array of columns has one element for each column and one for each index of the spec.

/// A table's columns before their meaning for the classes is known.
struct OldTableStorage: Sendable {
  let name: String
  let columns: [OldStoredColumn]
  /// By column; empty for hidden ones.
  let propertyNames: [String]
  let rows: OldRows

  /// Elements of the top array: spec and columns. Engines of later formats write more.
  private static let size = 2

  init(
    _ ref: Ref, name: String, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) {
    let top = try snapshot.refsNode(ref)
    try budget.charge(top)
    guard top.count == Self.size else {
      throw EngineError.damaged(at: ref.offset, expected: "a table", found: top.description)
    }
    let spec = try OldSpec(try top.requiredRef(0), in: snapshot, budget: budget)
    let roots = try snapshot.refsNode(try top.requiredRef(1))
    guard roots.count == spec.slotCount else {
      throw EngineError.damaged(
        at: roots.ref.offset, expected: "\(spec.slotCount) columns and indexes", found: "\(roots.count)")
    }
    var stored: [OldStoredColumn] = []
    var columns: [OldColumn] = []
    for column in spec.columns {
      let described = try OldStoredColumn(column, in: snapshot, budget: budget)
      stored.append(described)
      let root = try roots.requiredRef(column.slot)
      try budget.charge(try snapshot.node(root))
      columns.append(
        try OldColumn(described.form, isNullable: column.isNullable, root: root, in: snapshot))
    }
    self.name = name
    self.columns = stored
    propertyNames = Self.propertyNames(stored)
    rows = OldRows(columns: columns, in: snapshot)
  }
}

/// A column of the spec together with what its lists hold.
struct OldStoredColumn: Sendable {
  let spec: OldSpecColumn
  let form: OldForm
  /// The type that users see; nil for hidden columns and for tables that hold tables.
  let type: ValueType?
  /// What the first column of the tables in this one holds, and whether it has nulls.
  let elements: (form: OldForm, isNullable: Bool)?

  init(
    _ spec: OldSpecColumn, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) {
    self.spec = spec
    guard spec.typeNumber != OldSpecColumn.Number.table else {
      let element = try Self.elements(spec, in: snapshot, budget: budget)
      form = .subtables
      type = element?.type
      elements = element.map { ($0.form, $0.isNullable) }
      return
    }
    elements = nil
    switch spec.typeNumber {
    case OldSpecColumn.Number.enumerated:
      (form, type) = (.enumerated(try Self.texts(of: spec, in: snapshot, budget: budget)), .string)
    case OldSpecColumn.Number.seconds: (form, type) = (.seconds, .date)
    case OldSpecColumn.Number.link: (form, type) = (.links, .object)
    case OldSpecColumn.Number.linkList: (form, type) = (.linkLists, .object)
    case OldSpecColumn.Number.backlink: (form, type) = (.backlinks, nil)
    default:
      guard let known = Self.plainForms[spec.typeNumber] else {
        throw EngineError(
          .damaged, "the file is damaged: column \"\(spec.name)\" has the unknown type \(spec.typeNumber)")
      }
      (form, type) = known
    }
  }

  private static let plainForms: [Int: (OldForm, ValueType?)] = [
    0: (.integers, .int), 1: (.bools, .bool), 2: (.strings, .string), 4: (.data, .data),
    6: (.mixed, .mixed), 8: (.dates, .date), 9: (.floats, .float), 10: (.doubles, .double),
  ]

  /// What the tables in a column hold. Lists of values are tables with one column. Of other tables the official
  /// upgrade keeps the first column; those without any it takes for lists of integers.
  private static func elements(
    _ spec: OldSpecColumn, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) -> (type: ValueType, form: OldForm, isNullable: Bool)? {
    guard let detail = spec.detail,
      let first = try OldSpec(detail, in: snapshot, budget: budget).columns.first
    else { return (.int, .integers, false) }
    guard first.typeNumber != OldSpecColumn.Number.table else { return nil }
    let column = try OldStoredColumn(first, in: snapshot, budget: budget)
    guard let type = column.type, type != .object else { return nil }
    return (type, column.form, first.isNullable)
  }

  private static func texts(
    of spec: OldSpecColumn, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) -> EnumeratedTexts {
    guard let detail = spec.detail else { return EnumeratedTexts(leaves: []) }
    let column = try OldColumn(.strings, isNullable: spec.isNullable, root: detail, in: snapshot)
    var leaves: [StringLeaf] = []
    try column.forEachLeaf(budget: budget) { leaf throws(EngineError) in
      guard case .strings(let texts) = leaf else { preconditionFailure("texts give texts") }
      leaves.append(texts)
      return true
    }
    return EnumeratedTexts(leaves: leaves)
  }
}
