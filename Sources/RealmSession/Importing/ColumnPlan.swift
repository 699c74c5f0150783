// Which cells make which properties of an object. Layer: RealmSession, Importing.

import ByteText
import RealmEngine
import TextFormats

/// Where a column goes.
enum ColumnTarget {
  case ignored
  /// The object's own key.
  case key
  /// Names of properties, from the object inwards.
  case property([String])
  /// There is no such property.
  case missing
}

/// Finds the properties that columns go to.
struct ColumnMatcher {
  let schema: ClassSchema
  let options: ImportOptions
  let transaction: WriteTransaction
  var similarNames = SimilarNames()

  /// The properties of classes by the names that columns may have for them. One serves all columns of an import.
  final class SimilarNames {
    private typealias Names = [String: [Property]]

    /// An import adds properties and takes none away, so their number tells whether the names are those of now.
    private var ofClasses: [TableKey: (propertyCount: Int, names: Names)] = [:]

    func properties(_ folded: String, of schema: ClassSchema) -> [Property] {
      let count = schema.properties.count
      if let known = ofClasses[schema.tableKey], known.propertyCount == count {
        return known.names[folded] ?? []
      }
      let names = Names(grouping: schema.properties) { ColumnName.folded($0.name) }
      ofClasses[schema.tableKey] = (count, names)
      return names[folded] ?? []
    }
  }

  func target(of column: String) throws -> ColumnTarget {
    if let mapped = options.mapping.last(where: { ColumnName.isSame($0.column, column) })?.target {
      if mapped.isEmpty { return .ignored }
      let path = mapped.split(separator: ".", maxSplits: Nesting.levelsMax).map(String.init)
      if let found = try resolved(path, in: schema) { return .property(found) }
      if let made = schema.property(named: options.newName(of: column)) { return .property([made.name]) }
      if options.adds { return .missing }
      throw ImportFault(
        "\(schema.name) has no property '\(mapped)', which the column '\(column)' is mapped to",
        hint: nearest(mapped).map { "did you mean '\($0)'?" })
    }
    if schema.isKeyColumn(column) { return .key }
    if let found = try resolved([column], in: schema) { return .property(found) }
    // What a primary key names is found without it.
    if column == ObjectReader.shownKey { return .ignored }
    let path = column.split(separator: ".").map(String.init)
    guard path.count <= Nesting.levelsMax else {
      throw ImportFault("the column '\(column.prefix(60))…' names more than \(Nesting.levelsMax) levels")
    }
    if path.count > 1, let found = try resolved(path, in: schema) { return .property(found) }
    if let made = schema.property(named: options.newName(of: column)) {
      return .property([made.name])
    }
    return options.extraColumns == .ignore ? .ignored : .missing
  }

  /// The properties of a path, each found by its name, or by one that is written a little differently; nil where one is
  /// missing.
  private func resolved(_ path: [String], in schema: ClassSchema) throws -> [String]? {
    guard let first = path.first, let property = try property(first, in: schema) else { return nil }
    guard path.count > 1 else { return [property.name] }
    guard property.collection == nil, let target = property.target else { return nil }
    let inner = try transaction.schema(target)
    guard inner.kind == .embedded, let rest = try resolved(Array(path.dropFirst()), in: inner) else {
      return nil
    }
    return [property.name] + rest
  }

  private func property(_ name: String, in schema: ClassSchema) throws -> Property? {
    if let property = schema.property(named: name) { return property }
    let similar = similarNames.properties(ColumnName.folded(name), of: schema)
    guard similar.count < 2 else {
      throw ImportFault(
        "the column '\(name)' may be \(similar.map { "'\($0.name)'" }.joined(separator: " or ")) of \(schema.name)",
        hint: "choose one with --map '\(name)=\(similar[0].name)'")
    }
    return similar.first
  }

  /// What is wrong with a column that has no property.
  func missing(_ column: String) -> ImportFault {
    ImportFault(
      "\(schema.name) has no property for the column '\(column)'",
      hint: (nearest(column).map { "--map '\(column)=\($0)' maps it to '\($0)'; " } ?? "")
        + "--extra-columns=ignore ignores these columns, =add creates properties")
  }

  func nearest(_ name: String) -> String? {
    EditDistance.nearest(to: name, among: schema.properties.map(\.name))
  }
}

extension ImportOptions {
  /// Whether properties are made for columns that have none.
  var adds: Bool { extraColumns == .add || creates && extraColumns == .refuse }

  /// The name of the property that is made for a column.
  func newName(of column: String) -> String {
    let mapped = mapping.last { ColumnName.isSame($0.column, column) }?.target
    return String((mapped ?? column).map { $0 == "." ? "_" : $0 })
  }

  /// The column of object keys among those of a class that is made; nil where the user makes it a property.
  func keyColumn(among columns: [String]) -> String? {
    let name = ObjectReader.keyColumn(among: columns)
    // What a primary key names has no other key.
    let isNamed = primaryKey == name || primaryKey != nil && name != ObjectReader.shownKey
    let isProperty =
      isNamed || types.contains { $0.column == name } || mapping.contains { $0.column == name }
    return isProperty ? nil : name
  }
}

/// How a record becomes an object.
struct ColumnPlan {
  /// A property and where its value comes from.
  indirect enum Source {
    case cell(column: Int, CellConverter)
    case embedded(ClassSchema, property: Property, [(name: String, source: Source)])

    func forEachCell(_ body: (Int, CellConverter) -> Void) {
      switch self {
      case .cell(let column, let converter): body(column, converter)
      case .embedded(_, _, let parts): for part in parts { part.source.forEachCell(body) }
      }
    }
  }

