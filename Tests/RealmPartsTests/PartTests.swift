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
    let folder = try ScratchFolder(inMemory: true)
    let target = FilePath(folder.url.appendingPathComponent("part.realm").path)
    let job = WholeFileJob(
      source: FilePath(fixtures.appendingPathComponent("\(name).realm").path), key: try key(of: name),
      newKey: nil, target: .newFile(target, replacing: false), history: .drop,
      content: .changed { database throws(EngineError) in try request.realm(from: database, masks: masks) })
    let measured = try job.measure()
    let report = try job.run()
    EndSignals.release()
    #expect(measured.size == report.sizeAfter && measured.objectCount == report.objectCount)
    let part = try Database.open(target, key: nil)
    #expect(try FileInspection.inspect(part.file).findings.isEmpty)
    return (try Data(contentsOf: URL(fileURLWithPath: target.displayName)), try DumpedObjects(part))
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
        #expect(bytes.range(of: Data(text.utf8)) == nil, place)
      }
    }
  }

  @Test("random choices have exactly what was chosen and what links lead to, and nothing else is left")
  func randomParts() throws {
    try Self.checkRandomParts(count: TestScale.cases(fast: 6, usual: 20, long: 20))
  }

  @Test("many random choices", .long)
  func manyRandomParts() throws { try Self.checkRandomParts(count: 300) }

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
      #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
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
