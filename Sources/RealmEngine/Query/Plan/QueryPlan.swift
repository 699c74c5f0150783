// How a query will be answered, decided from its bound form, the indexes and the number of objects. Layer: Query, Plan.

/// Where the rows come from and what is still asked of them.
package struct QueryPlan: Sendable {
  package enum Access: Sendable {
    /// Every block of the table, by kernels.
    case scan
    /// The objects that an index named.
    case index(IndexHits)
  }

  /// What an index was, or was not, used for; for `--explain`.
  package struct IndexUse: Sendable {
    package enum Outcome: Sendable, Hashable {
      case valuesLookedUp(Int)
      /// The linked objects named those that link to them.
      case linksFollowedBack
      case wordsLookedUp
      /// It named the objects that links are compared with.
      case linkedObjectsNamed
      case noIndex, notAnEquality, unknownValues
      /// It would have named more objects than a scan is worth.
      case tooManyObjects
    }

    package let property: Property
    package let outcome: Outcome

    package var isUsed: Bool {
      switch outcome {
      case .valuesLookedUp, .linksFollowedBack, .wordsLookedUp, .linkedObjectsNamed: true
      case .noIndex, .notAnEquality, .unknownValues, .tooManyObjects: false
      }
    }
  }

  package let access: Access
  /// What a scan asks of every row.
  package let condition: PlannedCondition
  /// What is asked of each object that an index named; nil: nothing more.
  package let remainder: BoundPredicate?
  package let indexUses: [IndexUse]
}
