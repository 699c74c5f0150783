// How tables are declared, which libraries compare with their code when they open a file. Layer: RealmSQL, Exporting.

import RealmEngine

extension RealmExport {
  /// What a file for a library declares otherwise than the export would, a sentence each. What it has besides is no difference.
  func differences(ofDeclarationsIn file: SQLConnection) throws -> [String] {
    guard form.library != nil else { return [] }
    var differences: [String] = []
    if let version = form.userVersion(realm.schemaVersion) {
      let found = try file.texts("PRAGMA user_version").first ?? ""
      if found != "\(version)" { differences.append("user_version is \(found) instead of \(version)") }
    }
    let model = try SQLConnection(nil)
    for statement in creations + indexCreations { try model.execute(statement) }
    for table in tables where try file.hasTable(table.name) {
      let found = Set(try file.declarations(of: table.name))
      differences += try model.declarations(of: table.name).filter { !found.contains($0) }
        .map { "\(table.name): it does not declare \($0)" }
    }
    return differences
  }
}

extension SQLConnection {
  /// `age INTEGER NOT NULL`, `index index_Dog_age(age)`, `foreign key (owner) to Person(_id) on delete SET NULL`
  fileprivate func declarations(of table: String) throws(SQLError) -> [String] {
    let statement = try prepare(
      """
      SELECT name || ' ' || type || iif("notnull", ' NOT NULL', '') || iif(pk > 0, ' PRIMARY KEY', '')
          || ifnull(' DEFAULT ' || dflt_value, '') FROM pragma_table_xinfo(?1)
        UNION ALL SELECT 'index ' || l.name || '(' || (SELECT group_concat(name, ', ') FROM pragma_index_info(l.name)) || ')'
          FROM pragma_index_list(?1) l WHERE l.origin = 'c'
        UNION ALL SELECT 'foreign key (' || "from" || ') to ' || "table" || ifnull('(' || "to" || ')', '')
          || ' on delete ' || on_delete FROM pragma_foreign_key_list(?1)
      """)
    try statement.bind(1, .text(ByteString(table)))
    var texts: [String] = []
    while try statement.step() { texts.append(statement.value(0).words) }
    return texts
  }
}
