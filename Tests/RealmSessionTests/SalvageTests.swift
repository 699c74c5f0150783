// What comes back of damaged realms: damage is done by rule, to every kind of node, and what comes back is compared with what
// stood in the sound file.

import Foundation
import RealmEngine
import RealmSession
import TestSupport
import Testing

/// A sound realm of the fixtures.
private struct SoundRealm {
  let name: String
  let bytes: [UInt8]
  /// Offsets of all nodes that look like one, in the whole file.
  let nodes: [Int]

  static let folder: URL = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.deletingLastPathComponent().appendingPathComponent("fixtures")
  }()

  init(_ name: String) throws {
    self.name = name
    bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    var nodes: [Int] = []
    var offset = 24
    while offset + 8 < bytes.count {
      if Self.looksLikeNode(bytes, offset) { nodes.append(offset) }
      offset += 8
    }
    self.nodes = nodes
  }

  private static func looksLikeNode(_ bytes: [UInt8], _ offset: Int) -> Bool {
    for index in 0..<4 where bytes[offset + index] != 0x41 { return false }
    return bytes[offset + 4] & 0x18 != 0x18
  }

  /// Bytes of the node at an offset, its header included.
  func size(_ offset: Int) -> Int {
    let flags = bytes[offset + 4]
    let code = Int(flags & 7)
    let width = code == 0 ? 0 : 1 << (code - 1)
    let high = Int(bytes[offset + 5]) << 16
    let middle = Int(bytes[offset + 6]) << 8
    let count = high + middle + Int(bytes[offset + 7])
    var content = count
    if flags & 0x18 == 0 { content = (count * width + 7) / 8 }
    if flags & 0x18 == 8 { content = count * width }
    let whole = 8 + (content + 7) / 8 * 8
    return min(whole, bytes.count - offset)
  }
}

extension SoundRealm {
  /// What the header's selected slot names.
  var top: Int { number(at: 8 * Int(bytes[23] & 1), size: 8) }

  private func number(at offset: Int, size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  /// An element of a node of refs.
  func ref(_ index: Int, of node: Int) -> Int {
    let size = (1 << (Int(bytes[node + 4] & 7) - 1)) / 8
    return number(at: node + 8 + index * size, size: size)
  }

  /// What leads to a realm's rows, by what it is.
  func nodes(leading word: String) -> [Int] {
    let list = ref(1, of: top)
    let tables = (0..<Int(bytes[list + 7])).map { ref($0, of: list) }.filter { $0 != 0 && $0 & 1 == 0 }
    return switch word {
    case "top array": [top]
    case "list of tables": [list]
    default: tables.map { ref(0, of: $0) }
    }
  }

  /// What the header's other slot names.
  var otherTop: Int { number(at: 8 - 8 * Int(bytes[23] & 1), size: 8) }

  /// The file with nodes overwritten.
  func zeroing(_ nodes: [Int]) -> [UInt8] {
    var bytes = bytes
    for node in nodes { for index in node..<node + size(node) { bytes[index] = 0 } }
    return bytes
  }
}

/// The single values of all objects, by class and object key; without links, whose classes have new numbers.
private typealias Picture = [String: [Int64: [String: String]]]

@Suite("Salvage")
struct SalvageTests {
  private static let names = [
    "alltypes.realm", "zoo.realm", "evolved.realm", "place.realm", "bare.realm", "legacy9-small.realm",
  ]

  private static func picture(_ transaction: ReadTransaction) throws -> Picture {
    var picture: Picture = [:]
    for table in transaction.classes() where table.schema.kind == .object {
      var objects: [Int64: [String: String]] = [:]
      var cursor = table.blocks()
      while let block = try cursor.next() {
        for row in 0..<block.count { objects[block.key(row).value] = [:] }
        for property in table.schema.properties
        where property.collection == nil && property.type != .object && property.type != .mixed {
          let leaf = try block.leaf(property)
          for row in 0..<block.count {
            let value = try leaf.value(row, in: table.snapshot)
            objects[block.key(row).value]?[property.name] = Self.text(value)
          }
        }
      }
      picture[table.schema.name] = objects
    }
    return picture
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .string(let bytes), .data(let bytes): String(describing: bytes.bytes.array())
    default: String(describing: value)
    }
  }

