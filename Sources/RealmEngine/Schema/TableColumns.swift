// The columns of a table, read from its spec's parallel arrays and from those beside them in its top array. Layer: Schema.
// Invariants: no two columns share a leaf index; types are ones the format has.

/// The arrays that tell the columns of a table of formats 10 and later; nil those that it lacks, or that are lost.
package struct TableColumns {
  package let types: PackedIntegers?
  package var names: ShortStringLeaf?
  package let attributes: PackedIntegers?
  package var keys: [Int64]?
  private let enumerations: NodeView?
  package let indexes: NodeView?
  package let oppositeTables: PackedIntegers?
  private let oppositeColumns: PackedIntegers?
  private let snapshot: Snapshot
  private let offset: Int
  /// Bytes of all of them; elements of some may take none.
  let byteSize: Int

  package static let countMax = 65535

  /// `table` and `spec` are nil where they are lost, `keys` others than the spec has.
  package init<Failure>(
    _ table: NodeView?, _ spec: NodeView?, keys found: PackedIntegers? = nil, in snapshot: Snapshot,
    faults: Faults<Failure>
  ) throws(Failure) {
    var size = spec?.byteSize ?? 0
    func child(
      _ parent: NodeView?, _ slot: Int, _ open: (Ref) throws(EngineError) -> NodeView
    ) throws(Failure) -> NodeView? {
      try faults.reading { () throws(EngineError) in
        guard let ref = try parent?.refIfPresent(slot) else { return nil }
        let node = try open(ref)
        size += node.byteSize
        return node
      }
    }
    func numbers(_ parent: NodeView?, _ slot: Int) throws(Failure) -> PackedIntegers? {
      let node = try child(parent, slot, snapshot.integersNode)
      return try faults.reading { () throws(EngineError) in
        // A leaf index has 16 bits.
        guard let node, node.count <= Self.countMax + 1 else {
          throw EngineError.damaged(
            at: (node ?? parent)?.ref.offset ?? 0, expected: "numbers of columns in slot \(slot)",
            found: node?.description ?? "0")
        }
        return node.integers
      }
    }
    self.snapshot = snapshot
    offset = spec?.ref.offset ?? 0
    types = try numbers(spec, TableSpecSlot.types)
    let namesNode = try child(spec, TableSpecSlot.names, snapshot.node)
    names = try faults.reading { () throws(EngineError) in
      try namesNode.map { node throws(EngineError) in try ShortStringLeaf(node, isNullable: false) }
    }
    attributes = try numbers(spec, TableSpecSlot.attributes)
    let own = try numbers(spec, TableSpecSlot.keys)
    keys = (found ?? own)?.array()
    enumerations = try child(spec, TableSpecSlot.enumerations, snapshot.refsNode)
    indexes = try child(table, TableTopSlot.indexes, snapshot.refsNode)
    oppositeTables = try numbers(table, TableTopSlot.oppositeTables)
    oppositeColumns = try numbers(table, TableTopSlot.oppositeColumns)
    byteSize = size
    let (count, typeCount, nameCount) = (keys?.count ?? 0, types?.count ?? 0, names?.count ?? 0)
    if typeCount != count || attributes?.count != count || names == nil || nameCount > count
      || count > Self.countMax
    {
      try faults.meet(
        .damaged(
          at: offset, expected: "as many types and attributes as the \(count) columns",
          found: "\(typeCount), \(attributes?.count ?? 0) and \(nameCount) names"))
    }
  }

  /// The columns but those that cannot be told. A property whose name is lost has an empty one.
  package func columns<Failure>(
    faults: Faults<Failure>
  ) throws(Failure) -> (properties: [Property], backlinks: [BacklinkColumn]) {
    var properties: [Property] = []
    var backlinks: [BacklinkColumn] = []
    var leafIndexes: Set<Int> = []
    for (index, key) in (keys ?? []).map(ColumnKey.init).enumerated() {
      guard leafIndexes.insert(key.leafIndex).inserted else {
        try faults.meet(
          .damaged(at: offset, expected: "columns of their own", found: "two in slot \(key.leafIndex)"))
        continue
      }
      let isHidden = key.typeNumber == ValueType.backlink.rawValue
      if isHidden == (index < names?.count ?? 0) {
        try faults.meet(
          .damaged(
            at: offset, expected: "names for all columns but those of incoming links",
            found: "column \(index) of type \(key.typeNumber)"))
      }
      if isHidden {
        backlinks.append(
          BacklinkColumn(
            columnKey: key, originTable: opposite(key), originColumn: try originColumn(key, faults)))
      } else if let property = try property(index, key, faults) {
        properties.append(property)
      }
    }
    return (properties, backlinks)
  }

  private func property<Failure>(
    _ index: Int, _ key: ColumnKey, _ faults: Faults<Failure>
  ) throws(Failure) -> Property? {
    guard let type = key.type else {
      try faults.meet(.damaged(at: offset, expected: "a column type", found: "\(key.typeNumber)"))
      return nil
    }
    let name = try faults.reading { () throws(EngineError) -> String? in
      guard let names, index < names.count else { return nil }
      return try names.bytes(index).map { ByteString(borrowing: $0).text }
    }
    let indexRef = try faults.reading { () throws(EngineError) in try indexes?.refIfPresent(key.leafIndex) }
    let texts = try faults.reading { () throws(EngineError) -> EnumeratedTexts? in
      guard let ref = try enumerations?.refIfPresent(index) else { return nil }
      return EnumeratedTexts(leaves: [try StringLeaf(try snapshot.node(ref), in: snapshot)])
    }
    return Property(
      name: name ?? "", type: type, collection: key.collection,
      isOptional: key.attributes.contains(.nullable),
      index: indexRef == nil ? .none : attributes(index)?.contains(.fullText) ?? false ? .fullText : .general,
      target: type == .object ? opposite(key) : nil, columnKey: key, specIndex: index, indexRef: indexRef,
      hasIntegerKeys: key.attributes.contains(.dictionary)
        && (types.map { index < $0.count && $0[index] >> 16 == 0 } ?? false),
      texts: texts, subtableForm: nil)
  }

  /// What the spec says of a column; nil where it says nothing.
  package func attributes(_ index: Int) -> ColumnAttributes? {
    guard let attributes, index < attributes.count else { return nil }
    return ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index]))
  }

  private func opposite(_ key: ColumnKey) -> TableKey? {
    guard let oppositeTables, key.leafIndex < oppositeTables.count else { return nil }
    return TableKey(oppositeTables[key.leafIndex])
  }

  private func originColumn<Failure>(
    _ key: ColumnKey, _ faults: Faults<Failure>
  ) throws(Failure) -> ColumnKey {
    if let column = oppositeColumn(ofLeaf: key.leafIndex) { return column }
    try faults.meet(
      .damaged(at: offset, expected: "the other side of incoming links", found: "no column \(key.leafIndex)"))
    return .null
  }

  /// The column that links to or from a column lead through.
  package func oppositeColumn(ofLeaf index: Int) -> ColumnKey? {
    guard let oppositeColumns, index < oppositeColumns.count else { return nil }
    return ColumnKey(oppositeColumns[index])
  }
}
