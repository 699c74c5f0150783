// How many objects a salvage says are lost.

import Foundation
import RealmEngine
import RealmRecovery
import TestSupport
import Testing

@Suite("Objects that do not come back")
struct LostObjectTests {
  private func salvage(_ bytes: [UInt8]) throws -> Salvage {
    try Salvage(try SalvageFile.open(FilePath("damaged"), content: MemoryImage.holding(bytes), key: nil))
  }

  @Test("links name the objects of a class whose rows are gone")
  func links() throws {
    let realm = try SoundRealm("hostile/F-compact-damaged.realm")
    let found = try salvage(realm.bytes)
    let counts = try #require(found.classes.first { $0.name == "Address" }?.counts)
    #expect(counts.sound + counts.partial == 0)
    #expect(counts.knownLost == 100 && counts.isLostUncertain)
    #expect(found.totals.knownLost == 100 && found.totals.isLostUncertain)
  }

  @Test(
    "what comes back and what is lost is at least what was there", arguments: ["zoo.realm", "place.realm"])
  func counts(name: String) throws {
    let realm = try SoundRealm(name)
    let original = try salvage(realm.bytes)
    for (number, node) in realm.nodes(leading: "table").enumerated() where number > 0 {
      let found = try salvage(realm.zeroing([node]))
      for (item, whole) in zip(found.classes, original.classes) {
        let back = item.counts.sound + item.counts.partial + item.counts.setAside
        let all = whole.counts.sound
        #expect(back + item.counts.knownLost >= all || item.counts.isLostUncertain, "\(item.name)")
      }
    }
  }
}
