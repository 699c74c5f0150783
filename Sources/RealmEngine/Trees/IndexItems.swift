// The values of a column on their way into a search index, in the form that is fastest to take apart. Layer: Trees.
// Invariant: texts are borrowed: the rows they stand in must not change before the index is built.

/// Values and the objects that have them; keys ascend. Once all are there, any thread may read them.
struct IndexItems: @unchecked Sendable {
  private enum Content {
    case integers([Int64])
    /// Nil for null.
    case texts([RawBytes?])
    case data([IndexData])
  }

  private let keys = CompressedIntegers()
  private var content: Content
  /// For texts that do not stand where they come from until the index is built.
  private var arena: TextArena?

  /// For integers without nulls.
  static var integers: IndexItems { IndexItems(content: .integers([])) }
  static var texts: IndexItems { IndexItems(content: .texts([])) }
  static var data: IndexItems { IndexItems(content: .data([])) }

  private init(content: Content) { self.content = content }

  var count: Int { keys.count }

  /// What a file says of itself reserves no more than this.
  private static let reservedMax = 1 << 19

  /// Makes room for so many items, so that memory is not taken twice as they grow.
  fileprivate mutating func reserve(_ wanted: Int) {
    let count = min(wanted, Self.reservedMax)
    switch content {
    case .integers: content = .integers(Self.room(count))
    case .texts: content = .texts(Self.room(count))
    case .data: break
    }
  }

  private static func room<Element>(_ count: Int) -> [Element] {
    var room: [Element] = []
    room.reserveCapacity(count)
    return room
  }

  enum Kind {
    case integers
    case texts
    case data
  }

  var kind: Kind {
    switch content {
    case .integers: .integers
    case .texts: .texts
    case .data: .data
    }
  }

  func key(_ index: UInt32) -> Int64 { keys[Int(index)] }

  /// All values of a source; nil where there are more than `countMax`.
  static func all(of source: some IndexSource, countMax: Int) throws(EngineError) -> IndexItems? {
    // With keys of its own: what says what kind of items there are is asked for more than once.
    var collection = IndexItemCollection(
      items: IndexItems(content: source.noItems.content), countMax: countMax)
    collection.items.reserve(min(source.objectCount, countMax))
    try source.send(to: &collection)
    return collection.items.count <= countMax ? collection.items : nil
  }

  fileprivate mutating func append(_ batch: IndexBatch) throws(EngineError) {
    for key in batch.keys { keys.append(key) }
    switch batch.values {
    case .integers(let values):
      guard case .integers(var all) = content else { preconditionFailure("integers among integers") }
      // Held by nothing else, so that it grows in place.
      content = .integers([])
      for index in 0..<batch.count { all.append(values[index]) }
      content = .integers(all)
    case .texts(let texts):
      guard case .texts(var all) = content else { preconditionFailure("texts among texts") }
      content = .texts([])
      for text in texts { all.append(try kept(text, batch.isLasting)) }
      content = .texts(all)
    case .data(let data):
      guard case .data(var all) = content else { preconditionFailure("data among data") }
      content = .data([])
      all += data
      content = .data(all)
    }
  }

  private mutating func kept(_ text: ByteString?, _ isLasting: Bool) throws(EngineError) -> RawBytes? {
    guard let text, !isLasting || !text.isBorrowed else { return text?.bytes }
    if arena == nil { arena = try TextArena() }
    guard let (bytes, _) = try arena?.allocate(text.count) else { return nil }
    bytes.copy(text.bytes, at: 0)
    return bytes.readable
  }

  /// What a level at `offset` sorts the values at `positions` by: above, the four bytes that it tells them apart by, their
  /// sign turned, so that negative ones come first; below, the position.
  func sortingWords(_ positions: IndexPositions, at offset: Int) -> [UInt64] {
    func word(_ chunk: UInt32, _ position: UInt32) -> UInt64 { UInt64(chunk) << 32 | UInt64(position) }
    return switch content {
    case .integers(let values):
      positions.map { word(IndexData.sortingChunk(of: values[Int($0)], at: offset), $0) }
    case .texts(let texts):
      positions.map { word(IndexData.sortingChunk(of: texts[Int($0)], at: offset), $0) }
    case .data(let data):
      positions.map { word(data[Int($0)].sortingChunk(at: offset), $0) }
    }
  }

  private func data(_ index: Int) -> IndexData {
    switch content {
    case .integers(let values): IndexData(values[index])
    case .texts(let texts): texts[index].map { IndexData(word: ByteString(borrowing: $0)) } ?? .null
    case .data(let data): data[index]
    }
  }

  /// Bytes of a value.
  func size(_ index: Int) -> Int { data(index).count }

  /// Whether all values at `positions`, of which there is one and which share all chunks before `offset`, are filed under the
  /// same bytes.
  func areSame(_ positions: IndexPositions, sharedBefore offset: Int) -> Bool {
    let first = Int(positions[0])
    switch content {
    case .integers(let values):
      let value = values[first]
      return positions.allSatisfy { values[Int($0)] == value }
    case .texts(let texts):
      guard let text = texts[first] else { return positions.allSatisfy { texts[Int($0)] == nil } }
      // Their bytes stand all over the file.
      if text.count <= offset { return positions.allSatisfy { texts[Int($0)]?.count == text.count } }
      return positions.allSatisfy { texts[Int($0)]?.equals(text) ?? false }
    case .data(let data):
      return positions.allSatisfy { data[Int($0)].isSame(as: data[first]) }
    }
  }
}

/// The values of a source, in memory.
private struct IndexItemCollection: IndexSink {
  var items: IndexItems
  /// More are not waited for.
  let countMax: Int

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    try items.append(batch)
    return items.count <= countMax
  }
}

/// Places of items: all of some that follow each other, or those that words end with.
struct IndexPositions: Sendable, RandomAccessCollection {
  private let words: [UInt64]
  /// Without words, the places themselves; else where they stand in them.
  private let range: Range<Int>
  private let isOrdered: Bool

  init(_ range: Range<Int>) {
    self.init([], range, isOrdered: false)
  }

  /// Those in the lower halves of `words`.
  init(_ words: [UInt64]) {
    self.init(words, words.indices, isOrdered: true)
  }

  private init(_ words: [UInt64], _ range: Range<Int>, isOrdered: Bool) {
    self.words = words
    self.range = range
    self.isOrdered = isOrdered
  }

  var startIndex: Int { 0 }
  var endIndex: Int { range.count }

  subscript(index: Int) -> UInt32 {
    let place = range.lowerBound + index
    precondition(place < range.upperBound, "places end before")
    return UInt32(truncatingIfNeeded: isOrdered ? words[place] : UInt64(place))
  }

  /// Some of them, from 0 again.
  func part(_ part: Range<Int>) -> IndexPositions {
    IndexPositions(
      words, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound, isOrdered: isOrdered)
  }
}
