// The first rows of an order are those that the whole order begins with, whatever the column holds.

import RealmEngine
import TestSupport
import Testing

/// Rows beyond a bound are dropped by kernels, many at once: null, NaN, both zeros, ties and the ends of each type are where these
/// could differ from the words that orders are made of.
@Suite("The first rows of an order")
struct FirstOfOrderTests {
  /// A bound is known from the second piece of a scan on, and a piece has 16,384 rows.
  private static let rowCount = 34_000
  private static let columns: [(name: String, type: ValueType, values: [Value])] = [
    ("int", .int, [.int(0), .int(-1), .int(7), .int(.max), .int(.min), .int(40)]),
    ("small", .int, [.int(1), .int(2), .int(3)]),
    (
      "double", .double,
      [
        .double(0), .double(-0.0), .double(.nan), .double(.infinity), .double(-.infinity), .double(1.5),
        .double(-2e300),
      ]
    ),
    ("float", .float, [.float(0), .float(-0.0), .float(.nan), .float(-.infinity), .float(2.5), .float(-3)]),
    (
      "date", .date,
      [
        .date(Timestamp(seconds: 0, nanoseconds: 0)), .date(Timestamp(seconds: 5, nanoseconds: 3)),
        .date(Timestamp(seconds: 5, nanoseconds: 2)), .date(Timestamp(seconds: -5, nanoseconds: -2)),
        .date(Timestamp(seconds: .max, nanoseconds: 0)),
      ]
    ),
  ]

  private static func name(_ column: String, _ isOptional: Bool) -> String {
    isOptional ? "\(column)OrNull" : column
  }

  private static func fill(_ path: FilePath, _ random: inout SplitMix64) throws {
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    let properties = columns.flatMap { column in
      [false, true].map { PropertyDefinition(name(column.name, $0), column.type, isOptional: $0) }
    }
    try write.addClasses([ClassDefinition("Row", properties: properties)])
    let load = try write.beginLoad()
    let table = try load.table(try #require(try write.schema(named: "Row")).tableKey)
    // Rare values are the first or last of their column in some files, and frequent ones in others.
    let rarity = 1 + random.below(3000)
    for row in 0..<rowCount {
      try table.beginObject()
      for (index, column) in columns.enumerated() {
        for isOptional in [false, true] {
          let value: Value
          if isOptional, random.oneIn(rarity) {
            value = .null
          } else if random.oneIn(rarity) {
            value = column.values[random.below(column.values.count)]
          } else {
            let number = Int64(random.below(1000)) - 300
            value =
              switch column.type {
              case .int: .int(column.name == "small" ? 2 : number)
              case .double: .double(Double(number) / 8)
              case .float: .float(Float(number) / 8)
              default: .date(Timestamp(seconds: number + Int64(row % 7), nanoseconds: 0))
              }
          }
          try table.put(2 * index + (isOptional ? 1 : 0), .single(value))
        }
      }
      try table.endObject()
    }
    try load.finish()
    try realm.commit(write)
  }

  @Test("they are those that all rows in order begin with", .slow)
  func firstRows() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let files = try ScratchFolder(keepable: "first")
    let path = files.path("rows.realm")
    try Self.fill(path, &random)
    let asked = try Asked(Result { try Database.open(path).transaction }, "Row")
    for column in Self.columns {
      for name in [false, true].map({ Self.name(column.name, $0) }) {
        for direction in ["ASC", "DESC"] {
          let all = try asked.keys("TRUEPREDICATE SORT(\(name) \(direction))")
          for count in [1, 300] {
            let first = try asked.keys("TRUEPREDICATE SORT(\(name) \(direction)) LIMIT(\(count))")
            #expect(first == Array(all.prefix(count)), "\(name) \(direction), \(count), seed \(seed)")
          }
        }
      }
    }
  }
}
