// A fast digest of a tree of nodes, independent of where the nodes stand. Layer: Commit.
// It tells whether a copy holds what the original held; it is no defence against forgery.

/// Sums up nodes in the order of a walk.
package struct ContentDigest: Hashable, Sendable {
  private var state: (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
  package private(set) var nodeCount = 0

  package init() {}

  private mutating func add(_ word: UInt64) {
    let mixed = (state.0 ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    state.0 = mixed.low ^ mixed.high &+ state.1
    state.1 = state.1 &+ word &* 0xE703_7ED1_A0B4_28DB
  }

  /// Adds a node that holds values: its header and its bytes.
  mutating func add(leaf node: NodeView) {
    nodeCount += 1
    add(node.header.word)
    let mask = node.header.lastByteMask
    let bytes = node.payload.slice(0, node.payload.count - (mask == nil ? 0 : 1))
    var offset = 0
    // Four independent lanes keep the multiplier busy.
    var lanes = (state.0, state.1, ~state.0, ~state.1)
    while offset &+ 32 <= bytes.count {
      lanes.0 = Self.mix(lanes.0, bytes.load(UInt64.self, at: offset))
      lanes.1 = Self.mix(lanes.1, bytes.load(UInt64.self, at: offset &+ 8))
      lanes.2 = Self.mix(lanes.2, bytes.load(UInt64.self, at: offset &+ 16))
      lanes.3 = Self.mix(lanes.3, bytes.load(UInt64.self, at: offset &+ 24))
      offset &+= 32
    }
    add(lanes.0)
    add(lanes.1)
    add(lanes.2)
    add(lanes.3)
    while offset < bytes.count {
      add(UInt64(bytes[offset]))
      offset &+= 1
    }
    if let mask { add(UInt64(node.payload[bytes.count] & mask)) }
  }

  @inline(__always)
  private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let product = (lane ^ word).multipliedFullWidth(by: 0x8EBC_6AF0_9C88_C6E3)
    return product.low ^ product.high
  }

  /// Adds a node of refs: its kind and what is no ref in it; the children are added on their own.
  mutating func add(refsNode node: NodeView, _ elements: PackedIntegers) {
    nodeCount += 1
    let flags = (node.isInner ? 1 : 0) | (node.header.contextFlag ? 2 : 0)
    add(UInt64(flags) << 32 | UInt64(node.count))
    for index in 0..<node.count {
      let element = elements[index]
      add(element & 1 == 1 ? UInt64(bitPattern: element) : element == 0 ? 0 : 2)
    }
  }

  package static func == (left: ContentDigest, right: ContentDigest) -> Bool { left.state == right.state }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(state.0)
    hasher.combine(state.1)
  }
}
