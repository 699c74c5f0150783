// Salvage takes time that grows with the file, whatever stands in it.

import Foundation
import RealmEngine
import RealmRecovery
import TestSupport
import Testing

@Suite("Salvage of files with random patches")
struct SalvagePatchTests {
  private static let names = ["zoo.realm", "place.realm", "alltypes.realm", "legacy9-small.realm"]

  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = Date()
    try body()
    return Date().timeIntervalSince(start)
  }

  /// In seconds, of a build that is not optimised, on a busy machine: less would only show that.
  private static let limit = 20.0

  @Test("Files of some hundred kilobytes take no time, however they are patched", arguments: names)
  func random(name: String) throws {
    let seed = testSeed()
    var generator = SplitMix64(state: seed)
    let realm = try SoundRealm(name)
    for turn in 0..<6 {
      var bytes = realm.bytes
      for _ in 0...Int.random(in: 0...3, using: &generator) {
        let size = min(bytes.count, [8, 512, 4096, 65536].randomElement(using: &generator) ?? 8)
        let start = Int.random(in: 0...bytes.count - size, using: &generator)
        let source = Int.random(in: 0...bytes.count - size, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: for index in 0..<size { bytes[start + index] = .random(in: 0...255, using: &generator) }
        case 1: bytes.replaceSubrange(start..<start + size, with: repeatElement(0, count: size))
        default: bytes.replaceSubrange(start..<start + size, with: Array(bytes[source..<source + size]))
        }
      }
      let time = try seconds { _ = try Salvaging.recovered(bytes) }
      #expect(time < Self.limit, "seed \(seed), turn \(turn)")
    }
  }

  @Test("A large node that the texts of many rows lead to is looked through once")
  func sharedPart() throws {
    var bytes = RealmBytes()
    // Two texts lead into a page without any node, which makes it one of others.
    let trash = bytes.node(widthCode: 0, count: 0, payload: [UInt8](repeating: 0, count: 1 << 14))
    let page = (trash + 4095) / 4096 * 4096
    let large = bytes.node(
      refs: true, kind: 1, widthCode: 1, count: 20_000, payload: [UInt8](repeating: 0, count: 20_000))
    let rowCount = 64
    let first = bytes.refs(to: [Int](repeating: large, count: rowCount), context: true)
    let second = bytes.refs(to: (0..<rowCount).map { page + 64 * ($0 % 2) }, context: true)
    let keys = (0..<2).map { RealmBytes.columnKey($0, type: 2, attributes: 16) }
    let table = bytes.table(
      slot: 0, columns: [.init("a", key: keys[0], leaf: first), .init("b", key: keys[1], leaf: second)],
      clusters: bytes.cluster(rowCount: rowCount, leaves: [first, second]))
    let file = bytes.realm(["class_T"], tables: [table])
    let time = try seconds {
      let salvage = try Salvage(
        try SalvageFile.open(FilePath("damaged"), content: MemoryImage.holding(file), key: nil))
      #expect(salvage.totals.sound + salvage.totals.partial == rowCount)
    }
    #expect(time < Self.limit / 4)
  }
}
