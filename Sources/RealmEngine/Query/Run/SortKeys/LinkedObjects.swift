// The objects that many rows link to, each found once and in key order, so that a block that several of them stand in
// is read once. Layer: Query, Run, SortKeys.

/// What rows lead to.
struct LinkedObjects {
  /// The objects that exist, each once.
  let objects: BlockRows
  /// For each row the number of its object among `objects`; negative where the link leads nowhere.
  private(set) var places: [Int32]

  /// Blocks between asking for what tells where rows stand and reading it.
  private static let blocksAhead = 8

  /// The objects of `table` to which words lead as `OrderKey` makes them of links.
  init(_ words: [UInt64], in table: Table) throws(EngineError) {
    let directory = try table.directory().forOneThread()
    // Each object once, and where to look for it.
    var keys: [ObjectKey] = []
    var wanted: [(block: Int, end: Int)] = []
    places = [Int32](repeating: -1, count: words.count)
    guard directory.count > 0 else {
      objects = directory.noRows()
      return
    }
    var last: UInt64 = 0
    for row in RowOrder.sorted(words.count, by: [SortLevel(words)]) {
      let word = words[Int(row)]
      if word == 0 { continue }
      if word != last {
        last = word
        let key = ObjectKey(Int64(bitPattern: word &- 1))
        let block = directory.index(holding: key, from: wanted.last?.block ?? 0)
        keys.append(key)
        if wanted.last?.block != block { wanted.append((block, 0)) }
        wanted[wanted.count - 1].end = keys.count
      }
      places[Int(row)] = Int32(keys.count - 1)
    }
    // Those that are there.
    var objects = directory.noRows()
    var numbers = [Int32](repeating: -1, count: keys.count)
    var found: Int32 = 0
    var rows: [Int32] = []
    var next = 0
    for index in wanted.indices {
      try Interruption.check()
      let ahead = index + Self.blocksAhead
      if ahead < wanted.count { directory.prefetchPlaces(wanted[ahead].block..<wanted[ahead].block + 1) }
      let place = try directory.place(wanted[index].block)
      rows.removeAll(keepingCapacity: true)
      while next < wanted[index].end {
        if let row = place.row(of: keys[next]) {
          rows.append(Int32(row))
          numbers[next] = found
          found += 1
        }
        next += 1
      }
      objects.append(place, rows)
    }
    self.objects = objects
    if Int(found) < keys.count {
      for row in places.indices where places[row] >= 0 { places[row] = numbers[Int(places[row])] }
    }
  }

  /// What a link of these objects leads each row to; nowhere where the row leads nowhere before.
  func following(
    _ link: Property, to table: Table, in snapshot: Snapshot
  ) throws(EngineError) -> LinkedObjects {
    var words = KeyColumn(link)
    try words.append(objects, in: snapshot)
    return try LinkedObjects(places.map { $0 < 0 ? 0 : words.first[Int($0)] }, in: table)
  }
}
