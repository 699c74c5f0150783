// Makes a transaction's changes a new version of the file. Layer: Commit.
// Invariants: no byte that the current version refers to is touched before the selector has flipped; all nodes, the lists
// of free space and the other slot are durable before it flips. So a crash leaves the old version or the new one.

/// Commits one transaction.
struct Commit {
  private let store: NodeStore
  private let group: GroupEditor
  private let base: GroupTop?
  private let header: FileHeader
  private let writer: DataWriter
  private let proof: SpaceProof
  /// Who reads other versions of the file meanwhile; nil where nobody does.
  private let session: CommitConstraints?

  private static let formatWritten: UInt8 = 24
  private static let flagsOffset = 23
  private static let formatsOffset = 20
  /// More entries than the lists of free space may gain while they are placed, so that some of their room is left.
  private static let extraEntries = 6

  /// `proof`: what is known of the base version's free space.
  init(
    _ group: GroupEditor, base: GroupTop?, header: FileHeader, writer: DataWriter, proof: SpaceProof,
    session: CommitConstraints? = nil
  ) {
    self.session = session
    self.group = group
    self.proof = proof
    store = group.store
    self.base = base
    self.header = header
    self.writer = writer
  }

  /// Writes the new version, which is durable when this returns.
  func run(isUpgrade: Bool) throws(EngineError) {
    let version = try GroupTop.number(after: base?.version ?? 1, "version", at: group.top)
    if let session {
      try group.addToHistory(session, base: base)
    } else {
      try group.prepareTopForCommit(isUpgrade: isUpgrade)
    }
    _ = try group.flush(isCommit: true)
    try group.forEachOpenTable { table throws(EngineError) in try VersionProof(store).prove(table) }
    let list = try FreeList(of: base, in: store.snapshot)
    try giveUpLists()
    let newSize = try store.sizeOfNewNodes(group.top)
    let (space, untouched) = try space(list, newSize: newSize)
    let slot = try selectableSlot()
    let placement = try NodePlacement(store, space: space, writer: writer)
    placement.space.prefer(newSize)
    var slots = try placeTables(placement)
    slots[GroupSlot.version] = NodeStore.tag(version)
    let top = try placeListsAndTop(&slots, version, placement, untouched)
    try placement.writeRun()
    try writer.extend(to: placement.space.logicalSize)
    if session == nil { try writer.trim(to: max(placement.space.logicalSize, base?.logicalSize ?? 0)) }
    try writer.flush()
    try publish(top, slot: slot)
  }

  /// The header's slot that is not in use. A streaming file is first brought into the form with slots, because its footer
  /// stands where new nodes go.
  private func selectableSlot() throws(EngineError) -> Int {
    guard header.form == .streaming, let base else { return 1 - header.selectedSlot }
    try writeNumber(UInt64(base.node.ref.offset), at: 8)
    try Self.writeByte(header.formats.0, at: Self.formatsOffset + 1, writer)
    try writer.flush()
    try Self.writeByte(header.flags | 1, at: Self.flagsOffset, writer)
    try writer.flush()
    return 0
  }

