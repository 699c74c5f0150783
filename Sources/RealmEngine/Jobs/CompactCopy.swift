// Writes a snapshot as a new realm file that holds nothing else. Layer: Jobs.
// The file is complete in normal form: slot 1 selected, exact free list, no footer, so that any engine can go on
// writing it at once.

/// What becomes of the history in a copy.
package enum HistoryTreatment: Sendable {
  /// The same file in a new place: what a synced file keeps stays. Local history begins anew: it was for programs that had
  /// the file open.
  case keep
  /// A file of its own: local history begins anew, a synced file gets no identity yet.
  case forCopy
  /// A local file: neither history nor sync state.
  case drop
}

/// How a copy went.
package struct CopyResult: Sendable {
  package let digest: ContentDigest
  /// Bytes of the new file's data that are in use.
  package let logicalSize: Int
}

package enum CompactCopy {
  private static let firstFormatWithHistorySchema = 24
  private static let oldSlotsMax = 10

  /// Writes the snapshot of `transaction` to `output`, and the header last. Memory stays flat for any size.
  /// `format` nil: what the snapshot has.
  package static func write(
    _ transaction: ReadTransaction, format: Int? = nil, history: HistoryTreatment,
    to output: SequentialOutput, progress: @escaping (Int) throws(EngineError) -> Void = { _ in }
  ) throws(EngineError) -> CopyResult {
    try output.appendZeros(FileHeader.size)
    var copy = try TreeCopy(from: transaction.snapshot, to: output, progress: progress)
    guard let top = transaction.top else {
      try output.finish(header: header(topRef: 0, format: 0))
      return CopyResult(digest: copy.digest, logicalSize: FileHeader.size)
    }
    let names = try copy.copy(top.names)
    let tables = try copy.copy(top.tables)
    let format = format ?? transaction.snapshot.format
    let kept = try historySlots(top, format, history, &copy)
    // The free list and the top array behind it stand in one section: only gaps before them can be free.
    let sizeMax = 3 * (NodeHeader.size + 8 * (copy.gaps.count + 1)) + NodeHeader.size + 8 * 12
    try copy.makeRoom(sizeMax)
    let gaps = copy.gaps
    let plain = NodeHeader(kind: .bits, width: 0, count: 0)
    let positions = try copy.append(plain, gaps.map { Int64($0.offset) })
    let lengths = try copy.append(plain, gaps.map { Int64($0.size) })
    let versions = try copy.append(plain, gaps.map { _ in 0 })
    let topRef = output.position
    let references = [names, tables, 0, positions, lengths, versions].map { Int64($0) }
    var elements = references + [NodeStore.tag(top.version)] + kept
    // The engines of formats without clusters take no other count of slots.
    if format < FileFormat.firstWithClusters {
      elements = Array(elements.prefix(oldSlotsMax))
    }
    // The logical size stands in the array whose own size it includes: take the width that surely holds it.
    let width = max(Packing.width(of: elements), Packing.width(of: NodeStore.tag(Int64(topRef + sizeMax))))
    let node = NodeHeader(hasRefs: true, kind: .bits, width: width, count: elements.count)
    let logicalSize = topRef + node.byteSize
    elements[2] = NodeStore.tag(Int64(logicalSize))
    _ = try copy.append(node, width: width, elements)
    try output.finish(header: header(topRef: topRef, format: format))
    return CopyResult(digest: copy.digest, logicalSize: logicalSize)
  }

  /// The size of the file that a copy would be.
  package static func measure(
    _ transaction: ReadTransaction, key: EncryptionKey?, history: HistoryTreatment,
    progress: @escaping (Int) throws(EngineError) -> Void = { _ in }
  ) throws(EngineError) -> Int {
    let output = try SequentialOutput(nil, key: key)
    _ = try write(transaction, history: history, to: output, progress: progress)
    return output.fileSize
  }

  /// The digest of what a copy with the same treatment of history would hold.
  package static func digest(
    of transaction: ReadTransaction, history: HistoryTreatment,
    progress: @escaping (Int) throws(EngineError) -> Void = { _ in }
  ) throws(EngineError) -> ContentDigest {
    var walk = try TreeWalk(transaction.snapshot, progress: progress)
    guard let top = transaction.top else { return walk.digest }
    try walk.visit(top.names)
    try walk.visit(top.tables)
    if keepsHistory(top, history), let root = top.historyRoot { try walk.visit(root) }
    return walk.digest
  }

  private static func keepsHistory(_ top: GroupTop, _ history: HistoryTreatment) -> Bool {
    switch history {
    case .keep: top.historyType != .inRealm
    case .forCopy: top.historyType.isSynced
    case .drop: false
    }
  }

  /// Slots 7 to 10 of the new top array.
  private static func historySlots(
    _ top: GroupTop, _ format: Int, _ history: HistoryTreatment, _ copy: inout TreeCopy
  ) throws(EngineError) -> [Int64] {
    if history == .drop || !keepsHistory(top, history) && top.historyType == .inRealm {
      // An empty local history, as the SDKs have it in a new file. The engines before format 24 know schema 0 alone.
      let newSchema = format < firstFormatWithHistorySchema ? 0 : HistoryType.inRealmSchema
      let schema = top.historyType == .inRealm ? top.historySchemaVersion : newSchema
      return [NodeStore.tag(HistoryType.inRealmNumber), 0, NodeStore.tag(schema), NodeStore.tag(0)]
    }
    guard top.node.count > GroupSlot.historyType else { return [] }
    let root: Int64 = if let ref = top.historyRoot { Int64(try copy.copy(ref)) } else { 0 }
    let identity = history == .keep ? top.syncFileID : 0
    return [
      try top.node.slot(GroupSlot.historyType), root, NodeStore.tag(top.historySchemaVersion),
      NodeStore.tag(identity),
    ]
  }

  private static func header(topRef: Int, format: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: FileHeader.size)
    for index in 0..<8 { header[8 + index] = UInt8(truncatingIfNeeded: topRef >> (8 * index)) }
    header.replaceSubrange(FileHeader.magicRange, with: FileHeader.magicBytes)
    header[21] = UInt8(topRef == 0 ? 0 : format)
    header[23] = topRef == 0 ? 0 : 1
    return header
  }
}
