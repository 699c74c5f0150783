// What was changed, in numbers. Layer: RealmSession.

package import RealmEngine

/// How many classes and objects statements have changed.
package struct ChangeCounts: Equatable {
  /// Objects of one class.
  package struct OfClass: Equatable {
    package let name: String
    package fileprivate(set) var created = 0
    package fileprivate(set) var updated = 0
    package fileprivate(set) var deleted = 0
    /// They come and go with the objects that own them, and are not counted for themselves.
    fileprivate var isEmbedded = false

    package init(name: String) { self.name = name }
  }

  /// Classes.
  package var created = 0
  package var altered: Int { alteredClasses.count }
  private var alteredClasses: Set<TableKey> = []
  package var dropped = 0
  /// Nil: the schema version is what it was.
  package private(set) var schemaVersion: VersionChange?

  /// A schema version, none where nobody set it.
  package struct VersionChange: Equatable {
    package let old: Int64?
    package let new: Int64?
  }

  /// The objects, class by class, in the order in which classes were first changed.
  package private(set) var classes: [OfClass] = []
  /// The objects that statements have made, and that upserts have found, in their order, the first ones of many.
  package private(set) var made: [ObjectLink] = []
  private static let madeMax = 1000

  package var inserted: Int { own.reduce(0) { $0 + $1.created } }
  package var updated: Int { own.reduce(0) { $0 + $1.updated } }
  package var deleted: Int { own.reduce(0) { $0 + $1.deleted } }

  private var own: [OfClass] { classes.filter { !$0.isEmbedded } }

  package init() {}

  init(schemaVersion old: Int64?, to new: Int64?) {
    schemaVersion = old == new ? nil : VersionChange(old: old, new: new)
  }

  init(altered table: TableKey) { alteredClasses = [table] }

  init(_ count: WritableKeyPath<ChangeCounts, Int>, _ value: Int) { self[keyPath: count] = value }

  /// Adds what was done to objects of a class.
  package mutating func add(
    created: Int = 0, updated: Int = 0, deleted: Int = 0, to name: String, isEmbedded: Bool = false
  ) {
    guard created + updated + deleted > 0 else { return }
    let index =
      classes.firstIndex { $0.name == name }
      ?? {
        classes.append(OfClass(name: name))
        return classes.count - 1
      }()
    classes[index].isEmbedded = isEmbedded
    classes[index].created += created
    classes[index].updated += updated
    classes[index].deleted += deleted
  }

  mutating func add(made objects: [ObjectLink]) {
    made += objects.prefix(Self.madeMax - made.count)
  }

  package static func += (left: inout ChangeCounts, right: ChangeCounts) {
    left.created += right.created
    left.alteredClasses.formUnion(right.alteredClasses)
    left.dropped += right.dropped
    left.add(made: right.made)
    if let change = right.schemaVersion {
      let old = if let first = left.schemaVersion { first.old } else { change.old }
      left.schemaVersion = old == change.new ? nil : VersionChange(old: old, new: change.new)
    }
    for part in right.classes {
      left.add(
        created: part.created, updated: part.updated, deleted: part.deleted, to: part.name,
        isEmbedded: part.isEmbedded)
    }
  }

  package var total: Int {
    created + altered + dropped + inserted + updated + deleted + (schemaVersion == nil ? 0 : 1)
  }
}

/// What was made of JSON documents.
package struct WrittenObjects {
  package var counts = ChangeCounts()
  /// In the order of the documents, an object that came twice twice.
  package var objects: [ObjectLink] = []

  package init() {}

  init(counts: ChangeCounts, objects: [ObjectLink]) {
    self.counts = counts
    self.objects = objects
  }

  package static func += (left: inout WrittenObjects, right: WrittenObjects) {
    left.counts += right.counts
    left.objects += right.objects
  }
}
