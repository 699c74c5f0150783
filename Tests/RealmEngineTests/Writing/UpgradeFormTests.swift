// What upgrades and compact copies make anew, and what they leave as it is.

import Foundation
import RealmEngine
import Testing

@Suite("What upgraded and compacted files are made of")
struct UpgradeFormTests {
  @Test("a compacted file has no local history, in its format", arguments: [22, 23, 24])
  func history(format: UInt8) throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = format
    #expect(realm.get(realm.node(at: []), 8) != 0)
    let files = try ScratchFiles("forms")
    let path = files.path("forms-history-\(format).realm")
    try realm.write(to: path)
    try path.rewrite(isUpgrade: false)
    let copy = try RealmSurgeon(at: path)
    #expect(copy.bytes[20 + copy.slot] == format)
    let (before, after) = (realm.node(at: []), copy.node(at: []))
    for slot in [6, 7, 9, 10] { #expect(realm.get(before, slot) == copy.get(after, slot)) }
    #expect(copy.get(after, 8) == 0)
  }
}
