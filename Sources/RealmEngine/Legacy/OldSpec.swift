// The spec of a table of formats 2–9: types, names and attributes of its columns, and what links and subtables need
// beside them in one list that is consumed in column order. Layer: Legacy.
// Invariants: hidden columns, and only they, have no name and stand last; the list is used up exactly.

/// One column as the spec describes it.
package struct OldSpecColumn: Sendable {
  /// Column type numbers of formats 2–9 that `ValueType` does not have.
  package enum Number {
    static let text = 2
    package static let enumerated = 3
    package static let table = 5
    static let seconds = 7
    package static let link = 12
    package static let linkList = 13
    package static let backlink = 14
  }

  /// Empty for hidden columns.
  package let name: String
  package let typeNumber: Int
  let attributes: ColumnAttributes
  /// Where the column's root stands in the table's array of columns.
  package let slot: Int
  /// The table that links lead to, or that incoming links come from.
  package let linkTable: Int
  /// The column that incoming links come from.
  package let originColumn: Int
  /// The spec of the tables in a column of tables, or the distinct texts of an enumerated one.
  fileprivate(set) var detail: Ref?

  package init(
    name: String, typeNumber: Int, attributes: ColumnAttributes, slot: Int, linkTable: Int, originColumn: Int,
    detail: Ref?
  ) {
    self.name = name
    self.typeNumber = typeNumber
    self.attributes = attributes
    self.slot = slot
    self.linkTable = linkTable
    self.originColumn = originColumn
    self.detail = detail
  }

  package var isHidden: Bool { typeNumber == Number.backlink }
  /// Elements of the array of columns: the column's root, and that of its index.
  package var slotCount: Int { attributes.contains(.indexed) ? 2 : 1 }
  var isNullable: Bool { attributes.contains(.nullable) }

  var withoutDetail: OldSpecColumn {
    var column = self
    column.detail = nil
    return column
  }
}

/// The columns of a table, or of all tables in one column.
package struct OldSpec: Sendable {
  /// Elements of a spec. From 6 on a later engine has begun to convert it: enumerated columns are texts with their
  /// distinct texts at their own position, lists of values are marked by an attribute, and what links need may have
  /// moved beside the spec.
  package static let sizes = 3...6
  package static let convertedSize = 6
  package static let columnsMax = 65535

  package enum Slot {
    package static let types = 0
    package static let names = 1
    package static let attributes = 2
    package static let links = 3
    package static let texts = 4
  }

  package let columns: [OldSpecColumn]
  /// Elements of the array of columns: one a column and one an index.
  package var slotCount: Int { columns.last.map { $0.slot + $0.slotCount } ?? 0 }

  package init(columns: [OldSpecColumn]) { self.columns = columns }

  /// What tells the columns of a spec.
  package struct Head {
    package let node: NodeView
    package let types: PackedIntegers
    package let attributes: PackedIntegers

    package init(_ ref: Ref, in snapshot: Snapshot, budget: TraversalBudget) throws(EngineError) {
      node = try snapshot.refsNode(ref)
      try budget.charge(node)
      guard OldSpec.sizes.contains(node.count) else {
        throw EngineError.damaged(at: ref.offset, expected: "the spec of a table", found: node.description)
      }
      types = try snapshot.integersNode(try node.requiredRef(Slot.types)).integers
      attributes = try snapshot.integersNode(try node.requiredRef(Slot.attributes)).integers
      guard types.count <= OldSpec.columnsMax, attributes.count == types.count else {
        throw EngineError.damaged(
          at: ref.offset, expected: "as many attributes as the \(types.count) types",
          found: "\(attributes.count)")
      }
    }
  }

  /// `oppositeTables` has the targets of links by column, where a later engine has moved them there.
  package init(
    _ ref: Ref, oppositeTables: PackedIntegers? = nil, in snapshot: Snapshot, budget: TraversalBudget
  ) throws(EngineError) {
    let head = try Head(ref, in: snapshot, budget: budget)
    let (node, types, attributes) = (head.node, head.types, head.attributes)
    let names = try snapshot.oldTexts(try snapshot.node(try node.requiredRef(Slot.names)), isNullable: false)
    guard names.count <= types.count else {
      throw EngineError.damaged(
        at: ref.offset, expected: "no more names than the \(types.count) types", found: "\(names.count)")
    }
    var details = OldSpecDetails(
      links: try node.refIfPresent(Slot.links).map { r throws(EngineError) in try snapshot.refsNode(r) },
      texts: try node.refIfPresent(Slot.texts).map { r throws(EngineError) in try snapshot.refsNode(r) },
      oppositeTables: oppositeTables, isConverted: node.count == Self.convertedSize)
    var columns: [OldSpecColumn] = []
    var slot = 0
    for index in 0..<types.count {
      let type = Int(clamping: types[index])
      guard (type == OldSpecColumn.Number.backlink) == (index >= names.count) else {
        throw EngineError.damaged(
          at: ref.offset, expected: "names for all columns but hidden ones",
          found: "column \(index) of type \(type)")
      }
      let column = try details.column(
        index, name: index < names.count ? try names.bytes(index, in: snapshot)?.text ?? "" : "", type: type,
        attributes: ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index])), slot: slot)
      columns.append(column)
      slot += column.slotCount
    }
    try details.checkEnd()
    self.columns = columns
  }
}

