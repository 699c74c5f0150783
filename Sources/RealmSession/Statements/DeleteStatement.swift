// `delete Person where …`. Layer: RealmSession, Statements.

import ByteText
package import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  func delete(_ selection: Selection, of source: [UInt8]) throws -> ChangeCounts {
    try changeIfConfirmed { transaction in
      let realm = try transaction.view()
      let query = try bind(selection, of: source, in: realm)
      do throws(SessionError) {
        try query.table.schema.requireOwnObjects()
      } catch {
        throw error.located(at: selection.className.range, in: source)
      }
      return try erase(query, in: realm, transaction)
    }
  }

  /// Erases objects that are named one by one, so that nothing needs to be asked.
  func delete(_ keys: [Constant], of name: Name, _ source: [UInt8]) throws -> ChangeCounts {
    try change { transaction in
      let schema = try schema(name, of: source, in: transaction)
      do throws(SessionError) {
        try schema.requireOwnObjects()
      } catch {
        throw error.located(at: name.range, in: source)
      }
      let tally = ObjectTally(ofEmbedded: try transaction.view())
      var objects: Set<ObjectLink> = []
      for key in keys {
        let found = try StatementText(source).object(
          key, of: schema,
          { value throws(EngineError) in try transaction.find(schema.tableKey, primaryKey: value) },
          { key throws(EngineError) in
            try transaction.hasObject(ObjectLink(table: schema.tableKey, key: key))
          })
        objects.insert(ObjectLink(table: schema.tableKey, key: found))
      }
      try transaction.erase(objects.sorted { $0.key.value < $1.key.value })
      var counts = ChangeCounts()
      counts.add(deleted: objects.count, to: schema.name)
      counts += tally.changes(to: try transaction.view())
      return counts
    }
  }

  /// Erases what a query finds, if that is confirmed.
  package func erase(
    _ query: BoundQuery, in view: ReadTransaction, _ transaction: WriteTransaction
  ) throws -> ChangeCounts {
    warn(about: query)
    let schema = query.table.schema
    let keys = try QueryExecutor(query, in: view).keyList()
    guard !keys.isEmpty else { return ChangeCounts() }
    try requireConfirmation(
      "delete \(counted(keys.count, "object")) of \(schema.name) in \(realm.path.displayName)",
      orSay: "nothing was deleted")
    let tally = ObjectTally(ofEmbedded: view)
    try transaction.erase(keys, of: schema.tableKey)
    var counts = ChangeCounts()
    counts.add(deleted: keys.count, to: schema.name)
    counts += tally.changes(to: try transaction.view())
    return counts
  }
}

extension ClassSchema {
  /// Throws where objects go with others, so that none can be erased alone.
  package func requireOwnObjects() throws(SessionError) {
    guard kind == .embedded else { return }
    throw SessionError(
      .statement(
        code: "embedded", message: "objects of \(name) are embedded and are deleted with their owners"),
      hint: "set the property that holds them to null")
  }
}
