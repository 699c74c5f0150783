// Rows in an order that is not the one they are stored in, gathered so that each block is read once.
// Layer: Query, Run, Scanning.

/// Some rows in an order of their own.
package struct OrderedRows: Sendable {
  /// Where the rows are, in key order: each piece has `pieceLength` of them, the last one what is left.
  package let pieces: [BlockRows]
  /// The rows in their order: each by its number among the rows of `pieces`.
  package let order: [Int32]

  package static let pieceLength = 1 << 12

  /// Rows that are gathered at first, and always where nobody says how large they are.
  private static let gatheredMin = 1 << 15
  /// Bytes that are gathered at a time, where the caller says no other number. More would hardly be faster, and takes
  /// long to give back where the user wants an end.
  package static let defaultSizeMax = min(256 << 20, SystemMemory.size / 16)
  /// What a row takes beside its text.
  private static let overhead = 24

  /// Calls `body` with the objects with `keys`, in that order, many at a time. `body` returns how many bytes it held for
  /// them, 0 where that does not tell how many more there may be.
  package static func forEach(
    _ keys: [ObjectKey], in table: Table, sizeMax: Int = defaultSizeMax,
    _ body: (OrderedRows) throws(EngineError) -> Int
  ) throws(EngineError) {
    var rest = keys[...]
    var length = gatheredMin
    ProgressCounter.expect(keys.count)
    while !rest.isEmpty {
      try Interruption.check()
      let rows = try OrderedRows(rest.prefix(length), in: table)
      let size = try body(rows)
      rest = rest.dropFirst(length)
      ProgressCounter.advance(rows.order.count)
      if size > 0 { length = max(gatheredMin, sizeMax / (overhead + size / rows.order.count)) }
    }
  }

  /// The objects with `keys`, in that order, all of which exist in `table`. Cost: a look-up for each block.
  package init(_ keys: ArraySlice<ObjectKey>, in table: Table) throws(EngineError) {
    precondition(keys.count <= Int(Int32.max))
    let (ascending, order) = Self.ascending(keys)
    self.order = order
    let directory = try table.directory()
    let starts = Array(stride(from: 0, to: ascending.count, by: Self.pieceLength))
    var pieces: [BlockRows] = []
    let makeDirectory: @Sendable () -> BlockDirectory = { directory.forOneThread() }
    _ = try ParallelWork.forEachMade(
      of: 0..<starts.count, workers: ParallelWork.workerCount, makeDirectory
    ) { number, directory throws(EngineError) in
      try Self.found(ascending[starts[number]...].prefix(Self.pieceLength), directory)
    } _: { piece in
      pieces.append(piece)
      return true
    }
    self.pieces = pieces
  }

  /// The keys from the least one on, and for each of `keys` its number among these.
  private static func ascending(_ keys: ArraySlice<ObjectKey>) -> (keys: [ObjectKey], order: [Int32]) {
    if let places = DenseKeys(keys) { return (places.ascending, places.order) }
    let words = keys.map { UInt64(bitPattern: $0.value) }
    var ascending: [ObjectKey] = []
    var order = [Int32](repeating: 0, count: keys.count)
    ascending.reserveCapacity(keys.count)
    for (number, index) in RowOrder.sorted(keys.count, by: [SortLevel(words)]).enumerated() {
      ascending.append(keys[keys.startIndex + Int(index)])
      order[Int(index)] = Int32(number)
    }
    return (ascending, order)
  }

  /// The rows of these keys, which ascend.
  private static func found(
    _ keys: ArraySlice<ObjectKey>, _ directory: BlockDirectory
  ) throws(EngineError) -> BlockRows {
    try Interruption.check()
    var found = directory.noRows()
    var index = 0
    var place: BlockPlace?
    var rows: [Int32] = []
    for key in keys {
      if let row = place?.row(of: key) {
        rows.append(Int32(row))
        continue
      }
      if let place { found.append(place, rows) }
      rows.removeAll(keepingCapacity: true)
      guard directory.count > 0 else { throw missing(key) }
      index = directory.index(holding: key, from: index)
      let next = try directory.place(index)
      guard let row = next.row(of: key) else { throw missing(key) }
      place = next
      rows.append(Int32(row))
    }
    if let place { found.append(place, rows) }
    return found
  }

  private static func missing(_ key: ObjectKey) -> EngineError {
    EngineError(damage: "object \(key.value) is not where it was")
  }

  /// Calls `body` with one row after the other, in their order.
  package func forEachRow(_ body: (SelectedRows) throws(EngineError) -> Void) throws(EngineError) {
    var places: [(block: RowBlock, row: Int32)] = []
    places.reserveCapacity(order.count)
    for piece in pieces {
      for index in 0..<piece.blockCount {
        let block = piece.block(index)
        for row in piece.rows(index) { places.append((block, row)) }
      }
    }
    for number in order {
      let place = places[Int(number)]
      try body(SelectedRows(block: place.block, rows: [place.row]))
    }
  }
}

