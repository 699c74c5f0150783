// Makes a transaction's changes a new version of the file. Layer: Transactions.
// Invariants: no byte that the current version refers to is touched before the selector has flipped; all nodes, the lists
// of free space and the other slot are durable before it flips. So a crash leaves the old version or the new one.

/// Commits one transaction.
struct Commit {
  private let store: NodeStore
  private let group: GroupEditor
  private let base: GroupTop?
  private let header: FileHeader
  private let writer: DataWriter

  private static let formatWritten: UInt8 = 24
  private static let flagsOffset = 23
  private static let formatsOffset = 20
  /// Entries that the lists of free space may gain while they are placed.
  private static let extraEntries = 4

  init(_ group: GroupEditor, base: GroupTop?, header: FileHeader, writer: DataWriter) {
    self.group = group
    store = group.store
    self.base = base
    self.header = header
    self.writer = writer
  }

  /// Writes the new version, which is durable when this returns.
  func run(isUpgrade: Bool) throws(EngineError) {
    let slot = try selectableSlot()
    let version = (base?.version ?? 1) + 1
    try group.prepareTopForCommit(isUpgrade: isUpgrade)
    _ = try group.flush(isCommit: true)
    let free = try takeFreeLists()
    let placement = try NodePlacement(
      store, space: FreeSpace(free, logicalSize: base?.logicalSize ?? FileHeader.size), writer: writer)
    var slots = try placeTables(placement)
    slots[GroupEditor.Slot.version] = NodeStore.tag(version)
    let top = try placeListsAndTop(&slots, version, placement)
    try placement.writeRun()
    try writer.extend(to: placement.space.logicalSize)
    try writer.trim(to: max(placement.space.logicalSize, base?.logicalSize ?? 0))
    try writer.flush()
    try publish(top, slot: slot)
  }

  /// The header's slot that is not in use. A streaming file is first brought into the form with slots, because its footer
  /// stands where new nodes go.
  private func selectableSlot() throws(EngineError) -> Int {
    guard header.form == .streaming, let base else { return 1 - header.selectedSlot }
    try writeNumber(UInt64(base.node.ref.offset), at: 8)
    try writeByte(header.formats.0, at: Self.formatsOffset + 1)
    try writer.flush()
    try writeByte(header.flags | 1, at: Self.flagsOffset)
    try writer.flush()
    return 0
  }

