// The values of a column on their way into a search index, in the form that is fastest to take apart. Layer: Trees.
// Invariant: texts are borrowed: the rows they stand in must not change before the index is built.

/// Values and the objects that have them; keys ascend.
struct IndexItems {
  private enum Content {
    case integers([Int64])
    /// Nil for null.
    case texts([RawBytes?])
    case data([IndexData])
  }

  private var keys = IndexKeys()
  private var content: Content

  /// For integers without nulls.
  static var integers: IndexItems { IndexItems(content: .integers([])) }
  static var texts: IndexItems { IndexItems(content: .texts([])) }
  static var data: IndexItems { IndexItems(content: .data([])) }

  private init(content: Content) { self.content = content }

  var count: Int { keys.count }

  /// What a file says of itself reserves no more than this.
  private static let reservedMax = 1 << 20

  /// Makes room for the items of so many rows, so that memory is not taken twice as they grow.
  mutating func reserve(_ rowCount: Int) {
    let count = min(rowCount, Self.reservedMax)
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

  func key(_ index: UInt32) -> Int64 { keys[Int(index)] }

  /// Adds a row's number of each of `values`.
  mutating func append(_ values: PackedIntegers, keys newKeys: (Int) -> Int64) {
    guard case .integers(var all) = content else { preconditionFailure("integers among integers") }
    content = .integers([])
    for row in 0..<values.count {
      all.append(values[row])
      keys.append(newKeys(row))
    }
    content = .integers(all)
  }

  mutating func append(_ values: [RawBytes?], keys newKeys: (Int) -> Int64) {
    guard case .texts(var all) = content else { preconditionFailure("texts among texts") }
    content = .texts([])
    all += values
    content = .texts(all)
    for row in values.indices { keys.append(newKeys(row)) }
  }

  mutating func append(_ values: [IndexData], key: Int64) {
    guard case .data(var all) = content else { preconditionFailure("data among data") }
    content = .data([])
    all += values
    content = .data(all)
    for _ in values { keys.append(key) }
  }

  /// What a level at `offset` sorts the values at `positions` by: above, the four bytes that it tells them apart by, their
  /// sign turned, so that negative ones come first; below, the position.
  func sortingWords(_ positions: IndexPositions, at offset: Int) -> [UInt64] {
    func word(_ chunk: Int32, _ position: UInt32) -> UInt64 {
      UInt64(UInt32(bitPattern: chunk) ^ 0x8000_0000) << 32 | UInt64(position)
    }
    return switch content {
    case .integers(let values) where offset < 8:
      positions.map { position in
        let chunk = UInt32(truncatingIfNeeded: values[Int(position)] >> Int64(8 * offset)).byteSwapped
        return word(Int32(bitPattern: chunk), position)
      }
    case .texts(let texts):
      positions.map { position in
        guard let text = texts[Int(position)], offset + IndexData.chunkSize <= text.count else {
          return word(data(Int(position)).chunk(at: offset), position)
        }
        return word(Int32(bitPattern: text.load(UInt32.self, at: offset).byteSwapped), position)
      }
    case .integers, .data:
      positions.map { word(data(Int($0)).chunk(at: offset), $0) }
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

  /// Whether all values at `positions`, of which there is one, are filed under the same bytes.
  func areSame(_ positions: IndexPositions) -> Bool {
    let first = Int(positions[0])
    switch content {
    case .integers(let values):
      let value = values[first]
      return positions.allSatisfy { values[Int($0)] == value }
    case .texts(let texts):
      guard let text = texts[first] else { return positions.allSatisfy { texts[Int($0)] == nil } }
      return positions.allSatisfy { texts[Int($0)]?.equals(text) ?? false }
    case .data(let data):
      return positions.allSatisfy { data[Int($0)].isSame(as: data[first]) }
    }
  }
}

/// Places of items: all of some that follow each other, or those that words end with.
struct IndexPositions: RandomAccessCollection {
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