/// Keys that lie so close together that each has a place of its own: sorted without being compared.
private struct DenseKeys {
  let ascending: [ObjectKey]
  let order: [Int32]

  /// Places a key.
  private static let placesMax = 4

  private static let wordsOfAThread = 1 << 10

  private static func mark(_ keys: borrowing Span<ObjectKey>, from least: UInt64, _ taken: inout [UInt64]) {
    var taken = taken.mutableSpan
    for index in keys.indices {
      let place = Int(UInt64(bitPattern: keys[index].value) - least)
      taken[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// Nil where keys lie too far apart, or where some key is there more than once.
  init?(_ keys: ArraySlice<ObjectKey>) {
    var (least, greatest) = (UInt64.max, UInt64.min)
    for key in keys {
      least = min(least, UInt64(bitPattern: key.value))
      greatest = max(greatest, UInt64(bitPattern: key.value))
    }
    guard greatest >= least, greatest - least < UInt64(Self.placesMax * keys.count) else { return nil }
    let placeCount = Int(greatest - least) + 1
    // A bit a place, so that all of them are in reach however the keys are ordered.
    var taken = [UInt64](repeating: 0, count: (placeCount + 63) / 64)
    Self.mark(keys.span, from: least, &taken)
    /// Keys in the words before each one.
    var before: [Int32] = []
    before.reserveCapacity(taken.count)
    var count = 0
    for bits in taken {
      before.append(Int32(truncatingIfNeeded: count))
      count += bits.nonzeroBitCount
    }
    guard count == keys.count else { return nil }
    let shares = ParallelFill.bounds(taken.count, pieceLength: Self.wordsOfAThread)
    ascending = ParallelFill.array(shares.map { $0 < before.count ? Int(before[$0]) : count }) {
      [least, taken] share, ascending in
      var index = 0
      for word in shares[share]..<shares[share + 1] {
        var rest = taken[word]
        while rest != 0 {
          let place = UInt64(word << 6 + rest.trailingZeroBitCount)
          ascending[index] = ObjectKey(Int64(bitPattern: least + place))
          index += 1
          rest &= rest - 1
        }
      }
    }
    let (isFull, bounds) = (placeCount == keys.count, ParallelFill.bounds(keys.count))
    order = ParallelFill.array(bounds) { [least, taken, before] piece, order in
      let (keys, start) = (keys.span, bounds[piece])
      for index in order.indices {
        let place = Int(UInt64(bitPattern: keys[start + index].value) - least)
        let (word, bit) = (place >> 6, UInt64(1) << UInt64(place & 63))
        order[index] =
          isFull
          ? Int32(truncatingIfNeeded: place)
          : before[word] + Int32(truncatingIfNeeded: (taken[word] & (bit - 1)).nonzeroBitCount)
      }
    }
  }
}
