// A key path with every step looked up. Layer: Query, Plan.
// Invariant: each hop starts in the class that the one before leads to, the first in the queried class.

package import RealmQueryLanguage

/// One step from objects to objects.
package enum Hop: Sendable {
  /// A link or embedded object: none or one.
  case toOne(Property, TableKey)
  /// A list or set of links; a set only with `.all`.
  case elements(Property, TableKey, ElementChoice)
  /// All values of a dictionary of links.
  case entries(Property, TableKey)
  /// One value of a dictionary of links.
  case entry(Property, TableKey, key: ByteString)
  /// The objects of `table` whose `property` links here, once for each link.
  case incoming(BacklinkColumn, table: TableKey, property: Property)

  package var isToOne: Bool {
    if case .toOne = self { true } else { false }
  }

  /// Whether it leads from one object to one, or none.
  var reachesOneAtMost: Bool {
    switch self {
    case .toOne, .entry: true
    case .elements(_, _, let choice): choice.isOne
    case .entries, .incoming: false
    }
  }

  /// The class it leads to.
  package var target: TableKey {
    switch self {
    case .toOne(_, let target), .elements(_, let target, _), .entries(_, let target),
      .entry(_, let target, _), .incoming(_, let target, _):
      target
    }
  }
}

/// Which elements of a list are meant.
package enum ElementChoice: Sendable, Hashable {
  case all
  /// Nothing where the list is too short.
  case at(Int)
  case first, last

  /// Whether one element at most is meant.
  package var isOne: Bool { self != .all }

  /// Which of `count` elements the one is; nil where there is no such element.
  func index(among count: Int) -> Int? {
    switch self {
    case .all: preconditionFailure("all elements are no single one")
    case .at(let index): index >= 0 && index < count ? index : nil
    case .first: count > 0 ? 0 : nil
    case .last: count > 0 ? count - 1 : nil
    }
  }
}

/// A step inside a mixed value.
package enum ValueStep: Sendable, Hashable {
  /// A dictionary's value, null where it has no such key; or a property of the object that the value links to.
  case key(ByteString)
  /// An element of a list.
  case element(ElementChoice)
  case keys
}

/// From a row to values.
package struct BoundPath: Sendable {
  package enum End: Sendable {
    /// The reached object itself.
    case object
    /// Its object key.
    case objectKey
    /// A property with one value; through a null to-one link it is null. Null links behind a hop to several objects
    /// are left out.
    case value(Property)
    /// Elements of a list or set.
    case elements(Property, ElementChoice)
    case dictionaryValues(Property)
    case dictionaryKeys(Property)
    /// Null where a dictionary lacks the key; no value through a null to-one link.
    case dictionaryValue(Property, key: ByteString)
    /// How many elements a list, set or dictionary of values has; 0 through a null to-one link.
    case elementCount(Property)
    /// How many objects one more hop reaches; no value through a null to-one link.
    case linkCount(Hop)
    /// How many links lead to the reached objects, from all classes together: one number.
    case incomingCount
  }

  /// What becomes of each value at the end.
  package enum Conversion: Sendable, Hashable {
    /// Bytes of strings and data, elements of nested collections, null of all else (`@count`, `@size`).
    case size
    /// Bytes of strings and data; a null string counts as 0, other values of a mixed list are left out (`length`).
    case length
    /// The set of types (`TypeNames`) that the value has (`@type`).
    case type
  }

  package enum Shape: Sendable, Hashable {
    case single
    case list
    /// One value where there is one, else an empty list.
    case dynamic
  }

  package let hops: [Hop]
  package let end: End
  /// Into the mixed values at the end.
  package let steps: [ValueStep]
  package let conversion: Conversion?
  package let quantifier: Quantifier?

  package init(
    hops: [Hop] = [], end: End, steps: [ValueStep] = [], conversion: Conversion? = nil,
    quantifier: Quantifier? = nil
  ) {
    self.hops = hops
    self.end = end
    self.steps = steps
    self.conversion = conversion
    self.quantifier = quantifier
  }

  /// The property whose value of the row itself this is, if it is nothing more.
  package var directProperty: Property? {
    guard hops.isEmpty, steps.isEmpty, conversion == nil, quantifier == nil, case .value(let property) = end
    else { return nil }
    return property
  }

  /// Whether it is the key of the row itself.
  var isObjectKey: Bool {
    if hops.isEmpty, case .objectKey = end { true } else { false }
  }

  /// Whether there is never more than one value, though it may count as a list.
  var reachesOneAtMost: Bool {
    guard hops.allSatisfy(\.reachesOneAtMost), !steps.contains(where: { $0 == .keys || $0 == .element(.all) })
    else { return false }
    return switch end {
    case .object, .objectKey, .value, .dictionaryValue, .elementCount, .linkCount, .incomingCount: true
    case .elements(_, let choice): choice.isOne
    case .dictionaryValues, .dictionaryKeys: false
    }
  }

  /// The list or set of the row itself whose elements these are, all of them, if it is nothing more.
  var directCollection: Property? {
    guard hops.isEmpty, steps.isEmpty, conversion == nil, case .elements(let property, .all) = end else {
      return nil
    }
    return property
  }

  package var shape: Shape {
    let isUnary = hops.allSatisfy(\.isToOne)
    let base: Shape =
      switch end {
      case .incomingCount: .single
      case .linkCount: hops.isEmpty ? .single : .list
      case .object, .objectKey, .value, .elementCount: isUnary ? .single : .list
      case .dictionaryValue: isUnary ? .dynamic : .list
      case .elements, .dictionaryValues, .dictionaryKeys: .list
      }
    if steps.isEmpty || base == .list { return base }
    return steps.contains { $0 == .keys || $0 == .element(.all) } ? .list : .dynamic
  }
}
