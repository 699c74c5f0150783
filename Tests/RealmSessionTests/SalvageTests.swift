// What comes back of damaged realms: damage is done by rule, to every kind of node, and what comes back is compared with what
// stood in the sound file.

import Foundation
import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

@Suite("Salvage")
struct SalvageTests {
  static let names = [
    "alltypes.realm", "zoo.realm", "evolved.realm", "place.realm", "bare.realm", "legacy9-small.realm",
  ]

  @Test("A sound realm comes back whole", arguments: names)
  func soundRealm(_ name: String) throws {
    let realm = try SoundRealm(name)
    let (salvage, picture) = try #require(try Salvaging.recovered(realm.bytes))
    #expect(salvage.isSound)
    let original = try Salvaging.original(realm)
    #expect(picture == original)
  }

  @Test(
    "What only leads to rows can be lost",
    arguments: ["zoo.realm", "alltypes.realm", "place.realm"], ["top array", "list of tables", "spec"])
  func lostStructure(_ name: String, _ word: String) throws {
    let realm = try SoundRealm(name)
    let original = try Salvaging.original(realm)
    for node in realm.nodes(leading: word) {
      let (salvage, picture) = try #require(try Salvaging.recovered(realm.zeroing([node])))
      #expect(!salvage.isSound)
      let isSame = picture == original
      #expect(isSame, "node at \(node)")
    }
  }

