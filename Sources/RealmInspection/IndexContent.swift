// What an index of values says of the objects it names, key by key: that each has the value that leads to it, and that none
// is named twice. Layer: RealmInspection. Memory: one bit an object.

import RealmFiles

struct IndexContent {
  /// What is wrong with a key.
  enum Problem {
    case unknownKey
    case repeatedKey
    /// The value's chunk at a level is another one.
    case misplaced(level: Int, expected: Int32, found: Int32)
    /// In a list: another object has the primary key.
    case repeatedPrimaryKey
    case keyOrder(previous: Int64)
    case differentValue
  }

  typealias Report = (_ key: Int64, _ offset: Int, Problem) -> Void

  private let isPrimaryKey: Bool
  private var reader: ColumnReader
  /// A bit for each object, in key order.
  private(set) var seen: [UInt64]

  init(_ column: IndexedColumn, _ walk: Walk) {
    isPrimaryKey = column.isPrimaryKey
    seen = [UInt64](repeating: 0, count: column.directory.count / 64 + 1)
    reader = ColumnReader(column, walk.peeking())
  }

  /// Checks one key and returns the object's value.
  @discardableResult
  mutating func check(_ key: Int64, _ path: [Int32], at offset: Int, _ report: Report) -> RawValue? {
    guard let (ordinal, value) = reader.value(of: key) else {
      report(key, offset, .unknownKey)
      return nil
    }
    let bit: UInt64 = 1 << UInt64(ordinal % 64)
    if seen[ordinal / 64] & bit != 0 { report(key, offset, .repeatedKey) }
    seen[ordinal / 64] |= bit
    guard let value else { return nil }
    let data = IndexPath(value)
    if let level = path.indices.first(where: { data.chunk($0) != path[$0] }) {
      report(key, offset, .misplaced(level: level, expected: data.chunk(level), found: path[level]))
    }
    return value
  }

  /// What the keys of one list have shown so far.
  struct List {
    let offset: Int
    fileprivate var first: RawValue?
    fileprivate var previous: (key: Int64, value: RawValue)?

    init(at offset: Int) { self.offset = offset }
  }

  /// Checks the next key of a list. One list holds one value; at the last level, or where values of different types have
  /// the same bytes, several.
  mutating func check(_ key: Int64, _ path: [Int32], in list: inout List, _ report: Report) {
    guard let value = check(key, path, at: list.offset, report) else { return }
    let first = list.first ?? value
    list.first = first
    let endsHere = path.count * IndexPath.chunkSize > IndexPath.offsetMax
    if let previous = list.previous, ValueOrder.compare(previous.value, value) == 0 {
      if isPrimaryKey { report(key, list.offset, .repeatedPrimaryKey) }
      if previous.key >= key { report(key, list.offset, .keyOrder(previous: previous.key)) }
    } else if list.previous != nil, !endsHere, !IndexPath(first).hasSameBytes(as: IndexPath(value)) {
      report(key, list.offset, .differentValue)
    }
    list.previous = (key, value)
  }
}
