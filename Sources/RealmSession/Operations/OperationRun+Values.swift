// Values of a document bound to the realm as it is, and objects that they look for in vain.
// Layer: RealmSession, Operations.

import RealmEngine
import RealmQueryLanguage
import TextFormats

extension OperationRun {
  /// What the names in a value are looked up in.
  struct ValueScope {
    let className: String
    var old: String?
    let realm: ReadTransaction
    var element: ExpressionType?
  }

  /// A value with all its expressions bound. `target`: what it must fit; nil where only the run can tell.
  func bound(
    _ value: ValueText, _ scope: ValueScope, for target: PropertyType?
  ) throws -> ValueForm<BoundExpression> {
    switch value {
    case .expression(let text): return .expression(try bound(text, scope, for: target))
    case .object(let entries):
      var bound: [(name: String, value: ValueForm<BoundExpression>)] = []
      for entry in entries { bound.append((entry.name, try self.bound(entry.value, scope, for: nil))) }
      return .object(bound)
    case .list(let items):
      var bound: [ValueForm<BoundExpression>] = []
      for item in items { bound.append(try self.bound(item, scope, for: nil)) }
      return .list(bound)
    case .forEach(let list, let inner):
      let bound = try bound(list, scope, for: nil)
      var innerScope = scope
      innerScope.element = bound.type.isOpen ? .unknown : bound.type.element
      return .forEach(bound, try self.bound(inner, innerScope, for: nil))
    }
  }

  func bound(
    _ text: ExpressionText, _ scope: ValueScope, for target: PropertyType?
  ) throws -> BoundExpression {
    let fitting = arguments(in: text, for: target)
    return try OperationFailure.wrapping(text) { () throws(BindingFailure) in
      let subject = ExpressionScope.Subject.object(
        className: scope.className, old: scope.old, names: environment.names)
      let bound = try BoundExpression(
        text.syntax, source: text.source,
        in: ExpressionScope(subject, in: scope.realm, arguments: fitting, element: scope.element))
      if let target, let (message, hint) = bound.type.misfit(for: target) {
        throw .query(QueryError(.type, message, at: text.syntax.range, hint: hint))
      }
      return bound
    }
  }

  /// Runs `body`, in which `find` does what the policy says. To create what is missing all values are computed once before.
  func searching<Result>(
    _ policy: MissingPolicy, _ changes: [PropertyChange], of owner: String, for keys: ObjectKeyList?,
    of source: String, _ text: ExpressionText, _ body: () throws(BindingFailure) -> Result
  ) throws -> Result {
    defer { environment.searches = Searches() }
    if policy == .create {
      let searches = Searches(.collect)
      environment.searches = searches
      try OperationFailure.wrapping(text) { () throws(BindingFailure) in
        try transaction.search(changes, of: owner, for: keys, of: source, environment: environment)
      }
      for (place, value) in searches.missing { try create(place, value) }
    }
    environment.searches = Searches(policy == .error ? .fail : .null)
    return try OperationFailure.wrapping(text, body)
  }

  private func create(_ place: SearchedProperty, _ value: Value) throws {
    let schema = try transaction.schema(try tableKey(place.className))
    if let lack = schema.properties.first(where: {
      $0.name != place.property && ($0.needsValue || $0.columnKey == schema.primaryKey?.columnKey)
    }) {
      throw EngineError(
        .constraint,
        "objects of \(place.className) cannot be created from their \(place.property) alone: \(lack.name) is required",
        hint: "create them first, with create")
    }
    _ = try transaction.create(schema.tableKey, [(place.property, .single(value))])
    report.createdCount += 1
  }
}

extension Property {
  /// Whether there is no value that objects could have without being given one.
  var needsValue: Bool { !isOptional && collection == nil && type != .object && type != .mixed }
}
