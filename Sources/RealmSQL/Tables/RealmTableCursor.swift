// Goes through the rows of one table, a batch at a time. Layer: RealmSQL, Tables.

import RealmEngine

final class RealmTableCursor: VirtualCursor, GroupCursor {
  let table: RealmTable
  private let memory: BatchMemory
  private var reader: ColumnReader
  private var source = BatchSource(nil)
  private var batch = ObjectBatch()
  private var buffers: [CellBuffer?]
  private var keys: CellBuffer?
  private let elements: ElementRows?
  /// What the plan reads of elements.
  private var elementColumns: [Int] = []
  /// Of all batches since `begin`.
  private var budget: TraversalBudget
  /// Where rows are those of the whole table.
  private var keyed: RowsByValue?
  /// Where rows are groups.
  private var grouped: GroupedRows?
  /// Where rows are found by what another table holds.
  private var joinColumn: Int?

  init(_ table: RealmTable, _ memory: BatchMemory) {
    self.table = table
    self.memory = memory
    reader = ColumnReader(table.realm.transaction)
    budget = TraversalBudget(table.realm.transaction.snapshot)
    buffers = [CellBuffer?](repeating: nil, count: table.columnCount)
    elements = table.makeElements()
  }

  /// So many rows that are found cost as much as to look for them.
  private static let rowsPerLookUp = 4

  /// Rows of an order that are found without the others, which costs little beside all of them.
  private static let firstRowsCount = 64

  private var realm: ReadTransaction { table.realm.transaction }
  private var objects: Table { table.description.table }

  /// Whether no two rows are the same in what the statement reads of them.
  private(set) var isDistinct = false

  /// What finds all rows in the order in which they are handed on; nil where they are no objects, or not all of them.
  private(set) var wholeQuery: BoundQuery?

  // MARK: Beginning

  func begin(_ number: Int32, _ arguments: [PlanArgument]) throws(EngineError) {
    table.realm.begunCursor = self
    isDistinct = false
    wholeQuery = nil
    joinColumn = nil
    let plan = table.plans[Int(number)]
    keyed = nil
    keys = nil
    if elements != nil {
      budget = TraversalBudget(realm.snapshot)
      elementColumns = plan.elementColumns
    }
    grouped = nil
    if let groups = table.realm.groups { return try begin(groups.loop, groups.answers, plan, arguments) }
    if let index = plan.joinIndex, try beginKeyed(plan, index, arguments[index], number) { return }
    switch plan.access {
    case .query where plan.joinsTextsOnly && !arguments[plan.joinIndex ?? 0].isText:
      source = BatchSource(nil)
    case .objectKey:
      guard case .one(let value)? = arguments.first, let key = NumberCondition.wholeNumber(value) else {
        source = BatchSource(nil)
        break
      }
      source = BatchSource(try objects.find(ObjectKey(key)).map(ObjectBatch.init))
    case .owner: source = try owned(plan, arguments)
    case .query:
      let named = try namedObject(plan, arguments)
      source = if let named { named } else { try found(plan, arguments) }
    }
    joinColumn = plan.joinIndex.map { plan.conditions[$0].column }
    try refill()
  }

  private func begin(
    _ loop: GroupedLoop, _ answers: SQLGroups, _ plan: TablePlan, _ arguments: [PlanArgument]
  ) throws(EngineError) {
    guard plan.access == .query, !plan.joinsTextsOnly, elements == nil else { throw GroupedRows.refusal }
    source = BatchSource(nil)
    guard let (predicate, limit) = try condition(plan, arguments) else { return memory.begin(rowCount: 0) }
    guard limit == nil else { throw GroupedRows.refusal }
    let rows = try GroupedRows(
      loop, of: table.description, try executor(predicate), orders: plan.orderings, in: realm)
    answers.cursor = self
    grouped = rows
    memory.begin(rowCount: rows.values.count)
  }

  private func owned(_ plan: TablePlan, _ arguments: [PlanArgument]) throws(EngineError) -> BatchSource {
    guard case .one(let value)? = arguments.first else { return BatchSource(nil) }
    let type = table.description.columns[plan.conditions[0].column].type
    let isUnknown = value == .null && plan.conditions[0].comparison == .same
    guard !isUnknown, let names = value.names(of: type) else { return try found(TablePlan(), []) }
    if let owners = table.owners {
      var keys: [ObjectKey] = []
      for name in names { keys += try owners.owned(by: name) }
      return BatchSource(keys, of: objects)
    }
    for name in names {
      if let position = try objects.find(named: name) { return BatchSource(ObjectBatch(position)) }
    }
    return BatchSource(nil)
  }

