// `drop class Person`. Layer: RealmSession, Statements.

import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  func dropClass(_ name: Name, of source: [UInt8]) throws {
    _ = try changeIfConfirmed { transaction in
      let schema = try schema(name, of: source, in: transaction)
      let count = try transaction.count(schema.tableKey)
      let objects = count == 1 ? "its 1 object" : "its \(count) objects"
      try requireConfirmation(
        "drop class \(schema.name) with \(objects) in \(realm.path.displayName)", orSay: "nothing was dropped"
      )
      try locating(name, of: source) { () throws(EngineError) in try transaction.removeClass(schema.name) }
    }
  }
}
