// Leaves of text in their four encodings: short padded elements, one blob, blobs of their own, numbers into a table
// of distinct texts. Layer: Leaves.

/// Texts padded to one width, the last byte telling how much is padding.
package struct ShortStringLeaf: Sendable {
  package let payload: RawBytes
  /// Bytes an element: 0, 1, 2, 4 … 64.
  package let width: Int
  package private(set) var start = 0
  package private(set) var count: Int
  /// Whether the null pattern means null; else it reads as the empty text.
  let isNullable: Bool
  private let offset: Int

  package init(_ node: NodeView, isNullable: Bool) throws(EngineError) {
    guard node.header.kind == .bytes, !node.hasRefs else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a leaf of short texts", found: node.description)
    }
    payload = node.payload
    width = node.header.width
    count = node.count
    self.isNullable = isNullable
    offset = node.ref.offset
  }

  /// Where an element stands, and how much of it fills it up; of elements without bytes there is no such thing.
  @inline(__always)
  private func place(_ index: Int) -> (position: Int, padding: Int) {
    let position = (start + index) * width
    return (position, Int(payload[position + width - 1]))
  }

  /// Nil for null, and for what is no text: for those who look at much that is none.
  package func soundBytes(_ index: Int) -> RawBytes? {
    assert(index >= 0 && index < count)
    if width == 0 { return isNullable ? nil : .empty }
    let (position, padding) = place(index)
    return padding < width ? payload.slice(position, width - 1 - padding) : nil
  }

  /// Nil for null.
  package func bytes(_ index: Int) throws(EngineError) -> RawBytes? {
    assert(index >= 0 && index < count)
    if width == 0 { return isNullable ? nil : .empty }
    let (position, padding) = place(index)
    if padding < width { return payload.slice(position, width - 1 - padding) }
    guard padding == width else {
      throw EngineError.damaged(
        at: offset, expected: "padding of at most \(width)", found: "\(padding) in element \(index)")
    }
    return isNullable ? nil : .empty
  }

  /// Calls `body` with the first eight bytes of the texts at `rows`, the first byte at the top, and their lengths; what
  /// stands behind a shorter text is anything. False: texts are not that wide, or some are null or damaged, and `body`
  /// has not been called for all.
  @inline(__always)
  func forEachHead(_ rows: borrowing Span<Int32>, _ body: (UInt64, Int) -> Void) -> Bool {
    guard width >= 8 else { return false }
    for index in rows.indices {
      let row = Int(rows[index])
      precondition(row >= 0 && row < count, "rows lie in their leaf")
      let position = (start &+ row) &* width
      let length = width &- 1 &- Int(payload[position &+ width &- 1])
      if length < 0 { return false }
      body(UInt64(bigEndian: payload.load(UInt64.self, at: position)), length)
    }
    return true
  }

  /// Gives the rows of `target` the words of the texts at `rows`; `other` is called with those rows of it whose texts are
  /// too long for them, null or damaged.
  @inline(__always)
  func put(
    _ rows: borrowing Span<Int32>, to target: GroupKeyVector, at place: Int,
    _ other: (_ targetRow: Int, _ row: Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard width >= 8, let padded else {
      for index in 0..<rows.count { try other(index, Int(rows[index])) }
      return
    }
    try target.set(place, padded, rows: rows, other)
  }

  /// The texts as they lie here; nil where they have less than four bytes.
  var padded: PaddedTexts? {
    width < 4 ? nil : PaddedTexts(payload.slice(start * width, count * width), elementSize: width)
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> ShortStringLeaf {
    precondition(first >= 0 && length >= 0 && first <= count - length)
    var slice = self
    slice.start += first
    slice.count = length
    return slice
  }
}

/// Texts in whichever encoding the leaf has.
package enum StringLeaf: Sendable {
  case short(ShortStringLeaf)
  case medium(SmallBlobLeaf)
  case big(BigBlobLeaf)
  /// Numbers into a table that all leaves of the column share.
  case enumerated(PackedIntegers, EnumeratedTexts)

  /// `texts` is the column's table of distinct texts, where it has one.
  package init(
    _ node: NodeView, in snapshot: Snapshot, isNullable: Bool = true, texts: EnumeratedTexts? = nil
  ) throws(EngineError) {
    guard !node.isInner else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of texts", found: node.description)
    }
    if node.hasRefs {
      guard node.header.kind == .bits else {
        throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of texts", found: node.description)
      }
      self =
        node.header.contextFlag
        ? .big(BigBlobLeaf(node, terminatorSize: 1))
        : .medium(try SmallBlobLeaf(node, in: snapshot, terminatorSize: 1))
      return
    }
    if node.holdsTextNumbers, let texts {
      self = .enumerated(node.integers, texts)
      return
    }
    self = .short(try ShortStringLeaf(node, isNullable: isNullable))
  }

  package var count: Int {
    switch self {
    case .short(let leaf): leaf.count
    case .medium(let leaf): leaf.count
    case .big(let leaf): leaf.count
    case .enumerated(let numbers, _): numbers.count
    }
  }

  /// The text's bytes; nil for null.
  package func bytes(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ByteString? {
    switch self {
    case .short(let leaf): return try leaf.bytes(index).map(ByteString.init(borrowing:))
    case .medium(let leaf): return try leaf.bytes(index).map(ByteString.init(borrowing:))
    case .big(let leaf): return try leaf.bytes(index, in: snapshot)
    case .enumerated(let numbers, let table):
      return try table.bytes(numbers[index], in: snapshot)
    }
  }

  func value(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> Value {
    try bytes(index, in: snapshot).map(Value.string) ?? .null
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> StringLeaf {
    switch self {
    case .short(let leaf): .short(leaf.slice(first, length))
    case .medium(let leaf): .medium(leaf.slice(first, length))
    case .big(let leaf): .big(leaf.slice(first, length))
    case .enumerated(let numbers, let texts): .enumerated(numbers.slice(first, length), texts)
    }
  }
}

/// Binary data in whichever encoding the leaf has.
package enum BinaryLeaf: Sendable {
  case small(SmallBlobLeaf)
  case big(BigBlobLeaf)

  init(_ node: NodeView, in snapshot: Snapshot) throws(EngineError) {
    guard node.hasRefs, !node.isInner, node.header.kind == .bits else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of data", found: node.description)
    }
    self =
      node.header.contextFlag
      ? .big(BigBlobLeaf(node, terminatorSize: 0))
      : .small(try SmallBlobLeaf(node, in: snapshot, terminatorSize: 0))
  }

  package var count: Int {
    switch self {
    case .small(let leaf): leaf.count
    case .big(let leaf): leaf.count
    }
  }

  /// Nil for null.
  package func bytes(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ByteString? {
    switch self {
    case .small(let leaf): try leaf.bytes(index).map(ByteString.init(borrowing:))
    case .big(let leaf): try leaf.bytes(index, in: snapshot)
    }
  }

  func value(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> Value {
    try bytes(index, in: snapshot).map(Value.data) ?? .null
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> BinaryLeaf {
    switch self {
    case .small(let leaf): .small(leaf.slice(first, length))
    case .big(let leaf): .big(leaf.slice(first, length))
    }
  }
}
