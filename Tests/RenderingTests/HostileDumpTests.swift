import Foundation
import RealmEngine
import Rendering
import TestSupport
import Testing

/// Dumps of files that no engine wrote: each must end, with an error or with output that the file can account for.
@Suite("Dumps of hostile files")
struct HostileDumpTests {
  private enum Outcome: Equatable {
    case written(byteCount: Int)
    case failed(EngineError.Kind)
  }

  private static func dump(_ file: [UInt8]) -> Outcome {
    do throws(EngineError) {
      let opened = try RealmFile(stream: file, path: FilePath("test.realm"), key: nil)
      var size = 0
      var out = OutputBuffer { size += $0.count }
      try DumpWriter(try Database(opened).transaction, allTables: true).write(to: &out)
      try out.flush()
      return .written(byteCount: size)
    } catch {
      return .failed(error.kind)
    }
  }

  /// A class that owns one embedded object; `rows` are the links of the embedded class's objects to itself.
  private static func embedded(rows: [[Int64]]) -> [UInt8] {
    var bytes = RealmBytes()
    let listKey = RealmBytes.columnKey(0, type: 12, attributes: 32)
    let lists = bytes.refs(to: rows.map { $0.isEmpty ? 0 : bytes.integers($0) })
    let inner = bytes.table(
      slot: 1, columns: [.init("children", key: listKey, leaf: lists, oppositeTable: 1)],
      clusters: bytes.cluster(rowCount: rows.count, leaves: [lists]), isEmbedded: true)
    let owner = bytes.integers([1])
    let ownerKey = RealmBytes.columnKey(0, type: 12, attributes: 16)
    let outer = bytes.table(
      slot: 0, columns: [.init("root", key: ownerKey, leaf: owner, oppositeTable: 1)],
      clusters: bytes.cluster(rowCount: 1, leaves: [owner]))
    return bytes.realm(["class_Owner", "class_Inner"], tables: [outer, inner])
  }

  @Test("embedded objects in a tree are written in full")
  func embeddedTree() {
    guard case .written(let size) = Self.dump(Self.embedded(rows: [[1, 2], [], [3], []])) else {
      Issue.record("not written")
      return
    }
    #expect(size > 200)
  }

  @Test("an embedded object inside itself, or with several owners, is damage")
  func embeddedLoops() {
    #expect(Self.dump(Self.embedded(rows: [[0]])) == .failed(.damaged))
    #expect(Self.dump(Self.embedded(rows: [[1], [0]])) == .failed(.damaged))
    // Each level names the next one many times: far more objects than there are.
    let levels = (1..<200).map { [Int64](repeating: Int64($0), count: 200) } + [[]]
    #expect(Self.dump(Self.embedded(rows: levels)) == .failed(.damaged))
    #expect(Self.dump(Self.embedded(rows: [[7]])) == .failed(.damaged), "it does not exist")
  }

  @Test("nesting has a limit that the stack survives")
  func embeddedDepth() {
    let shallow = (1..<200).map { [Int64($0)] } + [[]]
    guard case .written = Self.dump(Self.embedded(rows: shallow)) else {
      Issue.record("200 levels were not written")
      return
    }
    var bytes = RealmBytes()
    var collection = bytes.refs([Int64(bytes.integers([1 << 8 | 1])), 0, 0, 0, 0, 0])
    for _ in 0..<100_000 {
      // A list whose only element is the list made before.
      collection = bytes.refs(
        [Int64(bytes.integers([0x94])), 0, 0, 0, Int64(bytes.refs(to: [collection])), 0])
    }
    let key = RealmBytes.columnKey(0, type: 6, attributes: 16)
    let table = bytes.table(
      slot: 0, columns: [.init("m", key: key, leaf: collection)],
      clusters: bytes.cluster(rowCount: 1, leaves: [collection]))
    #expect(Self.dump(bytes.realm(["class_T"], tables: [table])) == .failed(.damaged))
  }

