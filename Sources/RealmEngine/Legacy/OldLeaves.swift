// Leaves of formats 2–9, as the leaf views that all formats share. Layer: Legacy.
// What differs from later formats: texts mark what is not null instead of what is, small data may have no null marks
// at all, booleans have a null sentinel like integers, and leaves do not know whether their column is nullable.

extension Snapshot {
  /// Opens the leaf at `ref` of a column that is one tree.
  func oldLeaf(_ node: NodeView, _ form: OldForm, isNullable: Bool) throws(EngineError) -> Leaf {
    switch form {
    case .integers: return .integers(try oldIntegers(node, isNullable: isNullable))
    case .bools:
      let leaf = try oldIntegers(node, isNullable: isNullable)
      return .bools(BoolLeaf(values: leaf.values, nullSentinel: leaf.nullSentinel))
    case .seconds:
      let leaf = try oldIntegers(node, isNullable: isNullable)
      return .dates(TimestampLeaf(seconds: leaf, nanoseconds: .zeros(count: leaf.count)))
    case .strings: return .strings(try oldTexts(node, isNullable: isNullable))
    case .enumerated(let texts):
      return .strings(.enumerated(try oldIntegers(node, isNullable: false).values, texts))
    case .data: return .data(try oldData(node, isNullable: isNullable))
    case .floats:
      return .floats(try FloatLeaf(node, isNullable: isNullable))
    case .doubles:
      return .doubles(try DoubleLeaf(node, isNullable: isNullable))
    case .links:
      return .links(LinkLeaf(values: try oldIntegers(node, isNullable: false).values, bias: 1))
    case .linkLists, .subtables: return .collections(CollectionLeaf(try oldRefs(node)))
    case .backlinks: return .backlinks(BacklinkLeaf(try oldRefs(node)))
    case .dates, .mixed:
      preconditionFailure("a column of two trees has no leaves of its own")
    }
  }

  func oldIntegers(_ node: NodeView, isNullable: Bool) throws(EngineError) -> IntegerLeaf {
    guard !node.hasRefs, !node.isInner, node.header.kind == .bits else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of numbers", found: node.description)
    }
    return try IntegerLeaf(node, isNullable: isNullable)
  }

  func oldRefs(_ node: NodeView) throws(EngineError) -> NodeView {
    guard node.hasRefs, !node.isInner, node.header.kind == .bits else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of refs", found: node.description)
    }
    return node
  }

  package func oldTexts(_ node: NodeView, isNullable: Bool) throws(EngineError) -> StringLeaf {
    guard node.hasRefs else { return .short(try ShortStringLeaf(node, isNullable: isNullable)) }
    let node = try oldRefs(node)
    if node.header.contextFlag {
      return .big(BigBlobLeaf(node, terminatorSize: 1, isNullable: isNullable))
    }
    return .medium(try oldBlobs(node, isNullable: isNullable, nullMark: 0, terminatorSize: 1))
  }

  func oldData(_ node: NodeView, isNullable: Bool) throws(EngineError) -> BinaryLeaf {
    let node = try oldRefs(node)
    if node.header.contextFlag {
      return .big(BigBlobLeaf(node, terminatorSize: 0, isNullable: isNullable))
    }
    return .small(try oldBlobs(node, isNullable: isNullable, nullMark: 1, terminatorSize: 0))
  }

  private func oldBlobs(
    _ node: NodeView, isNullable: Bool, nullMark: Int64, terminatorSize: Int
  ) throws(EngineError) -> SmallBlobLeaf {
    let ends = try integersNode(try node.requiredRef(0)).integers
    let blob = try self.node(try node.requiredRef(1))
    var nulls: PackedIntegers?
    if isNullable, let ref = try node.refIfPresent(2) { nulls = try integersNode(ref).integers }
    guard !blob.hasRefs, blob.header.kind == .blob || blob.count == 0,
      nulls == nil || nulls?.count == ends.count
    else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a blob with \(ends.count) ends",
        found: "\(blob.description), \(nulls?.count ?? 0) null marks")
    }
    return SmallBlobLeaf(
      ends: ends, blob: blob.payload, nulls: nulls, nullMark: nullMark, offset: node.ref.offset,
      terminatorSize: terminatorSize)
  }
}

extension Leaf {
  /// `length` elements from `first` on, which must be inside. Only for leaves that formats 2–9 have.
  func slice(_ first: Int, _ length: Int) -> Leaf {
    switch self {
    case .integers(let leaf): return .integers(leaf.slice(first, length))
    case .bools(let leaf):
      return .bools(BoolLeaf(values: leaf.values.slice(first, length), nullSentinel: leaf.nullSentinel))
    case .strings(let leaf): return .strings(leaf.slice(first, length))
    case .data(let leaf): return .data(leaf.slice(first, length))
    case .dates(let leaf):
      return .dates(
        TimestampLeaf(
          seconds: leaf.seconds.slice(first, length), nanoseconds: leaf.nanoseconds.slice(first, length)))
    case .floats(let leaf): return .floats(leaf.slice(first, length))
    case .doubles(let leaf): return .doubles(leaf.slice(first, length))
    case .links(let leaf):
      return .links(LinkLeaf(values: leaf.values.slice(first, length), bias: leaf.bias))
    case .backlinks(let leaf): return .backlinks(leaf.slice(first, length))
    case .collections(let leaf): return .collections(leaf.slice(first, length))
    case .decimals, .objectIDs, .uuids, .mixed, .typedLinks:
      preconditionFailure("formats 2–9 have no such leaves")
    }
  }
}
