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
        try text.assigned(assignments, to: table.schema, in: realm)
      }
      let changes = try run.changes(assigned, of: table.schema.name)
      warn(about: query)
      let keys = try QueryExecutor(query, in: realm).keyList()
      guard !keys.isEmpty else { return ChangeCounts() }
      try run.set(
        changes, assigned, of: table.schema.name, keys: keys.count == table.count ? nil : keys)
      var counts = ChangeCounts()
      counts.add(updated: keys.count, to: table.schema.name)
      return counts
    } catch let failure as OperationFailure {
      return try SessionError.binding(failure.source) { () throws(BindingFailure) in throw failure.cause }
    }
  }
}

extension StatementText {
  /// Assignments, each to another place that can be set.
  fileprivate func assigned(
    _ assignments: [Assignment], to schema: ClassSchema, in realm: ReadTransaction
  ) throws(BindingFailure) -> [Assigned] {
    var assigned: [Assigned] = []
    for assignment in assignments {
      let place = try schema.settablePlace(assignment.target, in: realm)
      guard !assigned.contains(where: { $0.name.value == place }) else {
        throw .query(QueryError(.expectation, "'\(place)' is set twice", at: assignment.target.range))
      }
      let name = Name(place, range: assignment.target.range)
      assigned.append((self.name(name), .expression(expression(assignment.value))))
    }
    return assigned
  }
}

extension ClassSchema {
  /// The property that a path names, of the object itself or of the embedded ones in it; a name behind a dictionary
  /// is a key of it.
  fileprivate func settablePlace(
    _ path: PropertyPath, in realm: ReadTransaction
  ) throws(BindingFailure) -> String {
    var schema = self
    var names: [String] = []
    var rest = path.steps[...]
    while let step = rest.popFirst() {
      guard case .name(let name) = step.kind else {
        throw .query(QueryError(.step, "only properties can be set", at: path.range))
      }
      names.append(name.text)
      let property = try schema.property(name)
      if property.columnKey == primaryKey?.columnKey, names.count == 1 {
        throw .query(
          QueryError(
            .operation, "the primary key '\(property.name)' of an object cannot change", at: name.range))
      }
      if rest.isEmpty { break }
      var isElement = false
      if property.collection == .dictionary, let key = rest.first?.kind.name {
        isElement = true
        names.append(key)
        rest.removeFirst()
        if rest.isEmpty { break }
      }
      guard isElement || property.collection == nil,
        let inner = property.target.flatMap({ realm.table($0)?.schema }),
        inner.kind == .embedded
      else {
        throw .query(
          QueryError(
            .step,
            "'\(path.steps.compactMap(\.kind.name).joined(separator: "."))' leads into "
              + "\(schema.name).\(property.name), which is not an embedded object",
            at: path.range))
      }
      schema = inner
    }
    return names.joined(separator: ".")
  }
}

extension ClassSchema {
  /// The property that a text names, or a complaint with the nearest name.
  func property(_ name: Name) throws(BindingFailure) -> Property {
    if let property = property(named: name.text) { return property }
    throw .query(.unknownProperty(name, of: self))
  }
}

extension PathStepKind {
  /// A property, or a key of a dictionary.
  fileprivate var name: String? {
    switch self {
    case .name(let name): name.text
    case .key(let key): String(decoding: key, as: UTF8.self)
    default: nil
    }
  }
}
