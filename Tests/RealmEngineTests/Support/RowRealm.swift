// Realms with one class that a test fills. Belongs to the tests of queries and of writing.

import RealmEngine
import Testing

extension WritableDatabase {
  /// A realm in memory whose only class, Row, has `properties`; `fill` gives it objects.
  static func withRows(
    _ properties: [PropertyDefinition], beside others: [ClassDefinition] = [],
    fill: (WriteTransaction, TableKey) throws -> Void
  ) throws -> WritableDatabase {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("Row", properties: properties)] + others)
    try fill(write, try #require(try write.schema(named: "Row")).tableKey)
    try realm.commit(write)
    return realm
  }
}
