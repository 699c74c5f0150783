// Single blobs and blobs split in chunks. Layer: Leaves.

extension Snapshot {
  /// The bytes of the blob at `ref`. A blob of several chunks is joined in memory; its size is bounded by the
  /// chunks' own bytes, each of which the data really has.
  func blob(_ ref: Ref) throws(EngineError) -> ByteString {
    let node = try node(ref)
    guard node.hasRefs else {
      guard node.header.kind == .blob else {
        throw EngineError.damaged(at: ref.offset, expected: "a blob", found: node.description)
      }
      return ByteString(borrowing: node.payload)
    }
    guard node.header.contextFlag, node.header.kind == .bits else {
      throw EngineError.damaged(at: ref.offset, expected: "a blob in chunks", found: node.description)
    }
    try node.checkRefsDiffer(in: 0..<node.count)
    var joined: [UInt8] = []
    for index in 0..<node.count {
      let chunk = try self.node(try node.requiredRef(index))
      guard !chunk.hasRefs, chunk.header.kind == .blob, joined.count <= fileLimit - chunk.count else {
        throw EngineError.damaged(
          at: chunk.ref.offset, expected: "a chunk of a blob", found: chunk.description)
      }
      joined.append(contentsOf: chunk.payload.array())
    }
    return ByteString(copying: joined)
  }
}
