// One pass over a snapshot: hands out nodes, each once, and takes findings. Layer: RealmInspection.
// Invariants: a node is handed out only when all its bytes are inside the data; a claiming walk hands out no byte
// twice, so no walk takes more steps than the data has nodes, whatever refs say. A peeking walk marks and reports
// nothing; it serves to look things up by position.

import RealmFiles

/// Counts of what a walk met.
package struct InspectionStatistics: Sendable {
  package var nodeCount = 0
  package var nodeBytes = 0
  package var freeBlockCount = 0
  package var freeBytes = 0
  package var lostBytes = 0
  package var tableCount = 0
  package var objectCount = 0
  package var unresolvedObjectCount = 0
  package var valueCount = 0
  package var linkCount = 0
  package var indexCount = 0
  package var indexEntryCount = 0
  package var historyEntryCount = 0

  /// Adds what another walk met.
  mutating func add(_ other: InspectionStatistics) {
    nodeCount += other.nodeCount
    nodeBytes += other.nodeBytes
    freeBlockCount += other.freeBlockCount
    freeBytes += other.freeBytes
    lostBytes += other.lostBytes
    tableCount += other.tableCount
    objectCount += other.objectCount
    unresolvedObjectCount += other.unresolvedObjectCount
    valueCount += other.valueCount
    linkCount += other.linkCount
    indexCount += other.indexCount
    indexEntryCount += other.indexEntryCount
    historyEntryCount += other.historyEntryCount
  }
}

/// Reads nodes for one pass.
final class Walk {
  static let sectionSize = 1 << 26

  let image: FileImage
  /// All bytes of a file that is not encrypted: they are read without a call.
  private let plainBytes: RawBytes?
  /// End of the bytes that nodes may occupy: the logical size.
  let limit: Int
  let format: Int
  let names: PlaceNames
  /// Nil in a peeking walk.
  private let coverage: CoverageMap?
  /// Nil where findings are of no interest.
  private let log: FindingLog?
  private var unreadablePages: Set<Int> = []
  /// Elements met so far that take no bytes: a header may promise 16 million of them.
  private var bytelessCount = 0
  /// No sound node has more of them for each of its bytes: 1000 in a leaf of 8 bytes.
  private static let bytelessCountPerByteMax = 128
  private static let bytelessNodeCountMax = 1 << 16

  var place = Place()
  var statistics = InspectionStatistics()

  init(
    image: FileImage, limit: Int, format: Int, names: PlaceNames, coverage: CoverageMap?, log: FindingLog?
  ) {
    self.image = image
    plainBytes = image.isEncrypted ? nil : image.plainBytes(0, image.size)
    self.limit = limit
    self.format = format
    self.names = names
    self.coverage = coverage
    self.log = log
  }

  /// A walk over the same bytes that marks and reports nothing.
  func peeking() -> Walk {
    Walk(image: image, limit: limit, format: format, names: names, coverage: nil, log: nil)
  }

  /// A walk over the same bytes with its own marks that reports nothing. Nil: no address space.
  func repeating() -> Walk? {
    guard let coverage = CoverageMap(size: limit) else { return nil }
    return Walk(image: image, limit: limit, format: format, names: names, coverage: coverage, log: nil)
  }

  /// Nodes that a walk without marks may still meet: it does not see that it goes in circles.
  var remainingCount = Int.max

  /// Whether nothing was found so far.
  var isQuiet: Bool { log?.isEmpty ?? true }

  /// Whether so much is wrong that walking on is pointless.
  var isOver: Bool { remainingCount < 0 || log?.isFull ?? false }

  // MARK: Findings

  func report(
    _ kind: FindingKind, at offset: Int, object: Int64? = nil, element: Int? = nil,
    severity: Severity? = nil, expected: @autoclosure () -> String, found: @autoclosure () -> String
  ) {
    let severity = severity ?? kind.severity
    log?.record(kind, severity) {
      var place = place
      if let object { place.object = object }
      if let element { place.element = element }
      return Finding(
        kind: kind, severity: severity, offset: offset, place: names.describe(place), expected: expected(),
        found: found())
    }
  }

  // MARK: Nodes

