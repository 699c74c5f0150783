// Sample objects: sound, of every type, and the same for the same seed.

import Foundation
import RealmEngine
import RealmParts
import TestSupport
import Testing

@Suite("Sample objects")
struct SampleTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed,
  ]

  /// A class with every type alone and in every collection, two that link to each other, and embedded ones in each other.
  private static var classes: [ClassDefinition] {
    var properties = [PropertyDefinition("id", .int, index: .general)]
    for type in types {
      properties.append(PropertyDefinition(type.name, type, index: type == .string ? .general : .none))
      for collection in [CollectionKind.list, .set, .dictionary] {
        properties.append(PropertyDefinition("\(type.name) \(collection.name)", type, collection: collection))
      }
      if type != .mixed {
        properties.append(PropertyDefinition("\(type.name) or null", type, isOptional: true))
        properties.append(
          PropertyDefinition("\(type.name)s or null", type, collection: .list, isOptional: true))
      }
    }
    for (target, isEmbedded) in [("Other", false), ("Inner", true)] {
      properties.append(PropertyDefinition(target, .object, target: target))
      properties.append(PropertyDefinition("\(target) list", .object, collection: .list, target: target))
      properties.append(
        PropertyDefinition("\(target) dictionary", .object, collection: .dictionary, target: target))
      if !isEmbedded {
        properties.append(PropertyDefinition("\(target) set", .object, collection: .set, target: target))
      }
    }
    let keys: [ValueType] = [.string, .objectID, .uuid]
    return [
      ClassDefinition("All", primaryKey: "id", properties: properties),
      ClassDefinition(
        "Other",
        properties: [
          PropertyDefinition("text", .string, index: .fullText),
          PropertyDefinition("all", .object, target: "All"),
        ]),
      ClassDefinition(
        "Inner", kind: .embedded,
        properties: [
          PropertyDefinition("street", .string), PropertyDefinition("other", .object, target: "Other"),
          PropertyDefinition("inner", .object, target: "Inner"),
        ]),
    ]
      + keys.map {
        ClassDefinition("Key\($0.name)", primaryKey: "id", properties: [PropertyDefinition("id", $0)])
      }
  }

  private static func made(_ counts: SampleCounts, seed: UInt64) throws -> (bytes: Data, realm: Database) {
    let folder = try ScratchFolder(inMemory: true)
    let path = FilePath(folder.url.appendingPathComponent("sample.realm").path)
    let job = try NewFileJob(path, key: nil, replacing: false)
    let transaction = try job.begin()
    try transaction.addClasses(classes)
    try SampleObjects.fill(transaction, counts, seed: seed)
    return try withExtendedLifetime(folder) {
      _ = try job.write()
      EndSignals.release()
      let realm = try Database.open(path, key: nil)
      return (try Data(contentsOf: URL(fileURLWithPath: path.displayName)), realm)
    }
  }

  @Test("the same seed gives the same bytes, another one others; the file is sound")
  func seeds() throws {
    let first = try Self.made(.each(600), seed: 7)
    #expect(try FileInspection.inspect(first.realm.file).findings.isEmpty)
    #expect(try Self.made(.each(600), seed: 7).bytes == first.bytes)
    #expect(try Self.made(.each(600), seed: 8).bytes != first.bytes)
    for table in first.realm.transaction.classes() where table.schema.kind == .object {
      #expect(table.count == 600)
    }
    #expect(try #require(first.realm.transaction.table(named: "Inner")).count > 600)
    let dumped = try DumpedObjects(first.realm)
    for (object, values) in dumped.values where object.className == "All" {
      #expect(dumped.links(of: object).allSatisfy { dumped.values[$0] != nil })
      #expect(values.count == Self.classes[0].properties.count)
    }
  }

  @Test("every property has values and, where it may, nulls and empty collections")
  func variety() throws {
    let dumped = try DumpedObjects(try Self.made(.each(300), seed: 1).realm)
    let objects = dumped.values.filter { $0.key.className == "All" }.values
    for property in Self.classes[0].properties {
      let values = objects.compactMap { $0[property.name] }
      let texts = Set(values.map { "\($0)" })
      #expect(texts.count > 1, "\(property.name)")
      if property.type.isOptional, property.type.collection == nil {
        #expect(values.contains { $0 is NSNull }, "\(property.name)")
      }
    }
  }

  @Test("classes get as many objects as they are said to; links to none are null")
  func counts() throws {
    let realm = try Self.made(.named([("All", 50)]), seed: 1).realm
    #expect(realm.transaction.table(named: "All")?.count == 50)
    #expect(realm.transaction.table(named: "Other")?.count == 0)
    #expect(throws: EngineError.self) { _ = try Self.made(.named([("Nobody", 1)]), seed: 1) }
    #expect(throws: EngineError.self) { _ = try Self.made(.named([("Inner", 1)]), seed: 1) }
  }
}
