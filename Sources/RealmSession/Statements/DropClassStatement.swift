// `drop class Person`. Layer: RealmSession, Statements.

import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  func dropClass(_ name: Name, of source: [UInt8]) throws {
    try change { transaction in
      let schema = try schema(name, of: source, in: transaction)
      let count = try transaction.count(schema.tableKey)
      let objects = count == 1 ? "its 1 object" : "its \(count) objects"
      guard try confirm("drop class \(schema.name) with \(objects) in \(realm.path.displayName)") else {
        return host.note("nothing was dropped")
      }
      try locating(name, of: source) { () throws(EngineError) in try transaction.removeClass(schema.name) }
    }
  }
}
