// Who owns embedded objects: from an object that may differ to the object of a class of its own that shows it.
// Layer: Comparison.

/// Gathers the owners of embedded objects, by class.
struct ComparedOwners {
  private let left: ReadTransaction
  private let right: ReadTransaction
  /// By the name of the class.
  private(set) var keys: [String: Set<ObjectKey>] = [:]
  /// Embedded objects that were met.
  private var leftSeen: Set<ObjectLink> = []
  private var rightSeen: Set<ObjectLink> = []

  init(_ left: ReadTransaction, _ right: ReadTransaction) {
    self.left = left
    self.right = right
  }

  /// Adds the owners of embedded objects, and theirs where they are embedded too.
  mutating func add(_ keys: [ObjectKey], of table: TableKey, isLeft: Bool) throws(EngineError) {
    let transaction = isLeft ? left : right
    var waiting = keys.map { ObjectLink(table: table, key: $0) }
    while let object = waiting.popLast() {
      guard let table = transaction.table(object.table) else { continue }
      guard table.schema.kind == .embedded else {
        self.keys[table.schema.name, default: []].insert(object.key)
        continue
      }
      let isNew = isLeft ? leftSeen.insert(object).inserted : rightSeen.insert(object).inserted
      guard isNew, let position = try table.find(object.key) else { continue }
      for column in table.schema.backlinks {
        guard let origin = column.originTable else { continue }
        let origins = try position.block.backlinks(column)[position.row]
        try transaction.snapshot.forEachOrigin(origins) { key in
          waiting.append(ObjectLink(table: origin, key: key))
          return true
        }
      }
    }
  }
}
