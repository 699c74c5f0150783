// What `find` makes of values that no object has. Layer: Query, Functions.

/// A property by whose values `find` looks for objects.
package struct SearchedProperty: Hashable, Sendable {
  package let className: String
  /// Empty for the primary key of a class of which it is not known.
  package let property: String
}

/// The searches of one operation that found nothing.
package final class Searches {
  package enum Policy: Sendable {
    /// The result is null.
    case null
    /// It is an error.
    case fail
    /// The values are kept, so that objects can be made that have them.
    case collect
  }

  package let policy: Policy
  /// Each value once, in the order of the objects that asked for it.
  package private(set) var missing: [(place: SearchedProperty, value: Value)] = []
  private var seen: [SearchedProperty: Set<Value>] = [:]

  package init(_ policy: Policy = .null) { self.policy = policy }

  func miss(_ value: Value, _ property: Property, of schema: ClassSchema) throws(EngineError) {
    switch policy {
    case .null: return
    case .fail:
      throw EngineError(
        .constraint, "\(schema.name) has no object with this \(property.name)",
        hint: "missing: null leaves null, missing: create makes one")
    case .collect:
      guard let wanted = ValueFitting.fit(value, to: PropertyType(property.type, isOptional: true)) else {
        return
      }
      let place = SearchedProperty(className: schema.name, property: property.name)
      if seen[place, default: []].contains(wanted) { return }
      let owned = wanted.owned()
      seen[place, default: []].insert(owned)
      missing.append((place, owned))
    }
  }
}
