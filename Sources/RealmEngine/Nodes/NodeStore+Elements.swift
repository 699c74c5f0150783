// Nodes whose elements are some bytes each: floats, decimals, short texts; and blobs. Layer: Nodes.

extension NodeStore {
  /// A node of `count` elements of `width` bytes.
  func makeElements(width: Int, count: Int) throws(EngineError) -> (ref: Ref, payload: MutableRawBytes) {
    try make(NodeHeader(kind: .bytes, width: width, count: count))
  }

  /// A blob of `bytes` and `terminatorSize` zero bytes.
  func makeBlob(_ bytes: RawBytes, terminatorSize: Int = 0) throws(EngineError) -> Ref {
    let (ref, payload) = try make(
      NodeHeader(kind: .blob, width: 1, count: bytes.count + terminatorSize))
    payload.copy(bytes, at: 0)
    payload.zero(bytes.count, terminatorSize)
    return ref
  }

  private func resized(_ node: NodeView, count: Int) -> NodeHeader {
    NodeHeader(contextFlag: node.header.contextFlag, kind: .bytes, width: node.header.width, count: count)
  }

  /// The bytes of element `index`, in a node that may be changed.
  func elementForChange(_ ref: Ref, _ index: Int) throws(EngineError) -> (Ref, MutableRawBytes) {
    let node = try snapshot.node(ref)
    let width = node.header.width
    guard node.header.kind == .bytes, index >= 0, index < node.count else {
      throw EngineError.damaged(at: ref.offset, expected: "an element \(index)", found: node.description)
    }
    if isNew(ref) { return (ref, payload(node).slice(index * width, width)) }
    let (new, target) = try make(node.header)
    target.copy(node.payload, at: 0)
    release(node)
    return (new, target.slice(index * width, width))
  }

  /// Makes room for an element before `index` and gives its bytes, which hold anything.
  func insertElement(_ ref: Ref, _ index: Int) throws(EngineError) -> (Ref, MutableRawBytes) {
    let node = try snapshot.node(ref)
    let width = node.header.width
    guard node.header.kind == .bytes, index >= 0, index <= node.count else {
      throw EngineError.damaged(at: ref.offset, expected: "an element \(index)", found: node.description)
    }
    try checkRoom(in: node)
    let header = resized(node, count: node.count + 1)
    let tail = node.payload.slice(index * width, (node.count - index) * width)
    if let target = resize(node, to: header) {
      target.copy(tail, at: (index + 1) * width)
      return (ref, target.slice(index * width, width))
    }
    let (new, target) = try make(header)
    target.copy(node.payload.slice(0, index * width), at: 0)
    target.copy(tail, at: (index + 1) * width)
    release(node)
    return (new, target.slice(index * width, width))
  }

  func eraseElement(_ ref: Ref, _ index: Int) throws(EngineError) -> Ref {
    let node = try snapshot.node(ref)
    let width = node.header.width
    guard node.header.kind == .bytes, index >= 0, index < node.count else {
      throw EngineError.damaged(at: ref.offset, expected: "an element \(index)", found: node.description)
    }
    let header = resized(node, count: node.count - 1)
    let tail = node.payload.slice((index + 1) * width, (node.count - index - 1) * width)
    if let target = resize(node, to: header) {
      target.copy(tail, at: index * width)
      return ref
    }
    let (new, target) = try make(header)
    target.copy(node.payload.slice(0, index * width), at: 0)
    target.copy(tail, at: index * width)
    release(node)
    return new
  }
}
