// Computes expressions, column by column: each node of the tree is evaluated for a whole run of objects before the next.
// Layer: Expressions.
// Invariants: a branch that an object does not take is not evaluated for it; texts that are made live until the next
// block. Used by one thread.

import RealmQueryLanguage

/// Evaluates one expression on the objects of one class, or on a whole realm.
package final class ExpressionEvaluator {
  private enum ResolvedPath {
    case own(Property, in: Table)
    case operand(BoundOperand, in: Table, isList: Bool)
    case constant(Value)
  }

  let expression: BoundExpression
  let context: EvaluationContext
  private let realm: ReadTransaction
  private let rowEvaluator: ReferenceEvaluator
  private var paths: [ResolvedPath] = []
  private var objects: [Value] = []

  /// Whether what does not convert becomes null instead of an error.
  package var toleratesFailures = false
  /// Rows of the last block, by position among those asked for, in which something did not convert.
  package private(set) var failedRows: Set<Int> = []

  /// Looks up what the expression names. `table` nil: an expression on the whole realm.
  package init(
    _ expression: BoundExpression, of table: Table?, in realm: ReadTransaction,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) {
    self.expression = expression
    self.realm = realm
    rowEvaluator = ReferenceEvaluator(realm)
    do throws(EngineError) {
      context = try EvaluationContext(environment)
    } catch {
      throw .engine(error)
    }
    let shared = BindingContext(realm: realm, arguments: expression.arguments, source: expression.source)
    for path in expression.paths { paths.append(try Self.resolve(path, table, shared)) }
    for (reference, range) in expression.objects {
      let binder = QueryBinder(context: shared, table: try Self.anyTable(realm, table, range), variable: nil)
      let link = try binder.object(reference, at: range)
      objects.append(link.key == .nowhere ? .null : .link(link))
    }
  }

  private static func anyTable(
    _ realm: ReadTransaction, _ table: Table?, _ range: SourceRange
  ) throws(BindingFailure) -> Table {
    guard let table = table ?? realm.classes().first else {
      throw BindingFailure(.classLookup, "the file holds no classes", at: range)
    }
    return table
  }

  private static func resolve(
    _ path: PathUse, _ table: Table?, _ context: BindingContext
  ) throws(BindingFailure) -> ResolvedPath {
    let range = path.reference.range
    guard let origin = path.className.map({ context.realm.classTable($0) }) ?? table else {
      throw BindingFailure(.classLookup, "the file has no class '\(path.className ?? "")'", at: range)
    }
    let side = try QueryBinder(context: context, table: origin, variable: nil).bind(
      path.reference, nil, at: range)
    switch side {
    case .bound(let bound):
      if case .path(let path) = bound.operand, let property = path.directProperty,
        property.collection == nil
      {
        return .own(property, in: origin)
      }
      return .operand(bound.operand, in: origin, isList: bound.isList)
    case .constant(let term):
      if case .literal(let literal) = term.kind, let value = literal.plainValue { return .constant(value) }
    case .list, .region: break
    }
    throw BindingFailure(.expectation, "expected a property", at: range)
  }

  /// Whether it reads nothing but single values of the object itself, so that it may run while others change.
  package var readsOnlyOwnValues: Bool {
    paths.allSatisfy { if case .operand = $0 { false } else { true } }
  }

  // MARK: Evaluating

  /// The results for rows of a block of the class. Texts from the call before are gone.
  package func column(_ block: RowBlock, rows: [Int]) throws(EngineError) -> ExpressionColumn {
    context.arena.reset()
    failedRows.removeAll(keepingCapacity: true)
    return try evaluate(expression.root, Run(block: block, rows: rows, positions: nil))
  }

  package func column(_ block: RowBlock) throws(EngineError) -> ExpressionColumn {
    try column(block, rows: Array(0..<block.count))
  }

  /// The result of an expression on the whole realm.
  package func result() throws(EngineError) -> ExpressionColumn {
    context.arena.reset()
    return try evaluate(expression.root, Run(block: nil, rows: [0], positions: nil))
  }

  /// The objects that a node is evaluated for.
  struct Run {
    let block: RowBlock?
    let rows: [Int]
    /// Where they stand among the objects asked for; nil: in the same place.
    let positions: [Int]?

    func position(_ index: Int) -> Int { positions?[index] ?? index }

    func selecting(_ indexes: [Int]) -> Run {
      if indexes.count == rows.count { return self }
      return Run(block: block, rows: indexes.map { rows[$0] }, positions: indexes.map { position($0) })
    }
  }

  func evaluate(_ node: ExpressionNode, _ run: Run) throws(EngineError) -> ExpressionColumn {
    let count = run.rows.count
    switch node {
    case .constant(let value): return .repeated(value, count: count)
    case .constants(let values): return .lists(Array(repeating: values, count: count))
    case .object(let index): return .repeated(objects[index], count: count)
    case .named(let name):
      return .repeated(context.environment.names[name] ?? .null, count: count)
    case .path(let index): return try evaluate(paths[index], run)
    case .allObjects(let name): return .lists(Array(repeating: try allObjects(name), count: count))
    case .allValues(let index): return .lists(Array(repeating: try allValues(paths[index]), count: count))
    case .not(let operand):
      return try map(try evaluate(operand, run), run) { value throws(EngineError) in
        try ExpressionArithmetic.condition(value).map { .bool(!$0) } ?? .null
      }
    case .negative(let operand, _):
      return try map(try evaluate(operand, run), run) { value throws(EngineError) in
        try ExpressionArithmetic.negative(value)
      }
    case .concatenation(let operands): return try concatenate(operands, run)
    case .arithmetic(let first, let rest): return try arithmetic(first, rest, run)
    case .comparison(let left, let symbol, let right):
      let (left, right) = (try evaluate(left, run), try evaluate(right, run))
      return try eachRow(run) { index throws(EngineError) in
        try ExpressionArithmetic.compare(try left.value(index), symbol, try right.value(index))
      }
    case .and(let operands): return try connect(operands, run, decidedBy: false)
    case .or(let operands): return try connect(operands, run, decidedBy: true)
    case .coalescing(let operands): return try coalesce(operands, run)
    case .conditional(let branches, let otherwise): return try choose(branches, otherwise, run)
    case .call(let function, let arguments, _): return try call(function, arguments, run)
    }
  }

  // MARK: Rows

  /// One value a row; an error names the object.
  func eachRow(
    _ run: Run, _ body: (Int) throws(EngineError) -> Value
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

  func located(_ error: EngineError, _ run: Run, _ index: Int) -> EngineError {
    guard let block = run.block else { return error }
    return error.located("object \(block.key(run.rows[index]).value)")
  }

  func map(
    _ column: ExpressionColumn, _ run: Run, _ body: (Value) throws(EngineError) -> Value
  ) throws(EngineError) -> ExpressionColumn {
    if case .repeated(let value, let count) = column, count > 0 {
      return .repeated(try body(value), count: count)
    }
    return try eachRow(run) { index throws(EngineError) in try body(try column.value(index)) }
  }

  func noteFailure(_ run: Run, _ index: Int) { failedRows.insert(run.position(index)) }

  // MARK: Paths

  private func evaluate(_ path: ResolvedPath, _ run: Run) throws(EngineError) -> ExpressionColumn {
    switch path {
    case .constant(let value): return .repeated(value, count: run.rows.count)
    case .own(let property, let table):
      guard let block = run.block else { return .repeated(.null, count: run.rows.count) }
      let leaf = try block.leaf(property)
      var values: [Value] = []
      values.reserveCapacity(run.rows.count)
      for row in run.rows {
        values.append(try leaf.value(row, in: table.snapshot, target: property.target))
      }
      return .values(values)
    case .operand(let operand, let table, let isList):
      guard let block = run.block else { return .repeated(.null, count: run.rows.count) }
      var lists: [[Value]?] = []
      for row in run.rows {
        lists.append(
          try rowEvaluator.evaluate(operand, in: table, at: ObjectPosition(block: block, row: row)).values)
      }
      return isList ? .lists(lists) : .values(lists.map { $0?.first ?? .null })
    }
  }

  private func allObjects(_ name: String) throws(EngineError) -> [Value] {
    guard let table = realm.classTable(name) else { return [] }
    var links: [Value] = []
    var cursor = table.blocks()
    while let block = try cursor.next() {
      for row in 0..<block.count {
        links.append(.link(ObjectLink(table: table.schema.tableKey, key: block.key(row))))
      }
    }
    return links
  }

  /// How many objects a class has, without a look at them.
  func objectCount(_ name: String) -> Int { realm.classTable(name)?.count ?? 0 }

  private func allValues(_ path: ResolvedPath) throws(EngineError) -> [Value] {
    let table: Table
    switch path {
    case .constant: return []
    case .own(_, let origin), .operand(_, let origin, _): table = origin
    }
    var values: [Value] = []
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let run = Run(block: block, rows: Array(0..<block.count), positions: nil)
      switch try evaluate(path, run) {
      case .repeated: break
      case .values(let column): values += column
      case .lists(let lists): for case let list? in lists { values += list }
      }
    }
    return values
  }
}
