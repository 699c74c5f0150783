// Conditions on lists, sets and incoming links, a block at a time: the column of refs is walked, and what it leads to
// is read where it stands. Layer: Query, Run, Scanning.
// Invariant: unresolved links are no elements here, as everywhere.

/// Marks the rows of blocks by what their collections hold.
final class CollectionFilter {
  private let snapshot: Snapshot
  private let marker: LeafFilter
  private let elements = SelectionMask()

  init(_ snapshot: Snapshot, _ marker: LeafFilter) {
    self.snapshot = snapshot
    self.marker = marker
  }

  private func collections(_ property: Property, _ block: RowBlock) throws(EngineError) -> CollectionLeaf {
    guard case .collections(let leaf) = try block.leaf(property) else { throw property.mismatch }
    return leaf
  }

  /// Marks the rows of which some element meets `condition`.
  func markAnyElement(
    _ property: Property, _ condition: PlannedCondition, _ block: RowBlock, textScratch: TextTestScratch,
    into mask: SelectionMask
  ) throws(EngineError) {
    if case .column(_, .integers(let test, let acceptsNull)) = condition {
      return try forEachList(property, block, into: mask) { root, layout throws(EngineError) in
        if let leaf = try snapshot.onlyIntegerLeaf(root, layout) {
          return leaf.hasAny(test, acceptsNull: acceptsNull)
        }
        return try hasAny(root, layout) { leaf throws(EngineError) in
          guard case .integers(let leaf) = leaf else { throw property.mismatch }
          return leaf.hasAny(test, acceptsNull: acceptsNull)
        }
      }
    }
    try forEachList(property, block, into: mask) { root, layout throws(EngineError) in
      try hasAny(root, layout) { leaf throws(EngineError) in
        try marker.mark(condition, leaf, textScratch: textScratch, into: elements)
        return !elements.isEmpty
      }
    }
  }

  /// Marks the rows that have the one element that `choice` means, if it meets `condition`.
  func markElement(
    _ choice: ElementChoice, of property: Property, _ condition: PlannedCondition, _ block: RowBlock,
    textScratch: TextTestScratch, into mask: SelectionMask
  ) throws(EngineError) {
    if case .column(_, .integers(let test, let acceptsNull)) = condition {
      return try forEachList(property, block, into: mask) { root, layout throws(EngineError) in
        if let leaf = try snapshot.onlyIntegerLeaf(root, layout) {
          guard let index = choice.index(among: leaf.count) else { return false }
          return leaf[index].map(test.accepts) ?? acceptsNull
        }
        return try meets(choice, root, layout, condition, textScratch)
      }
    }
    try forEachList(property, block, into: mask) { root, layout throws(EngineError) in
      try meets(choice, root, layout, condition, textScratch)
    }
  }

  private func meets(
    _ choice: ElementChoice, _ root: Ref, _ layout: LeafLayout, _ condition: PlannedCondition,
    _ textScratch: TextTestScratch
  ) throws(EngineError) -> Bool {
    if let leaf = try snapshot.onlyElementLeaf(root, layout) {
      guard let index = choice.index(among: leaf.count) else { return false }
      try marker.mark(condition, leaf, textScratch: textScratch, into: elements)
      return elements[index]
    }
    let elementCount = try snapshot.elements(root, layout).count
    guard let wanted = choice.index(among: elementCount) else { return false }
    var start = 0
    var isMet = false
    try snapshot.forEachElementLeaf(root, layout) { leaf throws(EngineError) in
      let index = wanted - start
      start += leaf.count
      if index >= leaf.count { return true }
      try marker.mark(condition, leaf, textScratch: textScratch, into: elements)
      isMet = elements[index]
      return false
    }
    return isMet
  }

