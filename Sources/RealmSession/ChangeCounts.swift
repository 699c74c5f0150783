// What was changed, in numbers. Layer: RealmSession.

/// How many classes and objects statements have changed.
package struct ChangeCounts: Equatable {
  /// Classes.
  package var created = 0
  package var altered = 0
  package var dropped = 0
  /// Objects.
  package var inserted = 0
  package var updated = 0
  package var deleted = 0

  package init() {}

  init(_ count: WritableKeyPath<ChangeCounts, Int>, _ value: Int) { self[keyPath: count] = value }

  package static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.created += right.created
    left.altered += right.altered
    left.dropped += right.dropped
    left.inserted += right.inserted
    left.updated += right.updated
    left.deleted += right.deleted
  }

  package var total: Int { created + altered + dropped + inserted + updated + deleted }
}
