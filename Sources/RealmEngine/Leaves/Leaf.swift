// One column's values for a run of rows, in whichever layout they are stored. Layer: Leaves.
// Invariant: a leaf opened for `rowCount` rows has exactly that many elements.

/// The values of one column for consecutive rows, or of a collection for consecutive elements.
package enum Leaf: Sendable {
  case integers(IntegerLeaf)
  case bools(BoolLeaf)
  case strings(StringLeaf)
  case data(BinaryLeaf)
  case dates(TimestampLeaf)
  case floats(FloatLeaf)
  case doubles(DoubleLeaf)
  case decimals(DecimalLeaf)
  case objectIDs(FixedBytesLeaf)
  case uuids(FixedBytesLeaf)
  // Several times as large as the others, which are copied a lot.
  indirect case mixed(MixedLeaf)
  case links(LinkLeaf)
  case typedLinks(TypedLinkLeaf)
  case backlinks(BacklinkLeaf)
  case collections(CollectionLeaf)

  package var count: Int {
    switch self {
    case .integers(let leaf): leaf.count
    case .bools(let leaf): leaf.count
    case .strings(let leaf): leaf.count
    case .data(let leaf): leaf.count
    case .dates(let leaf): leaf.count
    case .floats(let leaf): leaf.count
    case .doubles(let leaf): leaf.count
    case .decimals(let leaf): leaf.count
    case .objectIDs(let leaf), .uuids(let leaf): leaf.count
    case .mixed(let leaf): leaf.count
    case .links(let leaf): leaf.count
    case .typedLinks(let leaf): leaf.count
    case .backlinks(let leaf): leaf.count
    case .collections(let leaf): leaf.count
    }
  }
}

/// What must be known of a column or collection to read its leaves.
package struct LeafLayout: Sendable {
  package let type: ValueType
  package let isNullable: Bool
  /// The column holds collections rather than values.
  package let isCollectionColumn: Bool
  /// The leaf belongs to a list or set, where links are stored without bias.
  package let isInCollection: Bool
  /// The table of an enumerated column's distinct texts.
  package let texts: EnumeratedTexts?
  /// What the column of a list holds that is stored as a table; nil for trees of elements.
  package let subtableForm: OldForm?

  package init(
    type: ValueType, isNullable: Bool, isCollectionColumn: Bool = false, isInCollection: Bool = false,
    texts: EnumeratedTexts? = nil, subtableForm: OldForm? = nil
  ) {
    self.type = type
    self.isNullable = isNullable
    self.isCollectionColumn = isCollectionColumn
    self.isInCollection = isInCollection
    self.texts = texts
    self.subtableForm = subtableForm
  }
}

extension Snapshot {
  /// Opens the leaf at `ref`. `rowCount` nil takes whatever count the leaf has.
  package func leaf(_ ref: Ref, _ layout: LeafLayout, rowCount: Int?) throws(EngineError) -> Leaf {
    try leaf(try node(ref), layout, rowCount: rowCount)
  }

