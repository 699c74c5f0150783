// Computes expressions, column by column: each node of the tree is evaluated for a whole run of objects before the next.
// Layer: Query, Evaluation.
// Invariants: a branch that an object does not take is not evaluated for it; texts that are made live until the next
// block. Used by one thread.

import RealmQueryLanguage

/// Evaluates one expression on the objects of one class, or on a whole realm.
package final class ExpressionEvaluator {
  private let node: ExpressionNode
  /// Nil: of the whole realm.
  let table: Table?
  let context: EvaluationContext
  /// Whether errors of arithmetic are null, as in conditions of the reference engine.
  let isLenient: Bool
  /// Nil where nothing is read, as of constants.
  let rowEvaluator: RowEvaluator?
  /// Whether an error says which object it is about.
  private var namesObjects = true
  /// Objects by the values of properties that were looked for.
  private var lookups: [ValueLookup.ClassProperty: ValueLookup] = [:]
  /// Ranks by the number of their ranking.
  var rankings: [Int: RankLookup] = [:]

  /// Whether what does not convert becomes null instead of an error.
  package var toleratesFailures = false
  /// Rows of the last block, by position among those asked for, in which something did not convert.
  package private(set) var failedRows: Set<Int> = []

  /// Looks up what the expression names. `table` nil: an expression on the whole realm.
  package init(
    _ expression: BoundExpression, of table: Table?, in realm: ReadTransaction,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) {
    node = try expression.resolved(of: table?.schema, in: realm)
    self.table = table
    isLenient = false
    rowEvaluator = RowEvaluator(realm)
    context = try BindingFailure.wrapping { () throws(EngineError) in try EvaluationContext(environment) }
  }

  /// An operand of a query. `keepsTexts`: what it gives outlives the block.
  init(
    _ operand: ComputedOperand, of table: Table, in realm: ReadTransaction, keepsTexts: Bool = false
  ) throws(EngineError) {
    node = operand.node
    self.table = table
    isLenient = operand.isLenient
    rowEvaluator = RowEvaluator(realm)
    let environment = ExpressionEnvironment(now: operand.now, seed: .random(in: .min ... .max))
    context =
      keepsTexts ? EvaluationContext(keepingTexts: environment) : try EvaluationContext(environment)
  }

  /// An operand whose texts outlive the block; those of one block have at most `textsMax` bytes together.
  init(_ operand: ComputedOperand, of table: Table, in rowEvaluator: RowEvaluator, textsMax: Int) {
    node = operand.node
    self.table = table
    isLenient = operand.isLenient
    self.rowEvaluator = rowEvaluator
    context = EvaluationContext(
      keepingTexts: ExpressionEnvironment(now: operand.now, seed: operand.seed), sizeMax: textsMax)
  }

  /// An operand for one object, whose texts live as long as anybody has them.
  init(_ operand: ComputedOperand, for row: Row, _ rowEvaluator: RowEvaluator) {
    node = operand.node
    table = row.table
    isLenient = operand.isLenient
    self.rowEvaluator = rowEvaluator
    context = EvaluationContext(keepingTexts: operand.environment(from: row.position.key))
    namesObjects = false
  }

  /// What is the same for all objects, whatever realm they are in.
  init(constant node: ExpressionNode, now: Timestamp) {
    self.node = node
    table = nil
    isLenient = false
    rowEvaluator = nil
    context = EvaluationContext(keepingTexts: ExpressionEnvironment(now: now, seed: 0))
  }

  var realm: ReadTransaction? { rowEvaluator?.realm }

  /// The property whose single values are the results as they stand; nil where something is made of them.
  package var directProperty: Property? {
    guard case .operand(.path(let path), isList: false) = node, let property = path.directProperty,
      property.collection == nil
    else { return nil }
    return property
  }

  // MARK: Evaluating

  /// The results for rows of a block of the class. Texts from the call before are gone.
  package func column(_ block: RowBlock, rows: [Int]) throws(EngineError) -> ExpressionColumn {
    try column(block, rows: rows, elements: [])
  }

  /// `elements`: what `it` is for each of the rows.
  func column(
    _ block: RowBlock, rows: [Int], elements: [ListElement]
  ) throws(EngineError) -> ExpressionColumn {
    context.reset()
    failedRows.removeAll(keepingCapacity: true)
    return try evaluate(node, Rows(block: block, rows: rows, positions: nil, elements: elements))
  }

  package func column(_ block: RowBlock) throws(EngineError) -> ExpressionColumn {
    try column(block, rows: Array(0..<block.count))
  }

  /// The result of an expression on the whole realm.
  package func result() throws(EngineError) -> ExpressionColumn {
    context.reset()
    return try evaluate(node, Rows(block: nil, rows: [0], positions: nil))
  }

  /// The objects that a node is evaluated for.
  struct Rows {
    let block: RowBlock?
    let rows: [Int]
    /// Where they stand among the objects asked for; nil: in the same place.
    let positions: [Int]?
    /// What `it` and `index` are; empty outside of functions on lists.
    var elements: [ListElement] = []

    func position(_ index: Int) -> Int { positions?[index] ?? index }

    func selecting(_ indexes: [Int]) -> Rows {
      if indexes.count == rows.count { return self }
      return Rows(
        block: block, rows: indexes.map { rows[$0] }, positions: indexes.map { position($0) },
        elements: elements.isEmpty ? [] : indexes.map { elements[$0] })
    }
  }

  func evaluate(_ node: ExpressionNode, _ run: Rows) throws(EngineError) -> ExpressionColumn {
    let count = run.rows.count
    switch node {
    case .constant(let value): return .repeated(value, count: count)
    case .constants(let values): return .repeatedList(values, count: count)
    case .operand(let operand, let isList): return try evaluate(operand, isList: isList, run)
    case .allObjects(let key): return .repeatedList(try allObjects(key), count: count)
    case .allValues(let operand, let key):
      return .repeatedList(try allValues(operand, of: key), count: count)
    case .condition(let condition):
      guard let block = run.block, let table, let rowEvaluator else {
        return .repeated(.null, count: count)
      }
      return try eachRow(run) { index throws(EngineError) in
        let position = ObjectPosition(block: block, row: run.rows[index])
        return .bool(try rowEvaluator.matches(condition, in: table, at: position))
      }
    case .not(let operand):
      return try map(try evaluate(operand, run), run) { value throws(EngineError) in
        try ExpressionArithmetic.condition(value).map { .bool(!$0) } ?? .null
      }
    case .negative(let operand):
      let column = try evaluate(operand, run)
      return try eachRow(run) { index throws(EngineError) in
        try tolerated(run, index) { () throws(EngineError) in
          try checked { () throws(EngineError) in try ExpressionArithmetic.negative(try column.value(index)) }
        }
      }
    case .concatenation(let operands): return try concatenate(operands, run)
    case .arithmetic(let first, let rest): return try arithmetic(first, rest, run)
    case .calculated(let first, let rest): return try calculated(first, rest, run)
    case .comparison(let left, let symbol, let right):
      let (left, right) = (try evaluate(left, run), try evaluate(right, run))
      return try eachRow(run) { index throws(EngineError) in
        let (left, right) = (try left.value(index), try right.value(index))
        return try tolerated(run, index) { () throws(EngineError) in
          try checked { () throws(EngineError) in try ExpressionArithmetic.compare(left, symbol, right) }
        }
      }
    case .and(let operands): return try connect(operands, run, decidedBy: false)
    case .or(let operands): return try connect(operands, run, decidedBy: true)
    case .coalescing(let operands): return try coalesce(operands, run)
    case .conditional(let branches, let otherwise): return try choose(branches, otherwise, run)
    case .call(let function, let arguments): return try call(function, arguments, run)
    case .widened(let operand, let type): return try evaluate(operand, run).widened(to: type)
    case .element: return .values(run.elements.map(\.value))
    case .elementIndex: return .values(run.elements.map { .int(Int64($0.index)) })
    case .ofElement(let operand, let isList, let key):
      return try evaluate(operand, isList: isList, ofElementsIn: key, run)
    case .overList(let function, let list, let body): return try apply(function, list, body, run)
    case .relation(let left, let relation, let right):
      let (left, right) = (try evaluate(left, run), try evaluate(right, run))
      return try eachRow(run) { index throws(EngineError) in
        .bool(relation.holds(try left.value(index), try right.value(index)))
      }
    case .found(let property, let key, let value):
      return try find(try evaluate(value, run), by: property, in: key, run)
    case .ranked(let ranking, let value): return try ranks(ranking, value, run)
    }
  }

  // MARK: Rows

  /// One value a row; an error names the object.
  func eachRow(
    _ run: Rows, _ body: (Int) throws(EngineError) -> Value
  ) throws(EngineError) -> ExpressionColumn {
    var values: [Value] = []
    values.reserveCapacity(run.rows.count)
    for index in run.rows.indices {
      do throws(EngineError) {
        values.append(try body(index))
      } catch {
        throw located(error, run, index)
      }
    }
    return .values(values)
  }

  /// A result; null in conditions where there is none.
  func checked(_ body: () throws(EngineError) -> Value) throws(EngineError) -> Value {
    try isLenient ? ExpressionArithmetic.leniently(body) : body()
  }

  func located(_ error: EngineError, _ run: Rows, _ index: Int) -> EngineError {
    guard let block = run.block, namesObjects else { return error }
    return error.located("object \(block.key(run.rows[index]).value)")
  }

  func map(
    _ column: ExpressionColumn, _ run: Rows, _ body: (Value) throws(EngineError) -> Value
  ) throws(EngineError) -> ExpressionColumn {
    if case .repeated(let value, let count) = column, count > 0 {
      return .repeated(try body(value), count: count)
    }
    return try eachRow(run) { index throws(EngineError) in try body(try column.value(index)) }
  }

  /// A result; null where there is none and failures are tolerated.
  func tolerated(
    _ run: Rows, _ index: Int, _ body: () throws(EngineError) -> Value
  ) throws(EngineError) -> Value {
    do throws(EngineError) {
      return try body()
    } catch {
      guard toleratesFailures, error.kind == .constraint else { throw error }
      noteFailure(run, index)
      return .null
    }
  }

  func noteFailure(_ run: Rows, _ index: Int) { failedRows.insert(run.position(index)) }

  /// Links to the first object with each value; null where there is none.
  private func find(
    _ values: ExpressionColumn, by property: Property, in key: TableKey, _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    guard let table = realm?.table(key) else { return .repeated(.null, count: run.rows.count) }
    let place = ValueLookup.ClassProperty(table: key, column: property.columnKey)
    let lookup: ValueLookup
    if let known = lookups[place] {
      lookup = known
    } else {
      lookup = try ValueLookup(property, in: table)
      lookups[place] = lookup
    }
    return try map(values, run) { value throws(EngineError) in
      if case .null = value { return .null }
      if let found = try lookup.key(of: value) { return .link(ObjectLink(table: key, key: found)) }
      try context.environment.searches.miss(value, property, of: table.schema)
      return .null
    }
  }

  // MARK: Paths

  private func evaluate(
    _ operand: BoundOperand, isList: Bool, _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    guard let block = run.block, let table, let rowEvaluator else {
      return .repeated(.null, count: run.rows.count)
    }
    if case .path(let path) = operand, let property = path.directProperty, property.collection == nil {
      let leaf = try block.leaf(property)
      return .values(try leaf.values(run.rows, in: table.snapshot, target: property.target))
    }
    if isList, case .path(let path) = operand, let property = path.directCollection {
      return .lists(try elements(of: property, block, run, in: table.snapshot))
    }
    var results: [Evaluated] = []
    var count = 0
    for row in run.rows {
      let position = ObjectPosition(block: block, row: row)
      let result = try rowEvaluator.evaluate(operand, in: table, at: position).named(operand)
      // Many objects may lead to the same list.
      count += result.values.count
      try ComputedSize.check(elementCount: count)
      results.append(result)
    }
    return Self.column(of: results, areLists: isList)
  }

  /// What a path gave for each object; nil for no object.
  static func column(of results: [Evaluated?], areLists: Bool) -> ExpressionColumn {
    guard areLists else { return .values(results.map { $0?.values.first ?? .null }) }
    var lists = ListColumn()
    for result in results { if let result { lists.append(result) } else { lists.appendNull() } }
    return .lists(lists)
  }

  /// The elements of a list or set of the objects themselves.
  private func elements(
    of property: Property, _ block: RowBlock, _ run: Rows, in snapshot: Snapshot
  ) throws(EngineError) -> ListColumn {
    guard case .collections(let roots) = try block.leaf(property) else {
      preconditionFailure("a property with a collection has a leaf of collections")
    }
    // Objects do not share what they hold, so that a block takes no more memory than there is data for.
    let budget = run.elements.isEmpty ? TraversalBudget(snapshot) : nil
    var lists = ListColumn()
    for row in run.rows {
      if let root = try roots.root(row) {
        try snapshot.forEachElement(of: property, at: root, budget: budget) { value in
          lists.append(value)
          return true
        }
      }
      // The same list may be read for each element of another.
      if !run.elements.isEmpty { try lists.checkRoom(for: 0) }
      lists.endList()
    }
    return lists
  }

  private func allObjects(_ key: TableKey) throws(EngineError) -> [Value] {
    guard let table = realm?.table(key) else { return [] }
    var links: [Value] = []
    var cursor = table.blocks()
    while let block = try cursor.next() {
      for row in 0..<block.count { links.append(.link(ObjectLink(table: key, key: block.key(row)))) }
    }
    return links
  }

  private func allValues(_ operand: BoundOperand, of key: TableKey) throws(EngineError) -> [Value] {
    var values: [Value] = []
    try forEachBlock(of: operand, of: key) { values += $0 }
    return values
  }

  /// The aggregate of a whole class, of whose values one block's are held at a time; nil where it takes all of them.
  func aggregate(
    _ aggregate: Aggregate, _ operand: BoundOperand, of key: TableKey
  ) throws(EngineError) -> Value? {
    guard let property = Self.directProperty(operand),
      var run = RunningAggregate(aggregate, of: property.type)
    else { return nil }
    try forEachBlock(of: operand, of: key) { values throws(EngineError) in try run.add(values) }
    return run.result
  }

  private static func directProperty(_ operand: BoundOperand) -> Property? {
    guard case .path(let path) = operand, let property = path.directProperty, property.collection == nil
    else { return nil }
    return property
  }

  private func forEachBlock(
    of operand: BoundOperand, of key: TableKey, _ body: ([Value]) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let rowEvaluator, let table = rowEvaluator.realm.table(key) else { return }
    let direct = Self.directProperty(operand)
    var cursor = table.blocks()
    while let block = try cursor.next() {
      if let direct {
        let leaf = try block.leaf(direct)
        try body(try leaf.values(0..<block.count, in: table.snapshot, target: direct.target))
        continue
      }
      var values: [Value] = []
      for row in 0..<block.count {
        let position = ObjectPosition(block: block, row: row)
        values += try rowEvaluator.evaluate(operand, in: table, at: position).named(operand).values
      }
      try body(values)
    }
  }
}
