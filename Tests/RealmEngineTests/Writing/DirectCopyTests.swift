// What a transaction made, written to a new file without a commit before.

import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Copies of what a transaction made")
struct DirectCopyTests {
  private static func filled() throws -> (WritableDatabase, WriteTransaction) {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int), PropertyDefinition("flag", .bool),
          PropertyDefinition("name", .string),
        ])
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    for number in 0..<Int64(300) {
      _ = try write.create(
        table,
        [
          ("id", .single(.int(number))), ("flag", .single(.bool(true))),
          ("name", .single(.string(ByteString("name \(number)")))),
        ])
    }
    // Leaves keep bits and bytes of what is gone behind their ends.
    try write.erase((0..<3).map { ObjectLink(table: table, key: ObjectKey(100 + 51 * $0)) })
    return (realm, write)
  }

  private func copied(_ realm: ReadTransaction, to path: FilePath) throws -> Data {
    let replacement = try SafeReplacement(target: path, like: nil)
    _ = try CompactCopy.write(
      realm, history: .forCopy, to: try SequentialOutput(replacement.handle, key: nil))
    _ = try replacement.commit(replacing: false)
    return try Data(contentsOf: path.url)
  }

  @Test("they hold the same bytes as copies of the commit, nothing of what is gone")
  func sameBytes() throws {
    let files = try ScratchFolder(keepable: "direct-copy")
    let (realm, committed) = try Self.filled()
    try realm.commit(committed)
    let wanted = try copied(realm.database.transaction, to: files.path("committed.realm"))
    let (other, direct) = try Self.filled()
    let path = files.path("direct.realm")
    let bytes = try copied(try direct.finished(), to: path)
    #expect(withExtendedLifetime(other) { bytes == wanted })
    #expect(try FileInspection.inspect(path).findings.isEmpty)
    withExtendedLifetime(files) {}
  }
}