  let schema: ClassSchema
  private(set) var sources: [(name: String, source: Source)] = []
  private(set) var keyColumn: Int?
  let columnCount: Int
  /// A property that every object would lack.
  let missing: String?

  /// `place`: of a column's name, if it stands in the source.
  init(
    _ header: [String], _ targets: [ColumnTarget], of schema: ClassSchema, _ options: ImportOptions,
    _ transaction: WriteTransaction, place: (Int) -> TextLocation?
  ) throws {
    self.schema = schema
    columnCount = header.count
    let common = CellConverter.Common(schema, options, transaction)
    var taken = TakenPaths()
    for (index, target) in targets.enumerated() {
      switch target {
      case .ignored, .missing: continue
      case .key:
        keyColumn = index
      case .property(let path):
        let name = path.joined(separator: ".")
        if let other = taken.take(path, for: header[index]) {
          throw ImportFault(
            "the columns '\(other)' and '\(header[index])' both go to \(schema.name).\(name)",
            at: place(index), hint: "leave one out: --map '\(header[index])='")
        }
        try Self.add(path[...], index, header[index], common, to: &sources)
      }
    }
    let given = Set(sources.map(\.name))
    missing = schema.properties.first { $0.needsValue(in: schema) && !given.contains($0.name) }?.name
  }

  /// The paths that have their columns: no two of them name one property, nor one a part of what another names.
  private struct TakenPaths {
    /// The columns of the paths, and of what begins them.
    private var columns: [[String]: String] = [:]
    private var beginnings: [[String]: String] = [:]

    /// Takes a path, or gives the column that has it already, or a part of it, or it as a part.
    mutating func take(_ path: [String], for column: String) -> String? {
      let shorter = (1..<max(path.count, 1)).map { Array(path.prefix($0)) }
      let wider = shorter.first { columns[$0] != nil }
      if let other = columns[path] ?? beginnings[path] ?? wider.flatMap({ columns[$0] }) { return other }
      columns[path] = column
      for beginning in shorter where beginnings[beginning] == nil { beginnings[beginning] = column }
      return nil
    }
  }

  private static func add(
    _ path: ArraySlice<String>, _ column: Int, _ header: String, _ common: CellConverter.Common,
    to sources: inout [(name: String, source: Source)]
  ) throws {
    guard let name = path.first, let property = common.schema.property(named: name) else { return }
    guard path.count > 1, let target = property.target else {
      let converter = try CellConverter(property, of: common, column: header)
      sources.append((name, .cell(column: column, converter)))
      return
    }
    let inner = CellConverter.Common(
      try common.transaction.schema(target), common.options, common.transaction)
    var parts: [(name: String, source: Source)] = []
    let index = sources.firstIndex { $0.name == name }
    if let index, case .embedded(_, _, let known) = sources[index].source {
      parts = known
      // Held by nobody else, they are added to where they lie.
      sources[index].source = .embedded(inner.schema, property: property, [])
    }
    try add(path.dropFirst(), column, header, inner, to: &parts)
    let source = Source.embedded(inner.schema, property: property, parts)
    if let index { sources[index].source = source } else { sources.append((name, source)) }
  }

  /// How large cells may be, by columns.
  var limits: [DelimitedReader.FieldLimit?] {
    var limits = [DelimitedReader.FieldLimit?](repeating: nil, count: columnCount)
    for (_, source) in sources { source.forEachCell { limits[$0] = $1.limit } }
    return limits
  }

  /// The first column that goes to a property.
  func column(of property: String) -> Int? {
    var first: Int?
    sources.first { $0.name == property }?.source.forEachCell { column, _ in first = first ?? column }
    return first
  }

  /// The object of the reader's present record.
  func edit(_ record: borrowing DelimitedReader) throws -> ObjectEdit {
    var edit = ObjectEdit(
      schema: schema, place: DocumentPlace(path: .root, location: record.recordLocation))
    edit.missing = missing
    if let keyColumn, !record.isNull(keyColumn) {
      guard let key = Int64(decimalText: record.field(keyColumn)), key >= 0 else {
        throw DocumentFault(
          "an object key is a whole number, not \"\(record.field(keyColumn).string.prefix(60))\"",
          at: DocumentPlace(
            path: .key(.root, schema.keyColumn ?? ObjectReader.keyColumn), location: record.place(keyColumn)),
          hint: ObjectReader.keyHint)
      }
      edit.objectKey = ObjectKey(key)
    }
    edit.values.reserveCapacity(sources.count)
    for (name, source) in sources {
      let value = try Self.value(source, record, edit.place)
      edit.values.append((name, value))
      if name == schema.primaryKey?.name, case .single(let single) = value { edit.primaryKey = single }
    }
    return edit
  }

  private static func value(
    _ source: Source, _ record: borrowing DelimitedReader, _ place: DocumentPlace
  ) throws -> EditValue {
    switch source {
    case .cell(let column, let converter):
      // A place costs a look at the record, so it is told only where it is asked for.
      return try converter.value(of: column, in: record)
    case .embedded(let schema, let property, let parts):
      var edit = ObjectEdit(schema: schema, place: place)
      guard
        edit.begin(
          Set(parts.map(\.name)), isNull: isNull(source, record), mayBePart: property.collection == nil)
      else { return property.collection == nil ? .single(.null) : .list([]) }
      for (name, source) in parts { edit.values.append((name, try value(source, record, place))) }
      if !edit.isPartial { try edit.requireAll() }
      return .embedded(edit)
    }
  }

  /// Whether all cells of a part hold nothing.
  private static func isNull(_ source: Source, _ record: borrowing DelimitedReader) -> Bool {
    switch source {
    case .cell(let column, let converter): return converter.isNull(column, in: record)
    case .embedded(_, _, let parts):
      for part in parts where !isNull(part.source, record) { return false }
      return true
    }
  }
}
