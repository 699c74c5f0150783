import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Changing files of the reference engine")
struct ExistingFileTests {
  /// The fixtures, or the files of a directory that a longer run names.
  static let directory =
    ProcessInfo.processInfo.environment["REALM_TEST_DIRECTORY"].map { URL(fileURLWithPath: $0) }
    ?? SearchIndexTests.fixtures

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
    .filter { $0.hasSuffix(".realm") && !$0.hasPrefix("legacy") }.sorted()

  static func key(_ name: String) throws -> EncryptionKey? {
    guard name.contains("encrypted") else { return nil }
    let hex = try String(contentsOf: directory.appendingPathComponent("key.hex"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let digits = Array(hex)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return EncryptionKey(bytes)
  }

  private func content(_ realm: ReadTransaction) throws -> [String: [Int64: [String: ModelRealm.Content]]] {
    let reader = ModelReader(realm: realm)
    var content: [String: [Int64: [String: ModelRealm.Content]]] = [:]
    for table in realm.classes() { content[table.schema.name] = try reader.objects(table) }
    return content
  }

  @Test("objects are erased, changed and made, and found so again", arguments: names)
  func change(name: String) throws {
    let files = try ScratchFolder(keepable: "existing")
    let path = files.path(name)
    let key = try Self.key(name)
    let target = String(decoding: path.bytes, as: UTF8.self)
    try FileManager.default.copyItem(
      atPath: Self.directory.appendingPathComponent(name).path, toPath: target)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target)
    guard let realm = try? WritableDatabase.open(path, key: key, lockTimeoutMilliseconds: lockPatience),
      let write = try? realm.begin(upgrading: true)
    else {
      // Synced realms and formats that can only be copied.
      try FileManager.default.removeItem(atPath: target)
      return
    }
    var random = SplitMix64(state: 3)
    for table in realm.database.transaction.classes() where table.schema.kind == .object {
      let tableKey = table.schema.tableKey
      var keys: [ObjectLink] = []
      var cursor = table.blocks()
      while let block = try cursor.next(), keys.count < 3000 {
        for row in 0..<block.count { keys.append(ObjectLink(table: tableKey, key: block.key(row))) }
      }
      try write.erase(keys.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
      for (offset, link) in keys.enumerated() where offset % 3 == 1 && offset < 600 {
        guard try write.hasObject(link), let schema = try? write.schema(tableKey) else { continue }
        for property in schema.properties
        where property.collection == nil && property.type != .object
          && property.columnKey != schema.primaryKey?.columnKey
        {
          try write.update(link, [(property.name, .single(random.value(property.type)))])
        }
      }
      guard try write.schema(tableKey).primaryKey == nil else { continue }
      for _ in 0..<5 { _ = try write.create(tableKey, []) }
    }
    let expected = try content(try write.view())
    try realm.commit(write)
    #expect(realm.database.file.format == 24)
    #expect(try content(Database.open(path, key: key).transaction) == expected)
  }
}
