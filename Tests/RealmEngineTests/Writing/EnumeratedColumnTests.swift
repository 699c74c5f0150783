// Columns of numbers into a table of distinct texts: they stay so through upgrades and changes.

import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Enumerated columns")
struct EnumeratedColumnTests {
  private static let words = ["red", "green", "blue", "a text that is longer than short ones are"]

  /// A realm of format 9 with an enumerated column of `count` rows, brought to the current format.
  private func thing(
    _ count: Int, _ files: ScratchFolder, named name: String, index: Bool = false
  ) throws -> FilePath {
    let builder = OldFileBuilder()
    let numbers = (0..<count).map { Int64($0 % Self.words.count) }
    let table = builder.table([
      OldFileBuilder.Column(name: "number", type: 0, root: builder.integers((0..<count).map(Int64.init))),
      OldFileBuilder.Column(
        name: "color", type: 3, attributes: index ? 17 : 16,
        texts: builder.mediumTexts(Self.words, marksNulls: true), root: builder.integers(numbers)),
    ])
    let path = files.path("enumerated-\(name).realm")
    try Data(builder.file([("class_Thing", table)])).write(to: path.url)
    try path.rewrite(isUpgrade: true)
    return path
  }

  private static func colors(_ count: Int) -> [Int64: String?] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { (Int64($0), words[$0 % words.count]) })
  }

  private func colors(_ realm: ReadTransaction, isEnumerated: Bool) throws -> [Int64: String?] {
    let table = try #require(realm.table(named: "Thing"))
    let property = try #require(table.schema.property(named: "color"))
    #expect((property.texts != nil) == isEnumerated)
    var colors: [Int64: String?] = [:]
    for block in try table.allBlocks() {
      guard case .strings(let leaf) = try block.leaf(property) else { preconditionFailure("no texts") }
      if case .enumerated = leaf { #expect(isEnumerated) } else { #expect(!isEnumerated) }
      for row in 0..<block.count {
        colors[block.key(row).value] = .some(try leaf.bytes(row, in: realm.snapshot)?.text)
      }
    }
    return colors
  }

  /// The file is sound and holds these colors, in leaves of one kind.
  private func expect(_ colors: [Int64: String?], in path: FilePath, isEnumerated: Bool = true) throws {
    #expect(try self.colors(Database.open(path).transaction, isEnumerated: isEnumerated) == colors)
    let findings = try FileInspection.inspect(path).findings.filter { $0.kind != .lostSpace }
    #expect(findings.isEmpty, "\(findings)")
  }

  private static func text(_ text: String?) -> NewValue {
    .single(text.map { .string(ByteString($0)) } ?? .null)
  }

  // MARK: Upgrades

  @Test("the upgrade from format 9 keeps the numbers", arguments: [0, 1, 700])
  func fromFormat9(count: Int) throws {
    let files = try ScratchFolder(keepable: "enumerated")
    try expect(Self.colors(count), in: thing(count, files, named: "\(count)"))
  }

  @Test("the upgrade from format 23 keeps the numbers, and collections that are in order")
  func fromFormat23() throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.enumerateDogNames()
    realm.bytes[20 + realm.slot] = 23
    let files = try ScratchFolder(keepable: "enumerated")
    let path = files.path("enumerated-format23.realm")
    try realm.write(to: path)
    let size = try CompactCopy.measure(Database.open(path).transaction, key: nil, history: .keep)
    let before = try contents(path)
    try path.rewrite(isUpgrade: true)
    let upgraded = try Database.open(path)
    #expect(upgraded.file.format == 24)
    #expect(try contents(path) == before)
    #expect(upgraded.file.fileSize <= size)
    let names = try #require(upgraded.transaction.table(named: "Dog")?.schema.property(named: "name"))
    #expect(names.texts?.count == 2)
    #expect(try FileInspection.inspect(path).findings.allSatisfy { $0.kind == .lostSpace })
  }

  private func contents(_ path: FilePath) throws -> [[Int64: [String: ModelRealm.Content]]] {
    let realm = try Database.open(path).transaction
    return try realm.classes().map { try ModelReader(realm: realm).objects($0) }
  }

  // MARK: Changes

  @Test("texts of all kinds are written into an enumerated column, which stays one", arguments: 0..<6)
  func change(seed: Int) throws {
    let files = try ScratchFolder(keepable: "enumerated")
    var random = SplitMix64(state: UInt64(seed))
    let path = try thing(600, files, named: "change-\(seed)", index: seed % 2 == 1)
    var model = Self.colors(600)
    for _ in 0..<3 {
      let realm = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
      let write = try realm.begin()
      let table = try #require(try write.schema(named: "Thing")).tableKey
      for step in 0..<300 {
        let color: String? =
          switch random.below(6) {
          case 0: nil
          case 1: String(repeating: "x", count: random.below(100))
          case 2: "new \(random.below(40))"
          default: Self.words[random.below(Self.words.count)]
          }
        let key = model.keys.sorted()[random.below(model.count)]
        let link = ObjectLink(table: table, key: ObjectKey(key))
        switch random.below(4) {
        case 0:
          try write.erase([link])
          model[key] = nil
        case 1:
          // Between others too, so that clusters are divided.
          let wanted = Int64(random.below(1 << 12))
          guard model[wanted] == nil else { continue }
          _ = try write.create(table, key: ObjectKey(wanted), [("color", Self.text(color))])
          model[wanted] = .some(color)
        default:
          try write.update(link, [("color", Self.text(color))])
          model[key] = .some(color)
        }
        if step % 100 == 99 { #expect(try colors(write.view(), isEnumerated: true) == model) }
      }
      try realm.commit(write)
      realm.close()
      try expect(model, in: path)
    }
  }

  @Test("a column rewritten as a whole stays enumerated")
  func rewritten() throws {
    let files = try ScratchFolder(keepable: "enumerated")
    let path = try thing(600, files, named: "rewritten")
    let realm = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    let write = try realm.begin()
    let report = try write.fill(
      "Thing", "color", with: "number % 256 % 5 == 0 ? null : string(number % 3)")
    #expect(report.touchedCount == 600)
    try realm.commit(write)
    realm.close()
    var colors: [Int64: String?] = [:]
    for key in 0..<Int64(600) { colors[key] = .some(key % 256 % 5 == 0 ? nil : "\(key % 3)") }
    try expect(colors, in: path)
  }

  @Test("with too many different texts the column becomes one of plain texts", arguments: [false, true])
  func crowded(inPieces: Bool) throws {
    let files = try ScratchFolder(keepable: "enumerated")
    let path = try thing(900, files, named: "crowded-\(inPieces)")
    let realm = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    var write = try realm.begin()
    let table = try #require(try write.schema(named: "Thing")).tableKey
    var model = Self.colors(900)
    for number in 0..<1100 {
      let key = Int64(number % 850)
      try write.update(
        ObjectLink(table: table, key: ObjectKey(key)), [("color", Self.text("color \(number)"))])
      model[key] = "color \(number)"
      if inPieces, number % 333 == 332 {
        #expect(try colors(write.view(), isEnumerated: number < 990) == model)
        try realm.commit(write)
        write = try realm.begin()
      }
    }
    try realm.commit(write)
    realm.close()
    try expect(model, in: path, isEnumerated: false)
  }

  @Test("columns beside an enumerated one come, go and get names; it goes with its texts")
  func schema() throws {
    let files = try ScratchFolder(keepable: "enumerated")
    let path = try thing(300, files, named: "schema")
    let realm = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    var write = try realm.begin()
    try write.removeProperty("Thing", "number")
    try write.addProperty("Thing", PropertyDefinition("first", .string))
    try write.renameProperty("Thing", "color", to: "other")
    try write.renameProperty("Thing", "other", to: "color")
    try write.setIndex("Thing", "color", .general)
    try realm.commit(write)
    realm.close()
    try expect(Self.colors(300), in: path)
    let again = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    write = try again.begin()
    try write.removeProperty("Thing", "color")
    try again.commit(write)
    again.close()
    #expect(try FileInspection.inspect(path).findings.filter { $0.kind != .lostSpace }.isEmpty)
    #expect(try Database.open(path).transaction.table(named: "Thing")?.schema.properties.count == 1)
  }

  @Test("rows that are loaded in bulk are plain texts")
  func bulk() throws {
    let files = try ScratchFolder(keepable: "enumerated")
    let path = try thing(0, files, named: "bulk")
    let realm = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    let write = try realm.begin()
    let load = try write.beginLoad()
    let table = try load.table(try #require(try write.schema(named: "Thing")).tableKey)
    for number in 0..<300 {
      try table.beginObject(key: ObjectKey(Int64(number)))
      try table.put(1, .single(.string(ByteString(Self.words[number % Self.words.count]))))
      try table.endObject()
    }
    try load.finish()
    try realm.commit(write)
    realm.close()
    try expect(Self.colors(300), in: path, isEnumerated: false)
  }
}