  private func writeNumber(_ value: UInt64, at offset: Int) throws(EngineError) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    try bytes.withRawBytes { bytes throws(EngineError) in try writer.write(bytes, at: offset) }
  }

  private func writeByte(_ value: UInt8, at offset: Int) throws(EngineError) {
    try CollectionOfOne(value).withRawBytes { bytes throws(EngineError) in
      try writer.write(bytes, at: offset)
    }
  }

  private func publish(_ top: Int, slot: Int) throws(EngineError) {
    try writeNumber(UInt64(top), at: 8 * slot)
    try writeByte(Self.formatWritten, at: Self.formatsOffset + slot)
    try writer.flush()
    do {
      try writeByte(header.flags & ~1 | UInt8(slot), at: Self.flagsOffset)
      try writer.flush()
    } catch {
      // Nobody knows whether the new selector is on the disk; the old one is what the caller is told.
      try? writeByte(header.flags & ~1 | UInt8(1 - slot), at: Self.flagsOffset)
      try? writer.flush()
      throw error
    }
  }

  /// The free space of the base version, all of which may be used: nobody else has the file open. Its lists are given up.
  private func takeFreeLists() throws(EngineError) -> [Extent] {
    guard let base, let positionsRef = base.freePositions, let lengthsRef = base.freeLengths else {
      return []
    }
    let snapshot = store.snapshot
    let positions = try snapshot.integersNode(positionsRef).integers
    let lengths = try snapshot.integersNode(lengthsRef).integers
    guard positions.count == lengths.count else {
      throw EngineError.damaged(
        at: positionsRef.offset, expected: "as many lengths as free blocks", found: "\(lengths.count)")
    }
    var extents: [Extent] = []
    var end = FileHeader.size
    for index in 0..<positions.count {
      let position = positions[index]
      let length = lengths[index]
      guard position >= Int64(end), position & 7 == 0, length > 0, length & 7 == 0,
        position <= Int64(base.logicalSize), length <= Int64(base.logicalSize) - position
      else {
        throw EngineError.damaged(
          at: positionsRef.offset, expected: "free blocks in order within \(base.logicalSize) bytes",
          found: "\(length) bytes at \(position)")
      }
      extents.append(Extent(offset: Int(position), size: Int(length)))
      end = Int(position + length)
    }
    for slot in [GroupEditor.Slot.freePositions, GroupEditor.Slot.freeLengths, GroupEditor.Slot.freeVersions]
    {
      let old = try snapshot.refsNode(group.top).ref(slot)
      try group.setTop(slot, 0)
      if let old { try store.release(old) }
    }
    return extents
  }

  /// Places all that the top array refers to; gives its slots.
  private func placeTables(_ placement: NodePlacement) throws(EngineError) -> [Int64] {
    placement.space.prefer(try placement.sizeOfNewNodes(group.top))
    var slots = try store.snapshot.refsNode(group.top).integers.array()
    for index in slots.indices {
      guard let child = Ref(slots[index]) else { continue }
      slots[index] = try placement.place(child)
    }
    return slots
  }

  private struct FreeEntry {
    let extent: Extent
    let version: Int64
  }

  /// Places the lists of free space and the top array, which count their own space.
  private func placeListsAndTop(
    _ slots: inout [Int64], _ version: Int64, _ placement: NodePlacement
  ) throws(EngineError) -> Int {
    let freed = try freedExtents()
    let count = placement.space.remaining.count + freed.count + Self.extraEntries
    let reserved = 4 * NodeHeader.size + 8 * (3 * count + slots.count)
    let start = placement.space.take(reserved)
    placement.space.trim()
    let available = placement.space.remaining
    var entries = available.map { FreeEntry(extent: $0, version: 0) }
    entries += freed.map { FreeEntry(extent: $0, version: version) }
    entries.append(FreeEntry(extent: Extent(offset: start, size: reserved), version: 0))
    entries.sort { $0.extent.offset < $1.extent.offset }
    try checkApart(entries)

    slots[GroupEditor.Slot.logicalSize] = NodeStore.tag(Int64(placement.space.logicalSize))
    let arraysHeader = NodeHeader(kind: .bits, width: 0, count: 0)
    let topHeader = NodeHeader(hasRefs: true, kind: .bits, width: 0, count: slots.count)
    // Widths are chosen as if nothing of the reservation were used: what is left of it has a later position and a
    // smaller length.
    let end = Int64(start + reserved)
    let positionWidth = Packing.width(of: entries.map { Int64($0.extent.offset) } + [end])
    let lengthWidth = Packing.width(of: entries.map { Int64($0.extent.size) })
    let versionWidth = Packing.width(of: version)
    let topWidth = Packing.width(of: slots + [end])
    func size(_ width: Int, _ count: Int) -> Int {
      NodeHeader(kind: .bits, width: width, count: count).byteSize
    }
    let offsets = [positionWidth, lengthWidth, versionWidth].reduce(into: [start]) {
      $0.append($0[$0.count - 1] + size($1, entries.count))
    }
    let used = offsets[3] + size(topWidth, slots.count) - start
    assert(used < reserved)
    if let own = entries.firstIndex(where: { $0.extent.offset == start }) {
      entries[own] = FreeEntry(extent: Extent(offset: start + used, size: reserved - used), version: 0)
    }
    _ = try placement.write(
      slots: entries.map { Int64($0.extent.offset) }, arraysHeader, minimumWidth: positionWidth,
      at: offsets[0])
    _ = try placement.write(
      slots: entries.map { Int64($0.extent.size) }, arraysHeader, minimumWidth: lengthWidth, at: offsets[1])
    _ = try placement.write(
      slots: entries.map(\.version), arraysHeader, minimumWidth: versionWidth, at: offsets[2])
    slots[GroupEditor.Slot.freePositions] = Int64(offsets[0])
    slots[GroupEditor.Slot.freeLengths] = Int64(offsets[1])
    slots[GroupEditor.Slot.freeVersions] = Int64(offsets[2])
    return try placement.write(slots: slots, topHeader, minimumWidth: topWidth, at: offsets[3])
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
