// The elements of leaves of mixed values, and the lists and dictionaries inside them (F-51 to F-53).
// Layer: RealmInspection. Invariant: collections nest at most `nestingMax` deep.

import RealmFiles

extension SnapshotInspection {
  private static let nestingMax = 100

  /// Validates a leaf of mixed values and follows what its elements name. `object` is the owner of the collection
  /// that the leaf belongs to, nil for a property's own leaf; `depth` counts the collections around it.
  func inspectMixed(
    _ mixed: RawMixed, of column: RawColumn, _ table: RawTable, _ labels: RowLabels, object: Int64?,
    depth: Int
  ) {
    var used = PayloadUse(mixed)
    if let texts = mixed.texts { walk.validateTexts(texts, mayBeNull: false, areTexts: false, labels) }
    guard mixed.composites.width > 0 else { return }
    for index in 0..<mixed.count {
      let number = mixed.composites.number(index)
      if number == 0 { continue }
      guard let composite = RawMixed.Composite(number), composite.isInRange(of: mixed) else {
        reportComposite(mixed, number, labels, index)
        continue
      }
      used.note(composite, in: mixed)
      guard let owner = object ?? labels.label(index).object else { continue }
      inspectElement(mixed, index, of: column, table, labels, object: owner, depth: depth)
    }
    let unused = used.surplus
    if unused > 0 {
      walk.report(
        .mixedPayload, at: mixed.offset, labels, 0, expected: "each payload to be used by one value",
        found: "\(unused) that are not")
    }
    if depth > 0 { inspectNestedKeys(mixed, labels) }
  }

  private func reportComposite(_ mixed: RawMixed, _ number: Int64, _ labels: RowLabels, _ index: Int) {
    walk.report(
      .mixedValue, at: mixed.composites.offset, labels, index, expected: "the number of a mixed value",
      found: "0x\(String(UInt64(bitPattern: number), radix: 16))")
  }

  private func inspectElement(
    _ mixed: RawMixed, _ index: Int, of column: RawColumn, _ table: RawTable, _ labels: RowLabels,
    object: Int64, depth: Int
  ) {
    guard let value = mixed.value(index, walk) else {
      reportComposite(mixed, mixed.composites.number(index), labels, index)
      return
    }
    switch value {
    case .link, .typedLink: follow(value, from: column, table, .mixed(mixed), labels, index, object: object)
    case .text(let bytes):
      if !bytes.isUTF8 {
        walk.report(
          .text, at: mixed.offset, labels, index, expected: "text in UTF-8", found: "other bytes")
      }
    case .date(let seconds, let nanoseconds):
      if !Walk.isDate(seconds: seconds, nanoseconds: nanoseconds) {
        walk.reportDate(seconds, nanoseconds, mixed.offset, labels, index)
      }
    case .list(let root): inspectNested(root, isList: true, of: column, table, object: object, depth: depth)
    case .dictionary(let root):
      inspectNested(root, isList: false, of: column, table, object: object, depth: depth)
    default: break
    }
  }

  private func inspectNested(
    _ root: Int, isList: Bool, of column: RawColumn, _ table: RawTable, object: Int64, depth: Int
  ) {
    guard root != 0 else { return }
    guard depth < Self.nestingMax else {
      walk.report(
        .nestedCollection, at: root, object: object, expected: "at most \(Self.nestingMax) collections deep",
        found: "more")
      return
    }
    guard let node = walk.node(root, object: object) else { return }
    if isList {
      inspectMixedTree(node, of: column, table, object: object, depth: depth + 1)
    } else {
      inspectDictionary(node, keys: .textKeys, of: column, table, object: object, depth: depth + 1)
    }
  }

  /// A tree of mixed values: a nested list, or the values of a dictionary. Returns its count.
  @discardableResult
  func inspectMixedTree(
    _ root: RawNode, of column: RawColumn, _ table: RawTable, object: Int64, depth: Int
  ) -> Int? {
    walk.walkTree(root, object: object) { node, start in
      guard case .mixed(let mixed)? = walk.openLeaf(node, .mixedElements, count: nil, object: object) else {
        return nil
      }
      guard mixed.count <= Walk.treeFanOutMax else { return mixed.count }
      walk.statistics.valueCount += mixed.count
      inspectMixed(
        mixed, of: column, table, .elements(start: start, object: object), object: object, depth: depth)
      return mixed.count
    }
  }

  /// A collection inside a list or dictionary is found by a number of its own in the leaf's last part.
  private func inspectNestedKeys(_ mixed: RawMixed, _ labels: RowLabels) {
    guard walk.format >= 24, mixed.collections != nil else { return }
    var seen: Set<Int64> = []
    for index in 0..<mixed.count {
      guard let composite = RawMixed.Composite(mixed.composites.number(index)),
        composite.home == .collections
      else { continue }
      let key = index < (mixed.keys?.count ?? 0) ? mixed.keys?.number(index) ?? 0 : 0
      if key == 0 || !seen.insert(key).inserted {
        walk.report(
          .nestedCollection, at: mixed.offset, labels, index,
          expected: "a key of its own for a collection in a collection", found: "\(key)")
      }
    }
  }
}

extension RawMixed.Composite {
  /// Whether the payload is one that the leaf has.
  fileprivate func isInRange(of mixed: RawMixed) -> Bool { home == .inline || mixed.position(self) != nil }
}

/// Which payloads of a leaf some element names.
private struct PayloadUse {
  private var used: [[Bool]]
  private(set) var surplus = 0

  init(_ mixed: RawMixed) {
    // A payload array longer than the leaf cannot be dense; its excess is counted, not tracked.
    used = RawMixed.Home.allCases.map { home in
      let count = mixed.payloadCount(home)
      return [Bool](repeating: false, count: min(count, mixed.count))
    }
    surplus = RawMixed.Home.allCases.reduce(0) { $0 + mixed.payloadCount($1) }
  }

  mutating func note(_ composite: RawMixed.Composite, in mixed: RawMixed) {
    guard composite.home != .inline, let position = mixed.position(composite) else { return }
    let home = composite.home.rawValue
    guard position < used[home].count else { return }
    // A payload that two elements name leaves another one unused, or makes the sum negative.
    surplus += used[home][position] ? 1 : -1
    used[home][position] = true
  }
}