  @Test("a blob that many rows share is charged each time")
  func sharedBlob() {
    var bytes = RealmBytes()
    let blob = bytes.blob([UInt8](repeating: 0x61, count: 100_000) + [0])
    let leaf = bytes.refs(to: [Int](repeating: blob, count: 256), context: true)
    let key = RealmBytes.columnKey(0, type: 2, attributes: 16)
    let table = bytes.table(
      slot: 0, columns: [.init("s", key: key, leaf: leaf)],
      clusters: bytes.cluster(rowCount: 256, leaves: [leaf]))
    #expect(Self.dump(bytes.realm(["class_T"], tables: [table])) == .failed(.damaged))
  }

  @Test("a leaf, a list or a payload that many rows share is charged each time")
  func sharedNodes() {
    var bytes = RealmBytes()
    let elements = bytes.integers((0..<1000).map { $0 * 1_000_000_007 })
    let lists = bytes.refs(to: [Int](repeating: elements, count: 256))
    let listKey = RealmBytes.columnKey(0, type: 0, attributes: 32)
    let text = [UInt8](repeating: 0x62, count: 50_000)
    let payloads = bytes.smallBlobs([text], terminator: true)
    let composites = bytes.integers([Int64](repeating: 3 << 5 | 3, count: 256))
    let mixed = bytes.refs([Int64(composites), 0, 0, Int64(payloads), 0, 0])
    let mixedKey = RealmBytes.columnKey(0, type: 6, attributes: 16)
    for (key, leaf) in [(listKey, lists), (mixedKey, mixed)] {
      var copy = bytes
      let table = copy.table(
        slot: 0, columns: [.init("c", key: key, leaf: leaf)],
        clusters: copy.cluster(rowCount: 256, leaves: [leaf]))
      #expect(Self.dump(copy.realm(["class_T"], tables: [table])) == .failed(.damaged))
    }
  }

  /// The JSON of an object with a list of links to the one object of another class, whose primary key is `name`. `leafCount`: how
  /// often the tree of the list names its leaf of 1000 links.
  private static func linked(
    _ name: [UInt8], isInBlobOfItsOwn: Bool = false, leafCount: Int
  ) throws -> Outcome {
    var bytes = RealmBytes()
    let links = bytes.integers([Int64](repeating: 0, count: 1000))
    var list = links
    if leafCount > 1 {
      let total = RealmBytes.tagged(Int64(1000 * leafCount))
      let children = [Int64](repeating: Int64(links), count: leafCount)
      list = bytes.refs([RealmBytes.tagged(1000)] + children + [total], inner: true)
    }
    let lists = bytes.refs(to: [list])
    let listKey = RealmBytes.columnKey(0, type: 12, attributes: 32)
    let owner = bytes.table(
      slot: 0, columns: [.init("links", key: listKey, leaf: lists, oppositeTable: 1)],
      clusters: bytes.cluster(rowCount: 1, leaves: [lists]))
    let names: Int
    if isInBlobOfItsOwn {
      let blob = bytes.blob(name + [0])
      names = bytes.refs(to: [blob], context: true)
    } else {
      names = bytes.smallBlobs([name], terminator: true)
    }
    let nameKey = RealmBytes.columnKey(0, type: 2, attributes: 16)
    let target = bytes.table(
      slot: 1, columns: [.init("id", key: nameKey, leaf: names)],
      clusters: bytes.cluster(rowCount: 1, leaves: [names]), primaryKey: nameKey)
    let file = bytes.realm(["class_Owner", "class_Target"], tables: [owner, target])
    let opened = try RealmFile(stream: file, path: FilePath("test.realm"), key: nil)
    let transaction = try Database(opened).transaction
    let table = try #require(transaction.table(named: "Owner"))
    let position = try #require(try table.find(ObjectKey(0)))
    var size = 0
    var out = OutputBuffer { size += $0.count }
    do throws(EngineError) {
      var writer = JSONWriter(transaction, style: .plain)
      try writer.writeObject(position, of: table, to: &out)
      try out.flush()
      return .written(byteCount: size)
    } catch {
      return .failed(error.kind)
    }
  }

