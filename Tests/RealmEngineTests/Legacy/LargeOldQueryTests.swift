import Foundation
import RealmEngine
import RealmQueryLanguage
import TestSupport
import Testing

/// The same over a file whose columns are trees of several leaves: 1,270 persons, indexes of the old kind.
@Suite("Queries over a large old file")
struct LargeOldQueryTests {
  typealias Values = OldQueryTests.Values

  /// A bundled file that is stored compressed.
  static func uncompressed(_ name: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let files = try ScratchFolder(keepable: "gunzip")
    let target = files.url.appendingPathComponent(name)
    let source = SearchIndexTests.fixtures.appendingPathComponent("\(name).gz")
    process.arguments = ["-c", "gunzip -c '\(source.path)' >'\(target.path)'"]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try Data(contentsOf: target)
  }

  private static let realm = Result { () throws -> ReadTransaction in
    let file = try RealmFile(
      stream: Array(try uncompressed("legacy9-large.realm")), path: FilePath("legacy9-large.realm"), key: nil,
      snapshot: .current)
    return try Database(file).transaction
  }
  private static let dump = Result {
    String(decoding: try uncompressed("legacy9-large.realm.jsonl"), as: UTF8.self)
  }

  private static func objects(_ className: String) throws -> [Int64: Values] {
    try OldQueryTests.objects(className, in: try dump.get())
  }

  private func check(_ expected: [(String, (Values) -> Bool)]) throws {
    try OldQueryTests.check(try Asked(Self.realm, "Person"), try Self.objects("Person"), expected)
  }

  private static func number(_ value: Any?) -> Double? { OldQueryTests.number(value) }
  private static func list(_ value: Any?) -> [Any] { OldQueryTests.list(value) }

  @Test("numbers, texts, booleans, dates and nulls")
  func scalars() throws {
    try check([
      ("id == 1502", { Self.number($0["id"]) == 1502 }),
      ("id IN {7, 12, 22, 6497, 1}", { [7, 12, 22, 6497].contains(Self.number($0["id"])) }),
      ("name == 'name1299'", { $0["name"] as? String == "name1299" }),
      ("name BEGINSWITH 'Ünï'", { ($0["name"] as? String)?.hasPrefix("Ünï") == true }),
      ("name CONTAINS '99'", { ($0["name"] as? String)?.contains("99") == true }),
      ("name ==[c] 'ÜNÏCODE 500'", { $0["name"] as? String == "Ünïcode 500" }),
      ("nick == NULL", { $0["nick"] is NSNull }),
      ("nick == ''", { $0["nick"] as? String == "" }),
      ("age == NULL", { $0["age"] is NSNull }),
      ("age > 50", { Self.number($0["age"]).map { $0 > 50 } ?? false }),
      ("age < -3", { Self.number($0["age"]).map { $0 < -3 } ?? false }),
      ("age BETWEEN {10, 20}", { Self.number($0["age"]).map { (10...20).contains($0) } ?? false }),
      ("NOT age != 38", { Self.number($0["age"]) == 38 }),
      ("score >= 100 AND score < 200", { (100..<200).contains(Self.number($0["score"]) ?? 0) }),
      ("ratio == NULL OR ratio > 100", { Self.number($0["ratio"]).map { $0 > 100 } ?? true }),
      ("ok == true", { $0["ok"] as? Bool == true }),
      ("maybe == NULL", { $0["maybe"] is NSNull }),
      ("maybe != true", { $0["maybe"] as? Bool != true }),
      (
        "city == 'city-3' AND ok == false",
        { $0["city"] as? String == "city-3" && $0["ok"] as? Bool == false }
      ),
      ("city IN {'city-0', 'city-5'}", { ["city-0", "city-5"].contains($0["city"] as? String) }),
      ("born == NULL", { $0["born"] is NSNull }),
      ("photo == NULL", { $0["photo"] is NSNull }),
      ("photo.@size == 1", { Self.size($0["photo"]) == 1 }),
    ])
  }

