// The classes that tables of formats 2–9 make up, as the official upgrade would name and number their parts.
// Layer: Legacy. Invariant: a column's key carries its position in the spec, hidden columns counted.

extension [OldTableStorage] {
  /// The class of table `index`; `primaryKey` is the column of its primary key.
  func schema(ofTable index: Int, primaryKey: Int?) throws(EngineError) -> ClassSchema {
    let table = self[index]
    guard let tableKey = TableKey(Int64(index)) else { preconditionFailure("positions are keys") }
    var properties: [Property] = []
    var backlinks: [BacklinkColumn] = []
    for (number, column) in table.columns.enumerated() {
      if column.spec.isHidden {
        backlinks.append(backlink(column.spec, columnKey(ofTable: index, column: number)))
      } else if let type = column.type, table.propertyNames[number] != OldTableStorage.stableIDColumn {
        properties.append(
          property(
            column, type, name: table.propertyNames[number], number: number,
            key: columnKey(ofTable: index, column: number), isPrimaryKey: number == primaryKey))
      }
    }
    return ClassSchema(
      name: ClassSchema.userName(of: table.name), tableName: table.name,
      kind: table.name.hasPrefix(ClassSchema.tablePrefix) ? .object : .table, tableKey: tableKey,
      properties: properties, backlinks: backlinks,
      primaryKeyIndex: properties.firstIndex { $0.specIndex == primaryKey })
  }

  private func property(
    _ column: OldStoredColumn, _ type: ValueType, name: String, number: Int, key: ColumnKey,
    isPrimaryKey: Bool
  ) -> Property {
    let texts: EnumeratedTexts? = if case .enumerated(let texts) = column.form { texts } else { nil }
    return Property(
      name: name, type: type, collection: key.attributes.collection,
      isOptional: key.attributes.contains(.nullable),
      // The upgrade gives every primary key an index. The indexes of these formats themselves are not read.
      index: column.spec.attributes.contains(.indexed) || isPrimaryKey ? .general : .none,
      target: type == .object ? tableKey(column.spec.linkTable) : nil, columnKey: key, specIndex: number,
      indexRef: nil, hasIntegerKeys: false, texts: texts, subtableForm: column.elements?.form)
  }

  private func backlink(_ column: OldSpecColumn, _ key: ColumnKey) -> BacklinkColumn {
    let isKnown =
      indices.contains(column.linkTable)
      && self[column.linkTable].columns.indices.contains(column.originColumn)
    return BacklinkColumn(
      columnKey: key, originTable: tableKey(column.linkTable),
      originColumn: isKnown
        ? columnKey(ofTable: column.linkTable, column: column.originColumn) : ColumnKey.null)
  }

  private func tableKey(_ index: Int) -> TableKey? {
    indices.contains(index) ? TableKey(Int64(index)) : nil
  }

  private func columnKey(ofTable index: Int, column number: Int) -> ColumnKey {
    let column = self[index].columns[number]
    var attributes = column.spec.attributes.subtracting([.indexed, .unique])
    switch column.form {
    case .links: attributes.insert(.nullable)
    case .linkLists: attributes = attributes.subtracting(.nullable).union(.list)
    case .subtables:
      attributes.insert(.list)
      if column.elements?.isNullable == true { attributes.insert(.nullable) }
    default: break
    }
    let type = column.spec.isHidden ? ValueType.backlink : column.type ?? .mixed
    return ColumnKey(
      leafIndex: number, typeNumber: type.rawValue, attributes: attributes, tag: UInt32(index))
  }
}

extension OldTableStorage {
  /// A column that synced files have for the engine's own use.
  static let stableIDColumn = "!OID"

  /// The names of columns with those made unique that need it, as the official upgrade does; hidden columns have
  /// none.
  static func propertyNames(_ columns: [OldStoredColumn]) -> [String] {
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