  /// What a look-up by primary key finds, which the whole query engine would take longer for; nil for what is none.
  private func namedObject(
    _ plan: TablePlan, _ arguments: [PlanArgument]
  ) throws(EngineError) -> BatchSource? {
    guard let index = plan.joinIndex, let key = objects.schema.primaryKey,
      table.description.columns[plan.conditions[index].column].property === key,
      case .one(let value) = arguments[index], Value(value, ofExactly: key.type) != nil
    else { return nil }
    return BatchSource(try objects.find(named: value).map(ObjectBatch.init))
  }

  /// What rows must meet, as far as the engine can tell, and how many of them are wanted; nil where there are no rows.
  private func condition(
    _ plan: TablePlan, _ arguments: [PlanArgument]
  ) throws(EngineError) -> (predicate: BoundPredicate, limit: Int?)? {
    var parts: [BoundPredicate] = []
    var limit: Int?
    for (condition, argument) in zip(plan.conditions, arguments) {
      if condition.comparison == .limit || condition.comparison == .offset {
        limit = sum(limit, argument)
        continue
      }
      guard case .property(let property) = table.description.columns[condition.column].source else {
        continue
      }
      switch try PushedCondition(condition.comparison, property, argument, in: realm) {
      case .all: continue
      case .never: return nil
      case .predicate(let part): parts.append(part)
      }
    }
    let predicate =
      parts.count > 1 ? BoundPredicate.and(parts.flatMap(\.conjuncts)) : parts.first ?? .constant(true)
    return (predicate, limit)
  }

  private func query(_ predicate: BoundPredicate, _ orderings: [BoundOrdering] = []) -> BoundQuery {
    BoundQuery(table: objects, predicate: predicate, orderings: orderings)
  }

  private func executor(
    _ predicate: BoundPredicate, _ orderings: [BoundOrdering] = []
  ) throws(EngineError) -> QueryExecutor {
    try QueryExecutor(query(predicate, orderings), in: realm)
  }

  private func found(_ plan: TablePlan, _ arguments: [PlanArgument]) throws(EngineError) -> BatchSource {
    guard let (predicate, limit) = try condition(plan, arguments) else { return BatchSource(nil) }
    if case .wanted(let loop) = table.realm.count, elements == nil, let count = try count(loop, predicate) {
      table.realm.count = .counted(count)
      return BatchSource(nil)
    }
    guard !plan.orderings.isEmpty else {
      if let values = distinctValues {
        isDistinct = true
        return BatchSource(try executor(predicate, [.distinct(values)]).keys(), of: objects)
      }
      if elements == nil { wholeQuery = query(predicate) }
      return BatchSource(try executor(predicate).cursor(), rowsLimit: plan.rowsLimit)
    }
    let order = BoundOrdering.sort(plan.orderings)
    let (whole, realm) = (query(predicate, [order]), realm)
    wholeQuery = whole
    // For max(x) SQLite asks for all rows in order, and takes one.
    let count = limit ?? Self.firstRowsCount
    let keys = try executor(predicate, [order, .limit(count)]).keys()
    guard keys.count >= count else { return BatchSource(keys, of: objects) }
    return BatchSource(keys, of: objects) { () throws(EngineError) in
      Array(try QueryExecutor(whole, in: realm).keys().dropFirst(count))
    }
  }

  /// What rows must differ in; nil where SQLite leaves out those that do not, or there are none.
  private var distinctValues: [BoundSortValue]? {
    guard let columns = table.realm.distinctColumns, elements == nil else { return nil }
    var values: [BoundSortValue] = []
    for column in columns {
      guard case .property(let property) = table.description.columns[column].source,
        property !== objects.schema.primaryKey, property.isOrdered
      else { return nil }
      values.append(.path(BoundSortPath(property: property)))
    }
    return values
  }

  /// Nil where SQLite must count.
  private func count(_ loop: CountedLoop, _ predicate: BoundPredicate) throws(EngineError) -> Int? {
    let executor = try executor(predicate)
    guard case .values(let column) = loop else { return try executor.count() }
    guard case .property(let property) = table.description.columns[column].source,
      property.hasOneFormOfAValue
    else { return nil }
    let query = AggregateQuery(countingValuesOf: property, of: objects)
    var count: Int?
    try query.result(executor, in: realm).forEachRow { row in
      if case .int(let number) = row[0] { count = Int(number) }
      return false
    }
    return count
  }

  /// Rows that are wanted, with those that SQLite leaves out at the beginning. Nil: all.
  private func sum(_ known: Int?, _ argument: PlanArgument) -> Int? {
    guard case .one(.integer(let number)) = argument, number >= 0 else { return nil }
    let (sum, overflow) = (known ?? 0).addingReportingOverflow(Int(number))
    return overflow ? nil : sum
  }

