// Sound realms that tests damage, and what comes back of them.

import Foundation
import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

/// A sound realm of the fixtures.
struct SoundRealm {
  let name: String
  let bytes: [UInt8]
  /// Offsets of all nodes that look like one, in the whole file.
  let nodes: [Int]

  static let folder: URL = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.deletingLastPathComponent().appendingPathComponent("fixtures")
  }()

  init(_ name: String) throws {
    self.init(name, [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name))))
  }

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
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

  /// The width of a node's elements: bytes of texts, bits of numbers.
  func elementSize(_ node: Int) -> Int { 1 << (Int(bytes[node + 4] & 7) - 1) }

  /// What leads to a realm's rows, by what it is.
  func nodes(leading word: String) -> [Int] {
    return switch word {
    case "top array": [top]
    case "list of tables": [ref(1, of: top)]
    default: tables.map { ref(0, of: $0) }
    }
  }

  /// What the header's other slot names.
  var otherTop: Int { number(at: 8 - 8 * Int(bytes[23] & 1), size: 8) }

  /// The tables' top arrays.
  var tables: [Int] {
    let list = ref(1, of: top)
    return (0..<Int(bytes[list + 7])).map { ref($0, of: list) }.filter { $0 != 0 && $0 & 1 == 0 }
  }

  /// The file with another ref in a node.
  func leading(_ index: Int, of node: Int, to other: Int) -> [UInt8] {
    var bytes = bytes
    let size = elementSize(node) / 8
    for byte in 0..<size {
      bytes[node + 8 + index * size + byte] = UInt8(truncatingIfNeeded: other >> (8 * byte))
    }
    return bytes
  }

  /// The file with nodes overwritten.
  func zeroing(_ nodes: [Int]) -> [UInt8] {
    var bytes = bytes
    for node in nodes { for index in node..<node + size(node) { bytes[index] = 0 } }
    return bytes
  }
}

/// The single values of all objects, by class and object key; without links, whose classes have new numbers.
typealias Picture = [String: [Int64: [String: String]]]

/// What salvage makes of a file.
enum Salvaging {
  static func picture(_ transaction: ReadTransaction) throws -> Picture {
    var picture: Picture = [:]
    for table in transaction.classes() where table.schema.kind == .object {
      var objects: [Int64: [String: String]] = [:]
      for block in try table.allBlocks() {
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
  static func recovered(
    _ bytes: [UInt8], _ choices: SalvageChoices = SalvageChoices()
  ) throws -> (salvage: Salvage, picture: Picture)? {
    let salvage: Salvage
    do {
      salvage = try Salvage(
        try SalvageFile.open(FilePath("damaged"), content: MemoryImage.holding(bytes), key: nil), choices)
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

  static func original(_ realm: SoundRealm) throws -> Picture {
    let file = try RealmFile(stream: realm.bytes, path: FilePath(realm.name), key: nil)
    return try picture(try Database(file).transaction)
  }

  static func count(_ picture: Picture) -> Int {
    var count = 0
    for (name, objects) in picture where !name.hasPrefix("Recovered_") { count += objects.count }
    return count
  }

  /// Whether each object has the values it had, or null.
  static func isPart(_ found: Picture, of sound: Picture) -> String? {
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
}
