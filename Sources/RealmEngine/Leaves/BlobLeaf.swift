// Leaves of longer byte strings: small ones joined in one blob, big ones each in a blob of its own.
// Layer: Leaves. Texts carry a zero byte at their end here; data does not.

/// Byte strings in a shared blob, by their ends.
package struct SmallBlobLeaf: Sendable {
  package let ends: PackedIntegers
  package let blob: RawBytes
  /// Per element: `nullMark` means null.
  let nulls: PackedIntegers?
  /// 1 in formats 10 and later; older ones mark what is not null.
  let nullMark: Int64
  private let offset: Int
  /// 1 where each element ends in a zero byte that is not part of it.
  let terminatorSize: Int

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
  func begin(_ index: Int) -> Int64 {
    let position = ends.start + index
    if position == 0 { return 0 }
    return PackedIntegers(payload: ends.payload, width: ends.width, start: position - 1, count: 1)[0]
  }

  /// Nil for null.
  package func bytes(_ index: Int) throws(EngineError) -> RawBytes? {
    if isNull(index) { return nil }
    let begin = self.begin(index)
    let end = ends[index]
    guard begin >= 0, begin <= end - Int64(terminatorSize), end <= Int64(blob.count) else {
      throw EngineError.damaged(
        at: offset, expected: "rising ends within \(blob.count) bytes", found: "\(begin) before \(end)")
    }
    return blob.slice(Int(begin), Int(end - begin) - terminatorSize)
  }
}

/// Byte strings that each have a node of their own.
package struct BigBlobLeaf: Sendable {
  let refs: PackedIntegers
  private let offset: Int
  let terminatorSize: Int

  package var count: Int { refs.count }

  init(_ node: NodeView, terminatorSize: Int) {
    refs = node.integers
    offset = node.ref.offset
    self.terminatorSize = terminatorSize
  }

  package func isNull(_ index: Int) -> Bool { refs[index] == 0 }

  /// Nil for null. Cost: opens the blob's node.
  package func bytes(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ByteString? {
    let value = refs[index]
    if value == 0 { return nil }
    guard let ref = Ref(value) else {
      throw EngineError.damaged(at: offset, expected: "the ref of a blob", found: "\(value)")
    }
    let blob = try snapshot.blob(ref)
    if terminatorSize == 0 { return blob }
    guard blob.count >= terminatorSize else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a text with its terminator", found: "an empty blob")
    }
    return blob.dropLast(terminatorSize)
  }
}
