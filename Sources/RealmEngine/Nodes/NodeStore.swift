// The nodes that a write transaction makes, changes and gives up. Layer: Nodes.
// Invariants: a node of the file is never changed, only replaced: its bytes are noted as freed, once. New nodes live
// in slabs and may change in place. The room of a new node is `roomSize` of its size, so that its header alone tells
// which room is vacant when the node is given up. New nodes of refs are 64 bits wide: any ref fits in place.
// Views of a new node end with the next change: keep no value that borrows one across a change.

/// Makes and changes nodes on top of a snapshot.
package final class NodeStore {
  package let snapshot: Snapshot
  private let slabs: SlabArena
  /// Whether what is freed is of use later: not where nothing is committed to the file.
  let keepsFreed: Bool
  /// Nodes of the file that the transaction does not use any more.
  package private(set) var freed: [Extent] = []
  private var freedSize = 0
  /// Grows with every change: tells whether anything was changed in between.
  package private(set) var changeCount = 0
  /// Vacant rooms by `roomIndex`.
  private var vacant: [[Int]] = []

  package init(_ snapshot: Snapshot, slabs: SlabArena, keepsFreed: Bool = true) {
    self.snapshot = snapshot
    self.slabs = slabs
    self.keepsFreed = keepsFreed
  }

  /// Makes nodes for a transaction on a thread of its own, while others do the same; nil when nothing is being written.
  convenience init?(besideOthers snapshot: Snapshot) {
    guard let slabs = snapshot.slabs else { return nil }
    self.init(snapshot, slabs: slabs)
  }

  /// Whether the node was made by this transaction.
  @inline(__always)
  func isNew(_ ref: Ref) -> Bool { ref.offset >= base }

  /// Where new nodes begin, behind all of the file.
  var base: Int { slabs.base }

  /// Room for what is no node, and needed for a while only.
  func makeRoomAside() throws(EngineError) -> SlabArena { try slabs.makeAside() }

  /// Bytes kept for a node of `size`: a little more, so that it can grow in place.
  static func roomSize(_ size: Int) -> Int {
    if size <= 64 { return (size + 15) & ~15 }
    let step = 1 << (Int.bitWidth - 4 - size.leadingZeroBitCount)
    return (size + step - 1) & ~(step - 1)
  }

  /// Numbers the room sizes from small to large.
  private static func roomIndex(_ roomSize: Int) -> Int {
    if roomSize <= 64 { return roomSize / 16 }
    let exponent = Int.bitWidth - 1 - roomSize.leadingZeroBitCount
    return exponent * 8 + (roomSize >> (exponent - 3) & 7)
  }

  /// A new node. Its payload holds anything until it is written; padding is cleared when the node is committed.
  /// All long changes come by here, so an interrupt ends them here.
  func make(_ header: NodeHeader) throws(EngineError) -> (ref: Ref, payload: MutableRawBytes) {
    try Interruption.check()
    changeCount += 1
    let room = Self.roomSize(header.byteSize)
    let index = Self.roomIndex(room)
    let offset: Int
    if index < vacant.count, let last = vacant[index].popLast() {
      offset = last
    } else {
      offset = try slabs.allocate(room).offset
    }
    guard let ref = Ref(Int64(offset)) else { preconditionFailure("rooms are aligned") }
    return (ref, open(ref, header))
  }

  /// Writes the header of a new node.
  private func open(_ ref: Ref, _ header: NodeHeader) -> MutableRawBytes {
    let bytes = slabs.mutableBytes(ref.offset, header.byteSize)
    bytes.store(header.word, at: 0)
    return bytes.slice(NodeHeader.size, (header.payloadSize + 7) & ~7)
  }

  /// The payload of a new node, for changing elements in place.
  func payload(_ node: NodeView) -> MutableRawBytes {
    precondition(isNew(node.ref))
    changeCount += 1
    return slabs.mutableBytes(node.ref.offset + NodeHeader.size, node.header.payloadSize)
  }

  /// Changes a new node's header in place when its room stays the same, and gives the payload at the larger of both
  /// sizes; nil when the node must move or is in the file.
  func resize(_ node: NodeView, to header: NodeHeader) -> MutableRawBytes? {
    guard isNew(node.ref), Self.roomSize(header.byteSize) == Self.roomSize(node.byteSize) else { return nil }
    changeCount += 1
    let bytes = slabs.mutableBytes(node.ref.offset, max(header.byteSize, node.byteSize))
    bytes.store(header.word, at: 0)
    return bytes.slice(NodeHeader.size, (max(header.payloadSize, node.header.payloadSize) + 7) & ~7)
  }

  /// Gives up one node, not what it refers to.
  func release(_ ref: Ref) throws(EngineError) { release(try snapshot.node(ref)) }

  /// Throws `.damaged` where more of the file was given up than there is: nodes were met over and over.
  func checkFreedSize(_ ref: Ref) throws(EngineError) {
    guard freedSize <= snapshot.fileLimit else {
      throw EngineError.damaged(
        at: ref.offset, expected: "each node to be used once", found: "nodes used over and over")
    }
  }

  func release(_ node: NodeView) {
    changeCount += 1
    guard isNew(node.ref) else {
      guard keepsFreed else { return }
      freed.append(Extent(offset: node.ref.offset, size: node.byteSize))
      freedSize += node.byteSize
      return
    }
    let index = Self.roomIndex(Self.roomSize(node.byteSize))
    while vacant.count <= index { vacant.append([]) }
    vacant[index].append(node.ref.offset)
  }
}
