// Parts of realms, compared with a slow computation over their dumps that shares nothing with the engine.

import Foundation
import RealmEngine
import RealmParts
import Rendering
import TestSupport
import Testing

@Suite("Parts of realms")
struct PartTests {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("fixtures")
  static let names = ["zoo", "place", "alltypes", "evolved", "bare", "legacy9-small"]

  static let encryptedNames = ["format11-encrypted", "format22-encrypted", "zoo-encrypted"]

  private static func key(of name: String) throws -> EncryptionKey? {
    guard encryptedNames.contains(name) else { return nil }
    let text = try String(contentsOf: fixtures.appendingPathComponent("key.hex"), encoding: .utf8)
    let digits = text.compactMap(\.hexDigitValue)
    return EncryptionKey(
      stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
  }

  static func database(_ name: String) throws -> Database {
    try Database.open(FilePath(fixtures.appendingPathComponent("\(name).realm").path), key: try key(of: name))
  }

  /// Writes a part to a file, and gives its bytes and what is in it.
  static func written(
    _ request: RealmChoice, of name: String, masks: Masks? = nil
  ) throws -> (bytes: Data, objects: DumpedObjects) {
    let path = FilePath(fixtures.appendingPathComponent("\(name).realm").path)
    return try written(request, ofFileAt: path, try key(of: name), masks: masks)
  }

  private static func written(
    _ request: RealmChoice, ofFileAt source: FilePath, _ key: EncryptionKey?, masks: Masks?
  ) throws -> (bytes: Data, objects: DumpedObjects) {
    let folder = try ScratchFolder(inMemory: true)
    let target = FilePath(folder.url.appendingPathComponent("part.realm").path)
    let job = WholeFileJob(
      source: source, key: key, newKey: nil, target: .newFile(target, replacing: false), history: .drop,
      content: .changed { database throws(EngineError) in try request.realm(from: database, masks: masks) })
    let measured = try job.measure()
    let report = try job.run()
    EndSignals.release()
    #expect(measured.size == report.sizeAfter && measured.objectCount == report.objectCount)
    let part = try Database.open(target, key: nil)
    #expect(try FileInspection.inspect(part.file).findings.isEmpty)
    return (try Data(contentsOf: URL(fileURLWithPath: target.displayName)), try DumpedObjects(part))
  }

  /// Whether a text stands in the bytes. Its first character may be the last byte of a node's header instead.
  private static func holds(_ bytes: Data, _ text: String) -> Bool {
    var start = bytes.startIndex
    while let found = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
      let header = found.lowerBound - 7
      if header < 0 || bytes[header..<header + 4] != Data("AAAA".utf8) { return true }
      start = found.lowerBound + 1
    }
    return false
  }

  private struct Choice {
    var request = RealmChoice()
    var description = ""
  }

  private static func choice(_ objects: DumpedObjects, _ numbers: inout SplitMix64) -> Choice {
    var choice = Choice()
    let classes = objects.ownClasses.filter { _ in numbers.oneIn(2) }
    choice.request.roots = (classes.isEmpty ? [objects.ownClasses[0]] : classes).map { ChosenClass($0) }
    choice.request.following = LinkFollowing.allCases[min(2, numbers.below(4))]
    if numbers.oneIn(2) {
      choice.request.sample =
        numbers.oneIn(2) ? .count(numbers.below(5)) : .percent(Double(numbers.below(50)))
      choice.request.seed = numbers.next()
    }
    choice.description = "\(choice.request)"
    return choice
  }

  private static func checkRandomParts(count: Int) throws {
    let seed = testSeed()
    var numbers = SplitMix64(state: seed)
    let names = names + encryptedNames
    for _ in 0..<count {
      let name = names[numbers.below(names.count)]
      let all = try DumpedObjects(try database(name))
      let choice = choice(all, &numbers)
      let place = Comment(rawValue: "seed \(seed): \(name), \(choice.description)")
      let (bytes, part) = try written(choice.request, of: name)
      let roots = Set(choice.request.roots.map(\.className))
      let expected =
        choice.request.sample == nil
        ? all.reached(from: all.values.keys.filter { roots.contains($0.className) }, choice.request.following)
        : all.reached(from: Array(part.values.keys), choice.request.following)
      #expect(Set(part.values.keys) == expected, place)
      if choice.request.following != .none {
        for (object, value) in part.values {
          #expect(DumpedObjects.equal(value, all.value(of: object, linkingTo: expected)), place)
        }
      }
      let kept = part.texts.union(part.names).joined(separator: "\n")
      for text in all.texts where text.utf8.count >= 8 && !kept.contains(text) {
        #expect(!Self.holds(bytes, text), "\(text), \(place)")
      }
    }
  }

  @Test("random choices have exactly what was chosen and what links lead to, and nothing else is left")
  func randomParts() throws {
    try Self.checkRandomParts(count: TestScale.cases(fast: 6, usual: 20, long: 20))
  }

