import Foundation
import RealmEngine
import RealmQueryLanguage
import Testing

/// Predicates over a file of format 9, answered from what the reference engine says its objects are.
@Suite("Queries over old files")
struct OldQueryTests {
  typealias Values = [String: Any]

  /// The objects of a class as the expected dump has them, by key.
  private static func objects(_ className: String) throws -> [Int64: Values] {
    let url = SearchIndexTests.fixtures.appendingPathComponent("legacy9-small.realm.jsonl")
    return try objects(className, in: String(contentsOf: url, encoding: .utf8))
  }

  static func objects(_ className: String, in dump: String) throws -> [Int64: Values] {
    var objects: [Int64: Values] = [:]
    for line in dump.split(separator: "\n") {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Values ?? [:]
      guard row["object"] as? String == className, let key = row["key"] as? Int64 else { continue }
      objects[key] = row["values"] as? Values
    }
    return objects
  }

  private func check(
    _ className: String, _ expected: [(String, (Values) -> Bool)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let asked = try Asked(Result { try Fixture.open("legacy9-small.realm") }, className)
    try Self.check(asked, try Self.objects(className), expected, sourceLocation: sourceLocation)
  }

  static func check(
    _ asked: Asked, _ objects: [Int64: Values], _ expected: [(String, (Values) -> Bool)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(objects.count == asked.table.count, sourceLocation: sourceLocation)
    for (predicate, isMet) in expected {
      let keys = objects.filter { isMet($0.value) }.map(\.key).sorted()
      #expect(
        !keys.isEmpty && keys.count < objects.count, "\(predicate) tells nothing",
        sourceLocation: sourceLocation)
      let planned = try QueryExecutor(try asked.bound(predicate), in: asked.realm).keys().map(\.value)
      #expect(planned == keys, "\(predicate), by plan", sourceLocation: sourceLocation)
      #expect(try asked.keys(predicate) == keys, "\(predicate), row by row", sourceLocation: sourceLocation)
    }
  }

  static func number(_ value: Any?) -> Double? {
    if let number = value as? NSNumber { return number.doubleValue }
    return ((value as? Values)?["$float"] as? NSNumber)?.doubleValue
  }

  static func list(_ value: Any?) -> [Any] { value as? [Any] ?? [] }

  static func key(_ link: Any?) -> Int64? {
    ((link as? Values)?["$link"] as? Values)?["key"] as? Int64
  }

  @Test("numbers, texts, booleans and nulls")
  func scalars() throws {
    try check(
      "Person",
      [
        ("age > 5", { Self.number($0["age"]).map { $0 > 5 } ?? false }),
        ("age == NULL", { $0["age"] is NSNull }),
        ("NOT age == NULL", { !($0["age"] is NSNull) }),
        ("score >= 1", { Self.number($0["score"]) ?? 0 >= 1 }),
        ("ratio < 0.5", { Self.number($0["ratio"]).map { $0 < 0.5 } ?? false }),
        ("ratio == NULL", { $0["ratio"] is NSNull }),
        ("ok == true", { $0["ok"] as? Bool == true }),
        ("maybe == NULL", { $0["maybe"] is NSNull }),
        ("maybe == true", { $0["maybe"] as? Bool == true }),
        ("maybe != true", { $0["maybe"] as? Bool != true }),
        ("name BEGINSWITH 'name'", { ($0["name"] as? String)?.hasPrefix("name") == true }),
        ("nick == NULL", { $0["nick"] is NSNull }),
        ("nick == ''", { $0["nick"] as? String == "" }),
        ("nick CONTAINS[c] 'NICK'", { ($0["nick"] as? String)?.contains("nick") == true }),
        (
          "city ENDSWITH '3' OR id == 2",
          { ($0["city"] as? String)?.hasSuffix("3") == true || Self.number($0["id"]) == 2 }
        ),
        ("born == NULL", { $0["born"] is NSNull }),
        ("photo == NULL", { $0["photo"] is NSNull }),
        ("name == 'name2'", { $0["name"] as? String == "name2" }),
        ("id == 12", { Self.number($0["id"]) == 12 }),
      ])
  }

  @Test("links, lists and incoming links")
  func links() throws {
    let persons = try Self.objects("Person")
    let tags = try Self.objects("Tag")
    let friends = persons.values.compactMap { Self.key($0["friend"]) }
    let isFriend: (Values) -> Bool = { values in
      friends.contains { Self.number(persons[$0]?["id"]) == Self.number(values["id"]) }
    }
    try check(
      "Person",
      [
        ("friend == NULL", { $0["friend"] is NSNull }),
        (
          "friend.age > 1",
          { Self.key($0["friend"]).flatMap { Self.number(persons[$0]?["age"]) }.map { $0 > 1 } ?? false }
        ),
        ("@links.Person.friend.@count > 0", isFriend),
        ("tags.@count > 1", { Self.list($0["tags"]).count > 1 }),
        (
          "ANY tags.weight == NULL",
          { Self.list($0["tags"]).contains { tags[Self.key($0) ?? -1]?["weight"] is NSNull } }
        ),
        ("ints.@count == 2", { Self.list($0["ints"]).count == 2 }),
        ("ANY ints > 3000", { Self.list($0["ints"]).contains { Self.number($0) ?? 0 > 3000 } }),
        ("ints.@max > 3000", { Self.list($0["ints"]).contains { Self.number($0) ?? 0 > 3000 } }),
        ("ANY strings == NULL", { Self.list($0["strings"]).contains { $0 is NSNull } }),
        ("ANY strings == 'second'", { Self.list($0["strings"]).contains { $0 as? String == "second" } }),
        ("ANY dates == NULL", { Self.list($0["dates"]).contains { $0 is NSNull } }),
        ("dates.@count > 0", { !Self.list($0["dates"]).isEmpty }),
      ])
  }

  @Test("rows come in the order asked for")
  func sorting() throws {
    let asked = try Asked(Result { try Fixture.open("legacy9-small.realm") }, "Person")
    let objects = try Self.objects("Person")
    let expected = objects.map { ($0.key, Self.number($0.value["score"]) ?? 0) }
      .sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }.map(\.0)
    let sorted = try QueryExecutor(try asked.bound("TRUEPREDICATE SORT(score DESC)"), in: asked.realm).keys()
    #expect(sorted.map(\.value) == expected)
  }
}
