import RealmEngine
import TestSupport
import Testing

/// Scans and orders of files whose rows, or what they hold, stand in several places.
@Suite("Rows of hostile files")
struct HostileRowsTests {
  private static func isDamage(_ error: any Error) -> Bool { (error as? EngineError)?.kind == .damaged }

  /// A class with one property and the rows at `clusters`.
  private static func asked(
    _ bytes: inout RealmBytes, type: Int64, attributes: Int64 = 0, leaf: Int, clusters: Int
  ) throws -> Asked {
    let key = RealmBytes.columnKey(0, type: type, attributes: attributes)
    let table = bytes.table(slot: 0, columns: [.init("p", key: key, leaf: leaf)], clusters: clusters)
    let file = bytes.realm(["class_T"], tables: [table])
    return try Asked(Result { try database(file).transaction }, "T")
  }

  /// `depth` of an inner node of clusters, how many objects it states, and its children.
  private static func inner(
    _ bytes: inout RealmBytes, depth: Int64, count: Int64, _ children: [Int]
  ) -> Int {
    bytes.refs(
      [0, RealmBytes.tagged(depth), RealmBytes.tagged(count)] + children.map(Int64.init), inner: true)
  }

  @Test("a cluster that stands in a tree many times is damage, below one inner node or below many")
  func sharedCluster() throws {
    for isBelowOne in [true, false] {
      var bytes = RealmBytes()
      let leaf = bytes.integers([Int64](repeating: 0, count: 256))
      let cluster = bytes.cluster(rowCount: 256, leaves: [leaf])
      let root: Int
      if isBelowOne {
        root = Self.inner(&bytes, depth: 1, count: 200 * 256, [Int](repeating: cluster, count: 200))
      } else {
        let children = (0..<200).map { _ in Self.inner(&bytes, depth: 1, count: 256, [cluster]) }
        root = Self.inner(&bytes, depth: 2, count: 200 * 256, children)
      }
      let asked = try Self.asked(&bytes, type: 0, leaf: leaf, clusters: root)
      #expect {
        try QueryExecutor(try asked.bound("p == 0"), in: asked.realm).count()
      } throws: {
        Self.isDamage($0)
      }
    }
  }

  @Test("more objects than the tree states are damage where they are counted and where they are sorted")
  func moreThanStated() throws {
    var bytes = RealmBytes()
    let leaf = bytes.integers((0..<256).map { $0 * 37 % 256 }, width: 16)
    let clusters = [0, 1].map { _ in bytes.cluster(rowCount: 256, leaves: [leaf]) }
    let root = Self.inner(&bytes, depth: 1, count: 300, clusters)
    let asked = try Self.asked(&bytes, type: 0, leaf: leaf, clusters: root)
    #expect {
      try QueryExecutor(try asked.bound("p >= 0"), in: asked.realm).count()
    } throws: {
      Self.isDamage($0)
    }
    #expect {
      try QueryExecutor(try asked.bound("p >= 0 SORT(p ASC)"), in: asked.realm).keys()
    } throws: {
      Self.isDamage($0)
    }
  }

  @Test("texts in chunks are sorted, but not those that many rows share")
  func chunkedTexts() throws {
    for isShared in [false, true] {
      var bytes = RealmBytes()
      let texts = (0..<40).map { number -> Int in
        let end = "\(1000 + (number * 7 + 3) % 40)"
        let chunks = [
          bytes.blob([UInt8](repeating: UInt8(ascii: "t"), count: 200)), bytes.blob(Array(end.utf8) + [0]),
        ]
        return bytes.refs(to: chunks, context: true)
      }
      let leaf = bytes.refs(
        to: isShared ? [Int](repeating: texts[0], count: 256) : texts, context: true)
      let cluster = bytes.cluster(rowCount: isShared ? 256 : texts.count, leaves: [leaf])
      let asked = try Self.asked(&bytes, type: 2, attributes: 16, leaf: leaf, clusters: cluster)
      let executor = try QueryExecutor(try asked.bound("TRUEPREDICATE SORT(p ASC)"), in: asked.realm)
      guard isShared else {
        let sorted = (0..<40).sorted { ($0 * 7 + 3) % 40 < ($1 * 7 + 3) % 40 }
        #expect(try executor.keys() == sorted.map { ObjectKey(Int64($0)) })
        continue
      }
      #expect {
        try executor.keys()
      } throws: {
        Self.isDamage($0)
      }
    }
  }
}
