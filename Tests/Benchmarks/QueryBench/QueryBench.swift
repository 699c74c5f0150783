// Times queries inside one process, beside the bare loop over the same leaves, and makes the realm that the
// benchmarks read. Built only for `Tests/Benchmarks/run`.

import Foundation
import RealmEngine
import RealmQueryLanguage
import TestSupport

@main
enum QueryBench {
  static func main() throws {
    let words = CommandLine.arguments
    switch (words.dropFirst().first, words.count) {
    case ("make", 4): try BenchRealm.make(FilePath(words[2]), rowCount: Int(words[3]) ?? 0)
    case ("time", 3): try QueryTimes(FilePath(words[2])).print()
    // CLASS PREDICATE: one figure, for comparisons with other engines.
    case ("scan", 5): try QueryTimes(FilePath(words[2])).printOne(words[3], words[4])
    case ("scan", 6):
      try QueryTimes(FilePath(words[2]), rounds: Int(words[5]) ?? 10).printOne(words[3], words[4])
    default:
      FileHandle.standardError.write(
        Data("QueryBench make FILE ROWS | time FILE | scan FILE CLASS PREDICATE [ROUNDS]\n".utf8))
      exit(2)
    }
  }
}

/// The realm that the benchmarks read.
enum BenchRealm {
  private static let classes = [
    ClassDefinition(
      "Row", primaryKey: "id",
      properties: [
        PropertyDefinition("id", .int), PropertyDefinition("name", .string), PropertyDefinition("age", .int),
        PropertyDefinition("score", .double),
        PropertyDefinition("city", .string, isOptional: true, index: .general),
        PropertyDefinition("at", .date), PropertyDefinition("flag", .bool),
      ]),
    ClassDefinition(
      "Note", primaryKey: "id",
      properties: [
        PropertyDefinition("id", .int), PropertyDefinition("text", .string, index: .fullText),
        PropertyDefinition("row", .object, target: "Row"),
        PropertyDefinition("marks", .int, collection: .list),
      ]),
  ]
  private static let words = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo",
    "lima",
  ]

  /// `rowCount` rows, and a tenth as many notes on them.
  static func make(_ path: FilePath, rowCount: Int) throws {
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    try write.addClasses(classes)
    guard let row = try write.schema(named: "Row")?.tableKey,
      let note = try write.schema(named: "Note")?.tableKey
    else { preconditionFailure("classes that were added are there") }
    let load = try write.beginLoad()
    var random = SplitMix64(state: 1)
    let rows = try load.table(row)
    for number in 0..<rowCount {
      try rows.beginObject()
      try rows.put(0, int: Int64(number))
      try rows.put(1, text: Array("name-\(random.below(1_000_000))".utf8).span)
      try rows.put(2, int: Int64(random.below(100)))
      try rows.put(3, double: Double(random.below(1_000_000)) / 1000)
      try rows.put(4, text: Array("city-\(random.below(1000))".utf8).span)
      try rows.put(5, .single(.date(Timestamp(seconds: Int64(random.below(1_800_000_000)), nanoseconds: 0))))
      try rows.put(6, bool: random.oneIn(2))
      try rows.endObject()
    }
    let notes = try load.table(note)
    for number in 0..<rowCount / 10 {
      try notes.beginObject()
      try notes.put(0, int: Int64(number))
      let text =
        (0..<6).map { _ in words[random.below(words.count)] }.joined(separator: " ") + " n\(number % 997)"
      try notes.put(1, text: Array(text.utf8).span)
      try notes.put(2, .single(.link(ObjectLink(table: row, key: ObjectKey(Int64(random.below(rowCount)))))))
      try notes.put(3, .list((0..<random.below(4)).map { _ in .single(.int(Int64(random.below(50)))) }))
      try notes.endObject()
    }
    try load.finish()
    try realm.commit(write)
    realm.close()
  }
}

/// What queries cost in a process that has the file open.
struct QueryTimes {
  private let realm: ReadTransaction
  private let rounds: Int

