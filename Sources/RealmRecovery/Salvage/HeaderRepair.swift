// Headers of nodes of which one bit is wrong, told by where the nodes end. Layer: RealmRecovery, Salvage.
// Where a node ends another begins, or free space: no more room than a node needs is kept for it. So a width that ends a node in
// the midst of something is wrong where just one other bit makes it end right.

import RealmEngine

/// Goes through all that a version leads to, mends headers in memory and notes nodes that several slots name.
struct HeaderRepair {
  private let snapshot: Snapshot
  /// Where free space begins; nil where nothing tells, so that where a node ends means nothing.
  private let free: Set<Int>?
  private let begins: ClaimMap
  private let log: SalvageLog
  private let work: SearchWork
  /// By page: how many nodes begin there, and how many of them have lost their headers.
  private var headers: [Int: (all: Int, lost: Int)] = [:]

  /// The bits of a header that say how long a node is: width, kind and count. Of refs, which are numbers, the kind is known.
  private static let sizeBits = Array(32...36) + [38] + Array(40...63)

  /// Nil where there is no memory for a map of the file.
  init?(_ snapshot: Snapshot, _ top: GroupTop?, log: SalvageLog) {
    guard let begins = ClaimMap(size: snapshot.fileLimit & ~7) else { return nil }
    self.snapshot = snapshot
    self.begins = begins
    self.log = log
    work = SearchWork(snapshot)
    free = top.flatMap { top in
      (try? FreeList(of: top, in: snapshot)).map { Set($0.entries.map(\.extent.offset) + [top.logicalSize]) }
    }
  }

  /// Pages that hold something else than they did: none of the nodes that begin there is one. Of only one that may be its own
  /// damage.
  var foreignPages: Set<Int> { Set(headers.filter { $1.all > 1 && $1.lost == $1.all }.keys) }

  /// Mends what `root` leads to.
  mutating func run(_ root: Ref) throws(EngineError) {
    var refs = [root]
    while !refs.isEmpty {
      var found: [Ref] = []
      while let ref = refs.popLast() {
        try Interruption.check()
        guard ref.offset <= begins.size - NodeHeader.size else { continue }
        guard begins.claim(ref.offset, NodeHeader.size) else {
          log.note(
            .damaged(at: ref.offset, expected: "a node of its own", found: "one that is used twice"), "nodes")
          continue
        }
        found.append(ref)
        count(ref.offset)
        refs += work.refs(in: ref, of: snapshot)
      }
      // What a mended node did not lead to before.
      for ref in found {
        try Interruption.check()
        guard mend(ref.offset) else { continue }
        refs += work.refs(in: ref, of: snapshot).filter {
          $0.offset < begins.size && !begins.isClaimed($0.offset)
        }
      }
    }
  }

  private mutating func count(_ offset: Int) {
    let word = try? snapshot.bytes(offset, NodeHeader.size).load(UInt64.self, at: 0)
    let isLost = word.map { UInt32(truncatingIfNeeded: $0) != NodeHeader.checksum } ?? true
    let page = offset / PageGeometry.pageSize
    headers[page, default: (0, 0)].all += 1
    if isLost { headers[page, default: (0, 0)].lost += 1 }
  }

  /// Whether there was something to mend.
  private func mend(_ offset: Int) -> Bool {
    // Where a wrong ref leads there may be no header at all.
    guard free != nil, let word = try? snapshot.bytes(offset, NodeHeader.size).load(UInt64.self, at: 0),
      UInt32(truncatingIfNeeded: word) == NodeHeader.checksum, let header = NodeHeader(word: word),
      !header.isSensible || !endsRight(header, offset)
    else { return false }
    var mended: UInt64?
    for bit in Self.sizeBits {
      let other = word ^ 1 << UInt64(bit)
      guard let changed = NodeHeader(word: other), changed.isSensible,
        changed.byteSize != header.byteSize || !header.isSensible,
        offset + changed.byteSize <= begins.size, endsRight(changed, offset),
        isOneNode(offset, header, changed)
      else { continue }
      guard mended == nil else { return false }
      mended = other
    }
    guard let mended else { return false }
    log.note(
      .damaged(at: offset, expected: "a node that ends where another begins", found: "one that does not"),
      "the header of a node")
    for byte in 0..<NodeHeader.size {
      snapshot.image.mend(offset + byte, UInt8(truncatingIfNeeded: mended >> UInt64(8 * byte)))
    }
    return true
  }

  private func isFree(_ offset: Int) -> Bool { free?.contains(offset) ?? false }

  private func endsRight(_ header: NodeHeader, _ offset: Int) -> Bool {
    let end = offset + header.byteSize
    guard end < begins.size else { return end == begins.size }
    if begins.isClaimed(end) || isFree(end) { return true }
    guard let word = try? snapshot.bytes(end, NodeHeader.size).load(UInt64.self, at: 0) else { return false }
    return UInt32(truncatingIfNeeded: word) == NodeHeader.checksum && NodeHeader(word: word) != nil
  }

  /// Whether nothing of others lies between the beginning of a node and its end; where that is behind the one that it said,
  /// there is something in between.
  private func isOneNode(_ offset: Int, _ header: NodeHeader, _ changed: NodeHeader) -> Bool {
    let end = offset + changed.byteSize
    guard work.take(changed.byteSize / NodeHeader.size),
      let bytes = try? snapshot.bytes(offset, changed.byteSize)
    else { return false }
    for place in stride(from: offset + NodeHeader.size, to: end, by: NodeHeader.size) {
      if begins.isClaimed(place) || isFree(place) { return false }
      if UInt32(truncatingIfNeeded: bytes.load(UInt64.self, at: place - offset)) == NodeHeader.checksum {
        return false
      }
    }
    let behind = header.byteSize..<max(header.byteSize, changed.byteSize)
    return behind.isEmpty || behind.contains { bytes[$0] != 0 }
  }
}

extension NodeHeader {
  /// Refs are numbers.
  fileprivate var isSensible: Bool { !hasRefs || kind == .bits }
}
