import RealmEngine
import TestSupport
import Testing

@Suite("Tables that share what they are made of")
struct SharedSpecTests {
  /// Tables whose columns are integers without a name. `isShared`: all tables have one spec.
  private static func realm(tableCount: Int, columnCount: Int, isShared: Bool) -> [UInt8] {
    var bytes = RealmBytes()
    var shared: Int?
    var tables: [Int] = []
    for slot in 0..<tableCount {
      let spec: Int
      if isShared, let shared { spec = shared } else { spec = Self.addSpec(columnCount, &bytes) }
      shared = spec
      let clusters = bytes.cluster(rowCount: 0, leaves: [])
      let (tableKeys, columnKeys) = (bytes.integers([]), bytes.integers([]))
      tables.append(
        bytes.refs([
          Int64(spec), 0, Int64(clusters), RealmBytes.tagged(Int64(slot)), 0, 1, 1, Int64(tableKeys),
          Int64(columnKeys), 1, 0, 0, RealmBytes.tagged(0), 0,
        ]))
    }
    return bytes.realm((0..<tableCount).map { "class_T\($0)" }, tables: tables)
  }

  /// Only the keys of the columns take bytes.
  private static func addSpec(_ columnCount: Int, _ bytes: inout RealmBytes) -> Int {
    let zeros = [Int64](repeating: 0, count: columnCount)
    let (types, attributes) = (bytes.integers(zeros), bytes.integers(zeros))
    let names = bytes.shortTexts([String](repeating: "", count: columnCount), width: 0)
    let keys = bytes.integers((0..<Int64(columnCount)).map { RealmBytes.columnKey($0, type: 0) })
    return bytes.refs([types, names, attributes, 0, 0, keys].map(Int64.init))
  }

  @Test("tables that share one spec are damage: each would make all of its columns")
  func sharedSpec() throws {
    #expect {
      try database(Self.realm(tableCount: 40, columnCount: 1000, isShared: true))
    } throws: {
      ($0 as? EngineError)?.kind == .damaged
    }
  }

  @Test("many tables with few columns are read", arguments: [(60, 0), (60, 1), (20, 4)])
  func ownSpecs(tableCount: Int, columnCount: Int) throws {
    let file = Self.realm(tableCount: tableCount, columnCount: columnCount, isShared: false)
    let classes = try database(file).transaction.classes()
    #expect(classes.count == tableCount && classes.allSatisfy { $0.schema.properties.count == columnCount })
  }
}
