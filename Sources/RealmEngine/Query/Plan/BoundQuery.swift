// A bound query: a predicate on the objects of a class and what is done with those that meet it. Layer: Query, Plan.

package import RealmQueryLanguage

/// What to find, and in which order.
package struct BoundQuery: Sendable {
  package let table: Table
  package let predicate: BoundPredicate
  /// In the order in which they are applied to the objects in key order.
  package let orderings: [BoundOrdering]
  /// What was accepted but is probably not meant.
  package let warnings: [QueryWarning]

  package init(
    table: Table, predicate: BoundPredicate, orderings: [BoundOrdering],
    warnings: [QueryWarning] = []
  ) {
    self.table = table
    self.predicate = predicate
    self.orderings = orderings
    self.warnings = warnings
  }
}

/// One clause behind a predicate.
package enum BoundOrdering: Sendable {
  /// By the first key, then by the next among equals; what is equal in all keeps its order.
  case sort([BoundSortKey])
  /// The first object of each combination of values; objects with a null link on the way to one are left out.
  case distinct([BoundSortValue])
  case limit(Int)
  /// Leaves out the first ones.
  case offset(Int)
}

package struct BoundSortKey: Sendable {
  package let value: BoundSortValue
  package let isAscending: Bool

  package init(_ value: BoundSortValue, isAscending: Bool) {
    self.value = value
    self.isAscending = isAscending
  }
}

/// What objects are sorted or made distinct by.
package enum BoundSortValue: Sendable {
  case path(BoundSortPath)
  /// Anything else that gives each object one value; `text` is how it was written.
  case computed(ComputedOperand, text: String)
}

/// To-one links, then a property with one value or one value of a dictionary.
package struct BoundSortPath: Sendable {
  package let links: [(property: Property, target: TableKey)]
  package let property: Property
  package let dictionaryKey: ByteString?

  package init(
    links: [(property: Property, target: TableKey)] = [], property: Property, dictionaryKey: ByteString? = nil
  ) {
    self.links = links
    self.property = property
    self.dictionaryKey = dictionaryKey
  }
}
