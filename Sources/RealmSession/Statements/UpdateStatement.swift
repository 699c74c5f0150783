// `update Person where … set age = age + 1`. Layer: RealmSession, Statements.
// Invariant: every right side sees the objects as they were before the statement.

package import RealmEngine
package import RealmQueryLanguage

extension StatementSession {
  func update(
    _ selection: Selection, _ assignments: [Assignment], of source: [UInt8]
  ) throws -> ChangeCounts {
    try change { transaction in
      let realm = try transaction.view()
      let query = try bind(selection, of: source, in: realm)
      let changes = try SessionError.binding(source) { () throws(BindingFailure) in
        try PropertyChange.bind(assignments, of: query.table, source: source, in: realm, settings.arguments)
      }
      return try set(changes, source, in: query, realm, transaction)
    }
  }

  /// Sets properties of what a query finds; `source` is the text of the assignments.
  package func set(
    _ changes: [PropertyChange], _ source: [UInt8], in query: BoundQuery, _ realm: ReadTransaction,
    _ transaction: WriteTransaction
  ) throws -> ChangeCounts {
    warn(about: query)
    let table = query.table
    let keys = try QueryExecutor(query, in: realm).keys()
    guard !keys.isEmpty else { return ChangeCounts() }
    let environment = ExpressionEnvironment(now: SystemClock.now, seed: .random(in: .min ... .max))
    try SessionError.binding(source) { () throws(BindingFailure) in
      if changes.count == 1, let change = changes.first {
        _ = try transaction.fill(
          table.schema.name, change.property.name, with: change.expression,
          keys: keys.count == table.count ? nil : ObjectKeyList(keys), environment: environment)
      } else {
        try transaction.set(changes, of: ObjectKeyList(keys), of: table, in: realm, environment: environment)
      }
    }
    return ChangeCounts(updated: keys.count)
  }
}

/// One assignment, checked.
package struct PropertyChange {
  let property: Property
  let expression: BoundExpression

  package static func bind(
    _ assignments: [Assignment], of table: Table, source: [UInt8], in realm: ReadTransaction,
    _ arguments: QueryArguments
  ) throws(BindingFailure) -> [PropertyChange] {
    let scope = ExpressionScope(
      .object(className: table.schema.name, old: nil), in: realm,
      arguments: arguments)
    var changes: [PropertyChange] = []
    for assignment in assignments {
      let property = try table.settableProperty(assignment.target)
      guard !changes.contains(where: { $0.property.columnKey == property.columnKey }) else {
        throw .query(
          QueryError(.expectation, "'\(property.name)' is set twice", at: assignment.target.range))
      }
      let expression = try BoundExpression(assignment.value, source: source, in: scope)
      if let misfit = expression.type.misfit(for: realm.type(of: property)) {
        throw .query(QueryError(.type, misfit.message, at: assignment.value.range, hint: misfit.hint))
      }
      changes.append(PropertyChange(property: property, expression: expression))
    }
    return changes
  }
}

extension Table {
  /// The property of the object itself that a path names.
  fileprivate func settableProperty(_ path: PropertyPath) throws(BindingFailure) -> Property {
    guard case .name(let name)? = path.steps.first?.kind, path.steps.count == 1 else {
      throw .query(
        QueryError(.step, "only properties of the object itself can be set", at: path.range))
    }
    let property = try schema.property(name)
    guard property.columnKey != schema.primaryKey?.columnKey else {
      throw .query(
        QueryError(
          .operation, "the primary key '\(property.name)' of an object cannot change", at: name.range))
    }
    return property
  }
}

extension ClassSchema {
  /// The property that a text names, or a complaint with the nearest name.
  func property(_ name: Name) throws(BindingFailure) -> Property {
    if let property = property(named: name.text) { return property }
    throw .query(.unknownProperty(name, of: self))
  }
}

extension WriteTransaction {
  /// Sets several properties of each object. All values are computed before the first is written.
  fileprivate func set(
    _ changes: [PropertyChange], of keys: ObjectKeyList, of table: Table, in realm: ReadTransaction,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) {
    var results: [(key: ObjectKey, values: [(property: String, value: NewValue)])] = []
    var evaluators: [ExpressionEvaluator] = []
    for change in changes {
      evaluators.append(
        try ExpressionEvaluator(change.expression, of: table, in: realm, environment: environment))
    }
    do throws(EngineError) {
      try keys.forEachBlock(of: table) { block, rows throws(EngineError) in
        let first = results.count
        for row in rows { results.append((block.key(row), [])) }
        for (change, evaluator) in zip(changes, evaluators) {
          let column = try evaluator.column(block, rows: rows)
          let type = realm.type(of: change.property)
          for index in rows.indices {
            guard let value = try column.newValue(index, for: type) else {
              throw EngineError(
                .constraint,
                "\(table.schema.name).\(change.property.name) is \(type.word) and cannot hold this value",
                at: "object \(results[first + index].key.value)")
            }
            results[first + index].values.append((change.property.name, value))
          }
        }
      }
      for result in results {
        try update(ObjectLink(table: table.schema.tableKey, key: result.key), result.values)
      }
    } catch {
      throw .engine(error)
    }
  }
}

extension ExpressionColumn {
  /// The value at `index` as a property stores it; nil where it cannot.
  fileprivate func newValue(_ index: Int, for type: PropertyType) throws(EngineError) -> NewValue? {
    guard type.collection != nil else {
      return ValueFitting.fit(try value(index), to: type).map { .single($0.owned()) }
    }
    let element = PropertyType(type.type, isOptional: type.isOptional, target: type.target)
    var elements: [NewValue] = []
    for value in try list(index) ?? [] {
      guard let value = ValueFitting.fit(value, to: element) else { return nil }
      elements.append(.single(value.owned()))
    }
    return type.collection == .set ? .set(elements) : .list(elements)
  }
}
