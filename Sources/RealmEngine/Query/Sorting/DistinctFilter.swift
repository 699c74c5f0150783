// Finds the first row of each combination of values, by hashing. Layer: Query.
// Invariant: two rows are the same here if and only if their values have the same place in the stored order; property
// types for which hashes cannot tell that are refused.

/// Tells rows with new values from those whose values were seen before.
struct DistinctFilter {
  private enum Part: Hashable {
    case null
    case number(UInt64)
    case pair(UInt64, UInt64)
    case text(ByteString)
  }

  private let properties: [Property]
  private let snapshot: Snapshot
  private var seen: Set<Part> = []
  private var seenCombinations: Set<[Part]> = []
  /// The leaves of the block that the last row was in.
  private var leaves: [Leaf] = []
  private var leavesFirstKey: ObjectKey?

  /// Nil where a value is not the row's own, or may equal one of another type.
  init?(_ paths: [BoundSortPath], in snapshot: Snapshot) {
    let hashable: [ValueType] = [
      .int, .bool, .float, .double, .date, .string, .data, .objectID, .uuid, .object,
    ]
    for path in paths {
      guard path.links.isEmpty, path.dictionaryKey == nil, path.property.collection == nil,
        hashable.contains(path.property.type)
      else { return nil }
    }
    guard !paths.isEmpty else { return nil }
    properties = paths.map(\.property)
    self.snapshot = snapshot
  }

  /// Whether no row before had the values of this one.
  mutating func accepts(_ row: Int, of block: RowBlock) throws(EngineError) -> Bool {
    if leavesFirstKey != block.key(0) {
      leaves = try map(properties) { property throws(EngineError) in try block.leaf(property) }
      leavesFirstKey = block.key(0)
    }
    if leaves.count == 1 { return seen.insert(try part(leaves[0], row)).inserted }
    let parts = try map(leaves) { leaf throws(EngineError) in try part(leaf, row) }
    return seenCombinations.insert(parts).inserted
  }

  private func part(_ leaf: Leaf, _ row: Int) throws(EngineError) -> Part {
    switch leaf {
    case .integers(let leaf): return leaf[row].map { .number(UInt64(bitPattern: $0)) } ?? .null
    case .bools(let leaf): return leaf[row].map { .number($0 ? 1 : 0) } ?? .null
    case .floats(let leaf): return leaf[row].map { Self.part(Double($0)) } ?? .null
    case .doubles(let leaf): return leaf[row].map(Self.part) ?? .null
    case .dates(let leaf):
      return leaf[row].map { date in
        .pair(UInt64(bitPattern: date.seconds), UInt64(bitPattern: Int64(date.nanoseconds)))
      } ?? .null
    case .strings(let leaf): return try leaf.bytes(row, in: snapshot).map(Part.text) ?? .null
    case .data(let leaf): return try leaf.bytes(row, in: snapshot).map(Part.text) ?? .null
    case .objectIDs(let leaf): return leaf.objectID(row).map { .pair($0.high, UInt64($0.low)) } ?? .null
    case .uuids(let leaf): return leaf.uuid(row).map { .pair($0.high, $0.low) } ?? .null
    case .links(let leaf):
      guard let key = leaf[row], key.value >= 0 else { return .null }
      return .number(UInt64(bitPattern: key.value))
    case .decimals, .mixed, .typedLinks, .backlinks, .collections:
      preconditionFailure("such properties are refused")
    }
  }

  /// All NaNs are one value, and so are both zeros.
  private static func part(_ number: Double) -> Part {
    if number.isNaN { return .number(Double.nan.bitPattern) }
    return .number(number == 0 ? 0 : number.bitPattern)
  }
}