  private static func size(_ data: Any?) -> Int? {
    ((data as? [String: Any])?["$binary"] as? String).flatMap { Data(base64Encoded: $0)?.count }
  }

  @Test("links, lists and incoming links")
  func links() throws {
    let persons = try Self.objects("Person")
    let tags = try Self.objects("Tag")
    let friends = Dictionary(
      grouping: persons.values.compactMap { OldQueryTests.key($0["friend"]) }, by: \.self)
    func friend(_ values: Values) -> Values? { OldQueryTests.key(values["friend"]).flatMap { persons[$0] } }
    func weights(_ values: Values) -> [Double?] {
      Self.list(values["tags"]).map { Self.number(tags[OldQueryTests.key($0) ?? -1]?["weight"]) }
    }
    let keyOfID = Dictionary(
      persons.map { (Self.number($0.value["id"]) ?? -1, $0.key) }, uniquingKeysWith: { first, _ in first })
    func linkCount(_ values: Values) -> Int {
      Self.number(values["id"]).flatMap { keyOfID[$0] }.flatMap { friends[$0]?.count } ?? 0
    }
    try check([
      ("friend == NULL", { $0["friend"] is NSNull }),
      ("friend.age > 20", { friend($0).flatMap { Self.number($0["age"]) }.map { $0 > 20 } ?? false }),
      ("friend.city == 'city-1'", { friend($0)?["city"] as? String == "city-1" }),
      ("friend.friend.ok == true", { friend($0).flatMap(friend)?["ok"] as? Bool == true }),
      ("tags.@count == 3", { Self.list($0["tags"]).count == 3 }),
      ("ANY tags.weight == NULL", { weights($0).contains(nil) }),
      ("ALL tags.weight > 0", { weights($0).allSatisfy { $0.map { $0 > 0 } ?? false } }),
      ("NONE tags.weight < 0", { !weights($0).contains { $0.map { $0 < 0 } ?? false } }),
      (
        "SUBQUERY(tags, $t, $t.weight > 0).@count == 2",
        { weights($0).count { $0.map { $0 > 0 } ?? false } == 2 }
      ),
      ("ints.@count == 2", { Self.list($0["ints"]).count == 2 }),
      ("ANY ints > 600000", { Self.list($0["ints"]).contains { Self.number($0) ?? 0 > 600_000 } }),
      ("ints.@sum > 600000", { Self.list($0["ints"]).compactMap(Self.number).reduce(0, +) > 600_000 }),
      ("ANY strings == 'second'", { Self.list($0["strings"]).contains { $0 as? String == "second" } }),
      ("strings.@count == 0", { Self.list($0["strings"]).isEmpty }),
      ("ANY dates == NULL", { Self.list($0["dates"]).contains { $0 is NSNull } }),
      ("@links.Person.friend.@count > 0", { linkCount($0) > 0 }),
    ])
  }

  @Test("sorted, distinct and cut results")
  func orderings() throws {
    let asked = try Asked(Self.realm, "Person")
    let persons = try Self.objects("Person").sorted { $0.key < $1.key }
    func found(_ predicate: String) throws -> [Int64] {
      try QueryExecutor(try asked.bound(predicate), in: asked.realm).keys().map(\.value)
    }
    let byScore = persons.sorted {
      let (left, right) = (Self.number($0.value["score"]) ?? 0, Self.number($1.value["score"]) ?? 0)
      return left != right ? left > right : $0.key < $1.key
    }
    #expect(try found("TRUEPREDICATE SORT(score DESC)") == byScore.map(\.key))
    #expect(try found("TRUEPREDICATE SORT(score DESC) LIMIT(17)") == byScore.prefix(17).map(\.key))
    var seen: Set<String> = []
    let first = persons.filter { seen.insert($0.value["city"] as? String ?? "").inserted }
    #expect(try found("TRUEPREDICATE DISTINCT(city)") == first.map(\.key))
  }
}
