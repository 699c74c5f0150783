// Dropping rows that the clauses behind a predicate cannot want, while rows are still coming.
// Layer: Query, Run, Sorting.
// Invariant: what is left gives the same result, if rows that come later stand behind it. So memory is bounded by a few
// times what is wanted.

import Synchronization

/// The word that no wanted row's first sort key is above, as far as is known. Threads share it.
final class SortBound: Sendable {
  let column: Int
  private let flip: UInt64
  private let word = Mutex<UInt64>(.max)

  init(_ key: RowClause.SortKey) {
    column = key.column
    flip = key.isAscending ? 0 : .max
  }

  /// There are as many rows as are wanted, none of which is above the first word `word`.
  func lower(to word: UInt64) { self.word.withLock { $0 = min($0, word ^ flip) } }

  /// The rows that may be wanted.
  func admitted(
    _ rows: BlockRows, _ paths: [SortKeyPath], in snapshot: Snapshot
  ) throws(EngineError) -> BlockRows {
    let bound = word.withLock { $0 }
    // To look at what objects elsewhere say is as much work as to collect it.
    if bound == .max || !paths[column].links.isEmpty || paths[column].computed != nil { return rows }
    let (property, flip) = (paths[column].property, flip)
    let test = NumberBound(bound ^ flip, isUpper: flip == 0, of: property)
    let (mask, scratch) = (SelectionMask(), SelectionMask())
    var words = KeyColumn(paths[column])
    var admitted: [Int32] = []
    var start: Int32 = 0
    var hasUnordered = false
    try rows.forEachLeaf(of: property) { leaf, rows throws(EngineError) in
      // All of a leaf are looked at where many of them are meant.
      if let test, rows.count > leaf.count / 8, test.mark(leaf, scratch: scratch, into: mask) {
        if rows.count < leaf.count {
          for index in rows.indices where mask[Int(rows[index])] { admitted.append(start &+ Int32(index)) }
        } else if !mask.isEmpty {
          mask.forEachRow { admitted.append(start &+ Int32(truncatingIfNeeded: $0)) }
        }
        start += Int32(rows.count)
        return
      }
      let admittedBefore = admitted.count
      var row = start
      @inline(__always) func admit(_ word: UInt64) {
        if word ^ flip <= bound { admitted.append(row) }
        row &+= 1
      }
      if case .strings(.short(let leaf)) = leaf,
        leaf.forEachHead(rows, { admit(OrderKey.first(ofTextWithHead: $0, length: $1)) })
      {
        // All of them had a head.
      } else {
        admitted.removeSubrange(admittedBefore...)
        row = start
        words.removeAll()
        try words.append(leaf, at: rows, in: snapshot)
        for word in words.first { admit(word) }
        if words.hasUnordered { hasUnordered = true }
      }
      start += Int32(rows.count)
    }
    // Let them come, so that it is noticed.
    return hasUnordered ? rows : rows.keeping(admitted)
  }
}

/// The same bound for a column of numbers, of which the kernels of conditions look at many at once.
private struct NumberBound {
  private let test: NumberPredicate
  /// Whether those are wanted that fail the test: null and what is no number among them.
  private let isNegated: Bool

  /// Nil where the word is none of a number, or the column one of other values.
  init?(_ word: UInt64, isUpper: Bool, of property: Property) {
    // Null and what is no number have the first words.
    guard word > 1, property.collection == nil else { return nil }
    let integer = Int64(bitPattern: word ^ 1 << 63)
    switch property.type {
    case .int, .date:
      // The first word of a date is its seconds.
      test = .integers(
        isUpper ? IntegerRange(low: .min, high: integer) : IntegerRange(low: integer, high: .max),
        acceptsNull: isUpper)
      isNegated = false
    case .double:
      test = .doubles(.compare(isUpper ? .greater : .greaterOrEqual, OrderedNumber.number(word)))
      isNegated = isUpper
    case .float:
      test = .floats(.compare(isUpper ? .greater : .greaterOrEqual, Float(OrderedNumber.number(word))))
      isNegated = isUpper
    default: return nil
    }
  }

