// Leaves: each rule broken once. The class AllTypes has a property of every type, required (`_r`) and optional (`_o`).

import RealmEngine
import Testing

@Suite("Findings about leaves")
struct LeafFindingTests {
  private static let file = "alltypes.realm"

  private func leaf(_ realm: RealmSurgeon, _ property: String) -> SurgeonNode {
    realm.node(at: realm.leaf("AllTypes", property))
  }

  /// Where a property stands, or one of its objects.
  private func place(_ property: String, _ object: Int? = nil) -> String {
    "class AllTypes, property \(property)" + (object.map { ", object \($0)" } ?? "")
  }

  @Test(
    "F-41: a leaf is of its type's kind",
    arguments: [
      "int_r", "int_o", "bool_r", "string_r", "data_r", "date_r", "float_r", "double_r", "oid_r", "uuid_r",
      "any",
    ])
  func leafKind(_ property: String) throws {
    try expectFinding(.leafKind, in: Self.file, place: place(property)) {
      let flags = leaf($0, property).flags
      $0.setFlags(
        leaf($0, property),
        flags & 0x40 != 0 ? flags & ~0x40 : flags & 0x18 == 0 ? flags | 0x08 : 0x40 | flags & 7)
    }
  }

  @Test("F-41: a double's leaf has 8 bytes an element")
  func width() throws {
    try expectFinding(.leafKind, in: Self.file) { $0.setFlags(leaf($0, "double_r"), 0x0B) }
  }

  @Test(
    "F-42: the number that means null is the largest of its width", arguments: ["int_o", "date_o", "date_r"])
  func nullSentinel(_ property: String) throws {
    try expectFinding(.nullSentinel, in: Self.file) { realm in
      let path = realm.leaf("AllTypes", property) + (property.hasPrefix("date") ? [0] : [])
      // Wide numbers may have any sentinel; narrow ones may not.
      let count = realm.node(at: path).count
      realm.put(Int64(realm.append([5] + [Int64](repeating: 5, count: count - 1))), at: path)
    }
  }

  @Test("F-43: a boolean is 0, 1 or 3")
  func boolean() throws {
    try expectFinding(.boolean, in: Self.file) { $0.replace($0.leaf("AllTypes", "bool_o")) { $0[7] = 2 } }
  }

  @Test("F-45: a short text's padding is at most its width")
  func shortText() throws {
    try expectFinding(.shortText, place: "class Dog, property name, object 3") {
      let leaf = $0.node(at: $0.leaf("Dog", "name"))
      $0.bytes[leaf.offset + 8 + 4 * leaf.width - 1] = UInt8(leaf.width + 1)
    }
  }

  /// The path of a leaf of texts joined in one blob.
  private func joined(_ realm: RealmSurgeon) -> [Int] {
    let path = realm.leaf("Address", "street")
    let count = realm.node(at: path).count
    let ends = realm.append((1...Int64(count)).map { $0 * 2 })
    let blob = realm.append(
      kind: 2, count: count * 2, [UInt8]((0..<count * 2).map { $0 % 2 == 0 ? 0x61 : 0 }))
    let nulls = realm.append([Int64](repeating: 0, count: count))
    realm.put(Int64(realm.append(flags: 0x40, [ends, blob, nulls].map(Int64.init))), at: path)
    return path
  }

  @Test("F-46: the ends of joined texts rise to the blob's size, with a zero behind each")
  func blobEnds() throws {
    func broken(_ slot: Int, _ change: @escaping (inout [Int64]) -> Void) throws {
      try expectFinding(
        .blobEnds, prepare: { _ = joined($0) },
        damage: { realm in
          realm.replace(realm.leaf("Address", "street") + [slot], change)
        })
    }
    try broken(0) { $0[5] = 3 }
    try broken(0) { $0[$0.count - 1] += 100 }
    try broken(0) { $0[$0.count - 1] -= 1 }
    try broken(2) { $0[4] = 2 }
    try expectFinding(
      .blobEnds, prepare: { _ = joined($0) }, place: "class Address, property street, object 0",
      damage: {
        $0.bytes[$0.node(at: $0.leaf("Address", "street") + [1]).offset + 9] = 0x62
      })
  }

  /// Gives every street a node of its own.
  private func separate(_ realm: RealmSurgeon) {
    let path = realm.leaf("Address", "street")
    let count = realm.node(at: path).count
    let blobs = (0..<count).map { _ in Int64(realm.append(kind: 2, count: 3, [0x61, 0x62, 0])) }
    realm.put(Int64(realm.append(flags: 0x60, blobs)), at: path)
  }

  @Test("F-47: a text in a node of its own ends with a zero")
  func blob() throws {
    try expectFinding(.blob, prepare: separate, place: "class Address, property street, object 2") {
      $0.bytes[$0.node(at: $0.leaf("Address", "street") + [2]).offset + 10] = 0x63
    }
    try expectFinding(.blob, prepare: separate) {
      let path = $0.leaf("Address", "street") + [2]
      $0.put(Int64($0.append([1, 2])), at: path)
    }
  }

