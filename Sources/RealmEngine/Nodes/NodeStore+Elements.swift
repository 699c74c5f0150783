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

  /// A node of elements; throws where there is no element `index`, or none before which one could be put with `isEnd`.
  private func elements(_ ref: Ref, _ index: Int, orAtEnd isEnd: Bool = false) throws(EngineError) -> NodeView
  {
    let node = try snapshot.node(ref)
    guard node.header.kind == .bytes, index >= 0, index < node.count + (isEnd ? 1 : 0) else {
      throw EngineError.damaged(at: ref.offset, expected: "an element \(index)", found: node.description)
    }
    return node
  }

  /// The bytes of element `index`, in a node that may be changed.
  func elementForChange(_ ref: Ref, _ index: Int) throws(EngineError) -> (Ref, MutableRawBytes) {
    let node = try elements(ref, index)
    let width = node.header.width
    if isNew(ref) { return (ref, payload(node).slice(index * width, width)) }
    let (new, target) = try make(node.header)
    target.copy(node.payload, at: 0)
    release(node)
    return (new, target.slice(index * width, width))
  }

  /// Makes room for an element before `index` and gives its bytes, which hold anything.
  func insertElement(_ ref: Ref, _ index: Int) throws(EngineError) -> (Ref, MutableRawBytes) {
    let node = try elements(ref, index, orAtEnd: true)
    try checkRoom(in: node)
    let (new, target) = try moveElements(node, from: index, to: index + 1)
    return (new, target.slice(index * node.header.width, node.header.width))
  }

  func eraseElement(_ ref: Ref, _ index: Int) throws(EngineError) -> Ref {
    try moveElements(try elements(ref, index), from: index + 1, to: index).0
  }

  /// Moves the elements from `start` on to `end`; those in front of both stay.
  private func moveElements(
    _ node: NodeView, from start: Int, to end: Int
  ) throws(EngineError) -> (Ref, MutableRawBytes) {
    let width = node.header.width
    let header = NodeHeader(
      contextFlag: node.header.contextFlag, kind: .bytes, width: width, count: node.count + end - start)
    let tail = node.payload.slice(start * width, (node.count - start) * width)
    if let target = resize(node, to: header) {
      target.copy(tail, at: end * width)
      return (node.ref, target)
    }
    let (new, target) = try make(header)
    target.copy(node.payload.slice(0, min(start, end) * width), at: 0)
    target.copy(tail, at: end * width)
    release(node)
    return (new, target)
  }
}
