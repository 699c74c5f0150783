// Lists, sets and dictionaries of properties (F-60 to F-65). Layer: RealmInspection.

import RealmFiles

extension SnapshotInspection {
  /// Inspects the collection that slot `index` of `parent` names.
  func inspectCollection(
    _ parent: RawNode, _ index: Int, of column: RawColumn, _ table: RawTable, object: Int64
  ) {
    guard let root = walk.requiredChild(parent, index, object: object) else { return }
    switch column.shape {
    case .dictionary:
      inspectDictionary(
        root, keys: column.hasIntegerKeys ? .integerKeys : .textKeys, of: column, table, object: object,
        depth: 1)
    case .list, .set, .single: inspectElements(root, of: column, table, object: object)
    }
  }

  private func inspectElements(_ root: RawNode, of column: RawColumn, _ table: RawTable, object: Int64) {
    if column.type == .mixed && column.shape == .list {
      inspectMixedTree(root, of: column, table, object: object, depth: 1)
      return
    }
    let layout = column.elementLayout
    var order = column.shape == .set ? SetOrder(column.type, format: walk.format) : nil
    var hasUnresolved = false
    walk.walkTree(root, object: object) { node, start in
      guard let leaf = walk.openLeaf(node, layout, count: nil, object: object) else { return nil }
      guard leaf.count <= Walk.treeFanOutMax else { return leaf.count }
      let labels = RowLabels.elements(start: start, object: object)
      walk.validate(leaf, layout, labels)
      if case .mixed(let mixed) = leaf {
        inspectMixed(mixed, of: column, table, labels, object: object, depth: 1)
      }
      let isLinks = column.type == .object || column.type == .typedLink
      guard isLinks || order != nil || column.hasWordIndex else { return leaf.count }
      for index in 0..<leaf.count {
        guard let value = leaf.value(index, walk) else { continue }
        if isLinks {
          follow(value, from: column, table, leaf, labels, index)
          if case .link(let key) = value, key < -1 { hasUnresolved = true }
        }
        if let problem = order?.add(value) { report(problem, leaf, labels, index) }
        if column.hasWordIndex { noteWords(value, of: column, object: object) }
      }
      return leaf.count
    }
    if order?.hasRepeats == true {
      walk.report(
        .setElement, at: root.offset, object: object, expected: "each element once", found: "some twice")
    }
    if column.type == .object && hasUnresolved != root.hasContext && followed.isEverything {
      walk.report(
        .unresolvedMark, at: root.offset, object: object,
        expected: hasUnresolved ? "the mark for unresolved links" : "no mark for unresolved links",
        found: hasUnresolved ? "none" : "the mark")
    }
  }

  private func report(_ problem: SetOrder.Problem, _ leaf: RawLeaf, _ labels: RowLabels, _ index: Int) {
    walk.report(
      problem == .repeated ? .setElement : .setOrder, at: leaf.offset, labels, index,
      expected: "each element once, in ascending order",
      found: problem == .repeated ? "the element before it again" : "one that belongs before the last")
  }

  // MARK: Dictionaries

  private static let firstFormatWithParallelTrees = 23

  func inspectDictionary(
    _ root: RawNode, keys layout: RawLayout, of column: RawColumn, _ table: RawTable, object: Int64,
    depth: Int
  ) {
    // Entries of a cluster tree, in the order of hashes, up to format 22.
    if walk.format < Self.firstFormatWithParallelTrees && column.shape == .dictionary {
      inspectClusterDictionary(root, keys: layout, of: column, table, object: object)
      return
    }
    guard
      let root = walk.checked(
        root, root.isSlots && root.count == 2, "keys and values", kind: .dictionary, object: object)
    else { return }
    var order = KeyOrder()
    var keyCount: Int?
    if let keys = walk.requiredChild(root, 0, object: object) {
      keyCount = walk.walkTree(keys, object: object) { node, start in
        guard let leaf = walk.openLeaf(node, layout, count: nil, object: object) else { return nil }
        guard leaf.count <= Walk.treeFanOutMax else { return leaf.count }
        let labels = RowLabels.elements(start: start, object: object)
        validateKeys(leaf, labels)
        for index in 0..<leaf.count {
          if let value = leaf.value(index, walk) { order.add(value) }
        }
        return leaf.count
      }
    }
    var valueCount: Int?
    if let values = walk.requiredChild(root, 1, object: object) {
      valueCount = inspectMixedTree(values, of: column, table, object: object, depth: depth)
    }
    guard let keyCount, let valueCount else { return }
    if keyCount != valueCount {
      walk.report(
        .dictionary, at: root.offset, object: object, expected: "as many values as the \(keyCount) keys",
        found: "\(valueCount)")
    }
    report(order, root, object: object)
  }

  private func validateKeys(_ leaf: RawLeaf, _ labels: RowLabels) {
    walk.statistics.valueCount += leaf.count
    if case .texts(let texts) = leaf { walk.validateTexts(texts, mayBeNull: false, labels) }
  }

  private func report(_ order: KeyOrder, _ root: RawNode, object: Int64) {
    if order.hasRepeats {
      walk.report(
        .dictionaryKey, at: root.offset, object: object, expected: "each key once", found: "some twice")
    }
    // Format 23 sorted by the platform's characters, which may be signed; engines of format 24 look keys up in
    // the order of unsigned bytes and left older dictionaries as they were.
    let isSorted = order.isAscending || walk.format < 24 && order.isAscendingSigned
    if !isSorted {
      walk.report(
        .dictionaryOrder, at: root.offset, object: object,
        severity: order.isAscendingSigned ? .repairable : .damage, expected: "keys in ascending order",
        found: order.isAscendingSigned ? "the order of signed bytes" : "another order")
    }
  }

  private func inspectClusterDictionary(
    _ root: RawNode, keys layout: RawLayout, of column: RawColumn, _ table: RawTable, object: Int64
  ) {
    var order = KeyOrder()
    walk.walkClusters(root) { cluster in
      guard cluster.node.count >= 3, cluster.node.count <= 4,
        let keysNode = walk.requiredChild(cluster.node, 1, object: object),
        let valuesNode = walk.requiredChild(cluster.node, 2, object: object)
      else {
        walk.report(
          .dictionary, at: cluster.node.offset, object: object, expected: "keys and values",
          found: cluster.node.words)
        return
      }
      if case .ref = cluster.node.slot(3), let collisions = walk.child(cluster.node, 3, object: object) {
        walk.claimDescendants(of: collisions)
      }
      let labels = RowLabels.elements(start: 0, object: object)
      if let keys = walk.openLeaf(keysNode, layout, count: cluster.count, object: object) {
        validateKeys(keys, labels)
        for row in 0..<cluster.count {
          if let key = keys.value(row, walk) { order.add(key) }
        }
      }
      if case .mixed(let mixed)? = walk.openLeaf(
        valuesNode, .mixedElements, count: cluster.count, object: object)
      {
        inspectMixed(mixed, of: column, table, labels, object: object, depth: 1)
      }
    }
    if order.hasRepeats {
      walk.report(
        .dictionaryKey, at: root.offset, object: object, expected: "each key once", found: "some twice")
    }
  }
}