  @Test("F-46, F-47: bytes with the context bit would be followed as refs", arguments: [false, true])
  func bytesAsRefs(_ isJoined: Bool) throws {
    try expectFinding(
      isJoined ? .leafKind : .blob,
      prepare: { realm in
        if isJoined { _ = joined(realm) } else { separate(realm) }
      },
      damage: { realm in
        let blob = realm.node(at: realm.leaf("Address", "street") + [1])
        realm.setFlags(blob, realm.bytes[blob.offset + 4] | 0x20)
      })
  }

  @Test("F-48: nanoseconds are less than a second and of the seconds' sign")
  func date() throws {
    try expectFinding(.date, in: Self.file, place: place("date_r", 4)) {
      $0.replace($0.leaf("AllTypes", "date_r") + [1]) { $0[4] = 1_000_000_000 }
    }
  }

  @Test("F-49: decimals have 4, 8 or 16 bytes, before format 24 only 16")
  func decimal() throws {
    try expectFinding(.decimal, in: Self.file) { $0.setFlags(leaf($0, "dec_r"), 0x0A) }
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 23
    let width = realm.node(at: realm.leaf("Person", "balance")).width
    #expect(try realm.findings().contains(.decimal) == (width < 16))
  }

  @Test("F-50: a leaf of identifiers has whole ones")
  func identifier() throws {
    try expectFinding(.identifier, in: Self.file) {
      $0.setCount(leaf($0, "oid_r"), leaf($0, "oid_r").count - 5)
    }
  }

  @Test("F-54: what is required is not null", arguments: ["bool", "string", "data", "oid", "uuid", "date"])
  func requiredNull(_ type: String) throws {
    try expectFinding(.requiredNull, in: Self.file) { realm in
      // The leaf of the optional property in the required one's place, and the other way round.
      let (required, optional) = (realm.leaf("AllTypes", type + "_r"), realm.leaf("AllTypes", type + "_o"))
      let offsets = (realm.node(at: required).offset, realm.node(at: optional).offset)
      realm.put(Int64(offsets.1), at: required)
      realm.put(Int64(offsets.0), at: optional)
    }
  }

  @Test("F-55: text that is not UTF-8 is worth a note")
  func text() throws {
    let report = try expectFinding(.text, place: "class Dog, property name, object 0") {
      $0.bytes[$0.node(at: $0.leaf("Dog", "name")).offset + 8] = 0xFF
    }
    #expect(report.isSound)
  }

  // MARK: Mixed values

  /// The first element of `any` that has the wanted home.
  private func element(_ realm: RealmSurgeon, home: Int64) -> Int {
    let composites = realm.elements(realm.node(at: realm.leaf("AllTypes", "any") + [0]))
    return composites.firstIndex { $0 >> 5 & 7 == home && $0 != 0 } ?? 0
  }

  @Test("F-51: a mixed value has a type, a home for it and a payload that is there")
  func mixedValue() throws {
    for change: Int64 in [0x1F, 7 << 5, 1 << 40] {
      try expectFinding(.mixedValue, in: Self.file) { realm in
        let index = element(realm, home: 2)
        realm.replace(realm.leaf("AllTypes", "any") + [0]) { $0[index] |= change }
      }
    }
  }

  @Test("F-52: every payload of a mixed leaf is used once")
  func mixedPayload() throws {
    try expectFinding(.mixedPayload, in: Self.file) { realm in
      let index = element(realm, home: 2)
      realm.replace(realm.leaf("AllTypes", "any") + [0]) { $0[index] = 0 }
    }
    try expectFinding(.mixedPayload, in: Self.file) { realm in
      realm.replace(realm.leaf("AllTypes", "any") + [1]) { $0.append(1 << 40) }
    }
  }

  @Test("F-53: a collection in a collection has a key of its own")
  func nestedCollection() throws {
    /// `[[], []]` as the extra value of the first person.
    func nested(_ realm: RealmSurgeon, keys: [Int64]) {
      let mixed = realm.append(
        flags: 0x40,
        [
          Int64(realm.append([0x94, 0x194])), 0, 0, 0, Int64(realm.append(flags: 0x40, [0, 0])),
          Int64(realm.append(keys)),
        ])
      let path = realm.leaf("Person", "extra")
      let row = realm.elements(realm.node(at: path + [0])).firstIndex(of: 0) ?? 0
      let position = Int64(realm.node(at: path + [4]).count)
      realm.replace(path + [0]) { $0[row] = position << 8 | 0x94 }
      realm.replace(path + [4]) { $0.append(Int64(mixed)) }
    }
    try expectFinding(
      .nestedCollection, prepare: { nested($0, keys: [3, 4]) }, damage: { nested($0, keys: [3, 3]) })
    try expectFinding(
      .nestedCollection, prepare: { nested($0, keys: [3, 4]) }, damage: { nested($0, keys: [3]) })
  }
}
