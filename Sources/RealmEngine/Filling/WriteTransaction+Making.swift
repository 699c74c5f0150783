// Objects made of those of another class, many at once. Layer: Filling.
// They are built while values are computed, from objects as they were: they are not in their class until all are there.

/// Objects to be made, one for each object of a class or for each different value.
package struct ObjectMaking {
  /// The class of the new objects.
  let className: String
  let source: String
  /// Of the source; nil: all.
  let keys: ObjectKeyList?
  let changes: [PropertyChange]
  /// Properties that keep what those of the same name hold.
  let copied: Set<String>
  let oneForEach: Distinction
  /// Whether what was made of what is to be told.
  let wantsKeys: Bool

  /// What must differ for another object to be made.
  package enum Distinction: Sendable {
    /// An object is made for each; a primary key that is taken is an error.
    case object
    /// Any of the values.
    case values
    /// The primary key; objects that are there count.
    case primaryKey
  }

  package init(
    of className: String, from source: String, keys: ObjectKeyList?, _ changes: [PropertyChange],
    copied: Set<String> = [], oneForEach: Distinction, wantsKeys: Bool
  ) {
    (self.className, self.source, self.keys) = (className, source, keys)
    (self.changes, self.copied, self.oneForEach) = (changes, copied, oneForEach)
    self.wantsKeys = wantsKeys
  }
}

/// What came of it.
package struct MadeObjects: Sendable {
  package fileprivate(set) var count = 0
  /// Keys of objects of the source, rising, and of what was made or found for each; only where that is wanted.
  package let sources = CompressedIntegers()
  package let objects = CompressedIntegers()
  /// Why the objects cannot be made; the transaction is lost.
  package fileprivate(set) var refusal: EngineError?
}

extension WriteTransaction {
  /// Makes objects by columns. Nil, with nothing made, where one has to be made after the other. Throws what computing values
  /// does. Cost: a leaf a block and property; keys and links are held, values are not.
  package func make(
    _ making: ObjectMaking, environment: ExpressionEnvironment
  ) throws(BindingFailure) -> MadeObjects? {
    let realm = try BindingFailure.wrapping { () throws(EngineError) in try view() }
    guard let table = realm.classTable(making.source), let target = realm.classTable(making.className) else {
      throw .engine(
        EngineError(.unknownClass, "there is no class \(making.source) or \(making.className)"))
    }
    let count = making.keys?.count ?? table.count
    guard count >= ObjectBuilding.countMin || target.count == 0 else { return nil }
    var sources: [ValueSource] = []
    for change in making.changes {
      sources.append(
        try ValueSource(change, of: target, computedFor: table, in: realm, of: group, environment))
    }
    return try BindingFailure.wrapping { () throws(EngineError) in
      guard let building = try ObjectBuilding(making, sources, table, target.schema, in: self) else {
        return nil
      }
      do throws(EngineError) {
        try change { () throws(EngineError) in
          try making.keys.forEachBlock(of: table) {
            block, rows throws(EngineError) in try building.add(block, rows)
          }
          try building.finish()
        }
      } catch {
        guard building.isRefused else { throw error }
        building.made.refusal = error
      }
      return building.made
    }
  }
}

/// Objects on their way into their class.
private final class ObjectBuilding {
  /// So many new objects pay for going through those that a class has already.
  static let countMin = 1000

  private let making: ObjectMaking
  private let group: GroupEditor
  private let origin: TableEditor
  private let table: TableEditor
  private let load: BulkLoad
  private let rows: BulkTable
  private let sources: [ValueSource]
  private let copied: [Property]
  private let primaryKey: Property?
  private let isEmpty: Bool
  private var seen: DistinctRows?
  /// Where no two of them may be the same.
  private var primaryKeys: DistinctRows?
  /// The object of each row that `seen` tells apart.
  private var objects: [ObjectKey] = []
  private var report = FillReport()
  fileprivate var made = MadeObjects()
  /// Whether an error comes from making objects rather than from computing values.
  private(set) var isRefused = false