  @Test("many links may lead to one name, and no leaf of them stands in a list twice")
  func repeatedNames() throws {
    let (short, long) = ([UInt8](repeating: 0x6E, count: 1000), [UInt8](repeating: 0x6E, count: 5000))
    for isInBlobOfItsOwn in [false, true] {
      let written = try Self.linked(short, isInBlobOfItsOwn: isInBlobOfItsOwn, leafCount: 1)
      #expect(written == .written(byteCount: 1000 * 1003 + 11))
      let long = try Self.linked(long, isInBlobOfItsOwn: isInBlobOfItsOwn, leafCount: 1)
      #expect(long == .written(byteCount: 1000 * 5003 + 11))
    }
    #expect(try Self.linked([0x6E], leafCount: 20) == .failed(.damaged))
  }

  @Test("names beyond measure have an end, over all walks of a writer")
  func endlessNames() throws {
    var bytes = RealmBytes()
    let file = try RealmFile(stream: bytes.realm([], tables: []), path: FilePath("test.realm"), key: nil)
    let realm = try Database(file).transaction
    var budget = TraversalBudget(realm.snapshot)
    for _ in 0..<4 {
      try budget.charge(nameOfSize: 1 << 30)
      budget = TraversalBudget(realm.snapshot, after: budget)
    }
    #expect(throws: EngineError.self) { try budget.charge(nameOfSize: 1 << 30) }
  }

  @Test("a count that the rows do not bear out is damage")
  func wrongCount() {
    var bytes = RealmBytes()
    let leaf = bytes.integers([1, 2])
    let cluster = bytes.cluster(rowCount: 2, leaves: [leaf])
    let root = bytes.refs([0, RealmBytes.tagged(1), RealmBytes.tagged(3), Int64(cluster)], inner: true)
    let table = bytes.table(
      slot: 0, columns: [.init("n", key: RealmBytes.columnKey(0, type: 0), leaf: leaf)], clusters: root)
    #expect(Self.dump(bytes.realm(["class_T"], tables: [table])) == .failed(.damaged))
  }

  @Test("text, names and keys that are not UTF-8 or hold control characters leave as valid JSON")
  func awkwardText() throws {
    var bytes = RealmBytes()
    let texts = bytes.smallBlobs(
      [[0xFF, 0xFE], Array("\u{1B}[2J\u{7F}".utf8), [0xC2, 0x9B]], terminator: true)
    let key = RealmBytes.columnKey(0, type: 2, attributes: 16)
    let table = bytes.table(
      slot: 0, columns: [.init("a\"\u{1B}", key: key, leaf: texts)],
      clusters: bytes.cluster(rowCount: 3, leaves: [texts]))
    let file = bytes.realm(["class_\u{7}\\"], tables: [table])
    let opened = try RealmFile(stream: file, path: FilePath("test.realm"), key: nil)
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    try DumpWriter(try Database(opened).transaction, allTables: false).write(to: &out)
    try out.flush()
    #expect(!collector.all.contains { $0 < 0x20 && $0 != 0x0A })
    let lines = String(decoding: collector.all, as: UTF8.self).split(separator: "\n")
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    #expect(lines[2].hasSuffix("{\"a\\\"\\u001b\":{\"$string\":\"//4=\"}}}"))
  }

  @Test("a file cut off at any length is read or refused", arguments: ["bare.realm", "place.realm"])
  func truncation(name: String) throws {
    let file = [UInt8](try Data(contentsOf: DumpTests.fixtures.appendingPathComponent(name)))
    let whole = Self.dump(file)
    for length in 0..<file.count {
      switch Self.dump(Array(file[..<length])) {
      case .failed(let kind): #expect([.damaged, .notARealm].contains(kind), "\(length): \(kind)")
      case .written: Issue.record("\(length) bytes of \(file.count) were read as \(whole)")
      }
    }
  }

  @Test("zeros in place of any 8 bytes are read or refused", arguments: ["bare.realm", "alltypes.realm"])
  func zeroWords(name: String) throws {
    let file = [UInt8](try Data(contentsOf: DumpTests.fixtures.appendingPathComponent(name)))
    for start in stride(from: 0, to: file.count, by: 8) {
      var changed = file
      for index in start..<start + 8 { changed[index] = 0 }
      if case .failed(let kind) = Self.dump(changed) {
        #expect([.damaged, .notARealm].contains(kind), "\(start): \(kind)")
      }
    }
  }
}