  /// The node at `offset`, claimed. Nil, with a finding, where there is none or it was claimed before.
  func node(_ offset: Int, object: Int64? = nil) -> RawNode? {
    remainingCount -= 1
    if Interruption.isPending { log?.fail(Interruption.error) }
    guard !isOver else { return nil }
    guard mayStart(offset) else {
      report(
        .ref, at: offset, object: object,
        expected: "a multiple of 8 between \(FileHeader.size) and \(limit)", found: "the ref \(offset)")
      return nil
    }
    guard let head = bytes(offset, RawHeader.size) else { return nil }
    guard let header = RawHeader(head), header.nodeSize <= limit - offset else {
      report(
        .nodeHeader, at: offset, object: object, expected: "a node within \(limit - offset) bytes",
        found: "the header \(head.array().map { String($0, radix: 16) }.joined(separator: " "))")
      return nil
    }
    if header.payloadSize == 0 {
      bytelessCount += header.count
      // As many as there may be properties, or free blocks.
      let countMax = max(Self.bytelessNodeCountMax, limit / RawHeader.size)
      guard header.count <= countMax, bytelessCount <= limit * Self.bytelessCountPerByteMax else {
        report(
          .nodeHeader, at: offset, object: object,
          expected:
            "at most \(countMax) elements, and \(Self.bytelessCountPerByteMax) a byte in the whole file",
          found: "\(header.count) more in a node without bytes")
        return nil
      }
    }
    if log != nil { ProgressCounter.advance(header.nodeSize) }
    guard claim(offset, header, object: object),
      let payload = bytes(offset + RawHeader.size, header.payloadSize)
    else { return nil }
    return RawNode(offset: offset, header: header, payload: payload)
  }

  /// The node at `offset`, where one stands there; nothing is claimed or reported.
  func peek(_ offset: Int) -> RawNode? {
    guard mayStart(offset), let head = bytes(offset, RawHeader.size), let header = RawHeader(head),
      header.nodeSize <= limit - offset, let payload = bytes(offset + RawHeader.size, header.payloadSize)
    else { return nil }
    return RawNode(offset: offset, header: header, payload: payload)
  }

  private func mayStart(_ offset: Int) -> Bool {
    offset & 7 == 0 && offset >= FileHeader.size && offset <= limit - RawHeader.size
  }

  private func claim(_ offset: Int, _ header: RawHeader, object: Int64?) -> Bool {
    guard let coverage else { return true }
    switch coverage.claim(offset, header.nodeSize) {
    case .new: break
    case .sameStart:
      report(
        .nodeUsedTwice, at: offset, object: object, expected: "one place that names this node",
        found: "another one")
      return false
    case .overlap:
      report(
        .overlap, at: offset, object: object, expected: "\(header.nodeSize) bytes of its own",
        found: "bytes that another node has")
      return false
    }
    statistics.nodeCount += 1
    statistics.nodeBytes += header.nodeSize
    if offset / Self.sectionSize != (offset + header.nodeSize - 1) / Self.sectionSize {
      report(
        .section, at: offset, object: object, expected: "a node within one section of 64 MiB",
        found: "\(header.nodeSize) bytes across a boundary")
    }
    return true
  }

  /// Claims a block that the free list names, inside the data and not empty.
  func claimFreeBlock(_ offset: Int, _ length: Int) {
    statistics.freeBlockCount += 1
    statistics.freeBytes += length
    guard let coverage, coverage.claim(offset, length) != .new else { return }
    report(
      .overlap, at: offset, expected: "\(length) free bytes that nothing uses",
      found: "bytes in use or free twice")
  }

  /// Reports the bytes that were never claimed.
  func reportGaps() {
    guard !isOver else { return }
    place = Place()
    coverage?.forEachGap(from: FileHeader.size) { offset, length in
      statistics.lostBytes += length
      report(.lostSpace, at: offset, expected: "a node or a free block", found: "\(length) bytes of nothing")
    }
  }

  /// Bytes inside the data; nil, with one finding a page, where an encrypted page fails its check.
  private func bytes(_ offset: Int, _ count: Int) -> RawBytes? {
    if let plainBytes { return plainBytes.slice(offset, count) }
    let pages = offset / PageGeometry.pageSize...(offset + max(count, 1) - 1) / PageGeometry.pageSize
    if !unreadablePages.isEmpty, pages.contains(where: { unreadablePages.contains($0) }) { return nil }
    do throws(EngineError) {
      return try image.bytes(offset, count)
    } catch {
      // A disk that does not read says nothing about what is on it.
      guard error.kind == .damaged else {
        log?.fail(error)
        return nil
      }
      unreadablePages.formUnion(pages)
      report(
        .encryptedPage, at: offset, expected: "an encrypted page that passes its check", found: error.message)
      return nil
    }
  }

