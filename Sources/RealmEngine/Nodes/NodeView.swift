// One node of a snapshot, checked: header sound, all its bytes inside the data. Layer: Nodes.
// A view is a few words and copied freely (columns keep arrays of them); it borrows the snapshot's memory and is
// never kept beyond the snapshot. Invariant: `payload` holds every element that `count` and `width` promise.

/// A node that has been opened and bounds-checked.
package struct NodeView: Sendable {
  package let ref: Ref
  package let header: NodeHeader
  package let payload: RawBytes

  package var count: Int { header.count }
  package var isInner: Bool { header.isInner }
  package var hasRefs: Bool { header.hasRefs }
  package var byteSize: Int { header.byteSize }

  /// The node's integers, whatever they mean. Only for nodes of kind bits.
  package var integers: PackedIntegers {
    @inline(__always) get {
      PackedIntegers(payload: payload, width: header.width, start: 0, count: header.count)
    }
  }
}

extension Snapshot {
  /// Opens the node at `ref`. Cost: one header read. Throws `.damaged` for a node that is not whole.
  package func node(_ ref: Ref) throws(EngineError) -> NodeView {
    let word = try bytes(ref.offset, NodeHeader.size).load(UInt64.self, at: 0)
    guard ref.offset >= 24, let header = NodeHeader(word: word) else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a node", found: "the header 0x\(String(word, radix: 16))")
    }
    let payload = try bytes(ref.offset + NodeHeader.size, header.payloadSize)
    return NodeView(ref: ref, header: header, payload: payload)
  }

  /// Element `slot` of the node at `ref`, for hints alone: nil where it cannot be had for nothing.
  @inline(__always)
  func peek(_ slot: Int, at ref: Ref) -> Int? {
    // No element is wider than a header is long.
    let size = NodeHeader.size &* (slot &+ 2)
    guard let plainBytes, ref.offset >= 0, ref.offset <= plainBytes.count &- size,
      let header = NodeHeader(word: plainBytes.load(UInt64.self, at: ref.offset)), slot < header.count,
      header.kind == .bits
    else { return nil }
    let elements = plainBytes.slice(ref.offset &+ NodeHeader.size, size &- NodeHeader.size)
    return Int(truncatingIfNeeded: PackedIntegers.element(of: elements, width: header.width, at: slot))
  }

  /// Where element `slot` of the node at `ref` begins, for hints alone.
  @inline(__always)
  func elementOffset(_ slot: Int, at ref: Ref) -> Int? {
    guard let plainBytes, ref.offset >= 0, ref.offset <= plainBytes.count &- NodeHeader.size,
      let header = NodeHeader(word: plainBytes.load(UInt64.self, at: ref.offset)), slot < header.count
    else { return nil }
    let size = header.kind == .bits ? header.width &* slot >> 3 : header.width &* slot
    return ref.offset &+ NodeHeader.size &+ size
  }

  /// Opens a node that must hold refs: one whose elements are refs or tagged integers.
  package func refsNode(_ ref: Ref) throws(EngineError) -> NodeView {
    let node = try node(ref)
    guard node.hasRefs, node.header.kind == .bits, node.header.width > 0 || node.count <= Self.emptySlotsMax
    else {
      throw EngineError.damaged(at: ref.offset, expected: "a node of refs", found: node.description)
    }
    return node
  }

  /// More slots than any node has that has no bytes for them: a header alone must not promise what a copy would need
  /// memory for.
  private static let emptySlotsMax = 1 << 16

  /// Opens a leaf of packed integers.
  package func integersNode(_ ref: Ref) throws(EngineError) -> NodeView {
    let node = try node(ref)
    guard !node.hasRefs, !node.isInner, node.header.kind == .bits else {
      throw EngineError.damaged(at: ref.offset, expected: "a node of integers", found: node.description)
    }
    return node
  }
}

extension NodeView {
  /// More elements than a leaf has that is taken apart, in any format: a header may promise 16 million in a few bytes.
  static let takenApartMax = 1 << 20
  /// How many elements that take no bytes may be kept in memory one by one.
  private static let bytelessMax = 1 << 16

