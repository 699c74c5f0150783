// Encrypted realms of which bytes, blocks and pages were changed: a wrong key is told apart from damage, and `--unverified`
// brings back what no changed block touches. The expectation walks the sound bytes on its own.

import Foundation
import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

/// An encrypted realm, its data, and where each value stands in it.
private struct EncryptedRealm {
  let file: [UInt8]
  let key: EncryptionKey
  let picture: Picture
  private(set) var values: [ValuePlaces] = []
  private let data: SoundRealm

  /// The bytes that one value comes from.
  struct ValuePlaces {
    let className: String
    let key: Int64
    let property: String
    /// What leads to it: the header, the top arrays, the tree of rows.
    let above: [Range<Int>]
    /// Its own.
    let own: [Range<Int>]
    /// Of the primary key of its object.
    var primaryKey: [Range<Int>] = []
  }

  static func key(changing byte: Int? = nil) throws -> EncryptionKey {
    let text = try String(contentsOf: SoundRealm.folder.appendingPathComponent("key.hex"), encoding: .utf8)
    let digits = Array(text.filter(\.isHexDigit))
    var bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    if let byte { bytes[byte] ^= 0x10 }
    return try #require(EncryptionKey(bytes))
  }

  init(_ name: String) throws {
    file = try SoundRealm(name).bytes
    key = try Self.key()
    let opened = try RealmFile(stream: file, path: FilePath(name), key: key)
    var bytes: [UInt8] = []
    for offset in stride(from: 0, to: opened.image.size, by: PageGeometry.pageSize) {
      let page = try? opened.image.bytes(offset, PageGeometry.pageSize).array()
      bytes += page ?? [UInt8](repeating: 0, count: PageGeometry.pageSize)
    }
    data = SoundRealm(name, bytes)
    let transaction = try Database(opened).transaction
    picture = try Salvaging.picture(transaction)
    let list = data.ref(1, of: data.top)
    let group = [0..<24, range(data.top), range(data.ref(0, of: data.top)), range(list)]
    for table in transaction.classes() where table.schema.kind == .object {
      let top = data.ref(table.schema.tableKey.slot, of: list)
      var above = group + [range(top)] + subtree(data.ref(0, of: top))
      for slot in 3..<count(top) where isRef(slot, of: top) {
        let node = data.ref(slot, of: top)
        above.append(range(node))
      }
      var found: [ValuePlaces] = []
      walk(data.ref(2, of: top), 0, above, table.schema, &found)
      values += found
    }
  }

  // MARK: Nodes

  private func count(_ node: Int) -> Int {
    data.bytes[node + 5...node + 7].reduce(0) { $0 << 8 | Int($1) }
  }

  private func range(_ node: Int) -> Range<Int> { node..<node + data.size(node) }

  private func hasRefs(_ node: Int) -> Bool { data.bytes[node + 4] & 0x40 != 0 }

  private func isRef(_ slot: Int, of node: Int) -> Bool {
    guard data.elementSize(node) >= 8 else { return false }
    let ref = data.ref(slot, of: node)
    return ref != 0 && ref & 1 == 0
  }

  private func subtree(_ node: Int) -> [Range<Int>] {
    guard hasRefs(node) else { return [range(node)] }
    return (0..<count(node)).filter { isRef($0, of: node) }.reduce([range(node)]) {
      $0 + subtree(data.ref($1, of: node))
    }
  }

  // MARK: Rows

