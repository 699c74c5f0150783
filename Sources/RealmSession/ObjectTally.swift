// How many objects came or went, class by class, where nothing that changes them says so. Layer: RealmSession.

import RealmEngine

/// The objects of one version of a realm, in numbers.
struct ObjectTally {
  private let counts: [(schema: ClassSchema, count: Int)]
  private let isOfEmbedded: Bool

  init(of realm: ReadTransaction) {
    self.init(realm, ofEmbedded: false)
  }

  /// Of the objects that come and go with those that own them.
  init(ofEmbedded realm: ReadTransaction) {
    self.init(realm, ofEmbedded: true)
  }

  /// Nil where objects of a class own none, so that nothing need be counted.
  init?(ofOwner schema: ClassSchema, in transaction: WriteTransaction) throws(EngineError) {
    for property in schema.properties where property.isLink {
      guard let target = property.target else { continue }
      if try transaction.schema(target).kind == .embedded {
        self.init(ofEmbedded: try transaction.view())
        return
      }
    }
    return nil
  }

  private init(_ realm: ReadTransaction, ofEmbedded isOfEmbedded: Bool) {
    self.isOfEmbedded = isOfEmbedded
    counts = realm.classes().filter { !isOfEmbedded || $0.schema.kind == .embedded }.map {
      ($0.schema, $0.count)
    }
  }

  private func byTable() -> [TableKey: Int] {
    Dictionary(counts.map { ($0.schema.tableKey, $0.count) }) { first, _ in first }
  }

  /// What is different in a later version. Embedded objects count for themselves where no others came or went.
  func changes(to realm: ReadTransaction) -> ChangeCounts {
    let later = ObjectTally(realm, ofEmbedded: isOfEmbedded)
    let (before, after) = (byTable(), later.byTable())
    let gone = counts.filter { after[$0.schema.tableKey] == nil }.map {
      (schema: $0.schema, growth: -$0.count)
    }
    let kept = later.counts.map { (schema: $0.schema, growth: $0.count - (before[$0.schema.tableKey] ?? 0)) }
    let changes = (gone + kept).filter { $0.growth != 0 }.sorted {
      $0.schema.name.utf8.lexicographicallyPrecedes($1.schema.name.utf8)
    }
    let hasOwners = isOfEmbedded || changes.contains { $0.schema.kind != .embedded }
    var result = ChangeCounts()
    for (schema, growth) in changes {
      result.add(
        created: max(0, growth), deleted: max(0, -growth), to: schema.name,
        isEmbedded: hasOwners && schema.kind == .embedded)
    }
    return result
  }
}
