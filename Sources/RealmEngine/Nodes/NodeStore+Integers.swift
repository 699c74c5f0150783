// Nodes of packed integers and of refs: making them and changing single elements. Layer: Nodes.
// Invariant: nodes of refs stay 64 bits wide while they are new, so a new one never moves when a slot is set.

extension NodeStore {
  private static let refsWidth = 64

  /// A node of integers, as narrow as its values allow but not below `minimumWidth`.
  func makeIntegers(_ values: [Int64], minimumWidth: Int = 0) throws(EngineError) -> Ref {
    let width = max(minimumWidth, Packing.width(of: values))
    let (ref, payload) = try make(NodeHeader(kind: .bits, width: width, count: values.count))
    payload.pack(values, width: width)
    return ref
  }

  /// A node of key offsets or element offsets: 8 bits or more, without sign.
  func makeUnsigned(_ values: [UInt64]) throws(EngineError) -> Ref {
    let width = Packing.unsignedWidth(of: values.reduce(0, |))
    let (ref, payload) = try make(NodeHeader(kind: .bits, width: width, count: values.count))
    for (index, value) in values.enumerated() {
      payload.pack(Int64(bitPattern: value), at: index, width: width)
    }
    return ref
  }

  /// A node of refs and tagged numbers.
  func makeSlots(
    _ slots: [Int64], isInner: Bool = false, contextFlag: Bool = false
  ) throws(EngineError) -> Ref {
    let (ref, payload) = try make(
      NodeHeader(
        isInner: isInner, hasRefs: true, contextFlag: contextFlag, kind: .bits, width: Self.refsWidth,
        count: slots.count))
    payload.pack(slots, width: Self.refsWidth)
    return ref
  }

  private func width(_ node: NodeView, with value: Int64) -> Int {
    node.hasRefs ? Self.refsWidth : max(node.header.width, Packing.width(of: value))
  }

  /// Sets element `index`; the node moves when it is in the file or too narrow.
  func setInteger(_ ref: Ref, _ index: Int, _ value: Int64) throws(EngineError) -> Ref {
    let node = try snapshot.node(ref)
    try check(node, index, limit: node.count)
    let width = width(node, with: value)
    if isNew(ref), width == node.header.width {
      payload(node).pack(value, at: index, width: width)
      return ref
    }
    let (new, payload) = try make(node.header.with(kind: .bits, width: width, count: node.count))
    payload.pack(node.integers, at: 0, width: width)
    payload.pack(value, at: index, width: width)
    release(node)
    return new
  }

  /// Inserts an element before `index`, or behind the last one.
  func insertInteger(_ ref: Ref, _ index: Int, _ value: Int64) throws(EngineError) -> Ref {
    let node = try snapshot.node(ref)
    try check(node, index, limit: node.count + 1)
    try checkRoom(in: node)
    let width = width(node, with: value)
    let header = node.header.with(kind: .bits, width: width, count: node.count + 1)
    if width == node.header.width, let payload = resize(node, to: header) {
      payload.movePacked(from: index, to: index + 1, count: node.count - index, width: width)
      payload.pack(value, at: index, width: width)
      return ref
    }
    let (new, payload) = try make(header)
    let old = node.integers
    payload.pack(old.slice(0, index), at: 0, width: width)
    payload.pack(value, at: index, width: width)
    payload.pack(old.slice(index, node.count - index), at: index + 1, width: width)
    release(node)
    return new
  }

  /// Removes element `index`.
  func eraseInteger(_ ref: Ref, _ index: Int) throws(EngineError) -> Ref {
    let node = try snapshot.node(ref)
    try check(node, index, limit: node.count)
    let width = node.hasRefs ? Self.refsWidth : node.header.width
    let header = node.header.with(kind: .bits, width: width, count: node.count - 1)
    if width == node.header.width, isNew(ref) {
      payload(node).movePacked(from: index + 1, to: index, count: node.count - index - 1, width: width)
      if resize(node, to: header) != nil { return ref }
    }
    let (new, payload) = try make(header)
    let old = node.integers
    if isNew(ref), width == node.header.width {
      payload.pack(old.slice(0, header.count), at: 0, width: width)
    } else {
      payload.pack(old.slice(0, index), at: 0, width: width)
      payload.pack(old.slice(index + 1, node.count - index - 1), at: index, width: width)
    }
    release(node)
    return new
  }

  /// Throws where no header could count one more element.
  func checkRoom(in node: NodeView) throws(EngineError) {
    guard node.count < NodeHeader.countMax else {
      throw EngineError(
        .constraint, "a node of the file cannot hold more than \(NodeHeader.countMax) elements")
    }
  }

  private func check(_ node: NodeView, _ index: Int, limit: Int) throws(EngineError) {
    guard node.header.kind == .bits, index >= 0, index < limit else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "an element \(index)", found: node.description)
    }
  }

  /// Sets a slot of a node of refs to a ref or to nothing.
  func setSlot(_ ref: Ref, _ index: Int, _ child: Ref?) throws(EngineError) -> Ref {
    try setInteger(ref, index, Int64(child?.offset ?? 0))
  }

  /// Sets a slot of a node of refs to a number.
  func setTagged(_ ref: Ref, _ index: Int, _ value: Int64) throws(EngineError) -> Ref {
    try setInteger(ref, index, NodeStore.tag(value))
  }

  /// How a number stands among refs.
  static func tag(_ value: Int64) -> Int64 { value << 1 | 1 }
}

extension NodeStore {
  /// Sets the flag whose meaning depends on the node's place.
  func setContextFlag(_ ref: Ref, _ flag: Bool) throws(EngineError) -> Ref {
    let node = try snapshot.node(ref)
    if node.header.contextFlag == flag { return ref }
    let header = NodeHeader(
      isInner: node.isInner, hasRefs: node.hasRefs, contextFlag: flag, kind: node.header.kind,
      width: node.header.width, count: node.count)
    if resize(node, to: header) != nil { return ref }
    let (new, payload) = try make(header)
    payload.copy(node.payload, at: 0)
    release(node)
    return new
  }
}
