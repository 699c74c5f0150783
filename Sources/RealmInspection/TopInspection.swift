// The top array, the list of tables and the free list (F-14 to F-20, F-23). Layer: RealmInspection.

import RealmFiles

extension SnapshotInspection {
  enum TopSlot {
    static let names = 0
    static let tables = 1
    static let logicalSize = 2
    static let freePositions = 3
    static let freeLengths = 4
    static let freeVersions = 5
    static let version = 6
    static let historyType = 7
    static let history = 8
    static let historySchema = 9
    static let syncFile = 10
    static let evacuation = 11
  }

  private static let tableSlotsMax = 65535
  private static let tagMax: Int64 = 0x7FFF

  /// Claims names and tables of the top array and returns the live tables.
  func inspectTop(_ top: RawNode) -> [RawTable] {
    walk.place = Place(.top)
    walk.counter(top, TopSlot.version)
    for index in [TopSlot.historyType, TopSlot.historySchema, TopSlot.syncFile] {
      _ = walk.tagged(top, index)
    }
    inspectEvacuation(top)
    walk.place = Place(.tables)
    guard let names = walk.requiredChild(top, TopSlot.names),
      let names = walk.checked(names, names.kind == .bytes && !names.hasRefs, "short texts"),
      let tables = walk.requiredSlots(top, TopSlot.tables)
    else { return [] }
    guard names.count == tables.count, tables.count <= Self.tableSlotsMax else {
      walk.report(
        .tableSlots, at: tables.offset, expected: "as many tables as the \(names.count) names",
        found: "\(tables.count)")
      return []
    }
    let texts = RawTexts.short(names, isNullable: false)
    walk.validateTexts(texts, mayBeNull: true, .none)
    return openTables(tables, texts, namesOffset: names.offset)
  }

  private func openTables(_ tables: RawNode, _ names: RawTexts, namesOffset: Int) -> [RawTable] {
    var opened: [RawTable] = []
    var seen: Set<ByteString> = []
    for slot in 0..<tables.count {
      walk.place = Place(.tables, table: slot)
      let name = text(names, slot)
      if case .tagged(let tag) = tables.slot(slot) {
        inspectErasedTable(tables, tag: tag, name: name)
        continue
      }
      walk.names.tables[slot] = name
      if name.isEmpty || !seen.insert(ByteString(name)).inserted {
        walk.report(
          .tableName, at: namesOffset, expected: "a name of its own for every table", found: "'\(name)'")
      }
      guard let top = walk.requiredSlots(tables, slot) else { continue }
      opened.append(RawTable(slot: slot, name: name, top: top))
    }
    return opened
  }

  /// A slot of the list without a table.
  func inspectErasedTable(_ tables: RawNode, tag: Int64, name: String) {
    if tag > Self.tagMax {
      walk.report(
        .tableSlots, at: tables.offset, expected: "the next tag of an erased table, at most \(Self.tagMax)",
        found: "\(tag)")
    }
    if !name.isEmpty {
      walk.report(
        .tableSlots, at: tables.offset, expected: "no name where a table was erased", found: "'\(name)'")
    }
  }

  func text(_ texts: RawTexts, _ index: Int) -> String {
    guard case .bytes(let bytes) = texts.element(index, walk) else { return "" }
    return ByteString(borrowing: bytes).text
  }

  private func inspectEvacuation(_ top: RawNode) {
    if case .tagged = top.slot(TopSlot.evacuation) { return }
    walk.place = Place(.evacuation)
    if let numbers = walk.child(top, TopSlot.evacuation) {
      _ = walk.checked(numbers, numbers.isNumbers, "plain numbers", kind: .evacuation)
    }
    walk.place = Place(.top)
  }

  // MARK: Free list

  /// Claims the free blocks; after everything that is in use, so that an overlap shows here.
  func inspectFreeList(_ top: RawNode) {
    walk.place = Place(.freeList)
    guard top.count > TopSlot.freeLengths, let positions = walk.requiredNumbers(top, TopSlot.freePositions),
      let lengths = walk.requiredNumbers(top, TopSlot.freeLengths)
    else { return }
    let versions = top.count > TopSlot.freeVersions ? walk.requiredNumbers(top, TopSlot.freeVersions) : nil
    guard positions.count == lengths.count, versions == nil || versions?.count == positions.count else {
      walk.report(
        .freeList, at: positions.offset,
        expected: "as many lengths and versions as the \(positions.count) positions",
        found: "\(lengths.count) and \(versions?.count ?? 0)")
      return
    }
    if let versions { inspectFreeVersions(versions, snapshot: walk.tagged(top, TopSlot.version) ?? 0) }
    var end = Int64(FileHeader.size)
    for index in 0..<positions.count {
      if walk.isOver { return }
      let position = positions.number(index)
      let length = lengths.number(index)
      guard isBlock(position, length, after: end) else {
        walk.report(
          .freeList, at: positions.offset, element: index,
          expected: "a block of whole 8 bytes between \(end) and \(walk.limit)",
          found: "\(length) bytes at \(position)")
        continue
      }
      walk.claimFreeBlock(Int(position), Int(length))
      end = position + length
    }
  }

  private func isBlock(_ position: Int64, _ length: Int64, after end: Int64) -> Bool {
    position >= end && position & 7 == 0 && length > 0 && length & 7 == 0
      && position <= Int64(walk.limit) && length <= Int64(walk.limit) - position
  }

  private func inspectFreeVersions(_ versions: RawNode, snapshot: Int64) {
    // Engines before clusters counted versions anew in each session, and left the numbers of the session before.
    let isCountedAnew = walk.format < FileInspection.firstClusterFormat
    for index in 0..<versions.count where versions.number(index) < 0 || versions.number(index) > snapshot {
      walk.report(
        .freeVersion, at: versions.offset, element: index,
        severity: isCountedAnew && versions.number(index) >= 0 ? .note : nil,
        expected: "a version from 0 to the snapshot's own, \(snapshot)", found: "\(versions.number(index))")
    }
  }
}
