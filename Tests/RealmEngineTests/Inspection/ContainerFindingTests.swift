// The file, its header, its nodes, the top array: each rule broken once.

import RealmEngine
import Testing

@Suite("Findings about the file and its nodes")
struct ContainerFindingTests {
  @Test("F-1: the data has a whole number of 8 bytes")
  func size() throws {
    try expectFinding(.headerSize) { $0.bytes += [1, 2, 3, 4] }
  }

  @Test("F-2: the selected slot names a top array inside the file")
  func selectedSlot() throws {
    for ref: Int64 in [4, 1 << 40, 100] {
      let realm = try RealmSurgeon("zoo.realm")
      realm.store(ref, at: realm.slot * 8)
      let report = try realm.inspectOnDisk()
      #expect(report.findings.map(\.kind) == [.selectedSlot] && !report.isSound)
    }
  }

  @Test("F-2: the selected slot has a format that some engine wrote", arguments: [0, 1, 12, 19])
  func format(_ format: UInt8) throws {
    try expectFinding(.selectedSlot) { $0.bytes[20 + $0.slot] = format }
  }

  @Test("F-3: a streaming file is sound with its footer and not without")
  func footer() throws {
    let realm = try RealmSurgeon("zoo.realm")
    let top = Int64(realm.topRef)
    let end = Int(realm.get(realm.node(realm.topRef), 2) >> 1)
    realm.bytes = Array(realm.bytes[..<end]) + [UInt8](repeating: 0, count: 16)
    let format = realm.bytes[20 + realm.slot]
    realm.store(-1, at: 0)
    realm.store(0, at: 8)
    for (index, byte) in [format, 0, 0, 0].enumerated() { realm.bytes[20 + index] = byte }
    realm.store(top, at: end)
    realm.store(0x3034_1252_37E5_26C8, at: end + 8)
    let report = try realm.inspect()
    #expect(report.findings.isEmpty && report.statistics.objectCount == 361)
    realm.bytes[end + 8] ^= 1
    #expect(try realm.inspectOnDisk().findings.map(\.kind) == [.selectedSlot])
  }

  @Test("F-4: what the header reserves is 0, or worth a note")
  func reserved() throws {
    try expectFinding(.headerReserved) { $0.bytes[22] = 1 }
    try expectFinding(.headerReserved) { $0.bytes[23] |= 0x40 }
  }

  @Test("F-5: every encrypted page passes its check")
  func encryptedPage() throws {
    var bytes = try FixtureFile.bytes("zoo-encrypted.realm")
    // Page 5 of the data; nodes are everywhere in this file.
    bytes[4096 * 6 + 100] ^= 1
    let file = try RealmFile(stream: bytes, path: FilePath("patched"), key: try FixtureFile.key())
    let report = try FileInspection.inspect(file)
    #expect(report.counts[.encryptedPage] == 1, "once, however many nodes are in it: \(report.counts)")
    #expect(!report.isSound)
  }

  @Test("F-6: a ref is a multiple of 8 inside the data")
  func ref() throws {
    try expectFinding(.ref, place: "class Dog, property name") {
      $0.put(0x7FFF_FFF8, at: $0.leaf("Dog", "name"))
    }
    try expectFinding(.ref) {
      let path = $0.leaf("Dog", "name")
      $0.put(Int64($0.node(at: path).offset + 4), at: path)
    }
  }

  @Test("F-7: a node's header is one that a format has, and its bytes are there")
  func nodeHeader() throws {
    try expectFinding(.nodeHeader) { $0.setFlags($0.node(at: $0.leaf("Dog", "name")), 0x1F) }
    try expectFinding(.nodeHeader) { $0.setCount($0.node(at: $0.leaf("Person", "age")), 0xFF_FFFF) }
    // Millions of elements without a byte behind them.
    try expectFinding(.nodeHeader, in: "place.realm") {
      let names = $0.node(at: [0])
      $0.setFlags(names, 0x08)
      $0.setCount(names, 0xFF_FFFF)
    }
    // A list whose page was lost, which would be empty.
    try expectFinding(.nodeHeader) { realm in
      let list = realm.node(at: realm.collection("Person", "scores", countMin: 2))
      for index in 0..<list.size { realm.bytes[list.offset + index] = 0 }
    }
  }

  @Test("F-8: a node has one place that names it")
  func nodeUsedTwice() throws {
    try expectFinding(.nodeUsedTwice) {
      $0.put(Int64($0.node(at: $0.leaf("Dog", "age")).offset), at: $0.leaf("Dog", "vaccinated"))
    }
  }

  @Test("F-9: no two nodes and free blocks share a byte")
  func overlap() throws {
    try expectFinding(.overlap) {
      let leaf = $0.node(at: $0.leaf("Person", "weight"))
      // Inside the doubles stands something that looks like a small node.
      $0.store(0x0100_0000_4141_4141, at: leaf.offset + 16)
      $0.put(Int64(leaf.offset + 16), at: $0.leaf("Dog", "vaccinated"))
    }
    try expectFinding(.overlap) { realm in
      let lengths = realm.node(at: [4])
      let index = (0..<lengths.count - 1).first {
        realm.get(realm.node(at: [3]), $0) + realm.get(lengths, $0) < realm.get(realm.node(at: [3]), $0 + 1)
      }
      realm.replace([4]) { $0[index ?? 0] += 8 }
    }
  }