  private func walk(
    _ node: Int, _ offset: Int64, _ above: [Range<Int>], _ schema: ClassSchema, _ found: inout [ValuePlaces]
  ) {
    var above = above + [range(node)]
    let keys = isRef(0, of: node) ? data.ref(0, of: node) : nil
    if let keys { above.append(range(keys)) }
    guard data.bytes[node + 4] & 0x80 == 0 else {
      let level = data.ref(1, of: node) >> 1
      for child in 0..<count(node) - 3 {
        let start = keys.map { number(child, of: $0) } ?? child << (8 * level)
        walk(data.ref(3 + child, of: node), offset + Int64(start), above, schema, &found)
      }
      return
    }
    let rows = keys.map(count) ?? data.ref(0, of: node) >> 1
    for row in 0..<rows {
      let key = offset + Int64(keys.map { number(row, of: $0) } ?? row)
      let primary = schema.primaryKeyIndex.map { own(schema.properties[$0], node, row) } ?? []
      for property in schema.properties
      where property.collection == nil && property.type != .object && property.type != .mixed {
        found.append(
          ValuePlaces(
            className: schema.name, key: key, property: property.name, above: above,
            own: own(property, node, row), primaryKey: primary))
      }
    }
  }

  /// The leaf of a row, with all its parts or those of the row, where each has its own.
  private func own(_ property: Property, _ cluster: Int, _ row: Int) -> [Range<Int>] {
    let leaf = data.ref(property.columnKey.leafIndex + 1, of: cluster)
    let isBig = hasRefs(leaf) && data.bytes[leaf + 4] & 0x20 != 0
    guard isBig else { return subtree(leaf) }
    return [range(leaf)] + (isRef(row, of: leaf) ? subtree(data.ref(row, of: leaf)) : [])
  }

  /// An element of a node of numbers of any width.
  private func number(_ index: Int, of node: Int) -> Int {
    let bits = 1 << (Int(data.bytes[node + 4] & 7) - 1)
    guard data.bytes[node + 4] & 7 > 0 else { return 0 }
    guard bits >= 8 else {
      return Int(data.bytes[node + 8 + index * bits / 8]) >> (index * bits % 8) & (1 << bits - 1)
    }
    return data.ref(index, of: node)
  }
}

/// A changed file, and which blocks of its data are not what they were.
private struct EncryptedDamage {
  var file: [UInt8]
  /// Blocks of 16 bytes of the data.
  private(set) var changedBlocks: Set<Int> = []
  private(set) var failingPages: Set<Int> = []

  private static let blocksPerPage = PageGeometry.pageSize / 16

  init(of realm: EncryptedRealm, _ random: inout SplitMix64) {
    file = realm.file
    let pageCount = PageGeometry.pageCount(fileSize: file.count)
    let written = (0..<pageCount).filter { page in
      file[PageGeometry.entryPosition(ofPage: page)..<PageGeometry.entryPosition(ofPage: page) + 4].contains {
        $0 != 0
      }
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let page = written.randomElement(using: &random) else { return }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: change(page, 0..<PageGeometry.pageSize, &random)
      case 1...3:
        let size = 16 * Int.random(in: 1...8, using: &random)
        let start = Int.random(in: 0...PageGeometry.pageSize - size, using: &random)
        change(page, start..<start + size, &random)
      case 4: changeCheck(page, &random)
      default:
        let start = Int.random(in: 0..<PageGeometry.pageSize, using: &random)
        change(page, start..<start + 1, &random)
      }
    }
  }

  /// A wrong byte costs its block and, in the next one, the bytes in its place.
  private mutating func change(_ page: Int, _ bytes: Range<Int>, _ random: inout SplitMix64) {
    let start = PageGeometry.filePosition(ofPage: page)
    for byte in bytes { file[start + byte] ^= UInt8.random(in: 1...255, using: &random) }
    failingPages.insert(page)
    let first = page * Self.blocksPerPage
    for block in bytes.lowerBound / 16...min((bytes.upperBound - 1) / 16 + 1, Self.blocksPerPage - 1) {
      changedBlocks.insert(first + block)
    }
  }

  private mutating func changeCheck(_ page: Int, _ random: inout SplitMix64) {
    file[PageGeometry.entryPosition(ofPage: page) + Int.random(in: 4..<32, using: &random)] ^= 1
    failingPages.insert(page)
  }

  func isChanged(_ ranges: [Range<Int>]) -> Bool {
    ranges.contains { range in
      (range.lowerBound / 16...(range.upperBound - 1) / 16).contains(where: changedBlocks.contains)
    }
  }

  func isFailing(_ ranges: [Range<Int>]) -> Bool {
    ranges.contains { range in
      (range.lowerBound / PageGeometry.pageSize...(range.upperBound - 1) / PageGeometry.pageSize)
        .contains(where: failingPages.contains)
    }
  }
}