  /// Marks the values that are within the bound. False: the leaf holds others.
  func mark(_ leaf: Leaf, scratch: SelectionMask, into mask: SelectionMask) -> Bool {
    let leaf = if case .dates(let dates) = leaf { Leaf.integers(dates.seconds) } else { leaf }
    guard test.mark(leaf, scratch: scratch, into: mask) else { return false }
    if isNegated {
      if mask.population == mask.count { mask.fill(false, count: mask.count) } else { mask.invert() }
    }
    return true
  }
}

/// Whether many rows of a part repeat others of it, so that looking for them is worth its time. Threads share it.
private final class RepeatShare: Sendable {
  let isLarge = Atomic<Bool>(true)
}

/// What the first clause, and the limits and offsets behind it, say of single rows.
struct TopKFilter: Sendable {
  private enum Kind: Sendable {
    /// As many as are wanted, in the order in which they come.
    case first(Int)
    /// As many as are wanted, in another order.
    case best([RowClause.SortKey], Int, SortBound)
    /// The first of each combination of values; nil: all of these are wanted.
    case distinct([Int], Int?, RepeatShare)
  }

  private let kind: Kind
  private let columns: Set<Int>

  /// Rows beyond a few times the wanted ones that are collected before some are dropped.
  private static let slack = 1024
  /// Rows that are collected before repeated ones among them are looked for.
  private static let distinctMin = 1 << 20

  /// Nil where all rows are wanted. `wanted` is how many rows must come out of the clause.
  init?(_ clause: RowClause, wanted: Int?, columnCount: Int) {
    switch clause {
    case .limit(let count): kind = .first(count)
    case .sort(let keys):
      guard let wanted, let key = keys.first else { return nil }
      kind = .best(keys, wanted, SortBound(key))
    case .distinct(let columns): kind = .distinct(columns, wanted, RepeatShare())
    case .offset: return nil
    }
    columns = Set(0..<columnCount)
  }

  /// The rows among those that were found that may be wanted.
  func admitted(
    _ rows: BlockRows, _ paths: [SortKeyPath], in snapshot: Snapshot
  ) throws(EngineError) -> BlockRows {
    guard case .best(_, _, let bound) = kind else { return rows }
    return try bound.admitted(rows, paths, in: snapshot)
  }

  /// Whether the first rows may be all that is wanted.
  var mayEndEarly: Bool {
    switch kind {
    case .first: true
    case .best: false
    case .distinct(_, let wanted, _): wanted != nil
    }
  }

  /// How many rows may be collected before `prune` is worth its time.
  var rowsMax: Int {
    switch kind {
    case .first(let count): count
    case .best(_, let count, _): count > Int.max / 8 ? .max : 4 * count + Self.slack
    case .distinct(_, let wanted?, _): min(wanted, Self.distinctMin) * 2 + Self.slack
    case .distinct(_, nil, _): Self.distinctMin
    }
  }

  /// Whether `rows`, which were pruned, are all that is wanted.
  func isEnough(_ rows: SortRows) -> Bool {
    switch kind {
    case .first(let count): rows.count >= count
    case .best(_, let count, _): count == 0
    case .distinct(_, let wanted, _): wanted.map { rows.count >= $0 } ?? false
    }
  }

  /// Drops rows of one part of those that come, on the thread that found them.
  func prunePart(_ rows: inout SortRows) {
    guard case .distinct(_, _, let share) = kind else {
      if rows.count > rowsMax { prune(&rows) }
      return
    }
    guard share.isLarge.load(ordering: .relaxed) else { return }
    let count = rows.count
    prune(&rows)
    if rows.count > count / 2 { share.isLarge.store(false, ordering: .relaxed) }
  }

  func prune(_ rows: inout SortRows) {
    switch kind {
    case .first(let count): rows.keep(Array(0..<Int32(clamping: min(rows.count, count))), columns: columns)
    case .best(let keys, let count, let bound):
      let best = RowOrder.sorted(rows.count, by: rows.levels(keys)).prefix(count)
      rows.keep(Array(best), columns: columns)
      if rows.count == count, let worst = rows.columns[bound.column]?.first.last {
        bound.lower(to: worst)
      }
    case .distinct(let distinct, _, _):
      rows.keep(rows.firsts(distinct), columns: columns)
    }
  }
}
