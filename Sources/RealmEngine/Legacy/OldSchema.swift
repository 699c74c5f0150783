// The classes that tables of formats 2–9 make up, as the official upgrade would name and number their parts.
// Layer: Legacy. Invariant: a column's key carries its position in the spec, hidden columns counted.

extension OldTableStorage {
  /// A column that synced files have for the engine's own use.
  static let stableIDColumn = "!OID"

  /// What users see of the columns. `tableKey` is this table's; `primaryKey` is the column of its primary key.
  func properties(
    ofTable tableKey: TableKey, primaryKey: Int?, tableCount: Int
  ) -> [Property] {
    columns.enumerated().compactMap { number, column in
      guard let type = column.type, propertyNames[number] != Self.stableIDColumn else { return nil }
      let key = columnKey(number, ofTable: tableKey)
      let texts: EnumeratedTexts? = if case .enumerated(let texts) = column.form { texts } else { nil }
      return Property(
        name: propertyNames[number], type: type, collection: key.attributes.collection,
        isOptional: key.attributes.contains(.nullable),
        // The upgrade gives every primary key an index. The indexes of these formats themselves are not read.
        index: column.spec.attributes.contains(.indexed) || number == primaryKey ? .general : .none,
        target: type == .object ? Self.tableKey(column.spec.linkTable, of: tableCount) : nil, columnKey: key,
        specIndex: number, indexRef: nil, hasIntegerKeys: false, texts: texts,
        subtableForm: column.elements?.form)
    }
  }

  /// One sentence for each property of which something cannot be seen.
  func remarks(table name: String) -> [String] {
    zip(columns, propertyNames).compactMap { column, property in
      column.omission.map {
        "property '\(property)' of \(ClassSchema.className(ofTable: name) ?? name) \($0)"
      }
    }
  }

  /// The hidden columns. `tables` are all tables of the group.
  func backlinks(ofTable tableKey: TableKey, among tables: [OldTableStorage]) -> [BacklinkColumn] {
    columns.enumerated().compactMap { number, column in
      guard column.spec.isHidden else { return nil }
      let origin = Self.tableKey(column.spec.linkTable, of: tables.count)
      let originColumn = origin.flatMap { key in
        tables[key.slot].columns.indices.contains(column.spec.originColumn)
          ? tables[key.slot].columnKey(column.spec.originColumn, ofTable: key) : nil
      }
      return BacklinkColumn(
        columnKey: columnKey(number, ofTable: tableKey), originTable: origin,
        originColumn: originColumn ?? .null)
    }
  }

  private static func tableKey(_ index: Int, of count: Int) -> TableKey? {
    index < count ? TableKey(Int64(index)) : nil
  }

  private func columnKey(_ number: Int, ofTable table: TableKey) -> ColumnKey {
    let column = columns[number]
    var attributes = column.spec.attributes.intersection([.nullable, .strongLinks])
    switch column.form {
    case .links: attributes.insert(.nullable)
    case .linkLists: attributes = attributes.subtracting(.nullable).union(.list)
    case .subtables:
      attributes.insert(.list)
      if column.elements?.isNullable == true { attributes.insert(.nullable) }
    default: break
    }
    let type = column.spec.isHidden ? ValueType.backlink : column.type ?? .mixed
    return ColumnKey(leafIndex: number, typeNumber: type.rawValue, attributes: attributes, tag: table.value)
  }
}

extension ClassSchema {
  /// A class of formats before embedded objects.
  init(
    tableName: String, tableKey: TableKey, properties: [Property], backlinks: [BacklinkColumn],
    primaryKey: Int?
  ) {
    self.init(
      tableName: tableName, flags: 0, tableKey: tableKey, properties: properties, backlinks: backlinks,
      primaryKeyIndex: properties.firstIndex { $0.specIndex == primaryKey })
  }
}
