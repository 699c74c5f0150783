// The columns of tables of formats 2–9, and of the tables inside them (L8 to L15). Layer: RealmInspection.

import RealmFiles

/// The greatest row that links of a column name.
struct OldLinkUse {
  let place: Place
  let offset: Int
  let table: Int
  let row: Int64
}

extension SnapshotInspection {
  /// Inspects the columns whose roots are in `roots`. Returns how many rows they have.
  @discardableResult
  func inspectOldColumns(_ columns: [OldColumnSpec], _ roots: RawNode) -> Int? {
    let slotCount = columns.reduce(0) { $0 + ($1.isIndexed ? 2 : 1) }
    guard roots.count == slotCount else {
      walk.report(
        .oldTable, at: roots.offset, expected: "\(slotCount) columns and indexes", found: "\(roots.count)")
      return nil
    }
    let outer = walk.place
    defer { walk.place = outer }
    var rowCount: Int?
    for column in columns {
      if outer.column < 0 { walk.place.column = column.index }
      if column.isIndexed, let index = walk.child(roots, column.slot + 1) {
        walk.statistics.indexCount += 1
        walk.claimDescendants(of: index)
      }
      guard let root = walk.requiredChild(roots, column.slot), let count = inspectOldColumn(column, root)
      else { continue }
      if let rowCount, rowCount != count {
        walk.report(.leafCount, at: root.offset, expected: "\(rowCount) rows", found: "\(count)")
      }
      rowCount = rowCount ?? count
    }
    return rowCount ?? (columns.isEmpty ? 0 : nil)
  }

  /// Returns how many rows the column has.
  private func inspectOldColumn(_ column: OldColumnSpec, _ root: RawNode) -> Int? {
    switch column.type {
    case .int, .seconds: return numbers(root, isNullable: column.isNullable)
    case .bool: return numbers(root, isNullable: column.isNullable)
    case .text:
      return oldTree(root) { node in
        guard let texts = self.openOldTexts(node) else { return nil }
        self.validateOldTexts(texts)
        return texts.count
      }
    case .enumerated: return inspectEnumerated(column, root)
    case .data: return data(root)
    case .date: return dates(root, mayBeNull: column.isNullable)
    case .mixed: return inspectOldMixed(root)
    case .float: return fixedWidth(root, 4)
    case .double: return fixedWidth(root, 8)
    case .link: return links(root, to: column.linkTable, bias: 1)
    case .links: return lists(root) { list in _ = self.links(list, to: column.linkTable, bias: 0) }
    case .incoming: return incoming(root, from: column.linkTable)
    case .table:
      return lists(root) { node in
        guard let node = self.walk.checked(node, node.isSlots, "columns", kind: .oldTable) else { return }
        self.inspectOldColumns(column.columns, node)
      }
    }
  }

  // MARK: Leaves

  func oldTree(_ root: RawNode, _ leaf: (RawNode) -> Int?) -> Int? {
    walk.walkTree(root) { node, _ in
      let count = leaf(node)
      walk.statistics.valueCount += count ?? 0
      return count
    }
  }

  func numbers(_ root: RawNode, isNullable: Bool, _ visit: (RawNode) -> Void = { _ in }) -> Int? {
    oldTree(root) { node in
      let isSound = node.isNumbers && (!isNullable || node.count > 0)
      guard let node = walk.checked(node, isSound, isNullable ? "numbers and one for null" : "numbers") else {
        return nil
      }
      visit(node)
      return node.count - (isNullable ? 1 : 0)
    }
  }

  private func fixedWidth(_ root: RawNode, _ width: Int) -> Int? {
    oldTree(root) { node in
      let isSound = node.kind == .bytes && !node.hasRefs && (node.width == width || node.count == 0)
      return walk.checked(node, isSound, "\(width) bytes a number")?.count
    }
  }