/// Hands out what columns need beside type, name and attributes, in column order.
private struct OldSpecDetails {
  private var links: SparseList
  private var texts: SparseList
  private let textsByColumn: NodeView?
  private let oppositeTables: PackedIntegers?

  init(links: NodeView?, texts: NodeView?, oppositeTables: PackedIntegers?, isConverted: Bool) {
    self.links = SparseList(links)
    self.texts = SparseList(isConverted ? nil : texts)
    textsByColumn = isConverted ? texts : nil
    // Targets are beside the spec only when they are not in it any more.
    self.oppositeTables = links == nil ? oppositeTables : nil
  }

  mutating func column(
    _ index: Int, name: String, type: Int, attributes: ColumnAttributes, slot: Int
  ) throws(EngineError) -> OldSpecColumn {
    var type = type
    var linkTable = 0
    var originColumn = 0
    var detail: Ref?
    switch type {
    case OldSpecColumn.Number.table: detail = try links.nextRef()
    case OldSpecColumn.Number.enumerated: detail = try texts.nextRef()
    case OldSpecColumn.Number.text:
      detail = try textsByColumn?.refIfPresent(index)
      if detail != nil { type = OldSpecColumn.Number.enumerated }
    case OldSpecColumn.Number.link, OldSpecColumn.Number.linkList: linkTable = try self.linkTable(index)
    case OldSpecColumn.Number.backlink:
      linkTable = try self.linkTable(index)
      if oppositeTables == nil { originColumn = try links.nextNumber() }
    default: break
    }
    return OldSpecColumn(
      name: name, typeNumber: type, attributes: attributes, slot: slot, linkTable: linkTable,
      originColumn: originColumn, detail: detail)
  }

  private mutating func linkTable(_ index: Int) throws(EngineError) -> Int {
    guard let oppositeTables else { return try links.nextNumber() }
    return index < oppositeTables.count ? Int(clamping: oppositeTables[index]) : -1
  }

  func checkEnd() throws(EngineError) {
    try links.checkEnd()
    try texts.checkEnd()
  }
}

/// A list with entries for some of the columns, in their order.
private struct SparseList {
  private let node: NodeView?
  private var next = 0

  init(_ node: NodeView?) { self.node = node }

  private mutating func entry() throws(EngineError) -> (NodeView, Int) {
    guard let node, next < node.count else {
      throw EngineError(
        .damaged, "the file is damaged: a table's columns need more details than its spec has",
        at: node.map { "offset \($0.ref.offset)" })
    }
    defer { next += 1 }
    return (node, next)
  }

  mutating func nextRef() throws(EngineError) -> Ref {
    let (node, index) = try entry()
    return try node.requiredRef(index)
  }

  mutating func nextNumber() throws(EngineError) -> Int {
    let (node, index) = try entry()
    guard try node.slot(index) & 1 == 1 else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a tagged number in slot \(index)", found: "a ref")
    }
    return Int(try node.tagged(index))
  }

  func checkEnd() throws(EngineError) {
    guard let node, next != node.count else { return }
    throw EngineError.damaged(
      at: node.ref.offset, expected: "\(next) details of columns", found: "\(node.count)")
  }
}
