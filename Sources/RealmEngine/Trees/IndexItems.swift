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

  private(set) var keys: [Int64] = []
  private var content: Content

  /// For integers without nulls.
  static var integers: IndexItems { IndexItems(content: .integers([])) }
  static var texts: IndexItems { IndexItems(content: .texts([])) }
  static var data: IndexItems { IndexItems(content: .data([])) }

  private init(content: Content) { self.content = content }

  var count: Int { keys.count }

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

  /// The four bytes that a level at `offset` tells values apart by.
  @inline(__always)
  func chunk(_ index: Int, at offset: Int) -> Int32 {
    switch content {
    case .integers(let values):
      offset < 8
        ? Int32(bitPattern: UInt32(truncatingIfNeeded: values[index] >> Int64(8 * offset)).byteSwapped)
        : IndexData(values[index]).chunk(at: offset)
    case .texts(let texts):
      if let text = texts[index], offset + IndexData.chunkSize <= text.count {
        Int32(bitPattern: text.load(UInt32.self, at: offset).byteSwapped)
      } else {
        data(index).chunk(at: offset)
      }
    case .data(let data): data[index].chunk(at: offset)
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

  /// Whether two values are filed under the same bytes.
  func isSame(_ left: Int, _ right: Int) -> Bool {
    switch content {
    case .integers(let values): values[left] == values[right]
    case .texts(let texts):
      if let left = texts[left], let right = texts[right] {
        left.equals(right)
      } else {
        texts[left] == nil && texts[right] == nil
      }
    case .data(let data): data[left].isSame(as: data[right])
    }
  }
}