  @Test("F-10: bytes that belong to nothing are lost space, not damage")
  func lostSpace() throws {
    let report = try expectFinding(.lostSpace) {
      let lengths = $0.node(at: [4])
      let index = $0.elements(lengths).firstIndex { $0 > 64 } ?? 0
      $0.set(lengths, index, $0.get(lengths, index) - 16)
    }
    #expect(report.isSound && report.statistics.lostBytes == 16)
  }

  @Test("F-11: a slot holds what its position asks for")
  func slotKind() throws {
    try expectFinding(.slotKind) { $0.put(7, at: $0.table("class_Dog") + [2]) }
    try expectFinding(.slotKind) { $0.put(Int64($0.node(at: [1]).offset), at: [6]) }
    // Nothing there is nothing wrong; something else than a ref is.
    try expectFinding(.slotKind) { $0.put(7, at: $0.table("class_Dog") + [10]) }
    try expectFinding(.slotKind) { $0.put(7, at: $0.table("class_Dog") + [0, 4]) }
    try expectFinding(.slotKind) { $0.put(-8, at: $0.table("class_Dog") + [13]) }
  }

  @Test("F-13: a node that crosses a section is worth a note")
  func section() throws {
    try expectFinding(.section) {
      let boundary = 1 << 26
      let names = $0.node(at: [0])
      let content = Array($0.bytes[names.offset..<names.offset + names.size])
      $0.bytes += [UInt8](repeating: 0, count: boundary + 4096 - $0.bytes.count)
      $0.bytes.replaceSubrange(boundary - 8..<boundary - 8 + content.count, with: content)
      $0.setTop(2, Int64($0.bytes.count) << 1 | 1)
      $0.setTop(0, Int64(boundary - 8))
    }
  }
}

@Suite("Findings about the top array")
struct TopFindingTests {
  @Test("F-14: the top array has a size that some engine wrote")
  func topArray() throws {
    try expectFinding(.topArray) { $0.setCount($0.node($0.topRef), 8) }
    try expectFinding(.topArray) { $0.setFlags($0.node($0.topRef), $0.node($0.topRef).flags & ~0x40) }
  }

  @Test("F-15: the logical size is inside the file")
  func logicalSize() throws {
    try expectFinding(.logicalSize) { $0.setTop(2, Int64($0.bytes.count + 8) << 1 | 1) }
    try expectFinding(.logicalSize) { $0.setTop(2, Int64($0.bytes.count - 4) << 1 | 1) }
  }

  @Test("F-16: there are as many tables as names, and erased ones leave a small tag")
  func tableSlots() throws {
    try expectFinding(.tableSlots) { $0.setCount($0.node(at: [0]), $0.node(at: [0]).count - 1) }
    try expectFinding(.tableSlots) { $0.put(0x8000 << 1 | 1, at: $0.table("class_Dog")) }
  }

  @Test("F-17: every table has a name of its own")
  func tableName() throws {
    try expectFinding(.tableName) {
      let names = $0.node(at: [0])
      $0.bytes[names.offset + 8 + names.width - 1] = UInt8(names.width - 1)
    }
    try expectFinding(.tableName) {
      let names = $0.node(at: [0])
      let first = names.offset + 8
      $0.bytes.replaceSubrange(
        first + names.width..<first + 2 * names.width, with: Array($0.bytes[first..<first + names.width]))
    }
  }

  @Test("F-19: free blocks are whole, sorted and inside the file")
  func freeList() throws {
    try expectFinding(.freeList) { $0.replace([3]) { $0.swapAt(0, 1) } }
    try expectFinding(.freeList) { $0.replace([3]) { $0[0] += 4 } }
    try expectFinding(.freeList) { $0.replace([4]) { $0[0] = 0 } }
    try expectFinding(.freeList) { $0.replace([4]) { $0[$0.count - 1] = 1 << 40 } }
    try expectFinding(.freeList) { $0.setCount($0.node(at: [4]), 1) }
  }

  @Test("F-20: no block was freed by a later version")
  func freeVersion() throws {
    try expectFinding(.freeVersion) { $0.replace([5]) { $0[0] = 1000 } }
    // Engines before format 10 counted anew in each session.
    try expectFinding(.freeVersion, .note, in: "legacy9-small.realm") { $0.replace([5]) { $0[0] = 1000 } }
    try expectFinding(.freeVersion, in: "legacy9-small.realm") { $0.replace([5]) { $0[0] = -1 } }
  }

  @Test("F-21: the history is of a known type, and there is none where there should be none")
  func historyType() throws {
    try expectFinding(.historyType) { $0.setTop(7, 9 << 1 | 1) }
    try expectFinding(.historyType) { $0.setTop(7, 0 << 1 | 1) }
  }

  @Test("F-22: there are fewer change sets than versions")
  func history() throws {
    try expectFinding(.history) { $0.setTop(6, 1 << 1 | 1) }
  }

  @Test("F-23: evacuation info is a node of numbers or a number")
  func evacuation() throws {
    func extended(_ realm: RealmSurgeon, _ value: Int64) {
      let top = realm.node(realm.topRef)
      let moved = realm.append(flags: RealmSurgeon.refs, width: 64, realm.elements(top) + [value])
      realm.store(Int64(moved), at: realm.slot * 8)
      realm.setTop(2, Int64(moved + 8 + 96) << 1 | 1)
    }
    try expectFinding(
      .evacuation, prepare: { extended($0, Int64($0.append([4096, 1]))) },
      damage: {
        $0.setFlags($0.node(at: [11]), 0x11)
      })
  }
}