  /// What comes back of a file: nil where it is none any more.
  private static func recovered(
    _ bytes: [UInt8], _ choices: SalvageChoices = SalvageChoices()
  ) throws -> (salvage: Salvage, picture: Picture)? {
    let salvage: Salvage
    do {
      salvage = try Salvage(try SalvageFile.open(FilePath("damaged"), content: bytes, key: nil), choices)
    } catch {
      let isNothingLeft = error.kind == .notARealm || error.kind == .damaged || error.kind == .keyMissing
      #expect(isNothingLeft)
      return nil
    }
    let realm = try WritableDatabase.inMemory()
    let transaction = try realm.begin()
    try SalvageWriter(salvage, into: transaction).run()
    let picture = try Self.picture(try transaction.view())
    try realm.commit(transaction)
    let report = try FileInspection.inspect(realm.database.file)
    let places = report.findings.filter { $0.severity == .damage }.map(\.place)
    #expect(places == [])
    return (salvage, picture)
  }

  private static func original(_ realm: SoundRealm) throws -> Picture {
    let file = try RealmFile(stream: realm.bytes, path: FilePath(realm.name), key: nil)
    return try picture(try Database(file).transaction)
  }

  private static func count(_ picture: Picture) -> Int {
    var count = 0
    for (name, objects) in picture where !name.hasPrefix("Recovered_") { count += objects.count }
    return count
  }

  /// Whether each object has the values it had, or null.
  private static func isPart(_ found: Picture, of sound: Picture) -> String? {
    for (name, objects) in found where !name.hasPrefix("Recovered_") {
      for (key, values) in objects {
        guard let before = sound[name]?[key] else { continue }
        for (property, value) in values where value != "null" {
          // An older version may have had other properties.
          guard let old = before[property], value != old else { continue }
          return name + " " + property + " is " + value + " and was " + old
        }
      }
    }
    return nil
  }

  @Test("A sound realm comes back whole", arguments: names)
  func soundRealm(_ name: String) throws {
    let realm = try SoundRealm(name)
    let (salvage, picture) = try #require(try Self.recovered(realm.bytes))
    #expect(salvage.isSound)
    let original = try Self.original(realm)
    #expect(picture == original)
  }

  @Test(
    "What only leads to rows can be lost",
    arguments: ["zoo.realm", "alltypes.realm", "place.realm"], ["top array", "list of tables", "spec"])
  func lostStructure(_ name: String, _ word: String) throws {
    let realm = try SoundRealm(name)
    let original = try Self.original(realm)
    for node in realm.nodes(leading: word) {
      let (salvage, picture) = try #require(try Self.recovered(realm.zeroing([node])))
      #expect(!salvage.isSound)
      let isSame = picture == original
      #expect(isSame, "node at \(node)")
    }
  }

  @Test("A newer version in the slot that is not selected comes back if it is whole", arguments: names)
  func newerVersion(_ name: String) throws {
    let realm = try SoundRealm(name)
    let original = try Self.original(realm)
    var bytes = realm.bytes
    bytes[23] ^= 1
    guard bytes[8 * Int(bytes[23] & 1)..<8 * Int(bytes[23] & 1) + 8].contains(where: { $0 != 0 }) else {
      return
    }
    let (salvage, picture) = try #require(try Self.recovered(bytes))
    #expect(!salvage.isSound)
    #expect(salvage.versions.first?.origin == .newer)
    let isSame = picture == original
    #expect(isSame)
    // One that is not whole may be what a commit had not finished.
    var torn = realm.zeroing([realm.ref(1, of: realm.top)])
    torn[23] ^= 1
    #expect(try Self.recovered(torn)?.salvage.versions.first?.origin != .newer)
  }

  @Test(
    "A realm of an old format comes back without any top array, and without its header",
    arguments: [true, false])
  func oldTables(_ hasHeader: Bool) throws {
    let realm = try SoundRealm("legacy9-small.realm")
    var bytes = realm.zeroing([realm.top, realm.otherTop].filter { $0 != 0 })
    if !hasHeader { for index in 0..<24 { bytes[index] = 0 } }
    let (salvage, picture) = try #require(try Self.recovered(bytes))
    #expect(!salvage.isSound)
    let original = try Self.original(realm)
    let isSame = picture == original
    #expect(isSame)
  }