  /// Predicates, and the columns whose leaves a scan must at least read.
  private static let queries: [(className: String, predicate: String, columns: [String])] = [
    ("Row", "age > 50", ["age"]),
    ("Row", "age == 42", ["age"]),
    ("Row", "name BEGINSWITH 'name-12'", ["name"]),
    ("Row", "name CONTAINS '999'", ["name"]),
    ("Row", "name CONTAINS[c] 'NAME-99'", ["name"]),
    ("Row", "name ==[c] 'NAME-77'", ["name"]),
    ("Row", "name LIKE '*99*'", ["name"]),
    ("Row", "name LIKE 'na?e-1*9'", ["name"]),
    ("Row", "name.@size > 5", ["name"]),
    ("Row", "name IN {'name-1', 'name-22', 'name-333'}", ["name"]),
    ("Row", "age IN {1, 20, 77, 98, 3, 55}", ["age"]),
    ("Row", "score IN {1.5, 2.5, 300.125}", ["score"]),
    ("Row", "age + 1 == 5", ["age"]),
    ("Row", "age < score", ["age", "score"]),
    ("Row", "city < name", ["city", "name"]),
    ("Row", "score > 500 AND age < 30", ["age", "score"]),
    ("Row", "at > 2020-01-01@00:00:00 AND flag == true", ["at", "flag"]),
    ("Row", "city == 'city-77'", []),
    ("Row", "id == 4711", []),
    ("Row", "TRUEPREDICATE SORT(score ASC) LIMIT(10)", ["score"]),
    ("Row", "age > 30 SORT(name ASC, score ASC)", ["age", "name", "score"]),
    ("Row", "TRUEPREDICATE DISTINCT(city)", ["city"]),
    ("Note", "text TEXT 'bravo n12'", []),
    ("Note", "row.age > 90", ["row"]),
    ("Note", "row.city == 'city-77'", ["row"]),
    ("Note", "ANY marks == 7", ["marks"]),
    ("Note", "marks.@count > 2", ["marks"]),
    ("Note", "marks.@sum > 60", ["marks"]),
    ("Note", "row.age + 1 == 5", ["row"]),
    ("Row", "SUBQUERY(@links.Note.row, $n, $n.id > 3).@count > 0", []),
    ("Row", "@links.Note.row.@count > 1", []),
  ]

  /// Predicates that an index answers, and the value that the plainest look-up is given.
  private static let lookUps: [(className: String, predicate: String, property: String, value: Value)] = [
    ("Row", "city == 'city-77'", "city", .string(ByteString("city-77"))),
    ("Row", "city == null", "city", .null),
    ("Row", "id == 4711", "id", .int(4711)),
  ]

  init(_ path: FilePath, rounds: Int = 10) throws {
    realm = try Database.open(path, key: nil).transaction
    self.rounds = max(2, rounds)
  }

  func print() throws {
    Swift.print("milliseconds in one process, median       query      floor   objects")
    for query in Self.queries {
      let (count, time) = try time(query.className, query.predicate)
      let floor = query.columns.isEmpty ? nil : try floor(query.className, query.columns)
      Self.print("\(query.className): \(query.predicate)", time, floor, count)
    }
    for query in Self.lookUps {
      let (count, time) = try time(bound: query.predicate, to: query.className)
      let floor = try floor(query.className, query.property, query.value)
      Self.print("\(query.className): \(query.predicate), bound before", time, floor, count)
    }
  }

  private static func print(_ label: String, _ time: Int, _ floor: Int?, _ count: Int) {
    Swift.print(
      label.padding(toLength: 48, withPad: " ", startingAt: 0), milliseconds(time),
      floor.map { milliseconds($0) } ?? "         –", String(format: "%9d", count))
  }

  func printOne(_ className: String, _ predicate: String) throws {
    let (count, time) = try time(className, predicate)
    Swift.print("scan \(Self.milliseconds(time)) ms count \(count)")
  }

  private static func milliseconds(_ nanoseconds: Int) -> String {
    String(format: "%10.4f", Double(nanoseconds) / 1e6)
  }

