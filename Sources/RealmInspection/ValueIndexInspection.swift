// An index of values: every object of the table stands in it once, under the chunks of its value.
// Layer: RealmInspection. Where threads help, a large index is compared with its objects by `IndexComparison`, which only tells whether
// all is well; the walk here tells what is wrong.

import RealmFiles

struct ValueIndexInspection {
  private let inspection: SnapshotInspection
  private let column: IndexedColumn
  private let walk: Walk

  init(_ inspection: SnapshotInspection, _ column: RawColumn, _ table: RawTable) {
    self.inspection = inspection
    self.column = IndexedColumn(column, of: table)
    walk = inspection.walk
  }

  func run(_ root: RawNode) {
    guard let shared = inspection.shared, column.directory.count >= SharedInspection.objectCountMin else {
      return compare(root)
    }
    if !IndexComparison(column, shared).holds(root, walk) { inspection.mustBeTold = true }
  }

  private func compare(_ root: RawNode) {
    var content = IndexContent(column, walk)
    walk.walkIndex(root) { path, entry in
      switch entry {
      case .one(let key):
        walk.statistics.indexEntryCount += 1
        content.check(key, path, at: root.offset, report)
      case .list(let node):
        var list = IndexContent.List(at: node.offset)
        inspection.walkKeys(node) { key in content.check(key, path, in: &list, report) }
      }
    }
    reportMissing(content.seen, at: root.offset)
  }

  private func report(_ key: Int64, _ offset: Int, _ problem: IndexContent.Problem) {
    let (kind, expected, found): (FindingKind, String, String) =
      switch problem {
      case .unknownKey: (.indexExtra, "the key of an object", "no such object")
      case .repeatedKey: (.indexExtra, "each object once", "it again")
      case .misplaced(let level, let chunk, let other):
        (.indexPlace, "the chunk \(chunk) of its value at level \(level)", "\(other)")
      case .repeatedPrimaryKey: (.primaryKeyValue, "a primary key of its own", "that of another object")
      case .keyOrder(let previous):
        (.indexList, "keys of equal values that rise", "\(key) behind \(previous)")
      case .differentValue: (.indexList, "a list of equal values", "another value")
      }
    walk.report(kind, at: offset, object: key, expected: expected, found: found)
  }

  private func reportMissing(_ seen: [UInt64], at offset: Int) {
    for (index, word) in seen.enumerated() where word != .max {
      for bit in 0..<64 where word >> UInt64(bit) & 1 == 0 {
        let ordinal = index * 64 + bit
        guard ordinal < column.directory.count else { return }
        walk.report(
          .indexMissing, at: offset, object: column.directory.key(ordinal),
          expected: "every object in the index", found: "this one missing")
      }
    }
  }
}
