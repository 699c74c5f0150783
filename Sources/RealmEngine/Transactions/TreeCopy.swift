// Copies the nodes of a snapshot into a new file, children before parents, nothing but what is in use.
// Layer: Transactions. Leaves are copied as they are; nodes of refs are written anew with the least width.
// Invariants: no node crosses a section boundary; recursion is bounded; no walk meets more nodes than the data holds.

/// Writes trees of nodes one behind the other.
struct TreeCopy {
  private let source: Snapshot
  private let output: SequentialOutput
  private let budget: TraversalBudget
  private(set) var digest = ContentDigest()
  /// Space left free where a node would have crossed a boundary.
  private(set) var gaps: [(position: Int, size: Int)] = []

  static let sectionSize = 1 << 26
  /// Deeper than any sound tree: an index of 200 bytes with its inner levels inside nested collections.
  static let depthMax = 1024

  init(from source: Snapshot, to output: SequentialOutput) {
    self.source = source
    self.output = output
    budget = TraversalBudget(source)
  }

  /// Copies the tree at `ref`; returns where its root stands now.
  mutating func copy(_ ref: Ref, depth: Int = 0) throws(EngineError) -> Int {
    let node = try source.node(ref)
    try budget.charge(node)
    guard depth < Self.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tree of nodes", found: "more than \(depth) levels")
    }
    guard node.hasRefs, node.header.kind == .bits else {
      digest.add(leaf: node)
      let bytes = try source.bytes(ref.offset, node.byteSize)
      return try append(bytes)
    }
    let integers = node.integers
    digest.add(refsNode: node) { integers[$0] }
    var elements = [Int64](repeating: 0, count: node.count)
    for index in 0..<node.count {
      let element = integers[index]
      if element == 0 || element & 1 == 1 {
        elements[index] = element
      } else {
        elements[index] = Int64(try copy(try node.requiredRef(index), depth: depth + 1))
      }
    }
    return try append(refsNode: node.header, elements)
  }

  /// Appends a node of refs with the least width that holds its elements.
  mutating func append(refsNode header: NodeHeader, _ elements: [Int64]) throws(EngineError) -> Int {
    let width = elements.reduce(0) { max($0, PackedIntegers.leastWidth($1)) }
    let header = NodeHeader(
      isInner: header.isInner, hasRefs: true, contextFlag: header.contextFlag, kind: .bits, width: width,
      count: elements.count)
    return try append(integers: header, elements)
  }

  /// Appends a node of integers, encoded at the header's width.
  mutating func append(integers header: NodeHeader, _ elements: [Int64]) throws(EngineError) -> Int {
    var bytes = [UInt8](repeating: 0, count: header.byteSize)
    for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: header.word >> UInt64(8 * index)) }
    for (index, element) in elements.enumerated() where header.width > 0 {
      let bit = index * header.width
      if header.width < 8 {
        bytes[NodeHeader.size + bit / 8] |= UInt8(truncatingIfNeeded: element) << UInt8(bit % 8)
      } else {
        for byte in 0..<header.width / 8 {
          bytes[NodeHeader.size + bit / 8 + byte] = UInt8(truncatingIfNeeded: element >> Int64(8 * byte))
        }
      }
    }
    return try bytes.withRawBytes { raw throws(EngineError) in try append(raw) }
  }

  private mutating func append(_ bytes: RawBytes) throws(EngineError) -> Int {
    let position = output.position
    let boundary = (position / Self.sectionSize + 1) * Self.sectionSize
    if position + bytes.count > boundary {
      gaps.append((position, boundary - position))
      try output.appendZeros(boundary - position)
    }
    let start = output.position
    try output.append(bytes)
    return start
  }
}

extension PackedIntegers {
  /// The least width that holds `value`.
  static func leastWidth(_ value: Int64) -> Int {
    if value >= 0 && value < 16 { return value < 2 ? Int(value) : value < 4 ? 2 : 4 }
    if value == Int64(Int8(truncatingIfNeeded: value)) { return 8 }
    if value == Int64(Int16(truncatingIfNeeded: value)) { return 16 }
    return value == Int64(Int32(truncatingIfNeeded: value)) ? 32 : 64
  }
}

/// Walks a snapshot as `TreeCopy` does, without copying.
struct TreeDigest {
  private let snapshot: Snapshot
  private let budget: TraversalBudget
  private(set) var digest = ContentDigest()

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    budget = TraversalBudget(snapshot)
  }

  mutating func add(_ ref: Ref, depth: Int = 0) throws(EngineError) {
    let node = try snapshot.node(ref)
    try budget.charge(node)
    guard depth < TreeCopy.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a tree of nodes", found: "more than \(depth) levels")
    }
    guard node.hasRefs, node.header.kind == .bits else { return digest.add(leaf: node) }
    let integers = node.integers
    digest.add(refsNode: node) { integers[$0] }
    for index in 0..<node.count where integers[index] != 0 && integers[index] & 1 == 0 {
      try add(try node.requiredRef(index), depth: depth + 1)
    }
  }
}
