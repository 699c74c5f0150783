// What a version of a file says is free: slots 3, 4 and 5 of its top array. Layer: Commit.
// Invariants: blocks are whole 8 bytes, in order, apart and inside the data; their versions are not of the future. That
// nothing in use lies in them is for `SpaceProof` to say.

/// A free block and the version that gave it up.
package struct FreeEntry {
  package let extent: Extent
  let version: Int64
}

/// The free blocks of one version.
package struct FreeList {
  package private(set) var entries: [FreeEntry] = []
  private(set) var byteCount = 0

  /// The list of a version; empty where there is none, as in a file that was written as a copy.
  package init(of top: GroupTop?, in snapshot: Snapshot) throws(EngineError) {
    guard let top else { return }
    guard let positionsRef = top.freePositions, let lengthsRef = top.freeLengths else {
      guard top.freePositions == nil, top.freeLengths == nil, top.freeVersions == nil else {
        throw EngineError.damaged(
          at: top.node.ref.offset, expected: "positions, lengths and versions of free blocks",
          found: "not all")
      }
      return
    }
    let positions = try snapshot.integersNode(positionsRef).integers
    let lengths = try snapshot.integersNode(lengthsRef).integers
    let versions = try top.freeVersions.map { ref throws(EngineError) in
      try snapshot.integersNode(ref).integers
    }
    guard positions.count == lengths.count, versions == nil || versions?.count == positions.count else {
      throw EngineError.damaged(
        at: positionsRef.offset,
        expected: "as many lengths and versions as the \(positions.count) free blocks",
        found: "\(lengths.count) and \(versions?.count ?? 0)")
    }
    try read(positions, lengths, versions, top, at: positionsRef.offset)
  }

  private mutating func read(
    _ positions: PackedIntegers, _ lengths: PackedIntegers, _ versions: PackedIntegers?, _ top: GroupTop,
    at offset: Int
  ) throws(EngineError) {
    var end = Int64(FileHeader.size)
    let limit = Int64(top.logicalSize)
    for index in 0..<positions.count {
      let position = positions[index]
      let length = lengths[index]
      guard position >= end, position & 7 == 0, length > 0, length & 7 == 0, position <= limit,
        length <= limit - position
      else {
        throw EngineError.damaged(
          at: offset, expected: "free blocks in order within \(limit) bytes",
          found: "\(length) bytes at \(position)")
      }
      let version = versions?[index] ?? 0
      guard version >= 0, version <= top.version else {
        throw EngineError.damaged(
          at: offset, expected: "a free block of a version up to \(top.version)", found: "\(version)")
      }
      entries.append(
        FreeEntry(extent: Extent(offset: Int(position), size: Int(length)), version: version))
      byteCount += Int(length)
      end = position + length
    }
  }
}
