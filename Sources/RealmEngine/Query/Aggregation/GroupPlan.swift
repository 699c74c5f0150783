// How groups are found and calculated: which columns are read, which words their records have.
// Layer: Query, Aggregation.

/// What threads do with the rows that they find.
struct GroupPlan: Sendable {
  /// A number or value that is read once for all calculations that are of it.
  struct Argument: Sendable {
    let column: SourceColumn
    /// The numbers of the operations that want it.
    var operations: [Int]
  }

  let keys: [SourceColumn]
  /// Where the words of each key begin.
  let keyPlaces: [Int]
  let arguments: [Argument]
  /// The numbers of the operations that count rows.
  let rowCounts: [Int]
  let layout: GroupLayout
  /// How many of the keys tell partitions apart; nil: all together.
  let partitionKeyCount: Int?

  init(
    keys: [SourceColumn], arguments: [Argument], rowCounts: [Int], operations: [GroupOperation],
    partitionKeyCount: Int? = nil
  ) {
    self.keys = keys
    self.arguments = arguments
    self.rowCounts = rowCounts
    self.partitionKeyCount = partitionKeyCount
    var next = 0
    var texts: [Int] = []
    keyPlaces = keys.map { key in
      if key.kind.isText { texts.append(next) }
      defer { next += key.kind.width }
      return next
    }
    layout = GroupLayout(keyWidth: next, texts: texts, operations: operations)
  }

  var keepsTexts: Bool {
    keys.contains { $0.form.hasShortLivedTexts && $0.kind.isText }
      || arguments.contains { $0.column.form.hasShortLivedTexts && $0.column.kind.isText }
  }

  var properties: [Property] {
    (keys + arguments.map(\.column)).flatMap(\.form.properties)
  }

  /// What it costs to add a row, as costs of conditions are told.
  var makingCost: Double {
    (keys + arguments.map(\.column)).reduce(keys.isEmpty ? 0.5 : 6) { cost, column in
      switch column.form {
      case .computed: cost + 200
      case .number(let expression): cost + expression.cost
      case .objectKey, .bool: cost + 1
      case .text: cost + 4
      }
    }
  }
}

/// Adds the rows that one thread finds.
final class GroupWorker {
  private let plan: GroupPlan
  private let keyReaders: [GroupColumnReader]
  private let arguments: [ArgumentWorker]
  private let keys: GroupKeyVector
  private let properties: [Property]
  private let table: GroupTable
  let groups: GroupBuilder

  init(
    _ plan: GroupPlan, _ groups: GroupBuilder, of table: Table, in realm: ReadTransaction
  ) throws(EngineError) {
    self.plan = plan
    self.groups = groups
    self.table = groups.table
    let snapshot = realm.snapshot.forOneThread()
    keyReaders = try plan.keys.map { column throws(EngineError) in
      try GroupColumnReader(column, of: table, in: realm, snapshot)
    }
    arguments = try plan.arguments.map { argument throws(EngineError) in
      ArgumentWorker(
        try GroupColumnReader(argument.column, of: table, in: realm, snapshot), argument.operations,
        plan.layout.hash)
    }
    keys = GroupKeyVector(width: plan.layout.keyWidth, hash: plan.layout.hash)
    properties = plan.properties.map { $0.forOneThread() }
  }

  func add(_ rows: BlockRows) throws(EngineError) {
    try rows.forEachBlock(reading: properties) { block, rows throws(EngineError) in
      try Interruption.check()
      try add(block, rows)
    }
  }

  private func add(_ block: RowBlock, _ rows: borrowing Span<Int32>) throws(EngineError) {
    let texts = keyReaders.count == 1 ? try keyReaders[0].paddedTexts(block) : nil
    if let texts, table.findKnown(texts, rows) {
      // Their words are in the table.
    } else {
      try findByWords(block, rows)
      if let texts { table.learn(texts, rows) }
    }
    for operation in plan.rowCounts { table.addRows(operation, count: rows.count) }
    for argument in arguments { try argument.add(block, rows, to: table) }
    try groups.dealIfLarge()
  }

  private func findByWords(_ block: RowBlock, _ rows: borrowing Span<Int32>) throws(EngineError) {
    keys.begin(rows.count)
    for index in keyReaders.indices {
      try keyReaders[index].putWords(of: block, rows, to: keys, at: plan.keyPlaces[index])
      if index + 1 == plan.partitionKeyCount { keys.markPartition() }
    }
    if plan.partitionKeyCount != nil { keys.restorePartition() }
    table.find(keys)
  }
}

/// Adds what one argument has of a block to the groups that were found for its rows.
private final class ArgumentWorker {
  private let reader: GroupColumnReader
  /// Where it is no number.
  private let values: GroupKeyVector?
  private let operations: [Int]

  init(_ reader: GroupColumnReader, _ operations: [Int], _ hash: SeededHash) {
    self.reader = reader
    self.operations = operations
    let kind = reader.column.kind
    values = kind.isNumber ? nil : GroupKeyVector(width: kind.width, hash: hash)
  }

  func add(_ block: RowBlock, _ rows: borrowing Span<Int32>, to table: GroupTable) throws(EngineError) {
    if let values {
      values.begin(rows.count)
      try reader.putWords(of: block, rows, to: values, at: 0)
      for operation in operations { table.add(operation, values) }
    } else {
      let numbers = try reader.numbers(block, rows)
      for operation in operations { table.add(operation, numbers, areInts: reader.areInts, at: rows) }
    }
  }
}
