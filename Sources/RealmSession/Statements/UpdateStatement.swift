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
      let assigned = try text.assigned(assignments, to: table.schema, in: realm, settings.arguments)
      let changes = try run.changes(assigned, of: table.schema.name)
      warn(about: query)
      let keys = try QueryExecutor(query, in: realm).keyList()
      let tally = ObjectTally(ofEmbedded: realm)
      guard !keys.isEmpty else { return ChangeCounts() }
      try run.set(
        changes, assigned, of: table.schema.name, keys: keys.count == table.count ? nil : keys)
      var counts = ChangeCounts()
      counts.add(updated: keys.count, to: table.schema.name)
      counts += tally.changes(to: try transaction.view())
      return counts
    } catch let failure as OperationFailure {
      return try SessionError.binding(failure.source) { () throws(BindingFailure) in throw failure.cause }
    }
  }
}

extension StatementText {
  /// Assignments, each to another place that can be set.
  fileprivate func assigned(
    _ assignments: [Assignment], to schema: ClassSchema, in realm: ReadTransaction,
    _ arguments: QueryArguments
  ) throws -> [Assigned] {
    var assigned: [Assigned] = []
    for assignment in assignments {
      let place = try SessionError.binding(source) { () throws(BindingFailure) in
        let place = try schema.settablePlace(assignment.target, in: realm)
        guard !assigned.contains(where: { $0.name.value == place.name }) else {
          throw .query(QueryError(.expectation, "'\(place.name)' is set twice", at: assignment.target.range))
        }
        return place
      }
      let links = LinkAssignment(place.property, in: realm, self, arguments)
      let value = try links?.value(assignment.value) ?? assignment.value
      let name = Name(place.name, range: assignment.target.range)
      let isCollection = place.property.collection != nil && !place.isElement
      assigned.append(
        (self.name(name), .expression(expression(assignment.result(value, isCollection: isCollection)))))
    }
    return assigned
  }
}

extension Assignment {
  /// What the property is afterwards, computed from `value`.
  fileprivate func result(
    _ value: RealmQueryLanguage.Expression, isCollection: Bool
  ) -> RealmQueryLanguage.Expression {
    typealias Expression = RealmQueryLanguage.Expression
    if symbol == .set { return value }
    let present = Expression(
      .property(nil, PropertyReference(path: target, range: target.range)), range: target.range)
    if isCollection {
      let name = Name(symbol == .add ? "append" : "without", range: target.range)
      return Expression(.call(FunctionCall(name: name, arguments: [present, value])), range: range)
    }
    let step = ArithmeticStep(
      symbol == .add ? .add : .subtract, symbolRange: value.range, operand: value)
    return Expression(.arithmetic(first: present, rest: [step]), range: range)
  }
}

/// What an assignment sets.
private struct AssignmentTarget {
  let name: String
  let property: Property
  /// Whether one value of a dictionary is meant.
  let isElement: Bool
}

extension ClassSchema {
  /// The property that a path names, of the object itself or of the embedded ones in it; a name behind a dictionary
  /// is a key of it.
  fileprivate func settablePlace(
    _ path: PropertyPath, in realm: ReadTransaction
  ) throws(BindingFailure) -> AssignmentTarget {
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
      var isElement = false
      if property.collection == .dictionary, let key = rest.first?.kind.name {
        isElement = true
        names.append(key)
        rest.removeFirst()
      }
      if rest.isEmpty {
        return AssignmentTarget(
          name: names.joined(separator: "."), property: property, isElement: isElement)
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
            at: path.range,
            hint: property.collection == nil
              ? nil : "+= adds elements and -= takes them out; to change some of them, set the whole list"))
      }
      schema = inner
    }
    throw .query(QueryError(.step, "only properties can be set", at: path.range))
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
