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

  /// A word for each item: below, its position; above, the chunk that a level sorts it by, once there is one.
  var words: [UInt64] { (0..<UInt64(count)).map { $0 } }

  private static func position(_ word: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: word)) }

  func key(_ word: UInt64) -> Int64 { keys[Self.position(word)] }

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

  /// Puts into some words what a level at `offset` sorts them by: the four bytes that it tells values apart by, their sign turned,
  /// so that negative ones come first. Gives whether they differ.
  func setChunks(of words: inout [UInt64], _ range: Range<Int>, at offset: Int) -> Bool {
    switch content {
    case .integers(let values):
      Self.setChunks(of: &words, range) { IndexData.sortingChunk(of: values[$0], at: offset) }
    case .texts(let texts):
      Self.setChunks(of: &words, range) { IndexData.sortingChunk(of: texts[$0], at: offset) }
    case .data(let data):
      Self.setChunks(of: &words, range) { data[$0].sortingChunk(at: offset) }
    }
  }

  /// So many bytes of a text are asked for: most texts differ there, or are no longer.
  private static let fetchedSize = 64

  /// Asks for the texts of sorted words that share their chunk with a word beside them.
  func fetchGroups(_ words: [UInt64], _ range: Range<Int>) {
    guard case .texts(let texts) = content else { return }
    func fetch(_ word: UInt64) {
      guard let text = texts[Self.position(word)] else { return }
      text.slice(0, min(text.count, Self.fetchedSize)).prefetch()
    }
    for index in range.dropFirst() where words[index] >> 32 == words[index - 1] >> 32 {
      fetch(words[index - 1])
      fetch(words[index])
    }
  }

  @inline(__always)
  private static func setChunks(
    of words: inout [UInt64], _ range: Range<Int>, _ chunk: (Int) -> UInt32
  ) -> Bool {
    var difference: UInt64 = 0
    for index in range {
      let position = position(words[index])
      words[index] = UInt64(chunk(position)) << 32 | UInt64(position)
      difference |= words[index] ^ words[range.lowerBound]
    }
    return difference >> 32 != 0
  }

  private func data(_ index: Int) -> IndexData {
    switch content {
    case .integers(let values): IndexData(values[index])
    case .texts(let texts): texts[index].map { IndexData(word: ByteString(borrowing: $0)) } ?? .null
    case .data(let data): data[index]
    }
  }

  /// Bytes of a value.
  func size(_ word: UInt64) -> Int { data(Self.position(word)).count }

  /// Whether the values of some words, of which there is one and which share all chunks before `offset`, are filed under the
  /// same bytes.
  func areSame(_ words: [UInt64], _ range: Range<Int>, sharedBefore offset: Int) -> Bool {
    let first = Self.position(words[range.lowerBound])
    func all(_ isSame: (Int) -> Bool) -> Bool { range.allSatisfy { isSame(Self.position(words[$0])) } }
    switch content {
    case .integers(let values):
      let value = values[first]
      return all { values[$0] == value }
    case .texts(let texts):
      guard let text = texts[first] else { return all { texts[$0] == nil } }
      // Their bytes stand all over the file.
      if text.count <= offset { return all { texts[$0]?.count == text.count } }
      return all { texts[$0]?.equals(text) ?? false }
    case .data(let data):
      return all { data[$0].isSame(as: data[first]) }
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