  /// Throws for a leaf with more elements than may be kept in memory one by one.
  func checkTakenApart() throws(EngineError) {
    let countMax = header.width == 0 ? Self.bytelessMax : Self.takenApartMax
    guard count <= countMax else {
      throw EngineError.damaged(at: ref.offset, expected: "at most \(countMax) elements", found: "\(count)")
    }
  }

  /// The numbers of a leaf of keys, which damage may have made something else.
  func keys() throws(EngineError) -> PackedIntegers {
    guard !hasRefs, !isInner, header.kind == .bits else {
      throw EngineError.damaged(at: ref.offset, expected: "a list of keys", found: description)
    }
    try checkTakenApart()
    return integers
  }

  /// The ref in slot `index`; nil for 0. Throws when the slot is missing or holds no ref.
  package func ref(_ index: Int) throws(EngineError) -> Ref? {
    let value = try slot(index)
    if value == 0 { return nil }
    guard let ref = Ref(value) else {
      throw EngineError.damaged(
        at: self.ref.offset, expected: "a ref in slot \(index)", found: "\(value)")
    }
    return ref
  }

  /// The ref in slot `index`, which must not be 0.
  package func requiredRef(_ index: Int) throws(EngineError) -> Ref {
    guard let child = try ref(index) else {
      throw EngineError.damaged(at: ref.offset, expected: "a ref in slot \(index)", found: "0")
    }
    return child
  }

  /// The slots that may lead to other nodes. A node without bytes promises as many as it likes, and all of them are empty.
  var childSlots: Range<Int> { 0..<(hasRefs && header.kind == .bits && header.width > 0 ? count : 0) }

  /// The node that slot `index` leads to; nil for one that leads nowhere.
  @inline(__always)
  func child(_ index: Int) throws(EngineError) -> Ref? {
    Ref.isRef(try slot(index)) ? try requiredRef(index) : nil
  }

  /// Throws where two of some slots hold the same ref. Cost: a look at each, where refs rise, as writers mostly leave them.
  func checkRefsDiffer(in slots: Range<Int>) throws(EngineError) {
    if try areRising(slots) { return }
    var seen: Set<Int64> = []
    for index in slots {
      let value = try slot(index)
      guard seen.insert(value).inserted else {
        throw EngineError.damaged(
          at: ref.offset, expected: "each node to be used once", found: "\(value) again in slot \(index)")
      }
    }
  }

  private func areRising(_ slots: Range<Int>) throws(EngineError) -> Bool {
    var last = Int64.min
    for index in slots {
      let value = try slot(index)
      if value <= last { return false }
      last = value
    }
    return true
  }

  /// The tagged integer in slot `index`: 63 bits, never negative. A plain 0 counts as 0.
  package func tagged(_ index: Int) throws(EngineError) -> Int64 {
    let value = try slot(index)
    guard value & 1 == 1 || value == 0 else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tagged number in slot \(index)", found: "\(value)")
    }
    return Int64(bitPattern: UInt64(bitPattern: value) >> 1)
  }

  /// The tagged integer, or 0 where the node is too short to have the slot.
  package func taggedOrZero(_ index: Int) throws(EngineError) -> Int64 {
    index < count ? try tagged(index) : 0
  }

  /// The ref, or nil where the node is too short to have the slot.
  package func refIfPresent(_ index: Int) throws(EngineError) -> Ref? {
    index < count ? try ref(index) : nil
  }

  /// The raw element; nil where there is none.
  @inline(__always)
  func peek(_ index: Int) -> Int? {
    guard index < count, header.kind == .bits else { return nil }
    return Int(truncatingIfNeeded: PackedIntegers.element(of: payload, width: header.width, at: index))
  }

  /// The raw element, checked against the count.
  package func slot(_ index: Int) throws(EngineError) -> Int64 {
    guard index >= 0, index < count, header.kind == .bits else {
      throw EngineError.damaged(at: ref.offset, expected: "a slot \(index)", found: "\(count) slots")
    }
    return PackedIntegers.element(of: payload, width: header.width, at: index)
  }

  package var description: String {
    "a node of \(count) elements (width \(header.width), kind \(header.kind.rawValue), inner \(isInner), refs \(hasRefs))"
  }
}
