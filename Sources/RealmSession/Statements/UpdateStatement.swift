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
      return try set(assignments, of: source, in: query, realm, transaction)
    }
  }

  /// Sets properties of what a query finds; `source` is the text of the assignments.
  package func set(
    _ assignments: [Assignment], of source: [UInt8], in query: BoundQuery, _ realm: ReadTransaction,
    _ transaction: WriteTransaction
  ) throws -> ChangeCounts {
    let table = query.table
    let text = StatementText(source)
    let run = operationRun(on: transaction)
    do {
      let assigned = try SessionError.binding(source) { () throws(BindingFailure) in
        try text.assigned(assignments, in: table)
      }
      let changes = try run.changes(assigned, of: table.schema.name)
      warn(about: query)
      let keys = try QueryExecutor(query, in: realm).keys()
      guard !keys.isEmpty else { return ChangeCounts() }
      try run.set(
        changes, assigned, of: table.schema.name, keys: keys.count == table.count ? nil : ObjectKeyList(keys))
      return ChangeCounts(\.updated, keys.count)
    } catch let failure as OperationFailure {
      return try SessionError.binding(failure.source) { () throws(BindingFailure) in throw failure.cause }
    }
  }
}

extension StatementText {
  /// Assignments, each to another property that can be set.
  fileprivate func assigned(
    _ assignments: [Assignment], in table: Table
  ) throws(BindingFailure) -> [Assigned] {
    var assigned: [Assigned] = []
    for assignment in assignments {
      let property = try table.settableProperty(assignment.target)
      guard !assigned.contains(where: { $0.name.value == property.name }) else {
        throw .query(
          QueryError(.expectation, "'\(property.name)' is set twice", at: assignment.target.range))
      }
      let name = Name(property.name, range: assignment.target.range)
      assigned.append((self.name(name), .expression(expression(assignment.value))))
    }
    return assigned
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