  @Test("A newer version in the slot that is not selected comes back if it is whole", arguments: names)
  func newerVersion(_ name: String) throws {
    let realm = try SoundRealm(name)
    let original = try Salvaging.original(realm)
    var bytes = realm.bytes
    bytes[23] ^= 1
    guard bytes[8 * Int(bytes[23] & 1)..<8 * Int(bytes[23] & 1) + 8].contains(where: { $0 != 0 }) else {
      return
    }
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound)
    #expect(salvage.versions.first?.origin == .newer)
    let isSame = picture == original
    #expect(isSame)
    // One that is not whole may be what a commit had not finished.
    var torn = realm.zeroing([realm.ref(1, of: realm.top)])
    torn[23] ^= 1
    #expect(try Salvaging.recovered(torn)?.salvage.versions.first?.origin != .newer)
  }

  @Test(
    "A realm of an old format comes back without any top array, and without its header",
    arguments: [true, false])
  func oldTables(_ hasHeader: Bool) throws {
    let realm = try SoundRealm("legacy9-small.realm")
    var bytes = realm.zeroing([realm.top, realm.otherTop].filter { $0 != 0 })
    if !hasHeader { for index in 0..<24 { bytes[index] = 0 } }
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound)
    let original = try Salvaging.original(realm)
    let isSame = picture == original
    #expect(isSame)
  }

  @Test("Dictionaries of format 22 come back where no header says that they are")
  func oldDictionaries() throws {
    let folder = SoundRealm.folder
    let digits = try Array(
      String(contentsOf: folder.appendingPathComponent("key.hex"), encoding: .utf8).filter(\.isHexDigit))
    let key = try #require(
      EncryptionKey(
        stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(digits[$0..<$0 + 2]), radix: 16)
        }))
    let file = try RealmFile.open(
      FilePath(folder.appendingPathComponent("format22-encrypted.realm").path), key: key)
    // Pages behind the data were never written.
    let pageSize = 4096
    var bytes = stride(from: 0, to: file.image.size, by: pageSize).flatMap { page in
      (try? file.image.bytes(page, pageSize).array()) ?? Array(repeating: 0, count: pageSize)
    }
    #expect(file.format == 22)
    let named = try #require(try Salvaging.recovered(bytes)).salvage.totals
    for index in 0..<24 { bytes[index] = 0 }
    let searched = try #require(try Salvaging.recovered(bytes)).salvage.totals
    #expect(named.sound > 0 && searched.sound == named.sound && searched.partial == named.partial)
  }

  @Test("Names of tables that run into each other are lost, and not what is in the tables")
  func mergedNames() throws {
    let names = try SoundRealm("hostile/F-trap-upgrade-names.realm")
    let (salvage, _) = try #require(try Salvaging.recovered(names.bytes))
    #expect(!salvage.isSound && salvage.totals.sound == 64)
    #expect(salvage.classes.map(\.name).sorted() == ["Recovered_2", "Recovered_3", "Recovered_4"])
    #expect(salvage.log.damages.contains { $0.reason.contains("zero bytes within") })
  }

  @Test("A date that no new realm can hold is told")
  func unstorable() throws {
    let dates = try SoundRealm("hostile/date-range.realm")
    let (nulled, _) = try #require(try Salvaging.recovered(dates.bytes))
    #expect(!nulled.isSound)
    #expect(nulled.classes.map(\.counts.partial).reduce(0, +) == 1)
  }

  @Test("Rows whose table is cut off come back to the class that the version before knew", arguments: [0, 1])
  func cutTable(_ tables: Int) throws {
    let realm = try SoundRealm("alltypes.realm")
    let original = try Salvaging.original(realm)
    let list = realm.ref(1, of: realm.top)
    let cut = realm.ref(Int(realm.bytes[list + 7]) - 1 - tables, of: list)
    let (_, picture) = try #require(try Salvaging.recovered(Array(realm.bytes.prefix(cut))))
    let names = ["AllTypes", "Indexed"].prefix(2 - tables)
    for name in names { #expect(picture[name]?.count == original[name]?.count) }
    #expect(Salvaging.isPart(picture, of: original) == nil)
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
    #expect(try Salvaging.recovered(bytes) == nil)
  }

  @Test("With any one node zeroed, objects come back with the values they had or with null", arguments: names)
  func zeroedNode(_ name: String) throws {
    let realm = try SoundRealm(name)
    let sound = try Salvaging.original(realm)
    let total = Salvaging.count(sound)
    var saved = 0
    let step = max(1, realm.nodes.count / TestScale.cases(fast: 10, usual: 60, long: 60))
    var chosenCount = 0
    for number in stride(from: 0, to: realm.nodes.count, by: step) {
      let offset = realm.nodes[number]
      chosenCount += 1
      guard let (_, picture) = try Salvaging.recovered(realm.zeroing([offset])) else { continue }
      let difference = Salvaging.isPart(picture, of: sound)
      #expect(difference == nil, "node at \(offset)")
      saved += Salvaging.count(picture)
    }
    // One node in many is never what holds most objects.
    #expect(saved * 2 > total * chosenCount)
  }

  @Test(
    "Truncated at every eighth, files give what is left, and no error but that nothing is", arguments: names)
  func truncated(_ name: String) throws {
    let realm = try SoundRealm(name)
    let sound = try Salvaging.original(realm)
    for eighth in 1..<8 {
      let size = realm.bytes.count * eighth / 8
      let bytes = Array(realm.bytes.prefix(size - size % 8))
      guard let (salvage, picture) = try Salvaging.recovered(bytes) else { continue }
      let isTrue = !salvage.isSound || picture == sound
      #expect(isTrue)
      #expect(Salvaging.isPart(picture, of: sound) == nil)
    }
  }

  @Test("Zeroed and exchanged pages leave the rest", arguments: names)
  func brokenPages(_ name: String) throws {
    let realm = try SoundRealm(name)
    var random = SplitMix64(state: 26)
    let pageCount = realm.bytes.count / 4096
    for page in 0..<min(TestScale.cases(fast: 5, usual: 20, long: 20), pageCount) {
      var bytes = realm.bytes
      let other = random.below(pageCount)
      for index in 0..<4096 {
        bytes[page * 4096 + index] = page == other ? 0 : realm.bytes[other * 4096 + index]
      }
      _ = try Salvaging.recovered(bytes)
    }
  }
}