  // MARK: Looking up many

  /// False: rows are to be found in another way.
  private func beginKeyed(
    _ plan: TablePlan, _ index: Int, _ argument: PlanArgument, _ number: Int32
  ) throws(EngineError) -> Bool {
    let column = plan.conditions[index].column
    guard case .one(let value) = argument else { return false }
    var isOfNumbers = false
    switch (value, table.description.columns[column].type) {
    case (.integer, .integer), (.text, .text), (.text, .date), (.text, .decimal): break
    case (.integer, .any) where plan.access == .owner: isOfNumbers = true
    // Whichever of both SQLite turns into the other, a text that is equal is written like the number.
    case (.integer, .text), (.integer, .decimal):
      guard !plan.joinsTextsOnly else { return false }
      isOfNumbers = true
    case (.null, .integer), (.null, .text):
      guard plan.conditions[index].comparison == .same else { return false }
    default: return false
    }
    let key = RowsByValue.Column(index: column, isOfNumbers: isOfNumbers)
    guard let rows = try keyedRows(key) else { return false }
    keyed = rows
    batch = rows.batch
    memory.begin(rowCount: rows.index.count)
    for (column, buffer) in rows.columns { memory.show(buffer, as: column) }
    memory.find(
      in: rows.index, of: rows.columns[column].flatMap { $0 === rows.index.keys ? column : nil }, by: index,
      like: value, of: number)
    return true
  }

  private func keyedRows(_ key: RowsByValue.Column) throws(EngineError) -> RowsByValue? {
    if let known = table.keyedRows[key] { return known }
    let column = key.index
    let count = table.lookUpCounts[column, default: 0] + 1
    table.lookUpCounts[column] = count
    guard count > lookUpsMax(table.description.columns[column]), objects.count <= RowsByValue.rowsMax else {
      return nil
    }
    guard let rows = try rows(by: key) else {
      table.lookUpCounts[column] = .min
      return nil
    }
    table.keyedRows[key] = rows
    return rows
  }

  /// The rows of a table, by the values of a column; nil where they are too many.
  private func rows(by key: RowsByValue.Column) throws(EngineError) -> RowsByValue? {
    let column = key.index
    batch = try ObjectBatch(all: objects, in: realm)
    var columns: [Int: CellBuffer] = [:]
    let elements = table.makeElements()
    if elements == nil, !key.isOfNumbers, case .property(let link) = table.description.columns[column].source,
      link.isLink,
      let index = try reader.rows(of: batch, byLink: link)
    {
      return RowsByValue(batch, nil, index, [:])
    }
    if let elements {
      for column in Set(elementColumns + [column]) { columns[column] = CellBuffer() }
      let budget = TraversalBudget(realm.snapshot)
      try elements.read(columns, of: batch, &reader, budget: budget, rowsMax: RowsByValue.rowsMax)
      if elements.count > RowsByValue.rowsMax { return nil }
    }
    let keys = columns[column] ?? CellBuffer()
    if elements == nil {
      try read(column, into: keys)
      columns[column] = keys
    }
    let index = try RowIndex(key.isOfNumbers ? keys.wholeNumbers : keys)
    for buffer in columns.values where buffer !== index.keys { index.arrange(buffer) }
    return RowsByValue(batch, elements, index, columns)
  }

  /// So many look-ups cost about as much as to read the whole table once: without an index each goes through all rows.
  private func lookUpsMax(_ column: SQLColumn) -> Int {
    switch (column.type, column.source) {
    case (.integer, _), (.text, _), (.date, _), (.decimal, _), (.any, .owner): break
    default: return .max
    }
    return column.isIndexed || column.isLink ? max(16, objects.count / (elements == nil ? 128 : 32)) : 2
  }

  // MARK: Batches

  func refill() throws(EngineError) {
    while true {
      keys = nil
      guard let next = try source.next() else { return memory.begin(rowCount: 0) }
      batch = next
      guard let elements else {
        countFound(batch.count)
        return memory.begin(rowCount: batch.count)
      }
      var columns: [Int: CellBuffer] = [:]
      for column in elementColumns { columns[column] = buffer(column) }
      try elements.read(columns, of: batch, &reader, budget: budget)
      guard elements.count > 0 else { continue }
      countFound(elements.count)
      memory.begin(rowCount: elements.count)
      for (column, buffer) in columns { memory.show(buffer, as: column) }
      return
    }
  }

  private func countFound(_ rowCount: Int) {
    if let joinColumn { table.lookUpCounts[joinColumn, default: 0] += rowCount / Self.rowsPerLookUp }
  }

