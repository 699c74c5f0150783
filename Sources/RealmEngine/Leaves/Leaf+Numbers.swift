// The numbers of a leaf, and the lengths of its texts, unpacked for calculating. Layer: Leaves.

extension PackedIntegers {
  fileprivate func load(into block: NumberVector) {
    switch width {
    case 8: block.load(Int8.self, payload, start: start, count: count)
    case 16: block.load(Int16.self, payload, start: start, count: count)
    case 32: block.load(Int32.self, payload, start: start, count: count)
    case 64: block.load(Int64.self, payload, start: start, count: count)
    case 0: block.fill(Int64(0), count: count)
    default: block.loadNarrow(payload, width: width, start: start, count: count)
    }
  }
}

extension IntegerLeaf {
  fileprivate func load(into block: NumberVector) {
    values.load(into: block)
    if let nullSentinel { block.makeNull(nullSentinel) }
  }
}

extension TimestampLeaf {
  /// Unpacks dates that are whole seconds, as these; false for others.
  func loadSeconds(into block: NumberVector) -> Bool {
    guard nanoseconds.width == 0 else { return false }
    seconds.load(into: block)
    return true
  }
}

extension Leaf {
  /// Unpacks integers, floats or doubles; false for a leaf of anything else.
  func loadNumbers(into block: NumberVector) -> Bool {
    switch self {
    case .integers(let leaf): leaf.load(into: block)
    case .doubles(let leaf):
      block.loadDoubles(leaf.payload, start: leaf.start, count: leaf.count, nullBits: leaf.nullBits)
    case .floats(let leaf):
      block.loadFloats(leaf.payload, start: leaf.start, count: leaf.count, nullBits: leaf.nullBits)
    default: return false
    }
    return true
  }

  /// How many bytes texts or data have, null for null; false for a leaf of anything else.
  func loadSizes(into block: NumberVector, in snapshot: Snapshot) throws(EngineError) -> Bool {
    switch self {
    case .strings(.short(let leaf)):
      if try leaf.loadSizes(into: block) { return true }
      try Self.loadSizes(leaf.count, into: block) { row throws(EngineError) in try leaf.bytes(row)?.count }
    case .strings(.medium(let leaf)), .data(.small(let leaf)):
      try Self.loadSizes(leaf.count, into: block) { row throws(EngineError) in try leaf.bytes(row)?.count }
    case .strings(let leaf):
      try Self.loadSizes(leaf.count, into: block) { row throws(EngineError) in
        try leaf.bytes(row, in: snapshot)?.count
      }
    case .data(let leaf):
      try Self.loadSizes(leaf.count, into: block) { row throws(EngineError) in
        try leaf.bytes(row, in: snapshot)?.count
      }
    default: return false
    }
    return true
  }

  @inline(__always)
  private static func loadSizes(
    _ count: Int, into block: NumberVector, _ size: (Int) throws(EngineError) -> Int?
  ) throws(EngineError) {
    block.resize(count)
    for row in 0..<count {
      if let size = try size(row) { block.set(row, Int64(size)) } else { block.setNull(row) }
    }
  }
}

extension StringLeaf {
  /// Loads short texts as words; false where there are longer ones, or damaged ones, which their bytes will tell.
  func loadKeys(into keys: ShortTextKeys) -> Bool {
    guard case .short(let leaf) = self else { return false }
    return leaf.loadKeys(into: keys)
  }
}

extension ShortStringLeaf {
  /// The same.
  func loadKeys(into keys: ShortTextKeys) -> Bool {
    guard width > 0, width <= ShortTextKeys.widthMax else { return false }
    return keys.load(payload, width: width, start: start, count: count, isNullable: isNullable)
  }

  /// False where a text is damaged, which its bytes will tell.
  fileprivate func loadSizes(into block: NumberVector) throws(EngineError) -> Bool {
    guard width > 0 else {
      if isNullable { block.fillNull(count: count) } else { block.fill(Int64(0), count: count) }
      return true
    }
    return block.loadPaddedLengths(
      payload, width: width, start: start, count: count, isNullable: isNullable)
  }
}