  private func writeNumber(_ value: UInt64, at offset: Int) throws(EngineError) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    try bytes.withRawBytes { bytes throws(EngineError) in try writer.write(bytes, at: offset) }
  }

  private static func writeByte(
    _ value: UInt8, at offset: Int, _ writer: DataWriter
  ) throws(EngineError) {
    try CollectionOfOne(value).withRawBytes { bytes throws(EngineError) in
      try writer.write(bytes, at: offset)
    }
  }

  private func publish(_ top: Int, slot: Int) throws(EngineError) {
    try writeNumber(UInt64(top), at: 8 * slot)
    try Self.writeByte(Self.formatWritten, at: Self.formatsOffset + slot, writer)
    try writer.flush()
    try Self.select(slot, header, by: writer)
  }

  /// Makes the version in a slot of the header the one that counts.
  static func select(_ slot: Int, _ header: FileHeader, by writer: DataWriter) throws(EngineError) {
    try writeByte(header.flags & ~1 | UInt8(slot), at: flagsOffset, writer)
    try writer.flush()
  }

  /// The lists of free space of the base version are given up: new ones take their place.
  private func giveUpLists() throws(EngineError) {
    let slots = [GroupSlot.freePositions, GroupSlot.freeLengths, GroupSlot.freeVersions]
    for slot in slots {
      let old = try store.snapshot.refsNode(group.top).refIfPresent(slot)
      guard let old else { continue }
      try group.setTop(slot, 0)
      try store.release(old)
    }
  }

  /// The space to write to: all that is free and in no version that somebody reads, or what lies behind the data.
  private func space(_ list: FreeList, newSize: Int) throws(EngineError) -> (
    FreeSpace, untouched: [FreeEntry]
  ) {
    let size = base?.logicalSize ?? FileHeader.size
    if try proof.allowsReuse(of: list, base: base, in: store.snapshot, newSize: newSize) {
      let oldest = session?.readers.oldest ?? Int64.max
      let free = list.entries.filter { $0.version <= oldest }
      return (
        FreeSpace(free.map(\.extent), logicalSize: size), list.entries.filter { $0.version > oldest }
      )
    }
    // What the file has behind the data may be in use where the data's size is wrong.
    let end = (max(size, store.snapshot.fileLimit) + 7) & ~7
    let gap = FreeEntry(extent: Extent(offset: size, size: end - size), version: 0)
    return (FreeSpace([], logicalSize: end), list.entries + (gap.extent.size > 0 ? [gap] : []))
  }

  /// Places all that the top array refers to; gives its slots.
  private func placeTables(_ placement: NodePlacement) throws(EngineError) -> [Int64] {
    var slots = try store.snapshot.refsNode(group.top).integers.array()
    for index in slots.indices {
      guard let child = Ref(slots[index]) else { continue }
      slots[index] = try placement.place(child)
    }
    return slots
  }

  /// Places the lists of free space and the top array, which count their own space.
  private func placeListsAndTop(
    _ slots: inout [Int64], _ version: Int64, _ placement: NodePlacement, _ untouched: [FreeEntry]
  ) throws(EngineError) -> Int {
    let freed = try freedExtents()
    let count = untouched.count + placement.space.remaining.count + freed.count + Self.extraEntries
    let sizeMax = TopRoom.sizeMax(count: count, slotCount: slots.count)
    let bound = Int64(max(placement.space.sizeMax(afterTaking: sizeMax), freed.last?.end ?? 0))
    slots[GroupSlot.logicalSize] = NodeStore.tag(bound)
    let reserved = TopRoom(count: count, bound: bound, version: version, slots: slots)
    let start = try placement.take(reserved.size)
    placement.space.trim()
    slots[GroupSlot.logicalSize] = NodeStore.tag(Int64(placement.space.logicalSize))
    // What is left of the room is joined to the block behind it.
    var entries = placement.space.remaining.map { FreeEntry(extent: $0, version: 0) }
    let next = entries.first { $0.extent.offset == start + reserved.size }
    entries.removeAll { $0.extent.offset == next?.extent.offset }
    entries += untouched + freed.map { FreeEntry(extent: $0, version: version) }
    let room = TopRoom(count: entries.count + 1, bound: bound, version: version, slots: slots)
    precondition(room.size < reserved.size && placement.space.logicalSize <= bound)
    let rest = Extent(
      offset: start + room.size, size: reserved.size - room.size + (next?.extent.size ?? 0))
    entries.append(FreeEntry(extent: rest, version: 0))
    entries.sort { $0.extent.offset < $1.extent.offset }
    try checkApart(entries)

    let header = NodeHeader(kind: .bits, width: 0, count: 0)
    let lists = [
      entries.map { Int64($0.extent.offset) }, entries.map { Int64($0.extent.size) }, entries.map(\.version),
    ]
    var offset = start
    for (index, list) in lists.enumerated() {
      _ = try placement.write(slots: list, header, minimumWidth: room.widths[index], at: offset)
      slots[GroupSlot.freePositions + index] = Int64(offset)
      offset += room.sizes[index]
    }
    let topHeader = NodeHeader(hasRefs: true, kind: .bits, width: 0, count: slots.count)
    return try placement.write(slots: slots, topHeader, minimumWidth: room.widths[3], at: offset)
  }

  /// What the lists of free space (positions, lengths, versions) and the top array behind them take.
  private struct TopRoom {
    let widths: [Int]
    let sizes: [Int]
    var size: Int { sizes.reduce(0, +) }

    /// `bound` is no less than any position or length.
    init(count: Int, bound: Int64, version: Int64, slots: [Int64]) {
      let width = Packing.width(of: bound)
      widths = [width, width, Packing.width(of: version), Packing.width(of: slots + [bound])]
      sizes = zip(widths, [count, count, count, slots.count]).map {
        NodeHeader(kind: .bits, width: $0, count: $1).byteSize
      }
    }

    /// The same where every number needs its most.
    static func sizeMax(count: Int, slotCount: Int) -> Int {
      4 * NodeHeader.size + 8 * (3 * count + slotCount)
    }
  }

  /// What the new version does not use any more of the file. Throws when a node was met twice.
  private func freedExtents() throws(EngineError) -> [Extent] {
    let sorted = store.freed.sorted { $0.offset < $1.offset }
    for (left, right) in zip(sorted, sorted.dropFirst()) where left.end > right.offset {
      throw EngineError.damaged(
        at: right.offset, expected: "nodes that do not overlap", found: "one inside another, or used twice")
    }
    return FreeSpace.merged(sorted)
  }

  private func checkApart(_ entries: [FreeEntry]) throws(EngineError) {
    for (left, right) in zip(entries, entries.dropFirst()) where left.extent.end > right.extent.offset {
      throw EngineError.damaged(
        at: right.extent.offset, expected: "space that is either used or free", found: "both")
    }
  }
}