  /// Marks the rows of which some element links to one of `keys`.
  func markAnyLinked(
    _ property: Property, _ keys: KeySet, _ block: RowBlock, into mask: SelectionMask
  ) throws(EngineError) {
    try forEachList(property, block, into: mask) { root, layout throws(EngineError) in
      try hasAny(root, layout) { leaf throws(EngineError) in
        guard case .links(let links) = leaf else { throw property.mismatch }
        for index in 0..<links.count where keys.contains(links.values[index]) { return true }
        return false
      }
    }
  }

  /// Asks each row's list or set; rows that have none are out.
  @inline(__always)
  private func forEachList(
    _ property: Property, _ block: RowBlock, into mask: SelectionMask,
    _ test: (Ref, LeafLayout) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let roots = try collections(property, block)
    let layout = property.elementLayout
    roots.prefetch(in: snapshot)
    mask.resize(block.count)
    for row in 0..<block.count {
      if let root = try roots.root(row) { mask[row] = try test(root, layout) } else { mask[row] = false }
    }
  }

  /// Whether `test` holds for some leaf of a list or set.
  @inline(__always)
  private func hasAny(
    _ root: Ref, _ layout: LeafLayout, _ test: (Leaf) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    if let leaf = try snapshot.onlyElementLeaf(root, layout) { return try test(leaf) }
    var isMet = false
    try snapshot.forEachElementLeaf(root, layout) { leaf throws(EngineError) in
      isMet = try test(leaf)
      return !isMet
    }
    return isMet
  }

  /// Marks the rows whose number of elements passes `test`.
  func markCounts(
    _ property: Property, _ test: IntegerRange, _ block: RowBlock, into mask: SelectionMask
  ) throws(EngineError) {
    let roots = try collections(property, block)
    let counter = ElementCounter(property, in: snapshot)
    roots.prefetch(in: snapshot)
    mask.resize(block.count)
    for row in 0..<block.count {
      var count: Int64 = 0
      // Not by a closure, which would copy the counter for each row.
      if let root = try roots.root(row) { count = try counter.count(root) }
      mask[row] = test.accepts(count)
    }
  }

  /// Marks the rows that one of `keys` links to.
  func markAnyIncoming(
    _ column: BacklinkColumn, _ keys: KeySet, _ block: RowBlock, into mask: SelectionMask
  ) throws(EngineError) {
    let origins = try block.backlinks(column)
    mask.resize(block.count)
    for row in 0..<block.count {
      var isMet = false
      try snapshot.forEachOrigin(try origins[row]) { key in
        isMet = keys.contains(key.value)
        return !isMet
      }
      mask[row] = isMet
    }
  }

  /// Marks the rows to which so many links lead, those of all `columns` together, that their number passes `test`.
  func markIncomingCounts(
    _ columns: [BacklinkColumn], _ test: IntegerRange, _ block: RowBlock, into mask: SelectionMask
  ) throws(EngineError) {
    var counts = [Int64](repeating: 0, count: block.count)
    for column in columns {
      let origins = try block.backlinks(column)
      for row in counts.indices { counts[row] += Int64(try snapshot.originCount(try origins[row])) }
    }
    mask.resize(block.count)
    for row in counts.indices { mask[row] = test.accepts(counts[row]) }
  }
}

/// Counts the elements of the collections of one property.
struct ElementCounter {
  private let property: Property
  private let layout: LeafLayout
  private let isInteger: Bool
  private let snapshot: Snapshot

  init(_ property: Property, in snapshot: Snapshot) {
    self.property = property
    layout = property.elementLayout
    isInteger = property.type == .int
    self.snapshot = snapshot
  }

  @inline(__always)
  func count(_ root: Ref) throws(EngineError) -> Int64 {
    if property.collection == .dictionary { return Int64(try snapshot.entryCount(of: property, at: root)) }
    if isInteger, let leaf = try snapshot.onlyIntegerLeaf(root, layout) { return Int64(leaf.count) }
    if !property.isLink, let leaf = try snapshot.onlyElementLeaf(root, layout) { return Int64(leaf.count) }
    return Int64(try snapshot.elementCount(of: property, at: root))
  }
}
