// That links and incoming links belong to each other: their columns (F-30) and, in the end, every one of them
// (F-66, F-68 to F-70), and words of texts and their indexes likewise (F-75, F-76). Layer: RealmInspection.

import RealmFiles

extension SnapshotInspection {
  /// Links columns of links to their relations, and checks that both ends agree.
  func inspectOpposites(of table: RawTable) {
    for column in table.columns {
      walk.place = Place(.structure, table: table.slot, column: column.index)
      if column.hasWordIndex {
        column.words = WordSum(
          relation: ledger.relation(.words(table: table.slot, column: column.index)))
      }
      if column.isIncoming {
        inspectIncomingColumn(column, of: table)
      } else if column.type == .object {
        inspectLinkColumn(column, of: table)
      } else if column.oppositeTable != RawTable.nullKey, column.oppositeTable != 0 {
        // A table that is there now may go.
        walk.report(
          .opposite, at: table.top.offset, expected: "no table that a column without links leads to",
          found: "table \(column.oppositeTable)")
      }
    }
  }

  private func inspectLinkColumn(_ column: RawColumn, of table: RawTable) {
    guard let target = tablesByKey[column.oppositeTable],
      let opposite = target.column(key: column.oppositeColumn), opposite.isIncoming,
      opposite.oppositeTable == table.key, opposite.oppositeColumn == column.key.value
    else {
      walk.report(
        .opposite, at: table.top.offset, expected: "a column of incoming links in the target's table",
        found: "table \(column.oppositeTable), column \(column.oppositeColumn)")
      // The target is all that following needs.
      column.relation = tablesByKey[column.oppositeTable].map { relation(column, table, to: $0) }
      return
    }
    column.relation = relation(column, table, to: target)
    column.relationsByTable[target.key] = column.relation
    if target.isEmbedded { column.ownedTable = target.slot }
  }

  private func relation(_ column: RawColumn, _ table: RawTable, to target: RawTable) -> Int {
    ledger.relation(
      .links(originTable: table.slot, originColumn: column.index, targetTable: target.slot))
  }

  private func inspectIncomingColumn(_ column: RawColumn, of table: RawTable) {
    guard let origin = tablesByKey[column.oppositeTable],
      let opposite = origin.column(key: column.oppositeColumn),
      [.object, .mixed, .typedLink].contains(opposite.type)
    else {
      walk.report(
        .opposite, at: table.top.offset, expected: "a column of links in the table they come from",
        found: "table \(column.oppositeTable), column \(column.oppositeColumn)")
      return
    }
    let relation = relation(opposite, origin, to: table)
    column.relation = relation
    if !ledger.setIncomingColumn(column.index, of: relation) {
      walk.report(
        .opposite, at: table.top.offset, expected: "one column of incoming links a column of links",
        found: "two")
    }
  }

  // MARK: What does not balance

  /// Facts collected at a time; more are compared in several passes.
  private static let factsPerPassMax = 4_000_000

  /// Finds out what is behind relations whose two records differ.
  func reconcile() {
    for (number, relation) in ledger.relations.enumerated() where !relation.isBalanced {
      let size = max(relation.forward.additionCount, relation.backward.additionCount)
      let partCount = size / Self.factsPerPassMax + 1
      for part in 0..<partCount where !walk.isOver {
        report(collect(number, relation, part: part, of: partCount), of: relation)
      }
    }
    reportOwnersInCircles()
  }

  private func collect(
    _ number: Int, _ relation: LedgerRelation, part: Int, of partCount: Int
  ) -> [(pair: LedgerPair, surplus: Int)] {
    guard let repeating = walk.repeating() else { return [] }
    let original = walk
    walk = repeating
    followed = .relation(relation)
    ledger.startCollecting(number, part: part, of: partCount)
    defer {
      walk = original
      followed = .everything
    }
    switch relation.kind {
    case .links(let originTable, _, let targetTable):
      for table in tables where table.slot == originTable || table.slot == targetTable {
        inspectObjects(of: table)
      }
    case .owners: for table in tables { inspectObjects(of: table) }
    case .words(let wordTable, let wordColumn):
      for table in tables where table.slot == wordTable {
        let column = table.columns[wordColumn]
        column.words = WordSum(relation: number)
        inspectObjects(of: table)
        if case .ref(let root) = column.indexSlot, let node = walk.node(root) {
          inspectWords(node, of: column, table)
        }
      }
    }
    return ledger.stopCollecting()
  }

  private func report(_ facts: [(pair: LedgerPair, surplus: Int)], of relation: LedgerRelation) {
    for (pair, surplus) in facts {
      if walk.isOver { return }
      switch relation.kind {
      case .links(let originTable, let originColumn, let targetTable):
        reportLink(pair, surplus, originTable: originTable, originColumn: originColumn, targetTable, relation)
      case .words(let table, let column): reportWord(pair, surplus, table: table, column: column)
      case .owners(let table): reportOwners(of: pair.target, surplus, table: table)
      }
    }
  }

  private func reportLink(
    _ pair: LedgerPair, _ surplus: Int, originTable: Int, originColumn: Int, _ targetTable: Int,
    _ relation: LedgerRelation
  ) {
    let targetWords = walk.names.describe(Place(table: targetTable, object: pair.target))
    // Engines of formats 22 and 23 lost track of dictionaries when the object they lead to was deleted.
    let column = tablesBySlot[originTable]?.columns[originColumn]
    let severity: Severity? = column?.shape == .dictionary ? .repairable : nil
    if surplus < 0 {
      let originWords = walk.names.describe(
        Place(table: originTable, column: originColumn, object: pair.origin))
      walk.place = Place(.incoming, table: targetTable, object: pair.target)
      walk.report(
        .incomingStale, at: offset(of: targetTable), severity: severity,
        expected: "a link from \(originWords)",
        found: "\(-surplus) recorded too many")
      return
    }
    walk.place = Place(table: originTable, column: originColumn, object: pair.origin)
    let exists =
      pair.target < 0 || tables.contains { $0.slot == targetTable && $0.directory.find(pair.target) != nil }
    if exists {
      walk.report(
        .incomingMissing, at: offset(of: targetTable), severity: severity,
        expected: "a record of the link at \(targetWords)", found: "\(surplus) missing")
    } else {
      walk.report(
        .linkTarget, at: offset(of: originTable), severity: severity,
        expected: "a link to an object that exists", found: "a link to \(targetWords)")
    }
  }

  private func reportWord(_ pair: LedgerPair, _ surplus: Int, table: Int, column: Int) {
    walk.place = Place(.index, table: table, column: column, object: pair.target)
    walk.report(
      surplus > 0 ? .indexMissing : .indexExtra, at: offset(of: table),
      expected: surplus > 0 ? "every word in the index" : "only words that are in the text",
      found: surplus > 0 ? "one missing" : "another one")
  }

  func offset(of table: Int) -> Int { tables.first { $0.slot == table }?.top.offset ?? 0 }
}
