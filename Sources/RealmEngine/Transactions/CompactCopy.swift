// Writes a snapshot as a new realm file that holds nothing else. Layer: Transactions.
// The file is complete in normal form: slot 1 selected, exact free list, no footer, so that any engine can go on
// writing it at once.

/// What becomes of the history in a copy.
package enum HistoryTreatment: Sendable {
  /// The same file in a new place: history, identity and all.
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
  private static let inRealmHistory: Int64 = 2
  private static let inRealmHistorySchema: Int64 = 1

  /// Writes the snapshot of `transaction` to `output`, and the header last. Memory stays flat for any size.
  package static func write(
    _ transaction: ReadTransaction, history: HistoryTreatment, to output: SequentialOutput
  ) throws(EngineError) -> CopyResult {
    try output.appendZeros(FileHeader.size)
    var copy = TreeCopy(from: transaction.snapshot, to: output)
    guard let top = transaction.top else {
      try output.finish(header: header(topRef: 0, format: 0))
      return CopyResult(digest: copy.digest, logicalSize: FileHeader.size)
    }
    let names = try copy.copy(top.names)
    let tables = try copy.copy(top.tables)
    let kept = try historySlots(top, history, &copy)
    // The free list, and the top array behind it, stand in one section: only gaps before them can be free.
    let gapCount = copy.gaps.count + 1
    let sizeMax = 3 * (NodeHeader.size + 8 * gapCount) + NodeHeader.size + 8 * 12
    let position = output.position
    let boundary = (position / TreeCopy.sectionSize + 1) * TreeCopy.sectionSize
    var gaps = copy.gaps
    if position + sizeMax > boundary {
      gaps.append((position, boundary - position))
      try output.appendZeros(boundary - position)
    }
    let positions = try append(gaps.map { Int64($0.position) }, &copy)
    let lengths = try append(gaps.map { Int64($0.size) }, &copy)
    let versions = try append(gaps.map { _ in 0 }, &copy)
    let topRef = output.position
    let elements =
      [Int64(names), Int64(tables), 0, positions, lengths, versions, top.version << 1 | 1] + kept
    // The logical size stands in the array whose own size it includes: take the width that surely holds it.
    let width = ([Int64(topRef + sizeMax) << 1 | 1] + elements).reduce(0) {
      max($0, PackedIntegers.leastWidth($1))
    }
    let header = NodeHeader(hasRefs: true, kind: .bits, width: width, count: elements.count)
    let logicalSize = topRef + header.byteSize
    var final = elements
    final[2] = Int64(logicalSize) << 1 | 1
    _ = try copy.append(integers: header, final)
    try output.finish(header: Self.header(topRef: topRef, format: transaction.snapshot.format))
    return CopyResult(digest: copy.digest, logicalSize: logicalSize)
  }

  /// The digest of what a copy with the same treatment of history would hold.
  package static func digest(
    of transaction: ReadTransaction, history: HistoryTreatment
  ) throws(EngineError) -> ContentDigest {
    var walk = TreeDigest(transaction.snapshot)
    guard let top = transaction.top else { return walk.digest }
    try walk.add(top.names)
    try walk.add(top.tables)
    if keepsHistory(top, history), let root = top.historyRoot { try walk.add(root) }
    return walk.digest
  }

  private static func keepsHistory(_ top: GroupTop, _ history: HistoryTreatment) -> Bool {
    switch history {
    case .keep: true
    case .forCopy: top.historyType.isSynced
    case .drop: false
    }
  }

  /// Slots 7 to 10 of the new top array.
  private static func historySlots(
    _ top: GroupTop, _ history: HistoryTreatment, _ copy: inout TreeCopy
  ) throws(EngineError) -> [Int64] {
    func tagged(_ value: Int64) -> Int64 { value << 1 | 1 }
    if history == .drop || !keepsHistory(top, history) && top.historyType == .inRealm {
      // An empty local history, as the SDKs have it in a new file. The engines before format 24 knew schema 0.
      let schema = top.historyType == .inRealm ? top.historySchemaVersion : inRealmHistorySchema
      return [tagged(inRealmHistory), 0, tagged(schema), tagged(0)]
    }
    guard top.node.count > 7 else { return [] }
    let root: Int64 = if let ref = top.historyRoot { Int64(try copy.copy(ref)) } else { 0 }
    let identity = history == .keep ? top.syncFileID : 0
    return [
      try top.node.slot(7), root, tagged(top.historySchemaVersion), tagged(identity),
    ]
  }

  private static func append(_ values: [Int64], _ copy: inout TreeCopy) throws(EngineError) -> Int64 {
    let width = values.reduce(0) { max($0, PackedIntegers.leastWidth($1)) }
    let header = NodeHeader(kind: .bits, width: width, count: values.count)
    return Int64(try copy.append(integers: header, values))
  }

  private static func header(topRef: Int, format: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: FileHeader.size)
    for index in 0..<8 { header[8 + index] = UInt8(truncatingIfNeeded: topRef >> (8 * index)) }
    header.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    header[21] = UInt8(topRef == 0 ? 0 : format)
    header[23] = topRef == 0 ? 0 : 1
    return header
  }
}
