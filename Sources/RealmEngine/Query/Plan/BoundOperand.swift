// The sides of a comparison. Layer: Query, Plan.
// Every operand gives, for a row, one value or a list of values. Which of the two is known while binding, except
// where a path leads into mixed values or dictionaries (`BoundPath.Shape.dynamic`).

package import RealmQueryLanguage

/// One side of a comparison.
package indirect enum BoundOperand: Sendable {
  case constant(Value)
  case constants([Value], Quantifier?)
  case path(BoundPath)
  case aggregate(BoundAggregate)
  case subquery(BoundSubquery)
  /// Arithmetic, and what the reference engine does not know: functions, texts put together, choices.
  case computed(ComputedOperand)
}

/// `collection.@max` or `links.@max.property`.
package struct BoundAggregate: Sendable {
  package enum Source: Sendable {
    /// The elements of a list or set of values, or the values of a dictionary: one result for each object that
    /// `hops` reach. With to-one links alone that is one value, also where a link is null.
    case elements(Property)
    /// A property of all objects that `hops` reach: one result.
    case property(Property)
  }

  package let function: Aggregate
  package let hops: [Hop]
  package let source: Source
  /// Whether a sum that is too large for an int is an error; in conditions it wraps around.
  let isChecked: Bool

  package init(_ function: Aggregate, hops: [Hop], source: Source, isChecked: Bool = false) {
    self.function = function
    self.hops = hops
    self.source = source
    self.isChecked = isChecked
  }

  /// Whether it gives a list of results.
  package var isList: Bool {
    switch source {
    case .elements: !hops.allSatisfy(\.isToOne)
    case .property: false
    }
  }
}

/// `SUBQUERY(hops, $v, predicate).@count`: how many of the objects that `hops` reach, with multiplicity, meet it.
package struct BoundSubquery: Sendable {
  package let hops: [Hop]
  /// The class of these objects, which `predicate` is bound to.
  package let elementTable: TableKey
  package let predicate: BoundPredicate
}
