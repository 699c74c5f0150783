// Copies the nodes of a snapshot into a new file, children before parents, nothing but what is in use.
// Layer: Jobs. Leaves are copied as they are; nodes of refs are written anew with the least width.
// Invariant: no node crosses a section boundary. (Formats 2 to 9 allow nodes larger than a section; they do cross.)

/// Writes trees of nodes one behind the other.
struct TreeCopy {
  private var walk: TreeWalk
  private let output: SequentialOutput
  /// Where nodes are put together.
  private var scratch: MemoryImage
  /// Space left free where a node would have crossed a boundary.
  private(set) var gaps: [Extent] = []

  init(
    from source: Snapshot, to output: SequentialOutput, progress: @escaping TreeWalk.Progress
  ) throws(EngineError) {
    walk = try TreeWalk(source, progress: progress)
    self.output = output
    scratch = try Self.memory(0)
  }

  var digest: ContentDigest { walk.digest }

  /// Copies the tree at `ref`; returns where its root stands now.
  mutating func copy(_ ref: Ref, depth: Int = 0) throws(EngineError) -> Int {
    switch try walk.open(ref, depth: depth) {
    case .whole(let bytes, let header): return try append(bytes, header)
    case .refs(let header, var elements):
      for index in elements.indices {
        guard let child = try walk.child(elements[index], of: ref) else { continue }
        elements[index] = Int64(try copy(child, depth: depth + 1))
      }
      return try append(header, elements)
    }
  }

  /// Appends a node of integers or refs like `header`, with the least width that holds its elements or a given one.
  mutating func append(
    _ header: NodeHeader, width: Int? = nil, _ elements: [Int64]
  ) throws(EngineError) -> Int {
    let header = header.with(
      kind: .bits, width: width ?? Packing.width(of: elements), count: elements.count)
    if scratch.size < header.byteSize { scratch = try Self.memory(header.byteSize) }
    let bytes = scratch.mutableBytes(0, header.byteSize)
    bytes.zero(0, bytes.count)
    bytes.store(header.word, at: 0)
    let payload = bytes.slice(NodeHeader.size, bytes.count - NodeHeader.size)
    for (index, element) in elements.enumerated() {
      payload.pack(element, at: index, width: header.width)
    }
    return try append(bytes.readable, header)
  }

  private static func memory(_ size: Int) throws(EngineError) -> MemoryImage {
    if let memory = MemoryImage.reserving(size: max(size, 1 << 16)) { return memory }
    throw EngineError(.other, "no memory for a node of \(size) bytes")
  }

  /// What is no element becomes zeros: in a node that a transaction made it holds anything.
  private mutating func append(_ bytes: RawBytes, _ header: NodeHeader) throws(EngineError) -> Int {
    try makeRoom(bytes.count)
    let start = output.position
    let size = NodeHeader.size + header.payloadSize
    if let mask = header.lastByteMask {
      try output.append(bytes.slice(0, size - 1))
      try CollectionOfOne(bytes[size - 1] & mask).withRawBytes { byte throws(EngineError) in
        try output.append(byte)
      }
    } else {
      try output.append(bytes.slice(0, size))
    }
    try output.appendZeros(bytes.count - size)
    return start
  }

  /// Makes the next `size` bytes stand in one section.
  mutating func makeRoom(_ size: Int) throws(EngineError) {
    let position = output.position
    let boundary = (position / FreeSpace.sectionSize + 1) * FreeSpace.sectionSize
    guard position + size > boundary, position % FreeSpace.sectionSize != 0 else { return }
    gaps.append(Extent(offset: position, size: boundary - position))
    try output.appendZeros(boundary - position)
  }
}