@Suite("Encrypted realms with damage")
struct EncryptedDamageTests {
  private static let realms = ["zoo-encrypted.realm", "format22-encrypted.realm", "format11-encrypted.realm"]
  private static let count = TestScale.cases(fast: 3, usual: 24, long: 250)

  @Test(
    "what no changed block touches comes back, what comes of a failing page is marked, a wrong key is no damage"
  )
  func randomDamage() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let realms = try Self.realms.map(EncryptedRealm.init)
    var comparedCount = 0
    for number in 0..<Self.count {
      let realm = realms[number % realms.count]
      let damage = EncryptedDamage(of: realm, &random)
      let complaint = try Self.complaint(realm, damage, &comparedCount)
      #expect(complaint == nil, "case \(number) of seed \(seed), \(Self.realms[number % realms.count])")
      let wrong = try EncryptedRealm.key(changing: Int.random(in: 0..<64, using: &random))
      #expect(Self.refusal(damage.file, wrong) == .keyWrong, "case \(number) of seed \(seed)")
      #expect(Self.refusal(damage.file, realm.key) != .keyWrong, "case \(number) of seed \(seed)")
    }
    #expect(comparedCount > 1000)
  }

  private static func refusal(_ file: [UInt8], _ key: EncryptionKey) -> EngineError.Kind? {
    do {
      let opened = try RealmFile(stream: file, path: FilePath("damaged"), key: key)
      _ = try FileInspection.inspect(opened)
      _ = try SalvageFile.open(FilePath("damaged"), content: MemoryImage.holding(file), key: key)
      return nil
    } catch {
      return error.kind
    }
  }

  private static func complaint(
    _ realm: EncryptedRealm, _ damage: EncryptedDamage, _ comparedCount: inout Int
  ) throws -> String? {
    let salvage = try Salvage(
      try SalvageFile.open(
        FilePath("damaged"), content: MemoryImage.holding(damage.file), key: realm.key,
        acceptingUnverified: true))
    guard Set(salvage.file.unverifiedPages) == damage.failingPages else { return "other pages fail" }
    let target = try WritableDatabase.inMemory()
    let transaction = try target.begin()
    try SalvageWriter(salvage, into: transaction).run()
    let found = try Salvaging.picture(try transaction.view())
    for value in realm.values where !damage.isChanged(value.above) && !damage.isChanged(value.primaryKey) {
      let name = "\(value.className) \(value.key) \(value.property)"
      let old = realm.picture[value.className]?[value.key]?[value.property]
      let new = found[value.className]?[value.key]?[value.property]
      guard old != nil else { return "\(name) was not there" }
      comparedCount += 1
      if !damage.isChanged(value.own), old != new {
        return "\(name) is \(new ?? "lost"), was \(old ?? "")"
      }
      guard let item = salvage.classes.first(where: { $0.name == value.className }),
        let index = item.schema.properties.firstIndex(where: { $0.name == value.property }),
        item.counts.older == 0, item.counts.properties[index].older == 0, new != nil, new != "null"
      else { continue }
      let isMarked = item.counts.unverifiedKeys[index].runs.contains { $0.contains(value.key) }
      if damage.isFailing(value.own), !isMarked { return "\(name) is not marked" }
      if isMarked, !damage.isFailing(value.own + value.above) { return "\(name) is marked" }
    }
    return nil
  }
}