  /// Nil where objects have to be made one after the other.
  init?(
    _ making: ObjectMaking, _ sources: [ValueSource], _ originTable: Table, _ schema: ClassSchema,
    in transaction: WriteTransaction
  ) throws(EngineError) {
    group = transaction.group
    table = try group.table(schema.tableKey)
    origin = try group.table(originTable.schema.tableKey)
    load = try transaction.beginLoad()
    copied = originTable.schema.properties.filter { making.copied.contains($0.name) }
    let names = copied.map(\.name) + sources.map(\.property.name)
    primaryKey = schema.primaryKey
    guard schema.kind == .object, try load.canFillWithOwned(schema.tableKey),
      sources.allSatisfy(\.inner.isEmpty),
      primaryKey.map({ names.contains($0.name) }) ?? (making.oneForEach != .primaryKey)
    else { return nil }
    (self.making, self.sources) = (making, sources)
    isEmpty = try table.rows.tree().count == 0
    if making.oneForEach != .object { seen = DistinctRows() }
    if primaryKey != nil, making.oneForEach != .primaryKey { primaryKeys = DistinctRows() }
    rows = try load.table(schema.tableKey)
  }

  private var snapshot: Snapshot { group.store.snapshot }

  func add(_ block: RowBlock, _ chosen: [Int]) throws(EngineError) {
    var columns: [NamedColumn] = []
    for property in copied {
      columns.append(NamedColumn(property: property.name, column: try copy(property, block, chosen)))
    }
    for source in sources {
      columns.append(
        NamedColumn(property: source.property.name, column: try source.column(block, chosen, &report)))
    }
    isRefused = true
    let found = try make(columns, count: chosen.count)
    isRefused = false
    guard making.wantsKeys else { return }
    made.sources.append(contentsOf: chosen.lazy.map { block.key($0).value })
    made.objects.append(contentsOf: found.lazy.map(\.value))
  }

  /// The objects of some rows, those that are new among them made.
  private func make(_ columns: [NamedColumn], count: Int) throws(EngineError) -> [ObjectKey] {
    guard let before = seen?.count else { return try append(columns, count: count) }
    let compared = making.oneForEach == .values ? columns : columns.filter { $0.property == primaryKey?.name }
    let places = try seen?.places(of: compared.map(\.column), count: count, in: snapshot) ?? []
    // The first row of each place that was not there before.
    var new: [Int] = []
    for (row, place) in places.enumerated() where place == before + new.count { new.append(row) }
    var absent: [Int] = []
    for row in new {
      let object = making.oneForEach == .primaryKey ? try present(columns, row) : nil
      if object == nil { absent.append(row) }
      objects.append(object ?? Self.noObject)
    }
    var keys = try append(columns.selecting(absent, of: count), count: absent.count).makeIterator()
    for place in before..<objects.count where objects[place] == Self.noObject {
      if let key = keys.next() { objects[place] = key }
    }
    return places.map { objects[$0] }
  }

  private static let noObject = ObjectKey(-1)

  /// Makes an object for each row.
  private func append(_ columns: [NamedColumn], count: Int) throws(EngineError) -> [ObjectKey] {
    if let primaryKey, let before = primaryKeys?.count {
      let compared = columns.filter { $0.property == primaryKey.name }.map(\.column)
      _ = try primaryKeys?.places(of: compared, count: count, in: snapshot)
      guard primaryKeys?.count == before + count else {
        throw GroupEditor.isTaken(primaryKey, nil, of: table.schema)
      }
      for row in 0..<count where try present(columns, row) != nil {
        throw GroupEditor.isTaken(primaryKey, nil, of: table.schema)
      }
    }
    made.count += count
    return try rows.append(columns, count: count).map { ObjectKey($0) }
  }

  /// The object that has the primary key already.
  private func present(_ columns: [NamedColumn], _ row: Int) throws(EngineError) -> ObjectKey? {
    guard let primaryKey, !isEmpty,
      let column = columns.first(where: { $0.property == primaryKey.name })?.column,
      let value = try column.value(row, in: snapshot)
    else { return nil }
    return try group.find(table, primaryKey: value)
  }

  /// What a property of the source holds, embedded objects copied.
  private func copy(_ property: Property, _ block: RowBlock, _ rows: [Int]) throws(EngineError) -> NewColumn {
    guard property.collection != nil || GroupEditor.mayLink(property) else {
      return .leaf(try block.leaf(property), rows: rows)
    }
    var values: [NewValue] = []
    for row in rows { values.append(try group.copiedValue(of: block.key(row), origin, property)) }
    return .any(values)
  }

  func finish() throws(EngineError) {
    isRefused = true
    try load.finish()
  }
}
