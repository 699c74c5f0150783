// What a column of a spec of formats 2–9 means: how its values are stored and as what users see them. Layer: Legacy.

/// A column of the spec together with what its lists hold.
struct OldStoredColumn: Sendable {
  let spec: OldSpecColumn
  let form: OldForm
  /// The type that users see; nil for hidden columns and for tables that hold tables.
  let type: ValueType?
  /// What the first column of the tables in this one holds, and whether it has nulls.
  let elements: (form: OldForm, isNullable: Bool)?
  /// What of the column cannot be seen; nil when everything can.
  let omission: String?

  init(
    _ spec: OldSpecColumn, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) {
    self.spec = spec
    if let element = try Self.elements(spec, in: snapshot, budget: budget) {
      form = .subtables
      type = element.type
      elements = (element.form, element.isNullable)
      omission =
        element.columnCount > 1
        ? "holds tables of \(element.columnCount) columns, of which only the first is read" : nil
      return
    }
    elements = nil
    let isTable = spec.typeNumber == OldSpecColumn.Number.table
    omission = isTable ? "holds tables of tables, which no later format has, and is left out" : nil
    switch spec.typeNumber {
    case OldSpecColumn.Number.table: (form, type) = (.subtables, nil)
    case OldSpecColumn.Number.enumerated:
      (form, type) = (.enumerated(try Self.texts(of: spec, in: snapshot, budget: budget)), .string)
    case OldSpecColumn.Number.seconds: (form, type) = (.seconds, .date)
    case OldSpecColumn.Number.link: (form, type) = (.links, .object)
    case OldSpecColumn.Number.linkList: (form, type) = (.linkLists, .object)
    case OldSpecColumn.Number.backlink: (form, type) = (.backlinks, nil)
    default: (form, type) = try Self.plain(spec)
    }
  }

  /// A column of which nobody tells what it holds: nothing is seen of it.
  init(unknown spec: OldSpecColumn) {
    self.spec = spec
    form = .integers
    type = nil
    elements = nil
    omission = nil
  }

  private static let plainForms: [Int: (OldForm, ValueType)] = [
    0: (.integers, .int), 1: (.bools, .bool), 2: (.strings, .string), 4: (.data, .data),
    6: (.mixed, .mixed), 8: (.dates, .date), 9: (.floats, .float), 10: (.doubles, .double),
  ]

  private static func plain(_ spec: OldSpecColumn) throws(EngineError) -> (OldForm, ValueType) {
    guard let plain = plainForms[spec.typeNumber] else {
      throw EngineError(damage: "column \"\(spec.name)\" has the unknown type \(spec.typeNumber)")
    }
    return plain
  }

  /// What the tables in a column hold; nil for a column without tables, and for tables that hold tables. Lists of
  /// values are tables with one column. Of other tables the official upgrade keeps the first column; those without
  /// any it takes for lists of integers.
  private static func elements(
    _ spec: OldSpecColumn, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) -> (type: ValueType, form: OldForm, isNullable: Bool, columnCount: Int)? {
    guard spec.typeNumber == OldSpecColumn.Number.table else {
      // A later engine has already noted what the lists hold.
      guard spec.attributes.contains(.list), spec.typeNumber != OldSpecColumn.Number.linkList else {
        return nil
      }
      let (form, type) = try plain(spec)
      return (type, form, spec.isNullable, 1)
    }
    guard let detail = spec.detail else { return nil }
    let columns = try OldSpec(detail, in: snapshot, budget: budget).columns
    guard let first = columns.first else { return (.int, .integers, false, 0) }
    guard first.typeNumber != OldSpecColumn.Number.table, !first.attributes.contains(.list) else {
      return nil
    }
    let column = try OldStoredColumn(first, in: snapshot, budget: budget)
    guard let type = column.type, type != .object else { return nil }
    return (type, column.form, first.isNullable, columns.count)
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
