// Giving properties computed values, for all objects of a class or for some. Layer: Migration.
// Single values of many objects are written leaf by leaf; those of few object by object, and so are collections, links and
// mixed values, because links at the other end go with them.
// Invariant: every value is computed from the objects as they were before, whatever else is set with it.

/// A property, and what it gets.
package struct PropertyChange: Sendable {
  package let name: String
  package let expression: BoundExpression
  /// What becomes of values that do not convert.
  package let unparsable: ConversionPolicy
  /// What messages call the property instead of `Person.age`.
  fileprivate let place: String?

  package init(
    _ name: String, _ expression: BoundExpression, unparsable: ConversionPolicy = .fail, place: String? = nil
  ) {
    self.name = name
    self.expression = expression
    self.unparsable = unparsable
    self.place = place
  }
}

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
  /// Sets properties to what their expressions give. `keys` nil: of all objects. Throws `.constraint`, naming the object, for
  /// values that a property cannot hold. Cost: one change an object, or for many objects a leaf a block and property and the
  /// indexes anew; what holds none of them is not looked at.
  package func fill(
    _ className: String, _ changes: [PropertyChange], keys: ObjectKeyList? = nil,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) -> FillReport {
    let realm = try engine { () throws(EngineError) in try view() }
    var sources: [ValueSource] = []
    for change in changes {
      guard let table = realm.classTable(className), let property = table.schema.property(named: change.name)
      else {
        throw .engine(EngineError(.unknownProperty, "there is no property \(className).\(change.name)"))
      }
      sources.append(try ValueSource(change, property, of: table, in: realm, environment))
    }
    guard let table = realm.classTable(className), !sources.isEmpty else { return FillReport() }
    let isFew = keys.map { $0.count <= table.count / Self.fewObjectsShare } ?? false
    return try engine { () throws(EngineError) in
      var report = FillReport()
      let each = sources.filter { isFew || !$0.isPlain }
      let columns = sources.filter { !isFew && $0.isPlain }
      // What is not computed on the block that is being rewritten is computed before the first object changes.
      var found: [ObjectKey] = []
      var values = [[NewValue]](repeating: [], count: each.count)
      var remembered = columns.map { $0.readsOnlyOwnValues ? nil : [Value]() as [Value]? }
      if !each.isEmpty || remembered.contains(where: { $0 != nil }) {
        try keys.forEachBlock(of: table) { block, rows throws(EngineError) in
          if !each.isEmpty { for row in rows { found.append(block.key(row)) } }
          for (index, source) in each.enumerated() {
            let start = values[index].count
            values[index] += repeatElement(.null, count: rows.count)
            try source.computeAny(block, rows, &report) { position, value in
              values[index][start + position] = value
            }
          }
          for (index, source) in columns.enumerated() where remembered[index] != nil {
            let start = remembered[index]?.count ?? 0
            remembered[index]? += repeatElement(.null, count: rows.count)
            try source.compute(block, rows, &report) { position, value in
              remembered[index]?[start + position] = value.owned()
            }
          }
        }
      }
      if !columns.isEmpty {
        var next = 0
        try rewrite(table.schema.tableKey, columns.map(\.property.name), keys: keys) {
          block, rows, values throws(EngineError) in
          for (index, source) in columns.enumerated() {
            if let remembered = remembered[index] {
              for (position, row) in rows.enumerated() { values[index][row] = remembered[next + position] }
            } else {
              try source.compute(block, rows, &report) { position, value in
                values[index][rows[position]] = value
              }
            }
          }
          next += rows.count
          report.touchedCount += rows.count
        }
      }
      for (index, key) in found.enumerated() {
        try update(
          ObjectLink(table: table.schema.tableKey, key: key),
          each.indices.map { (each[$0].property.name, values[$0][index]) })
      }
      report.touchedCount = max(report.touchedCount, found.count)
      return report
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
}

extension ObjectKeyList? {
  /// Visits the blocks that hold objects of the list; nil: all blocks.
  fileprivate func forEachBlock(
    of table: Table, _ body: (RowBlock, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) {
    if let keys = self { return try keys.forEachBlock(of: table, body) }
    var cursor = table.blocks()
    while let block = try cursor.next() { try body(block, Array(0..<block.count)) }
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
  let property: Property
  /// Whether single values are written, to which nothing else is tied.
  let isPlain: Bool
  private let evaluator: ExpressionEvaluator
  private let fallback: ExpressionEvaluator?
  private let type: PropertyType
  private let place: String

  init(
    _ change: PropertyChange, _ property: Property, of table: Table, in realm: ReadTransaction,
    _ environment: ExpressionEnvironment
  ) throws(BindingFailure) {
    self.property = property
    type = realm.type(of: property)
    place = change.place ?? "\(table.schema.name).\(property.name)"
    isPlain =
      property.collection == nil && property.type != .object && property.type != .mixed
      && property.columnKey != table.schema.primaryKey?.columnKey
    evaluator = try ExpressionEvaluator(change.expression, of: table, in: realm, environment: environment)
    switch change.unparsable {
    case .fail: fallback = nil
    case .null:
      fallback = nil
      evaluator.toleratesFailures = true
    case .replace(let expression):
      fallback = try ExpressionEvaluator(expression, of: table, in: realm, environment: environment)
      evaluator.toleratesFailures = true
    }
  }

  var readsOnlyOwnValues: Bool { evaluator.readsOnlyOwnValues && fallback?.readsOnlyOwnValues ?? true }

  /// Hands out single values that fit the property, each with its position among the rows.
  func compute(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport,
    _ body: (Int, Value) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard !rows.isEmpty else { return }
    let column = try located { () throws(EngineError) in try evaluator.column(block, rows: rows) }
    let failed = evaluator.failedRows
    report.failureCount += failed.count
    for (index, row) in rows.enumerated() where fallback == nil || !failed.contains(index) {
      try body(index, try fitted(try column.value(index), block, row, &report))
    }
    if let fallback, !failed.isEmpty {
      let rest = failed.sorted()
      let column = try located { () throws(EngineError) in
        try fallback.column(block, rows: rest.map { rows[$0] })
      }
      for (index, position) in rest.enumerated() {
        try body(position, try fitted(try column.value(index), block, rows[position], &report))
      }
    }
  }

  /// Hands out values of any kind that fit the property.
  func computeAny(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport,
    _ body: (Int, NewValue) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard type.collection != nil else {
      return try compute(block, rows, &report) { position, value throws(EngineError) in
        try body(position, .single(value.owned()))
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
      try body(index, type.collection == .set ? .set(elements) : .list(elements))
    }
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