  @Test("What no new realm can hold is told: a name that is too long, a date that is none")
  func unstorable() throws {
    let names = try SoundRealm("hostile/F-trap-upgrade-names.realm")
    let (cut, _) = try #require(try Self.recovered(names.bytes))
    #expect(!cut.isSound)
    #expect(cut.log.damages.contains { $0.reason.contains("shortened") })
    let dates = try SoundRealm("hostile/date-range.realm")
    let (nulled, _) = try #require(try Self.recovered(dates.bytes))
    #expect(!nulled.isSound)
    #expect(nulled.classes.map(\.counts.partial).reduce(0, +) == 1)
  }

  @Test("Rows whose table is cut off come back to the class that the version before knew", arguments: [0, 1])
  func cutTable(_ tables: Int) throws {
    let realm = try SoundRealm("alltypes.realm")
    let original = try Self.original(realm)
    let list = realm.ref(1, of: realm.top)
    let cut = realm.ref(Int(realm.bytes[list + 7]) - 1 - tables, of: list)
    let (_, picture) = try #require(try Self.recovered(Array(realm.bytes.prefix(cut))))
    let names = ["AllTypes", "Indexed"].prefix(2 - tables)
    for name in names { #expect(picture[name]?.count == original[name]?.count) }
    #expect(Self.isPart(picture, of: original) == nil)
  }

  @Test("A file that is nothing but headers of large nodes holds nobody up", arguments: [0x44, 0x0c, 0x47])
  func headersOnly(_ flags: UInt8) throws {
    let size = 1 << 20
    var bytes: [UInt8] = []
    while bytes.count < size { bytes += [0x41, 0x41, 0x41, 0x41, flags, 0, 0xff, 0xff] }
    for slot in 0..<2 {
      for index in 0..<8 { bytes[8 * slot + index] = UInt8(truncatingIfNeeded: (size - 8) >> (8 * index)) }
    }
    bytes.replaceSubrange(16..<24, with: [0x54, 0x2d, 0x44, 0x42, 24, 24, 0, 0])
    #expect(try Self.recovered(bytes) == nil)
  }

  @Test("With any one node zeroed, objects come back with the values they had or with null", arguments: names)
  func zeroedNode(_ name: String) throws {
    let realm = try SoundRealm(name)
    let sound = try Self.original(realm)
    let total = Self.count(sound)
    var saved = 0
    let step = max(1, realm.nodes.count / 60)
    var chosenCount = 0
    for number in stride(from: 0, to: realm.nodes.count, by: step) {
      let offset = realm.nodes[number]
      chosenCount += 1
      guard let (_, picture) = try Self.recovered(realm.zeroing([offset])) else { continue }
      let difference = Self.isPart(picture, of: sound)
      #expect(difference == nil, "node at \(offset)")
      saved += Self.count(picture)
    }
    // One node in many is never what holds most objects.
    #expect(saved * 2 > total * chosenCount)
  }

  @Test(
    "Truncated at every eighth, files give what is left, and no error but that nothing is", arguments: names)
  func truncated(_ name: String) throws {
    let realm = try SoundRealm(name)
    let sound = try Self.original(realm)
    for eighth in 1..<8 {
      let size = realm.bytes.count * eighth / 8
      let bytes = Array(realm.bytes.prefix(size - size % 8))
      guard let (salvage, picture) = try Self.recovered(bytes) else { continue }
      let isTrue = !salvage.isSound || picture == sound
      #expect(isTrue)
      #expect(Self.isPart(picture, of: sound) == nil)
    }
  }

  @Test("Zeroed and exchanged pages leave the rest", arguments: names)
  func brokenPages(_ name: String) throws {
    let realm = try SoundRealm(name)
    var random = SplitMix64(state: 26)
    let pageCount = realm.bytes.count / 4096
    for page in 0..<min(20, pageCount) {
      var bytes = realm.bytes
      let other = random.below(pageCount)
      for index in 0..<4096 {
        bytes[page * 4096 + index] = page == other ? 0 : realm.bytes[other * 4096 + index]
      }
      _ = try Self.recovered(bytes)
    }
  }
}
