// Values by their parts, and objects that are to be made, checked against the schema at that point.
// Layer: RealmSession, Schema.

import ByteText
package import RealmEngine

extension SchemaChecker {
  /// Whose properties the names in values are.
  struct ValueScope {
    let className: String
    /// The property whose present value `old` means.
    var old: String?
    /// What `it` is.
    var element: ExpressionType?
  }

  /// Checks a value for a property. Gives what it looks for objects by.
  @discardableResult
  mutating func check(
    _ value: ValueText, in scope: ValueScope, for target: PropertyType?, named place: String
  ) -> [SearchedProperty] {
    switch value {
    case .expression(let text): return check(text, scope, for: target, named: place)
    case .object(let entries): return checkObject(entries, scope, for: target, named: place, value)
    case .list(let items):
      let element = listElement(target, named: place, value)
      return items.flatMap { check($0, in: scope, for: element, named: place) }
    case .forEach(let list, let inner):
      let element = listElement(target, named: place, value)
      guard let bound = bindText(list, scope) else { return [] }
      guard bound.type.isList || bound.type.isOpen else {
        report.error("for_each needs a list, not \(bound.type.name)", at: list.node)
        return bound.searches
      }
      var innerScope = scope
      innerScope.element = bound.type.isOpen ? .unknown : bound.type.element
      return bound.searches + check(inner, in: innerScope, for: element, named: place)
    }
  }

  private func bindText(_ text: ExpressionText, _ scope: ValueScope) -> BoundExpression? {
    let subject = ExpressionScope.Subject.object(className: scope.className, old: scope.old, names: names)
    return bind(text, ExpressionScope(subject, in: schema.view, element: scope.element))
  }

  private func check(
    _ text: ExpressionText, _ scope: ValueScope, for target: PropertyType?, named place: String
  ) -> [SearchedProperty] {
    guard let bound = bindText(text, scope) else { return [] }
    guard let target else { return bound.searches }
    if let owned = target.target.flatMap({ schema.classes[$0] }), owned.kind == .embedded,
      bound.type.name != "null"
    {
      let example = owned.properties.first.map { "\($0.name): …" } ?? "…"
      report.error(
        "\(place) holds embedded objects of \(owned.name), which are made by a mapping", at: text.node,
        hint: target.collection == .list ? "write [ { \(example) } ]" : "write { \(example) }")
    } else if let (message, hint) = bound.type.misfit(for: target) {
      report.error("\(place): \(message)", at: text.node, hint: hint)
    } else if bound.type.mayMissValue(for: target) {
      report.warn(
        "\(place) is required, but this value may be null", at: text.node,
        hint: "give a default for null: … ?? value")
    }
    return bound.searches
  }

  /// The type of an element of a list that is written by its elements.
  private func listElement(_ target: PropertyType?, named place: String, _ value: ValueText) -> PropertyType?
  {
    guard let target else { return nil }
    if target.type == .mixed, target.collection == nil { return target }
    guard target.collection == .list || target.collection == .set else {
      complain("\(place): a list cannot be stored as \(target.word)", about: value)
      return nil
    }
    return target.element
  }

  private mutating func checkObject(
    _ entries: [(name: String, value: ValueText)], _ scope: ValueScope, for target: PropertyType?,
    named place: String, _ value: ValueText
  ) -> [SearchedProperty] {
    guard let target else {
      return entries.flatMap { check($0.value, in: scope, for: nil, named: "\(place).\($0.name)") }
    }
    if target.collection == .dictionary || target.type == .mixed && target.collection == nil {
      return entries.flatMap {
        check($0.value, in: scope, for: target.element, named: "\(place)['\($0.name)']")
      }
    }
    guard target.collection == nil, let name = target.target, let owned = schema.require(name),
      owned.kind == nil || owned.kind == .embedded
    else {
      complain(
        "\(place) is \(target.word), which no mapping makes", about: value,
        hint: target.collection == nil
          ? "find an object: find(\(target.target ?? "Class"), 'property', value)"
          : "write a list of mappings")
      return []
    }
    var searches: [SearchedProperty] = []
    for entry in entries {
      let located = Located(entry.name, entry.value.firstText?.node ?? .null)
      guard let property = requireProperty(located, of: owned) else { continue }
      searches += check(entry.value, in: scope, for: property?.type, named: "\(owned.name).\(entry.name)")
    }
    requireValues(for: Set(entries.map(\.name)), of: owned, about: value)
    return searches
  }

  private func complain(_ message: String, about value: ValueText, hint: String? = nil) {
    guard let node = value.firstText?.node else { return report.error(message, at: .start, hint: hint) }
    report.error(message, at: node, hint: hint)
  }

  /// Complains of properties without which no object of the class can be made.
  private func requireValues(for given: Set<String>, of known: SimulatedClass, about value: ValueText) {
    for name in known.required where !given.contains(name) {
      complain(
        "\(known.name).\(name) is required and has no value", about: value, hint: "add \(name): …")
    }
  }

  /// The property at the end of `address.city`, the class that has it, or nil where it is not known. Nil after a complaint.
  mutating func requirePath(_ name: Located<String>, of known: SimulatedClass) -> PropertyType?? {
    if known.property(name.value) != nil || !name.value.contains(".") {
      return requireProperty(name, of: known).map { $0?.type }
    }
    var known = known
    let steps = name.value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var rest = steps[...]
    while let step = rest.popFirst() {
      guard let property = requireProperty(Located(step, name.node), of: known) else { return nil }
      guard var type = property?.type else { return .some(nil) }
      if type.collection == .dictionary, rest.popFirst() != nil { type = type.element }
      if rest.isEmpty { return .some(type) }
      guard type.collection == nil, let target = type.target, let next = schema.require(target),
        next.kind == nil || next.kind == .embedded
      else {
        report.error(
          "'\(name.value)' leads into \(known.name).\(step), which is not an embedded object", at: name.node)
        return nil
      }
      known = next
    }
    return .some(nil)
  }

  /// Complains where `find` cannot make the objects that it misses.
  func check(_ searches: [SearchedProperty], creating policy: Located<MissingPolicy>?) {
    guard let policy, policy.value == .create else { return }
    if searches.isEmpty {
      report.error("there is no find(…) here that could miss objects", at: policy.node)
    }
    for search in Set(searches) {
      guard let known = schema.classes[search.className], !search.property.isEmpty else { continue }
      if known.kind == .embedded {
        report.error(
          "objects of the embedded class '\(known.name)' are created with their owners", at: policy.node)
      }
      for name in known.required where name != search.property {
        report.error(
          "objects of '\(known.name)' cannot be created from their \(search.property) alone: \(name) is required",
          at: policy.node, hint: "create them first, with create")
      }
    }
  }
}

extension SimulatedClass {
  /// Properties without which no object can be made, as far as they are known.
  var required: [String] {
    var names = properties.filter { $0.type.needsValue }.map(\.name)
    if case .property(let key) = primaryKey, !names.contains(key) { names.append(key) }
    return names
  }
}

extension PropertyType {
  /// Whether there is no value that objects could have without being given one.
  package var needsValue: Bool {
    !isOptional && collection == nil && type != .object && type != .mixed
  }
}