  // MARK: Children

  /// The node that slot `index` of `parent` names. Nil for an empty slot; with a finding, for anything else that
  /// is no ref.
  func child(_ parent: RawNode, _ index: Int, object: Int64? = nil) -> RawNode? {
    switch parent.slot(index) {
    case .ref(let offset): return node(offset, object: object)
    case .empty, .absent: return nil
    case let other:
      reportSlot(parent, index, expected: "a ref or 0", found: other, object: object)
      return nil
    }
  }

  /// The node that slot `index` of `parent` must name.
  func requiredChild(_ parent: RawNode, _ index: Int, object: Int64? = nil) -> RawNode? {
    guard case .ref(let offset) = parent.slot(index) else {
      reportSlot(parent, index, expected: "a ref", found: parent.slot(index), object: object)
      return nil
    }
    return node(offset, object: object)
  }

  /// The child, if it is a node of plain numbers.
  func requiredNumbers(_ parent: RawNode, _ index: Int, object: Int64? = nil) -> RawNode? {
    guard let child = requiredChild(parent, index, object: object) else { return nil }
    return checked(child, child.isNumbers, "plain numbers", object: object)
  }

  /// The child, if it is a node of refs and tagged numbers.
  func requiredSlots(_ parent: RawNode, _ index: Int, object: Int64? = nil) -> RawNode? {
    guard let child = requiredChild(parent, index, object: object) else { return nil }
    return checked(child, child.isSlots, "refs", object: object)
  }

  /// `node` where `holds`, else nil with a finding.
  func checked(
    _ node: RawNode, _ holds: Bool, _ what: String, kind: FindingKind = .leafKind, object: Int64? = nil
  ) -> RawNode? {
    if holds { return node }
    report(kind, at: node.offset, object: object, expected: "a node of \(what)", found: node.words)
    return nil
  }

  /// The tagged number in a slot; 0 where the slot is 0 or missing; nil, with a finding, for a ref.
  func tagged(_ node: RawNode, _ index: Int) -> Int64? {
    switch node.slot(index) {
    case .tagged(let number): return number
    case .empty, .absent: return 0
    case let other:
      reportSlot(node, index, expected: "a tagged number or 0", found: other)
      return nil
    }
  }

  /// A number that writers count up: tagged, and with room for the next ones.
  func counter(_ node: RawNode, _ index: Int) {
    guard let number = tagged(node, index), number >= Self.counterEnd else { return }
    reportSlot(node, index, expected: "a number below \(Self.counterEnd)", found: .tagged(number))
  }

  private static let counterEnd: Int64 = 1 << 62

  func reportSlot(
    _ node: RawNode, _ index: Int, expected: @autoclosure () -> String, found: RawSlot, object: Int64? = nil
  ) {
    report(
      .slotKind, at: node.offset, object: object, expected: "\(expected()) in slot \(index)",
      found: found.words)
  }

  /// Levels of refs below a node whose structure is not known. Search indexes before format 6 had one for each
  /// four bytes of a text.
  private static let opaqueDepthMax = 100_000

  /// Claims everything below `node` as what it says it is: refs of nodes with refs are followed, the rest is
  /// opaque. For structures that belong to others (sync history) or to formats long gone.
  func claimDescendants(of node: RawNode) {
    var path: [(node: RawNode, next: Int)] = [(node, 0)]
    while let (parent, next) = path.last {
      guard parent.hasRefs, parent.kind == .bits, parent.width > 0, next < parent.count, !isOver else {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      switch parent.slot(next) {
      case .ref(let offset):
        guard let child = self.node(offset) else { continue }
        guard path.count < Self.opaqueDepthMax else {
          report(
            .treeNode, at: offset, expected: "at most \(Self.opaqueDepthMax) levels of nodes", found: "more")
          continue
        }
        path.append((child, 0))
      case .broken(let value):
        reportSlot(parent, next, expected: "a ref, a tagged number or 0", found: .broken(value))
      case .empty, .tagged, .absent: break
      }
    }
  }
}
