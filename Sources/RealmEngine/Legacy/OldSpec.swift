// The spec of a table of formats 2–9: types, names and attributes of its columns, and what links and subtables need
// beside them in one list that is consumed in column order. Layer: Legacy.
// Invariants: hidden columns, and only they, have no name and stand last; the list is used up exactly. Types and attributes tell
// where columns stand, and have to be there even where damage is passed over.

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

  /// A position that no table and no column has.
  package static let unknown = -1

  /// `oppositeTables` has the targets of links by column, where a later engine has moved them there. `readNames` may know more of
  /// a damaged leaf of names than that it is one; nil are names that are lost.
  package init(
    _ ref: Ref, oppositeTables: PackedIntegers? = nil, in snapshot: Snapshot, budget: TraversalBudget,
    faults: Faults<EngineError> = .thrown, readNames: ((NodeView) throws(EngineError) -> [String?])? = nil
  ) throws(EngineError) {
    let node = try snapshot.refsNode(ref)
    try budget.charge(node)
    guard Self.sizes.contains(node.count) else {
      throw EngineError.damaged(at: ref.offset, expected: "the spec of a table", found: node.description)
    }
    let typesNode = try snapshot.integersNode(try node.requiredRef(Slot.types))
    let attributes = try snapshot.integersNode(try node.requiredRef(Slot.attributes)).integers
    guard typesNode.count <= Self.columnsMax, attributes.count == typesNode.count else {
      throw EngineError.damaged(
        at: ref.offset, expected: "as many attributes as the \(typesNode.count) types",
        found: "\(attributes.count)")
    }
    let types = typesNode.integers.array().map { Int(clamping: $0) }
    let namedCount = types.prefix { $0 != OldSpecColumn.Number.backlink }.count
    let names = try faults.reading { () throws(EngineError) in
      let leaf = try snapshot.node(try node.requiredRef(Slot.names))
      let names = if let readNames { try readNames(leaf) } else { try Self.names(leaf, in: snapshot) }
      guard names.count == namedCount else {
        throw EngineError.damaged(
          at: leaf.ref.offset, expected: "names of \(namedCount) columns", found: "\(names.count)")
      }
      return names
    }
    if let index = types.indices.dropFirst(namedCount).first(where: {
      types[$0] != OldSpecColumn.Number.backlink
    }) {
      try faults.meet(
        .damaged(
          at: ref.offset, expected: "names for all columns but hidden ones",
          found: "column \(index) of type \(types[index])"))
    }
    var details = try OldSpecDetails(
      node, types: types, oppositeTables: oppositeTables, in: snapshot, faults: faults)
    var columns: [OldSpecColumn] = []
    for (index, type) in types.enumerated() {
      columns.append(
        try details.column(
          index, name: index < namedCount ? names?[index] ?? "property_\(index)" : "", type: type,
          attributes: ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index])),
          slot: columns.last.map { $0.slot + $0.slotCount } ?? 0))
    }
    self.columns = columns
  }

  private static func names(_ leaf: NodeView, in snapshot: Snapshot) throws(EngineError) -> [String?] {
    let texts = try snapshot.oldTexts(leaf, isNullable: false)
    var names: [String?] = []
    for index in 0..<min(texts.count, columnsMax + 1) {
      names.append(try texts.bytes(index, in: snapshot)?.text ?? "")
    }
    return names
  }
}

/// Hands out what columns need beside type, name and attributes, in column order.
private struct OldSpecDetails {
  private var links: SparseList
  private var texts: SparseList
  private let textsByColumn: NodeView?
  private let oppositeTables: PackedIntegers?

  init(
    _ spec: NodeView, types: [Int], oppositeTables: PackedIntegers?, in snapshot: Snapshot,
    faults: Faults<EngineError>
  ) throws(EngineError) {
    // Targets are beside the spec only when they are not in it any more.
    let isMoved = if oppositeTables == nil { false } else { try spec.refIfPresent(OldSpec.Slot.links) == nil }
    self.oppositeTables = isMoved ? oppositeTables : nil
    let isConverted = spec.count == OldSpec.convertedSize
    textsByColumn =
      isConverted
      ? try spec.refIfPresent(OldSpec.Slot.texts).map { r throws(EngineError) in try snapshot.refsNode(r) }
      : nil
    links = try SparseList(
      spec, OldSpec.Slot.links, count: types.reduce(0) { $0 + Self.linkDetails($1, isMoved: isMoved) },
      in: snapshot, faults: faults)
    texts = try SparseList(
      spec, isConverted ? nil : OldSpec.Slot.texts,
      count: types.count { $0 == OldSpecColumn.Number.enumerated }, in: snapshot, faults: faults)
  }

  /// Elements of the list of details that a column of a type has.
  private static func linkDetails(_ type: Int, isMoved: Bool) -> Int {
    switch type {
    case OldSpecColumn.Number.table: 1
    case OldSpecColumn.Number.link, OldSpecColumn.Number.linkList: isMoved ? 0 : 1
    case OldSpecColumn.Number.backlink: isMoved ? 0 : 2
    default: 0
    }
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
    return index < oppositeTables.count ? Int(clamping: oppositeTables[index]) : OldSpec.unknown
  }
}

/// A list with entries for some of the columns, in their order. One of another length says nothing: whose its elements are is told
/// by their number alone.
private struct SparseList {
  /// Nil: it is lost, or has no entries.
  private let node: NodeView?
  private let faults: Faults<EngineError>
  private var next = 0

  init(
    _ spec: NodeView, _ slot: Int?, count: Int, in snapshot: Snapshot, faults: Faults<EngineError>
  ) throws(EngineError) {
    self.faults = faults
    node = try faults.reading { () throws(EngineError) in
      let ref = try slot.flatMap { slot throws(EngineError) in try spec.refIfPresent(slot) }
      let node = try ref.map { ref throws(EngineError) in try snapshot.refsNode(ref) }
      guard node?.count ?? 0 == count else {
        throw EngineError.damaged(
          at: spec.ref.offset, expected: "\(count) details of columns", found: "\(node?.count ?? 0)")
      }
      return node
    }
  }

  mutating func nextRef() throws(EngineError) -> Ref? {
    defer { next += 1 }
    return try faults.reading { () throws(EngineError) in try node?.requiredRef(next) }
  }

  mutating func nextNumber() throws(EngineError) -> Int {
    defer { next += 1 }
    let number = try faults.reading { () throws(EngineError) -> Int? in
      guard let node else { return nil }
      guard try node.slot(next) & 1 == 1 else {
        throw EngineError.damaged(
          at: node.ref.offset, expected: "a tagged number in slot \(next)", found: "a ref")
      }
      return Int(try node.tagged(next))
    }
    return number ?? OldSpec.unknown
  }
}
