// Where the ranges of a large order begin, so that each can be found by itself. Layer: Query, Run, Sorting.

/// The order of a query in one version, without its rows.
package struct OrderRanges: Sendable {
  /// The first object of each range but the first one.
  let firstKeys: [ObjectKey]
  /// How many rows come before each range, and how many there are.
  package let starts: [Int]

  init(firstKeys: [ObjectKey], counts: [Int]) {
    self.firstKeys = firstKeys
    starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  package var count: Int { starts[starts.count - 1] }

  /// The range that has row number `row`; the last one where there is none.
  package func range(of row: Int) -> Int { (1..<starts.count - 1).partitionPoint { starts[$0] <= row } - 1 }
}