  /// The median of all rounds but the first, which reads the file's pages.
  private func median(_ body: () throws -> Void) rethrows -> Int {
    var times: [Int] = []
    for _ in 0..<rounds {
      let start = SystemClock.nanoseconds
      try body()
      times.append(SystemClock.nanoseconds - start)
    }
    times.removeFirst()
    times.sort()
    return times[times.count / 2]
  }

  /// From the predicate's text to the number of objects, or to their keys where there is an order.
  private func time(_ className: String, _ predicate: String) throws -> (count: Int, nanoseconds: Int) {
    let (table, source) = (try table(className), Array(predicate.utf8))
    var count = 0
    let nanoseconds = try median { count = try answer(try bound(source, to: table)) }
    return (count, nanoseconds)
  }

  /// Times a predicate that has been read before.
  private func time(bound predicate: String, to className: String) throws -> (count: Int, nanoseconds: Int) {
    let query = try bound(Array(predicate.utf8), to: try table(className))
    var count = 0
    let nanoseconds = try median { count = try answer(query) }
    return (count, nanoseconds)
  }

  private func table(_ className: String) throws -> Table {
    guard let table = realm.table(named: className) else { preconditionFailure("no class \(className)") }
    return table
  }

  private func bound(_ source: [UInt8], to table: Table) throws -> BoundQuery {
    try BoundQuery(
      try Predicate(parsing: source), source: source, of: table, in: realm, arguments: QueryArguments())
  }

  private func answer(_ query: BoundQuery) throws -> Int {
    let executor = try QueryExecutor(query, in: realm)
    return query.orderings.isEmpty ? try executor.count() : try executor.keys().count
  }

  /// The walk to a value through the nodes of an index, and a look at an object that it names, as an index may name
  /// others too.
  private func floor(_ className: String, _ property: String, _ value: Value) throws -> Int {
    let table = try table(className)
    guard let property = table.schema.property(named: property), let root = property.indexRef else {
      preconditionFailure("no index of \(property)")
    }
    let (index, data) = (SearchIndex(root, in: realm.snapshot), IndexData(value))
    let key = try index.candidates(data).first
    return try median {
      guard try index.find(data) != nil, let key, let position = try table.find(key) else { return }
      let found = try position.block.leaf(property).value(position.row, in: realm.snapshot)
      precondition(found == value, "an index names the objects that have a value")
    }
  }

  /// The plainest loop over the bytes of the columns' leaves, on one thread.
  private func floor(_ className: String, _ columns: [String]) throws -> Int {
    let table = try table(className)
    let properties = columns.compactMap { table.schema.property(named: $0) }
    var sum = 0
    return try median {
      let directory = try table.directory()
      for index in 0..<directory.count {
        let block = try directory.block(index)
        for property in properties { sum &+= try equalBytes(try block.leaf(property)) }
      }
      precondition(sum >= 0)
    }
  }

  private func equalBytes(_ leaf: Leaf) throws -> Int {
    switch leaf {
    case .integers(let leaf): return Self.count(leaf.values.payload)
    case .bools(let leaf): return Self.count(leaf.values.payload)
    case .links(let leaf): return Self.count(leaf.values.payload)
    case .doubles(let leaf): return Self.count(leaf.payload)
    case .dates(let leaf): return Self.count(leaf.seconds.values.payload)
    case .strings(.short(let leaf)): return Self.count(leaf.payload)
    case .strings(.medium(let leaf)): return Self.count(leaf.blob)
    case .collections(let leaf):
      // Each list is one leaf here.
      var sum = 0
      for row in 0..<leaf.count {
        if let root = try leaf.root(row) { sum &+= Self.count(try realm.snapshot.node(root).payload) }
      }
      return sum
    default: return 0
    }
  }

  private static func count(_ bytes: RawBytes) -> Int {
    bytes.withBuffer { buffer in
      var count = 0
      for byte in buffer where byte == 42 { count &+= 1 }
      return count
    }
  }
}
