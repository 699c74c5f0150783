// Puts the new nodes of a transaction into the file. Layer: Commit.
// Invariants: children are placed before their parents, so every ref that is written is final; nodes of refs get the
// least width, padding is zero; nothing is written outside space that the commit may use.

extension NodeStore {
  private static let depthMax = 4000

  /// Bytes that the new nodes below `ref` take at most.
  func sizeOfNewNodes(_ ref: Ref, depth: Int = 0) throws(EngineError) -> Int {
    guard isNew(ref) else { return 0 }
    let node = try snapshot.node(ref)
    var size = node.byteSize
    guard node.hasRefs else { return size }
    try checkDepth(depth, ref)
    let slots = node.integers
    for index in 0..<slots.count {
      guard let child = Ref(slots[index]) else { continue }
      size += try sizeOfNewNodes(child, depth: depth + 1)
    }
    return size
  }

  fileprivate func checkDepth(_ depth: Int, _ ref: Ref) throws(EngineError) {
    guard depth < Self.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "nodes at most \(Self.depthMax) deep", found: "more")
    }
  }
}

/// Places and writes the nodes that a commit adds.
final class NodePlacement {
  private let store: NodeStore
  private let writer: DataWriter
  var space: FreeSpace
  /// Bytes that follow each other on disk and are written together.
  private var run: MemoryImage
  private var runOffset = 0
  private var runSize = 0

  /// Nodes that are larger are written by themselves.
  private static let nodeSizeMax = FileHandle.blockSize / 2
  /// So much holds a whole block, wherever it begins.
  private static let fullSize = 2 * FileHandle.blockSize

  init(_ store: NodeStore, space: FreeSpace, writer: DataWriter) throws(EngineError) {
    self.store = store
    self.space = space
    self.writer = writer
    run = try Self.buffer(Self.fullSize + Self.nodeSizeMax)
  }

  private static func buffer(_ size: Int) throws(EngineError) -> MemoryImage {
    guard let buffer = MemoryImage.reserving(size: size) else {
      throw EngineError(.other, "no memory for a write buffer")
    }
    return buffer
  }

  /// Takes space for what lies in one piece.
  func take(_ size: Int) throws(EngineError) -> Int {
    guard size <= FreeSpace.sectionSize else {
      throw EngineError(
        .other, "\(size) bytes are to lie in one piece, and a file has pieces of \(FreeSpace.sectionSize)",
        hint: "`compact` joins free space that has fallen into very many pieces")
    }
    return space.take(size)
  }

  /// Places a node with everything new below it; gives where it is in the file.
  func place(_ ref: Ref, depth: Int = 0) throws(EngineError) -> Int64 {
    guard store.isNew(ref) else { return Int64(ref.offset) }
    let node = try store.snapshot.node(ref)
    try Interruption.check()
    guard node.hasRefs else { return Int64(try write(node.header, node.payload)) }
    try store.checkDepth(depth, ref)
    var slots = node.integers.array()
    for index in slots.indices {
      guard let child = Ref(slots[index]) else { continue }
      slots[index] = try place(child, depth: depth + 1)
    }
    return Int64(try write(slots: slots, node.header))
  }

  /// Places a node of refs or numbers, as narrow as it can be but not below `minimumWidth`.
  func write(
    slots: [Int64], _ header: NodeHeader, minimumWidth: Int = 0, at offset: Int? = nil
  ) throws(EngineError) -> Int {
    let width = max(minimumWidth, Packing.width(of: slots))
    let narrow = header.with(kind: .bits, width: width, count: slots.count)
    let (offset, payload) = try room(narrow, at: offset)
    payload.zero(0, payload.count)
    payload.pack(slots, width: width)
    return offset
  }

  private func write(_ header: NodeHeader, _ payload: RawBytes) throws(EngineError) -> Int {
    if header.byteSize > Self.nodeSizeMax { return try writeLarge(header, payload) }
    let (offset, target) = try room(header, at: nil)
    if target.count > 0 { target.zero(target.count - 8, 8) }
    target.copy(payload.slice(0, header.payloadSize), at: 0)
    if let mask = header.lastByteMask {
      let last = header.payloadSize - 1
      target.store(target.readable[last] & mask, at: last)
    }
    return offset
  }

  /// Takes space for a node and gives its bytes in the buffer, header written.
  private func room(_ header: NodeHeader, at wanted: Int?) throws(EngineError) -> (Int, MutableRawBytes) {
    let size = header.byteSize
    let offset = if let wanted { wanted } else { try take(size) }
    if offset != runOffset + runSize {
      try writeRun()
      runOffset = offset
    }
    if runSize >= Self.fullSize { try writeBlocks() }
    // Only the lists of free space are larger than that.
    if runSize + size > run.size {
      try writeRun()
      runOffset = offset
      run = try Self.buffer(max(size, run.size))
    }
    let bytes = run.mutableBytes(runSize, size)
    runSize += size
    bytes.store(header.word, at: 0)
    return (offset, bytes.slice(NodeHeader.size, size - NodeHeader.size))
  }

  private func writeLarge(_ header: NodeHeader, _ payload: RawBytes) throws(EngineError) -> Int {
    let offset = try take(header.byteSize)
    try writeRun()
    try writer.extend(to: space.logicalSize)
    let word = (0..<NodeHeader.size).map { UInt8(truncatingIfNeeded: header.word >> (8 * UInt64($0))) }
    try word.withRawBytes { bytes throws(EngineError) in try writer.write(bytes, at: offset) }
    try writer.write(payload, at: offset + NodeHeader.size)
    let padding = [UInt8](repeating: 0, count: header.byteSize - NodeHeader.size - payload.count)
    try padding.withRawBytes { bytes throws(EngineError) in
      try writer.write(bytes, at: offset + NodeHeader.size + payload.count)
    }
    runOffset = 0
    return offset
  }

  /// Hands the buffer to the file.
  func writeRun() throws(EngineError) { try write(runSize) }

  /// Hands over what whole blocks of the file take.
  private func writeBlocks() throws(EngineError) {
    let end = (runOffset + runSize) & ~(FileHandle.blockSize - 1)
    try write(max(0, end - runOffset))
  }

  /// Hands over the first `count` bytes of the buffer, and keeps what follows.
  private func write(_ count: Int) throws(EngineError) {
    guard count > 0 else { return }
    try writer.extend(to: space.logicalSize)
    try writer.write(run.bytes.slice(0, count), at: runOffset)
    let rest = runSize - count
    run.mutableBytes(0, rest).copy(run.bytes.slice(count, rest), at: 0)
    runOffset += count
    runSize = rest
  }
}
