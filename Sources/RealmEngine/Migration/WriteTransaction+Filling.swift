// Giving a property computed values, for all objects of a class or for some. Layer: Migration.
// Single values of many objects are written leaf by leaf; those of few object by object, and so are collections, links and
// mixed values, because links at the other end go with them.

/// What becomes of values that do not convert.
package enum ConversionPolicy: Sendable {
  case fail, null
  /// Another expression, for the objects in question.
  case replace(BoundExpression)
}

/// What a change of many values came to.
package struct FillReport: Sendable, Hashable {
  package var touchedCount = 0
  package var nullCount = 0
  /// Values that did not convert.
  package var failureCount = 0

  package init() {}
}

extension WriteTransaction {
  /// Sets a property to what `expression` gives. `keys` nil: of all objects. Throws `.constraint`, naming the object, for
  /// values that the property cannot hold; `place` is what such messages call it. Cost: one change an object, or for many
  /// objects a leaf a block and the index anew; what holds none of them is not looked at.
  package func fill(
    _ className: String, _ name: String, with expression: BoundExpression, keys: ObjectKeyList? = nil,
    unparsable: ConversionPolicy = .fail, environment: ExpressionEnvironment, named place: String? = nil
  ) throws(BindingFailure) -> FillReport {
    let realm = try engine { () throws(EngineError) in try view() }
    guard let table = realm.classTable(className), let property = table.schema.property(named: name) else {
      throw .engine(EngineError(.unknownProperty, "there is no property \(className).\(name)"))
    }
    let type = realm.type(of: property)
    let evaluator = try ExpressionEvaluator(expression, of: table, in: realm, environment: environment)
    var fallback: ExpressionEvaluator?
    if case .replace(let expression) = unparsable {
      fallback = try ExpressionEvaluator(expression, of: table, in: realm, environment: environment)
    }
    if case .fail = unparsable {} else { evaluator.toleratesFailures = true }
    let source = ValueSource(
      evaluator: evaluator, fallback: fallback, type: type, place: place ?? "\(className).\(name)",
      keys: keys)
    return try engine { () throws(EngineError) in
      let isPlain =
        property.collection == nil && property.type != .object && property.type != .mixed
        && property.columnKey != table.schema.primaryKey?.columnKey
      let isFew = keys.map { $0.count <= table.count / Self.fewObjectsShare } ?? false
      guard isPlain, !isFew else { return try setEach(source, table, name) }
      if evaluator.readsOnlyOwnValues, fallback?.readsOnlyOwnValues ?? true {
        return try rewriteInPlace(source, table, name)
      }
      return try rewriteFromMemory(source, table, name)
    }
  }

  /// Objects up to this share of all are changed one by one.
  private static let fewObjectsShare = 64

  private func engine<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(BindingFailure) -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      throw .engine(error)
    }
  }

  /// The expression is computed on the block that is being rewritten.
  private func rewriteInPlace(
    _ source: ValueSource, _ table: Table, _ name: String
  ) throws(EngineError) -> FillReport {
    var report = FillReport()
    try rewrite(table.schema.tableKey, name) { block, values throws(EngineError) in
      let rows = source.rows(of: block)
      try source.compute(block, rows, &report) { row, value in values[row] = value }
      return !rows.isEmpty
    }
    return report
  }

  /// What reads other objects is computed before the first of them changes.
  private func rewriteFromMemory(
    _ source: ValueSource, _ table: Table, _ name: String
  ) throws(EngineError) -> FillReport {
    var report = FillReport()
    var results: [ObjectKey: Value] = [:]
    try source.forEachBlock(of: table) { block, rows throws(EngineError) in
      try source.compute(block, rows, &report) { row, value in results[block.key(row)] = value.owned() }
    }
    try rewrite(table.schema.tableKey, name) { block, values in
      var isChanged = false
      for row in 0..<block.count {
        guard let value = results[block.key(row)] else { continue }
        values[row] = value
        isChanged = true
      }
      return isChanged
    }
    return report
  }

  private func setEach(
    _ source: ValueSource, _ table: Table, _ name: String
  ) throws(EngineError) -> FillReport {
    var report = FillReport()
    var results: [(ObjectKey, NewValue)] = []
    try source.forEachBlock(of: table) { block, rows throws(EngineError) in
      try source.computeAny(block, rows, &report) { row, value in results.append((block.key(row), value)) }
    }
    for (key, value) in results {
      try update(ObjectLink(table: table.schema.tableKey, key: key), [(name, value)])
    }
    return report
  }
}

