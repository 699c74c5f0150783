// How many rows a table has, and a hash over all of their values that does not depend on their order.
// Layer: RealmSQL, SQLite. It tells whether a copy holds what the original held; it is no defence against forgery.

import ByteText
import RealmEngine

/// What two tables with the same rows have in common.
package struct TableDigest: Sendable, Equatable {
  package private(set) var rowCount = 0
  /// The sum of the hashes of all rows.
  package private(set) var sum = SIMD2<UInt64>()

  package init() {}

  /// Adds rows that are given column by column.
  package mutating func add(_ columns: [[SQLValue]], rowCount: Int) {
    var hashes = [RowHash](repeating: RowHash(), count: rowCount)
    for column in columns {
      for row in 0..<rowCount { hashes[row].add(column[row]) }
    }
    for hash in hashes { add(hash) }
  }

  /// 32 hexadecimal digits.
  package var text: String {
    var text = ByteBuffer()
    text.append(hexadecimal: sum.x)
    text.append(hexadecimal: sum.y)
    return text.text
  }

  mutating func add(_ hash: RowHash) {
    rowCount += 1
    sum &+= hash.finished
  }
}