  /// Opens the leaf of a node that is open.
  package func leaf(_ node: NodeView, _ layout: LeafLayout, rowCount: Int?) throws(EngineError) -> Leaf {
    let leaf = try leaf(node, layout)
    if let rowCount, leaf.count != rowCount {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "\(rowCount) values of type \(layout.type.name)",
        found: "\(leaf.count)")
    }
    return leaf
  }

  /// Opens a leaf with whatever count it has.
  package func leaf(_ node: NodeView, _ layout: LeafLayout) throws(EngineError) -> Leaf {
    if layout.isCollectionColumn {
      try require(node, refs: true, what: "collections")
      return .collections(CollectionLeaf(node))
    }
    switch layout.type {
    case .int: return .integers(try integerLeaf(node, isNullable: layout.isNullable))
    case .bool: return .bools(try boolLeaf(node))
    case .string: return .strings(try StringLeaf(node, in: self, texts: layout.texts))
    case .data: return .data(try BinaryLeaf(node, in: self))
    case .date: return .dates(try dateLeaf(node))
    case .float: return .floats(try FloatLeaf(node, isNullable: layout.isNullable))
    case .double: return .doubles(try DoubleLeaf(node, isNullable: layout.isNullable))
    case .decimal128: return .decimals(try DecimalLeaf(node))
    case .objectID: return .objectIDs(try FixedBytesLeaf(node, size: ObjectID.byteCount))
    case .uuid: return .uuids(try FixedBytesLeaf(node, size: UUIDValue.byteCount))
    case .mixed: return .mixed(try MixedLeaf(node, in: self))
    case .object: return .links(try linkLeaf(node, isInCollection: layout.isInCollection))
    case .typedLink:
      try require(node, refs: false, what: "links")
      return .typedLinks(try TypedLinkLeaf(node))
    case .backlink:
      try require(node, refs: true, what: "incoming links")
      return .backlinks(BacklinkLeaf(node))
    }
  }

  /// The numbers of a leaf of integers or booleans; nil for what `leaf` refuses.
  @inline(__always)
  func storedNumbers(_ node: NodeView, _ layout: LeafLayout, rowCount: Int) -> IntegerLeaf? {
    guard !node.hasRefs, !node.isInner, node.header.kind == .bits else { return nil }
    let all = node.integers
    if layout.type == .bool {
      return all.count == rowCount ? IntegerLeaf(values: all, nullSentinel: BoolLeaf.nullPattern) : nil
    }
    guard layout.isNullable else { return all.count == rowCount ? IntegerLeaf(values: all) : nil }
    guard all.count == rowCount + 1 else { return nil }
    return IntegerLeaf(values: all.slice(1, rowCount), nullSentinel: all[0])
  }

  func integerLeaf(_ node: NodeView, isNullable: Bool) throws(EngineError) -> IntegerLeaf {
    try require(node, refs: false, what: "integers")
    return try IntegerLeaf(node, isNullable: isNullable)
  }

  func boolLeaf(_ node: NodeView) throws(EngineError) -> BoolLeaf {
    try require(node, refs: false, what: "booleans")
    return BoolLeaf(values: node.integers)
  }

  func linkLeaf(_ node: NodeView, isInCollection: Bool = false) throws(EngineError) -> LinkLeaf {
    try require(node, refs: false, what: "links")
    return LinkLeaf(values: node.integers, bias: isInCollection ? 0 : 1)
  }

  func dateLeaf(_ node: NodeView) throws(EngineError) -> TimestampLeaf {
    try require(node, refs: true, what: "dates")
    return try TimestampLeaf(node, in: self)
  }

  @inline(__always)
  private func require(_ node: NodeView, refs: Bool, what: String) throws(EngineError) {
    guard node.hasRefs == refs, !node.isInner, node.header.kind == .bits else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of \(what)", found: node.description)
    }
  }
}

extension Leaf {
  /// The value at `index`. `target` is the table that links without a table mean. Not for collection columns and
  /// incoming links, whose values are not single: they give null.
  package func value(
    _ index: Int, in snapshot: Snapshot, target: TableKey? = nil
  ) throws(EngineError) -> Value {
    switch self {
    case .integers(let leaf): return leaf.value(index)
    case .bools(let leaf): return leaf.value(index)
    case .strings(let leaf): return try leaf.value(index, in: snapshot)
    case .data(let leaf): return try leaf.value(index, in: snapshot)
    case .dates(let leaf): return leaf.value(index)
    case .floats(let leaf): return leaf.value(index)
    case .doubles(let leaf): return leaf.value(index)
    case .decimals(let leaf): return leaf.value(index)
    case .objectIDs(let leaf): return leaf.objectID(index).map(Value.objectID) ?? .null
    case .uuids(let leaf): return leaf.uuid(index).map(Value.uuid) ?? .null
    case .mixed(let leaf): return try leaf.value(index, in: snapshot, untypedTarget: target)
    case .links(let leaf):
      guard let target, let key = leaf.existing(index) else { return .null }
      return .link(ObjectLink(table: target, key: key))
    case .typedLinks(let leaf):
      guard let link = leaf[index], link.key.value >= 0 else { return .null }
      return .link(link)
    case .backlinks, .collections: return .null
    }
  }
}

/// How formats 2–9 store the values of one column: in trees of leaves, one element a row.
package enum OldForm: Sendable {
  case integers
  case bools
  case strings
  /// Numbers into a table of distinct texts.
  case enumerated(EnumeratedTexts)
  case data
  /// Whole seconds since 1970, as numbers.
  case seconds
  /// Two trees: nullable seconds beside nanoseconds.
  case dates
  case floats
  case doubles
  /// Two trees of types and numbers, and columns for what is no number.
  case mixed
  /// Row numbers of the target plus one.
  case links
  /// Trees of row numbers.
  case linkLists
  /// Tables without a name, by the refs of their columns.
  case subtables
  case backlinks
}
