// How many embedded objects came or went with the objects that own them. Layer: RealmSession.

import RealmEngine

/// The embedded objects of one version of a realm, in numbers.
struct EmbeddedTally {
  private let counts: [(name: String, count: Int)]

  init(_ realm: ReadTransaction) {
    counts = realm.classes().filter { $0.schema.kind == .embedded }.map { ($0.schema.name, $0.count) }
  }

  /// Nil where objects of a class own none, so that nothing need be counted.
  init?(ofOwner schema: ClassSchema, in transaction: WriteTransaction) throws(EngineError) {
    for property in schema.properties where property.isLink {
      guard let target = property.target else { continue }
      if try transaction.schema(target).kind == .embedded {
        self.init(try transaction.view())
        return
      }
    }
    return nil
  }

  /// What is different in a later version.
  func changes(to realm: ReadTransaction) -> ChangeCounts {
    var changes = ChangeCounts()
    let before = Dictionary(counts.map { ($0.name, $0.count) }) { first, _ in first }
    for (name, count) in EmbeddedTally(realm).counts {
      let growth = count - (before[name] ?? 0)
      changes.add(created: max(0, growth), deleted: max(0, -growth), to: name, isEmbedded: true)
    }
    return changes
  }
}
