// The keys of rows by number, in no memory where each is one more than the one before. Layer: Query, Plan.

/// Keys in the order in which they came.
struct RowKeys: Sendable {
  private(set) var count = 0
  private var first: Int64 = 0
  /// All keys, from where they do not follow one another; until then empty.
  private var listed: [ObjectKey] = []

  private var isRun: Bool { listed.isEmpty }

  subscript(row: Int) -> ObjectKey { isRun ? ObjectKey(first &+ Int64(row)) : listed[row] }

  /// The row that has `key`, where keys ascend.
  @inline(__always)
  func index(of key: Int64) -> Int? {
    if isRun {
      let position = UInt64(bitPattern: key &- first)
      return position < UInt64(count) ? Int(position) : nil
    }
    let index = listed.lowerBound(ObjectKey(key))
    return index < listed.count && listed[index].value == key ? index : nil
  }

  @inline(__always)
  private mutating func append(_ key: ObjectKey) {
    if isRun {
      if count == 0 { first = key.value }
      if key.value == first &+ Int64(count) {
        count += 1
        return
      }
      list(room: count + 1)
    }
    listed.append(key)
    count += 1
  }

  /// Adds the keys of all rows at `place`.
  mutating func append(_ place: BlockPlace) {
    if let run = place.keyRun, append(run) { return }
    for row in 0..<place.count { append(place.key(row)) }
  }

  /// False: the keys have to be listed.
  private mutating func append(_ run: Range<Int64>) -> Bool {
    guard isRun, count == 0 || run.lowerBound == first &+ Int64(count) else { return false }
    if count == 0 { first = run.lowerBound }
    count += run.count
    return true
  }

  mutating func append(_ rows: BlockRows) {
    var block = 0
    while block < rows.blockCount, isRun {
      if !(rows.keyRun(block).map { append($0) } ?? false) {
        rows.forEachKey(in: block..<block + 1) { append($0) }
      }
      block += 1
    }
    let rest = block..<rows.blockCount
    if rest.isEmpty { return }
    listed.append(upTo: rows.rowCount(rest)) { listed in
      rows.forEachKey(in: rest) { listed.append($0) }
    }
    count = listed.count
  }

  mutating func append(_ other: RowKeys) {
    if isRun, other.isRun, count == 0 || other.first == first &+ Int64(count) {
      if count == 0 { first = other.first }
      count += other.count
      return
    }
    if isRun { list(room: count + other.count) }
    if other.isRun {
      for row in 0..<other.count { listed.append(other[row]) }
    } else {
      listed += other.listed
    }
    count += other.count
  }

  private mutating func list(room: Int) {
    listed.reserveLarge(room)
    for row in 0..<count { listed.append(ObjectKey(first &+ Int64(row))) }
  }

  /// Makes room for `room` keys in all, if they are listed.
  mutating func reserve(_ room: Int) { if !isRun { listed.reserveLarge(room) } }

  /// The keys of the rows `kept`, in that order.
  func chosen(_ kept: [Int32]) -> [ObjectKey] {
    let (first, isRun, listed) = (first, isRun, listed)
    let bounds = ParallelFill.bounds(kept.count)
    return ParallelFill.array(bounds) { piece, keys in
      let (kept, listed, start) = (kept.span, listed.span, bounds[piece])
      for index in keys.indices {
        let row = kept[start + index]
        keys[index] = isRun ? ObjectKey(first &+ Int64(row)) : listed[Int(row)]
      }
    }
  }

  /// Keeps only the rows `kept`, in that order.
  mutating func keep(_ kept: [Int32]) {
    listed = chosen(kept)
    count = kept.count
  }
}
