// Whether the objects of a class that is to be embedded belong to objects that are not. Layer: Objects.
// An embedded object is reached through its owners alone: those that own each other in a circle would be lost.

extension GroupEditor {
  /// Throws where objects of a class own each other in a circle, or belong to embedded ones of a damaged file that do. Each has
  /// one owner.
  func refuseOwnerCircles(_ table: TableEditor) throws(EngineError) {
    guard try leadsBack(to: table) else { return }
    var belonging: Set<ObjectLink> = []
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      try Interruption.check()
      for row in 0..<cluster.count {
        var chain: Set<ObjectLink> = []
        var object: ObjectLink? = ObjectLink(table: table.tableKey, key: cluster.key(row))
        while let next = object, !belonging.contains(next) {
          let origin = try self.table(next.table)
          guard origin.isEmbedded || next.table == table.tableKey else { break }
          guard chain.insert(next).inserted else {
            throw EngineError(
              .constraint,
              "\(table.schema.name) cannot be embedded: its objects link to each other in a circle",
              at: "object \(cluster.key(row).value)", hint: "set one of these links to null before")
          }
          object = try owner(of: next)
        }
        belonging.formUnion(chain)
      }
    }
  }

  /// Whether its own class, or an embedded one, is among those that link to a class.
  private func leadsBack(to table: TableEditor) throws(EngineError) -> Bool {
    for backlink in table.schema.backlinks {
      guard let key = backlink.originTable, hasTable(key) else { continue }
      let origin = try self.table(key)
      if key == table.tableKey || origin.isEmbedded { return true }
    }
    return false
  }

  private func owner(of object: ObjectLink) throws(EngineError) -> ObjectLink? {
    let table = try table(object.table)
    for backlink in table.schema.backlinks {
      guard let key = backlink.originTable, hasTable(key) else { continue }
      if let owner = try origins(table, backlink.columnKey, of: object.key).first {
        return ObjectLink(table: key, key: owner)
      }
    }
    return nil
  }
}