  @Test("many random choices", .long)
  func manyRandomParts() throws { try Self.checkRandomParts(count: 300) }

  @Test("records of incoming links that engines of format 22 left wrong are right in a part")
  func staleRecords() throws {
    let folder = try ScratchFolder(inMemory: true)
    let url = folder.url.appendingPathComponent("a.realm")
    let path = FilePath(url.path)
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("Target", properties: [PropertyDefinition("n", .int)]),
      ClassDefinition(
        "Origin", properties: [PropertyDefinition("map", .object, collection: .dictionary, target: "Target")]),
    ])
    let target = try #require(try write.schema(named: "Target")).tableKey
    let entries = try [Int64(0x12_3456), 0x12_3457].map { number in
      let key = try write.create(target, key: ObjectKey(number), [])
      return (ByteString("\(number)"), NewValue.single(.link(ObjectLink(table: target, key: key))))
    }
    _ = try write.create(
      try #require(try write.schema(named: "Origin")).tableKey, [("map", .dictionary(entries))])
    try realm.commit(write)
    realm.close()
    // Both entries lead to one object; both objects still have a record.
    let bytes = [UInt8](try Data(contentsOf: url))
    let isWrong = try bytes.indices.dropLast(3).contains { place in
      guard Array(bytes[place..<place + 4]) == [0x56, 0x34, 0x12, 0] else { return false }
      var changed = bytes
      changed[place] += 1
      try Data(changed).write(to: url)
      return Set(try FileInspection.inspect(path).findings.map(\.kind)) == [.incomingMissing, .incomingStale]
    }
    #expect(isWrong)
    for name in ["Target", "Origin"] {
      var request = RealmChoice()
      request.roots = [ChosenClass(name)]
      let (_, part) = try Self.written(request, ofFileAt: path, nil, masks: nil)
      #expect(part.values.count == 2)
    }
  }

  @Test("samples have the size that was asked for, and are the same for the same seed")
  func samples() throws {
    var request = RealmChoice()
    request.roots = [ChosenClass("Person")]
    request.following = .owned
    func keys(_ sample: SampleSize, seed: UInt64) throws -> Set<DumpedObject> {
      request.sample = sample
      request.seed = seed
      return Set(try Self.written(request, of: "zoo").objects.values.keys)
    }
    let first = try keys(.count(7), seed: 1)
    #expect(first.count == 7)
    #expect(try keys(.count(7), seed: 1) == first)
    #expect(try keys(.count(7), seed: 2) != first)
    #expect(try keys(.percent(10), seed: 1).count == 20)
    #expect(try keys(.count(1000), seed: 1).count == 200)
  }

  @Test("nothing of what is masked is left, and links and keys lead where they led", arguments: names)
  func masked(name: String) throws {
    var request = RealmChoice()
    request.masked = .all
    let all = try DumpedObjects(try Self.database(name))
    let (bytes, part) = try Self.written(request, of: name, masks: try MaskTests.masks(9))
    #expect(Set(part.values.keys) == Set(all.values.keys))
    let kept = part.names.joined(separator: "\n")
    // What has few letters and digits may be its own mask.
    for text in all.texts
    where text.utf8.count >= 8 && text.unicodeScalars.count(where: { $0.properties.isAlphabetic }) >= 6
      && !kept.contains(text)
    {
      #expect(!Self.holds(bytes, text), "\(text)")
    }
    for object in all.values.keys {
      #expect(all.links(of: object).sorted() == part.links(of: object).sorted())
    }
    let again = try Self.written(request, of: name, masks: try MaskTests.masks(9))
    #expect(again.bytes == bytes)
  }

  @Test("only what is named is masked, and equal values of different classes are equal again")
  func namedProperties() throws {
    var request = RealmChoice()
    request.masked = try MaskedProperties(parsing: "*.name , Person._id")
    let all = try DumpedObjects(try Self.database("zoo"))
    let part = try Self.written(request, of: "zoo", masks: try MaskTests.masks(9)).objects
    var masks: [String: String] = [:]
    for (object, value) in all.values {
      let masked = try #require(part.values[object])
      for (name, old) in value {
        let new = try #require(masked[name])
        if name == "name", let old = old as? String, let new = new as? String {
          #expect(masks.updateValue(new, forKey: old) ?? new == new)
        } else if name != "_id" {
          #expect(DumpedObjects.equal([name: old], [name: new]))
        }
      }
    }
    #expect(masks.count > 5 && Set(masks.values).count == masks.count)
  }

  @Test(
    "patterns that mean nothing are refused",
    arguments: ["Person.nobody", "Nobody.name", "*.nobody", "Dog.owner", "name", "Person.", "", "a.b.c"])
  func wrongPatterns(pattern: String) throws {
    let schemas = try Self.database("zoo").transaction.classes().map(\.schema)
    #expect(throws: EngineError.self) { _ = try MaskedProperties(parsing: pattern).names(in: schemas) }
  }
}