  private func buffer(_ column: Int) -> CellBuffer {
    if let known = buffers[column] { return known }
    let buffer = CellBuffer()
    buffers[column] = buffer
    return buffer
  }

  func read(_ column: Int) throws(EngineError) {
    // What another cursor has read of the same rows stays where it is: calls of SQLite may be reading it.
    if let known = keyed?.columns[column] { return memory.show(known, as: column) }
    if let shown = grouped?.cells(column) { return memory.show(shown, as: column) }
    let target = keyed == nil ? buffer(column) : CellBuffer()
    try read(column, into: target)
    if let keyed {
      keyed.index.arrange(target)
      keyed.columns[column] = target
    }
    memory.show(target, as: column)
  }

  /// Where SQLite is in the batch.
  var place: (row: Int, rowCount: Int) { memory.place }
  func value(of calculation: Int) -> SQLValue { grouped?.values[memory.place.row][calculation] ?? .null }
  /// Whether rows are those of one value, and not all of the batch.
  var isKeyed: Bool { keyed != nil }

  /// Columns of the whole batch.
  func cells(of columns: [Int]) throws(EngineError) -> [CellBuffer] {
    try columns.map { column throws(EngineError) in
      if !elementColumns.contains(column) { try read(column) }
      return buffer(column)
    }
  }

  private func read(_ number: Int, into buffer: CellBuffer) throws(EngineError) {
    if let elements = keyed?.elements ?? elements {
      // They have all been read before, though not this column.
      let budget = TraversalBudget(realm.snapshot)
      return try elements.read([number: buffer], of: batch, &reader, budget: budget)
    }
    let column = table.description.columns[number]
    switch column.source {
    case .objectKey: reader.readKeys(of: batch, into: buffer)
    case .property(let property): try reader.read(property, of: batch, into: buffer)
    case .document(let property): try reader.readDocuments(property, of: objects, batch, into: buffer)
    case .rowName, .fixed, .owner, .ownerClass, .ownerProperty, .position, .entryKey:
      try readOwnership(column.source, into: buffer)
    case .element: preconditionFailure("elements are no values of a property")
    }
  }

  private func readOwnership(_ source: SQLColumn.Source, into buffer: CellBuffer) throws(EngineError) {
    guard let owners = table.owners, case .objects(let properties) = table.description.rows else { return }
    let ownerships = try owners.ownerships(batch)
    buffer.reset(count: batch.count)
    for (index, ownership) in ownerships.enumerated() {
      guard let ownership else { continue }
      let owner = properties[ownership.owner]
      switch source {
      case .ownerClass: buffer.set(index, .text(ByteString(owner.table.schema.name)))
      case .ownerProperty: buffer.set(index, .text(ByteString(owner.property.name)))
      case .position, .entryKey:
        let isDictionary = owner.property.collection == .dictionary
        let wantsKey = if case .entryKey = source { true } else { false }
        if isDictionary == wantsKey { buffer.set(index, ownership.place) }
      default:
        buffer.set(
          index, try reader.name(of: ObjectLink(table: owner.table.schema.tableKey, key: ownership.key)))
      }
    }
  }

  func rowNumber(_ row: Int) throws(EngineError) -> Int64 {
    let row = keyed?.index.place(of: row) ?? row
    if let elements = keyed?.elements ?? elements { return elements.rowNumber(row) }
    let known = keyed == nil ? keys : keyed?.keys
    let numbers = known ?? CellBuffer()
    if known == nil {
      if let property = table.description.rowNumberIndex.flatMap({ table.description.columns[$0].property }) {
        try reader.read(property, of: batch, into: numbers)
      } else {
        reader.readKeys(of: batch, into: numbers)
      }
      if let keyed { keyed.keys = numbers } else { keys = numbers }
    }
    guard case .integer(let number) = numbers.value(row) else { return 0 }
    return number
  }
}

extension SQLValue {
  /// What an object may be called in a column of `type` that SQLite takes for equal to the value; nil where only a
  /// comparison of all of them tells.
  fileprivate func names(of type: SQLType) -> [SQLValue]? {
    let number = NumberCondition.wholeNumber(self).map(SQLValue.integer)
    return switch (self, type) {
    case (.null, _), (.blob, _): []
    case (_, .integer): number.map { [$0] } ?? []
    case (.text, .text): [self]
    case (.text, _): [self] + (number.map { [$0] } ?? [])
    // Texts are compared as numbers with some of the numbers.
    case (.integer, _), (.real, _): nil
    }
  }
}

extension BoundPredicate {
  fileprivate var conjuncts: [BoundPredicate] {
    if case .and(let parts) = self { parts } else { [self] }
  }
}