  func dates(_ root: RawNode, mayBeNull: Bool) -> Int? {
    guard let root = walk.checked(root, root.isSlots && root.count == 2, "seconds and nanoseconds"),
      let secondsRoot = walk.requiredChild(root, 0), let nanosecondsRoot = walk.requiredChild(root, 1)
    else { return nil }
    // Nil is null. The leaves of the two trees may end at different rows.
    var stored: [Int64?] = []
    let seconds = numbers(secondsRoot, isNullable: true) { node in
      let null = node.number(0)
      for index in 1..<max(1, node.count) {
        let value = node.number(index)
        if value == null && !mayBeNull {
          walk.report(
            .requiredNull, at: node.offset, element: stored.count,
            expected: "a value, because it is not optional", found: "null")
        }
        stored.append(value == null ? nil : value)
      }
    }
    var row = 0
    let nanoseconds = numbers(nanosecondsRoot, isNullable: false) { node in
      for index in 0..<node.count {
        defer { row += 1 }
        guard row < stored.count, let value = stored[row] else { continue }
        let fraction = node.number(index)
        guard !Walk.isDate(seconds: value, nanoseconds: fraction) else { continue }
        walk.reportDate(value, fraction, node.offset, .none, row)
      }
    }
    guard let seconds, let nanoseconds else { return nil }
    if seconds != nanoseconds {
      walk.report(
        .leafCount, at: root.offset, expected: "\(seconds) numbers of nanoseconds", found: "\(nanoseconds)")
    }
    return seconds
  }

  func data(_ root: RawNode) -> Int? {
    oldTree(root) { node in
      guard let node = walk.checked(node, node.isSlots, "data"), let blobs = openOldBlobs(node) else {
        return nil
      }
      validateOldBlobs(blobs, hasTerminator: false)
      return blobs.count
    }
  }

  private func inspectEnumerated(_ column: OldColumnSpec, _ root: RawNode) -> Int? {
    var distinctCount = 0
    if let offset = column.distinctTexts, let texts = walk.node(offset) {
      let place = walk.place
      walk.place.part = .enumeratedTexts
      distinctCount =
        oldTree(texts) { node in
          guard let texts = self.openOldTexts(node) else { return nil }
          self.validateOldTexts(texts)
          return texts.count
        } ?? 0
      walk.place = place
    }
    return numbers(root, isNullable: false) { node in
      for index in 0..<node.count {
        let number = node.number(index)
        guard number < 0 || number >= Int64(distinctCount) else { continue }
        walk.report(
          .enumeratedNumber, at: node.offset, element: index,
          expected: "a number below the \(distinctCount) distinct texts", found: "\(number)")
      }
    }
  }

  // MARK: Links

  private func links(_ root: RawNode, to table: Int?, bias: Int64) -> Int? {
    numbers(root, isNullable: false) { node in
      for index in 0..<node.count where node.number(index) != 0 || bias == 0 {
        walk.statistics.linkCount += 1
        note(node.number(index) - bias, of: table, node)
      }
    }
  }

  private func incoming(_ root: RawNode, from table: Int?) -> Int? {
    oldTree(root) { node in
      guard let node = walk.checked(node, node.isSlots, "incoming links", kind: .incomingLinks) else {
        return nil
      }
      for index in 0..<(node.width == 0 ? 0 : node.count) {
        switch node.slot(index) {
        case .empty: continue
        case .tagged(let row): note(row, of: table, node)
        case .ref(let offset):
          if let list = walk.node(offset) {
            _ = numbers(list, isNullable: false) { rows in
              for row in 0..<rows.count { note(rows.number(row), of: table, rows) }
            }
          }
        case let other: walk.reportSlot(node, index, expected: "origins of links", found: other)
        }
      }
      return node.count
    }
  }

  private func lists(_ root: RawNode, _ visit: (RawNode) -> Void) -> Int? {
    oldTree(root) { node in
      guard let node = walk.checked(node, node.isSlots, "lists") else { return nil }
      for index in 0..<(node.width == 0 ? 0 : node.count) where node.number(index) != 0 {
        if let list = walk.requiredChild(node, index) { visit(list) }
      }
      return node.count
    }
  }

  /// Notes a row that a link names, to be compared when all tables are known.
  private func note(_ row: Int64, of table: Int?, _ node: RawNode) {
    let table = table ?? -1
    let place = [table, walk.place.table, walk.place.column]
    if let known = oldLinks[place], row >= 0, known.row >= row || known.row < 0 { return }
    oldLinks[place] = OldLinkUse(place: walk.place, offset: node.offset, table: table, row: row)
  }

  /// Every link leads to a row that is there (F-66).
  func reportOldLinks(rowCounts: [Int: Int]) {
    for use in oldLinks.values.sorted(by: { $0.offset < $1.offset }) {
      walk.place = use.place
      let count = rowCounts[use.table]
      guard let count, use.row >= 0, use.row < Int64(count) else {
        walk.report(
          .linkTarget, at: use.offset, expected: "a row below the \(count ?? 0) of table \(use.table)",
          found: "\(use.row)")
        continue
      }
    }
  }
}