extension ReadTransaction {
  /// The type of a property by names.
  package func type(of property: Property) -> PropertyType {
    PropertyType(
      property.type, collection: property.collection, isOptional: property.isOptional,
      target: property.target.flatMap { table($0)?.schema.name })
  }
}

/// Values for one property, computed block by block.
private struct ValueSource {
  let evaluator: ExpressionEvaluator
  let fallback: ExpressionEvaluator?
  let type: PropertyType
  let place: String
  let keys: ObjectKeyList?

  func rows(of block: RowBlock) -> [Int] { keys?.rows(of: block) ?? Array(0..<block.count) }

  /// Visits the blocks with rows that get a value.
  func forEachBlock(
    of table: Table, _ body: (RowBlock, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) {
    if let keys { return try keys.forEachBlock(of: table, body) }
    var cursor = table.blocks()
    while let block = try cursor.next() { try body(block, Array(0..<block.count)) }
  }

  /// Hands out single values that fit the property.
  func compute(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport,
    _ body: (Int, Value) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard !rows.isEmpty else { return }
    let column = try located { () throws(EngineError) in try evaluator.column(block, rows: rows) }
    let failed = evaluator.failedRows
    report.failureCount += failed.count
    for (index, row) in rows.enumerated() where fallback == nil || !failed.contains(index) {
      try body(row, try fitted(try column.value(index), block, row, &report))
    }
    if let fallback, !failed.isEmpty {
      let rest = failed.sorted().map { rows[$0] }
      let column = try located { () throws(EngineError) in try fallback.column(block, rows: rest) }
      for (index, row) in rest.enumerated() {
        try body(row, try fitted(try column.value(index), block, row, &report))
      }
    }
    report.touchedCount += rows.count
  }

  /// Hands out values of any kind that fit the property.
  func computeAny(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport,
    _ body: (Int, NewValue) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard type.collection != nil else {
      return try compute(block, rows, &report) { row, value throws(EngineError) in
        try body(row, .single(value.owned()))
      }
    }
    let column = try located { () throws(EngineError) in try evaluator.column(block, rows: rows) }
    let element = PropertyType(type.type, isOptional: type.isOptional, target: type.target)
    for (index, row) in rows.enumerated() {
      var elements: [NewValue] = []
      for value in try column.list(index) ?? [] {
        guard let value = ValueFitting.fit(value, to: element) else {
          throw misfit(value, block, row)
        }
        elements.append(.single(value.owned()))
      }
      try body(row, type.collection == .set ? .set(elements) : .list(elements))
    }
    report.touchedCount += rows.count
    report.failureCount += evaluator.failedRows.count
  }

  private func fitted(
    _ value: Value, _ block: RowBlock, _ row: Int, _ report: inout FillReport
  ) throws(EngineError) -> Value {
    guard let value = ValueFitting.fit(value, to: type) else { throw misfit(value, block, row) }
    if value == .null { report.nullCount += 1 }
    return value
  }

  private func misfit(_ value: Value, _ block: RowBlock, _ row: Int) -> EngineError {
    EngineError(
      .constraint, "\(place) is \(type.word) and cannot hold \(value.kindName)",
      at: "object \(block.key(row).value)",
      hint: value == .null ? "say what stands in for null: … ?? value" : nil)
  }

  private func located<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      throw error.located(place)
    }
  }
}
