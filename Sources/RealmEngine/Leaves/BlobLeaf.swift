// Leaves of longer byte strings: small ones joined in one blob, big ones each in a blob of its own.
// Layer: Leaves. Texts carry a zero byte at their end here; data does not.
// A leaf may be a run of a longer one: formats 2–9 keep more elements in a leaf than a block of rows has.

/// Byte strings in a shared blob, by their ends.
package struct SmallBlobLeaf: Sendable {
  package private(set) var ends: PackedIntegers
  package let blob: RawBytes
  /// Per element: `nullMark` means null.
  package private(set) var nulls: PackedIntegers?
  /// 1 in formats 10 and later; texts of older ones have 0 here.
  package let nullMark: Int64
  private let offset: Int
  /// 1 where each element ends in a zero byte that is not part of it.
  package let terminatorSize: Int

  package var count: Int { ends.count }

  init(_ node: NodeView, in snapshot: Snapshot, terminatorSize: Int) throws(EngineError) {
    let ends = try snapshot.integersNode(try node.requiredRef(0)).integers
    let blob = try snapshot.node(try node.requiredRef(1))
    let nulls = try snapshot.integersNode(try node.requiredRef(2)).integers
    guard !blob.hasRefs, blob.header.kind == .blob || blob.count == 0, ends.count == nulls.count else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a blob with \(ends.count) ends and null marks",
        found: blob.description)
    }
    self.init(
      ends: ends, blob: blob.payload, nulls: nulls, nullMark: 1, offset: node.ref.offset,
      terminatorSize: terminatorSize)
  }

  init(
    ends: PackedIntegers, blob: RawBytes, nulls: PackedIntegers?, nullMark: Int64, offset: Int,
    terminatorSize: Int
  ) {
    self.ends = ends
    self.blob = blob
    self.nulls = nulls
    self.nullMark = nullMark
    self.offset = offset
    self.terminatorSize = terminatorSize
  }

  package func isNull(_ index: Int) -> Bool {
    guard let nulls else { return false }
    return (nulls[index] == 1) == (nullMark == 1)
  }

  /// Where the element begins in the blob, as stored: at the end of the one before it, which may lie before a slice.
  package func begin(_ index: Int) -> Int64 {
    let position = ends.start + index
    if position == 0 { return 0 }
    return PackedIntegers(payload: ends.payload, width: ends.width, start: position - 1, count: 1)[0]
  }

  /// Nil for null.
  package func bytes(_ index: Int) throws(EngineError) -> RawBytes? {
    if isNull(index) { return nil }
    let begin = self.begin(index)
    let end = ends[index]
    // Old engines have left texts without a terminator behind; the reference engine takes them for empty.
    if begin == end, nullMark == 0, begin >= 0 { return .empty }
    guard begin >= 0, end >= Int64(terminatorSize), end <= Int64(blob.count),
      begin <= end - Int64(terminatorSize)
    else {
      throw EngineError.damaged(
        at: offset, expected: "rising ends within \(blob.count) bytes", found: "\(begin) before \(end)")
    }
    return blob.slice(Int(begin), Int(end - begin) - terminatorSize)
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> SmallBlobLeaf {
    var slice = self
    slice.ends = ends.slice(first, length)
    slice.nulls = nulls?.slice(first, length)
    return slice
  }
}

/// Byte strings that each have a node of their own.
package struct BigBlobLeaf: Sendable {
  package private(set) var refs: PackedIntegers
  private let offset: Int
  package let terminatorSize: Int
  /// Whether a missing blob means null; else it reads as an empty one.
  let isNullable: Bool

  package var count: Int { refs.count }

  init(_ node: NodeView, terminatorSize: Int, isNullable: Bool = true) {
    refs = node.integers
    offset = node.ref.offset
    self.terminatorSize = terminatorSize
    self.isNullable = isNullable
  }

  /// Nil for null. Cost: opens the blob's node.
  package func bytes(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ByteString? {
    let value = refs[index]
    if value == 0 { return isNullable ? nil : ByteString(borrowing: .empty) }
    guard let ref = Ref(value) else {
      throw EngineError.damaged(at: offset, expected: "the ref of a blob", found: "\(value)")
    }
    let blob = try snapshot.blob(ref)
    // An empty blob has no terminator to drop: the reference engine takes it for an empty text.
    return blob.count == 0 ? blob : blob.dropLast(terminatorSize)
  }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> BigBlobLeaf {
    var slice = self
    slice.refs = refs.slice(first, length)
    return slice
  }
}
