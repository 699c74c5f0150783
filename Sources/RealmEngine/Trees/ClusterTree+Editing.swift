// Changing a table's rows: inserting objects, and changing leaves of single rows or of whole columns.
// Layer: Trees.
// Invariants: the first offset of every inner node is 0; no cluster is empty unless it is the root; every column has a
// leaf with one element a row in every cluster; counts of all inner nodes are kept. Keys count as unsigned.

/// The rows of one table, open for change.
final class ClusterTreeEditor {
  let store: NodeStore
  var root: Ref
  var columns: [RowColumn]

  static let rowsMax = ClusterTree.rowsMax
  private static let childrenMax = 256
  private static let childShift = 8
  private static let depthMax = 7
  static let firstChildSlot = 3

  init(_ root: Ref, columns: [RowColumn], in store: NodeStore) {
    self.root = root
    self.columns = columns
    self.store = store
  }

  var snapshot: Snapshot { store.snapshot }

  /// The rows, for reading as they are now.
  func tree() throws(EngineError) -> ClusterTree { try ClusterTree(root, in: snapshot) }

  // MARK: Inner nodes

  struct Inner {
    let node: NodeView
    let offsetsRef: Ref?
    let depth: Int
    let total: Int64
    let offsets: PackedIntegers?

    var childCount: Int { node.count - ClusterTreeEditor.firstChildSlot }

    func offset(_ child: Int) -> UInt64 {
      offsets?.unsigned(child) ?? UInt64(child) << UInt64(ClusterTreeEditor.childShift * depth)
    }

    func child(_ index: Int) throws(EngineError) -> Ref {
      try node.requiredRef(ClusterTreeEditor.firstChildSlot + index)
    }

    /// The last child whose keys begin at or below `key`.
    func position(of key: UInt64) -> Int? {
      var low = 0
      var high = childCount
      while low < high {
        let middle = (low + high) / 2
        if offset(middle) <= key { low = middle + 1 } else { high = middle }
      }
      return low == 0 ? nil : low - 1
    }
  }

  func inner(_ node: NodeView) throws(EngineError) -> Inner {
    let offsetsRef = try node.ref(0)
    let depth = try node.tagged(1)
    guard depth >= 1, depth <= Int64(Self.depthMax), node.count > Self.firstChildSlot else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "an inner cluster node", found: node.description)
    }
    var offsets: PackedIntegers?
    if let offsetsRef {
      let stored = try snapshot.integersNode(offsetsRef).integers
      guard stored.count >= node.count - Self.firstChildSlot else {
        throw EngineError.damaged(
          at: offsetsRef.offset, expected: "\(node.count - Self.firstChildSlot) key offsets",
          found: "\(stored.count)")
      }
      offsets = stored
    }
    let total = try node.tagged(2)
    guard total <= ClusterTree.countMax else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a number of objects", found: "\(total)")
    }
    return Inner(node: node, offsetsRef: offsetsRef, depth: Int(depth), total: total, offsets: offsets)
  }

  struct Child {
    var offset: UInt64
    var ref: Ref
  }

  func children(_ inner: Inner) throws(EngineError) -> [Child] {
    var children: [Child] = []
    for index in 0..<inner.childCount {
      children.append(Child(offset: inner.offset(index), ref: try inner.child(index)))
    }
    return children
  }

  func makeInner(_ children: [Child], depth: Int, total: Int64) throws(EngineError) -> Ref {
    let shift = UInt64(Self.childShift * depth)
    let isCompact = children.enumerated().allSatisfy { $1.offset == UInt64($0) << shift }
    let offsets = isCompact ? nil : try store.makeUnsigned(children.map(\.offset))
    return try store.makeSlots(
      [Int64(offsets?.offset ?? 0), NodeStore.tag(Int64(depth)), NodeStore.tag(total)]
        + children.map { Int64($0.ref.offset) }, isInner: true)
  }

  private static func unsorted(_ ref: Ref) -> EngineError {
    .damaged(at: ref.offset, expected: "rising object keys", found: "others")
  }

  func releaseInner(_ inner: Inner) throws(EngineError) {
    if let offsetsRef = inner.offsetsRef { try store.release(offsetsRef) }
    store.release(inner.node)
  }

  // MARK: Clusters

  func rowCount(_ node: NodeView) throws(EngineError) -> Int {
    let first = try node.slot(0)
    let count =
      first & 1 == 1 || first == 0
      ? try node.tagged(0) : Int64(try snapshot.integersNode(try node.requiredRef(0)).count)
    guard count <= Int64(Self.rowsMax) else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "at most \(Self.rowsMax) objects in a cluster", found: "\(count)")
    }
    return Int(count)
  }

  private func subtreeCount(_ ref: Ref) throws(EngineError) -> Int64 {
    let node = try snapshot.refsNode(ref)
    guard node.isInner else { return Int64(try rowCount(node)) }
    let count = try node.tagged(2)
    guard 0...ClusterTree.countMax ~= count else {
      throw EngineError.damaged(
        at: ref.offset, expected: "at most \(ClusterTree.countMax) objects", found: "\(count)")
    }
    return count
  }

  /// Relative keys of a cluster.
  func keys(_ node: NodeView) throws(EngineError) -> [UInt64] {
    let count = try rowCount(node)
    let first = try node.slot(0)
    if first & 1 == 1 || first == 0 { return (0..<count).map { UInt64($0) } }
    let stored = try snapshot.integersNode(try node.requiredRef(0)).integers
    return (0..<count).map { stored.unsigned($0) }
  }

  /// Replaces a cluster's keys.
  func setKeys(_ ref: Ref, _ keys: [UInt64]) throws(EngineError) -> Ref {
    let node = try snapshot.refsNode(ref)
    let old = try node.slot(0)
    let isCompact = keys.enumerated().allSatisfy { $1 == UInt64($0) }
    let new =
      isCompact ? NodeStore.tag(Int64(keys.count)) : Int64(try store.makeUnsigned(keys).offset)
    let changed = try store.setInteger(ref, 0, new)
    if let oldRef = Ref(old) { try store.release(oldRef) }
    return changed
  }

  /// The row of `key`, or where it belongs.
  private func place(of key: UInt64, in keys: [UInt64]) -> (row: Int, isThere: Bool) {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return (low, low < keys.count && keys[low] == key)
  }

  // MARK: Inserting

  /// Inserts a row. `value` gives what stands in each column that holds single values.
  func insert(_ key: ObjectKey, _ value: (RowColumn) throws(EngineError) -> Value) throws(EngineError) {
    let (left, split) = try insert(
      root, UInt64(bitPattern: key.value), depth: 0, value)
    root = left
    guard let split else { return }
    let node = try snapshot.refsNode(left)
    let depth = node.isInner ? Int(try node.tagged(1)) + 1 : 1
    let total = try subtreeCount(left) + (try subtreeCount(split.ref))
    root = try makeInner([Child(offset: 0, ref: left), split], depth: depth, total: total)
  }

  private func insert(
    _ ref: Ref, _ key: UInt64, depth: Int, _ value: (RowColumn) throws(EngineError) -> Value
  ) throws(EngineError) -> (Ref, Child?) {
    let node = try snapshot.refsNode(ref)
    guard node.isInner else { return try insertInCluster(node, key, value) }
    try checkDepth(depth, ref)
    let parent = try inner(node)
    guard let position = parent.position(of: key) else {
      throw EngineError.damaged(at: ref.offset, expected: "key offsets from 0", found: node.description)
    }
    let old = try parent.child(position)
    let offset = parent.offset(position)
    let (child, split) = try insert(old, key - offset, depth: depth + 1, value)
    guard let split else {
      var new = ref
      if child != old { new = try store.setSlot(new, Self.firstChildSlot + position, child) }
      return (try store.setTagged(new, 2, parent.total + 1), nil)
    }
    var all = try children(parent)
    all[position].ref = child
    all.insert(Child(offset: offset &+ split.offset, ref: split.ref), at: position + 1)
    let result = try divided(all, depth: parent.depth, total: parent.total + 1, inserted: position + 1)
    try releaseInner(parent)
    return result
  }

  /// One inner node of `children`, or two where they are too many.
  private func divided(
    _ children: [Child], depth: Int, total: Int64, inserted: Int
  ) throws(EngineError) -> (Ref, Child?) {
    guard children.count > Self.childrenMax else {
      return (try makeInner(children, depth: depth, total: total), nil)
    }
    let cut = inserted == children.count - 1 ? inserted : children.count / 2
    let base = children[cut].offset
    var right = Array(children[cut...])
    var rightTotal: Int64 = 0
    for index in right.indices {
      guard right[index].offset >= base else { throw Self.unsorted(right[index].ref) }
      right[index].offset -= base
      rightTotal += try subtreeCount(right[index].ref)
    }
    let left = try makeInner(Array(children[..<cut]), depth: depth, total: total - rightTotal)
    return (left, Child(offset: base, ref: try makeInner(right, depth: depth, total: rightTotal)))
  }

  private func insertInCluster(
    _ node: NodeView, _ key: UInt64, _ value: (RowColumn) throws(EngineError) -> Value
  ) throws(EngineError) -> (Ref, Child?) {
    let count = try rowCount(node)
    let first = try node.slot(0)
    if first & 1 == 1 || first == 0, key == UInt64(count), count < Self.rowsMax {
      let ref = try store.setTagged(node.ref, 0, Int64(count) + 1)
      return (try insertRow(ref, count, value), nil)
    }
    var keys = try keys(node)
    let (row, isThere) = place(of: key, in: keys)
    guard !isThere else {
      throw EngineError(.constraint, "an object with key \(Int64(bitPattern: key)) already exists")
    }
    if count < Self.rowsMax {
      keys.insert(key, at: row)
      return (try insertRow(try setKeys(node.ref, keys), row, value), nil)
    }
    if row == count {
      return (node.ref, Child(offset: key, ref: try makeCluster([0], value)))
    }
    let right = try moveRows(node.ref, keys, from: row)
    var left = try setKeys(right.left, Array(keys[..<row]) + [key])
    left = try insertRow(left, row, value)
    return (left, Child(offset: keys[row], ref: right.right))
  }

  private func insertRow(
    _ ref: Ref, _ row: Int, _ value: (RowColumn) throws(EngineError) -> Value
  ) throws(EngineError) -> Ref {
    var cluster = ClusterEdit(store: store, ref: ref, count: row)
    for column in columns {
      let element = column.layout.holdsSlots ? Value.null : try value(column)
      let leaf = try store.insertElement(try cluster.leaf(column.leafIndex), column.layout, row, element)
      try cluster.setLeaf(column.leafIndex, leaf)
    }
    return cluster.ref
  }

  /// A cluster of one row.
  private func makeCluster(
    _ keys: [UInt64], _ value: (RowColumn) throws(EngineError) -> Value
  ) throws(EngineError) -> Ref {
    var slots = [NodeStore.tag(Int64(keys.count))]
    for column in columns {
      while slots.count < column.leafIndex + 2 { slots.append(0) }
      let leaf =
        column.layout.holdsSlots
        ? try store.makeSlots([0]) : try store.makeLeaf(column.layout, [try value(column)])
      slots[column.leafIndex + 1] = Int64(leaf.offset)
    }
    return try store.makeSlots(slots)
  }

  /// Moves the rows from `row` on to a new cluster whose keys begin at 0. Keys of the left one stay to be set.
  private func moveRows(
    _ ref: Ref, _ keys: [UInt64], from row: Int
  ) throws(EngineError) -> (left: Ref, right: Ref) {
    guard keys[row...].allSatisfy({ $0 >= keys[row] }) else { throw Self.unsorted(ref) }
    let moved = keys[row...].map { $0 - keys[row] }
    let isCompact = moved.enumerated().allSatisfy { $1 == UInt64($0) }
    var slots = [
      isCompact ? NodeStore.tag(Int64(moved.count)) : Int64(try store.makeUnsigned(moved).offset)
    ]
    var left = ClusterEdit(store: store, ref: ref, count: row)
    for column in columns {
      while slots.count < column.leafIndex + 2 { slots.append(0) }
      let old = try left.leaf(column.leafIndex)
      let contents = try store.contents(old, column.layout)
      guard contents.count == keys.count else {
        throw EngineError.damaged(
          at: old.offset, expected: "\(keys.count) values", found: "\(contents.count)")
      }
      let kept = try store.makeLeaf(column.layout, contents[0..<row])
      let right = try store.makeLeaf(column.layout, contents[row..<keys.count])
      try store.releaseLeaf(old, column.layout)
      try left.setLeaf(column.leafIndex, kept)
      slots[column.leafIndex + 1] = Int64(right.offset)
    }
    return (left.ref, try store.makeSlots(slots))
  }

  func checkDepth(_ depth: Int, _ ref: Ref) throws(EngineError) {
    guard depth <= Self.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "at most \(Self.depthMax) levels of rows", found: "more")
    }
  }

  // MARK: Changing rows

  private struct Step {
    let parent: Ref
    let slot: Int
  }

  /// Where the row of `key` is: the way down, the cluster and the row.
  private func find(_ key: ObjectKey) throws(EngineError) -> (steps: [Step], cluster: Ref, row: Int)? {
    var steps: [Step] = []
    var node = try snapshot.refsNode(root)
    var relative = UInt64(bitPattern: key.value)
    while node.isInner {
      try checkDepth(steps.count, node.ref)
      let parent = try inner(node)
      guard let position = parent.position(of: relative) else { return nil }
      relative -= parent.offset(position)
      steps.append(Step(parent: node.ref, slot: Self.firstChildSlot + position))
      node = try snapshot.refsNode(try parent.child(position))
    }
    let first = try node.slot(0)
    if first & 1 == 1 || first == 0 {
      let count = try rowCount(node)
      return relative < UInt64(count) ? (steps, node.ref, Int(relative)) : nil
    }
    let stored = try snapshot.integersNode(try node.requiredRef(0)).integers
    var low = 0
    var high = stored.count
    while low < high {
      let middle = (low + high) / 2
      if stored.unsigned(middle) < relative { low = middle + 1 } else { high = middle }
    }
    guard low < stored.count, stored.unsigned(low) == relative else { return nil }
    return (steps, node.ref, low)
  }

  /// The cluster and row of an object; nil where there is none. Valid until the next change.
  func locate(_ key: ObjectKey) throws(EngineError) -> (cluster: ClusterEdit, row: Int)? {
    guard let (_, ref, row) = try find(key) else { return nil }
    return (ClusterEdit(store: store, ref: ref, count: try rowCount(try snapshot.refsNode(ref))), row)
  }

  /// Lets `body` change leaves of an object's cluster. Throws when there is no such object.
  func edit(
    _ key: ObjectKey, _ body: (inout ClusterEdit, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let (steps, ref, row) = try find(key) else {
      throw EngineError(.notFound, "no object with key \(key.value)")
    }
    var cluster = ClusterEdit(store: store, ref: ref, count: try rowCount(try snapshot.refsNode(ref)))
    try body(&cluster, row)
    var child = cluster.ref
    if child == ref { return }
    for step in steps.reversed() {
      let parent = try store.setSlot(step.parent, step.slot, child)
      if parent == step.parent { return }
      child = parent
    }
    root = child
  }

  /// Lets `body` change every cluster, in key order.
  func editAll(_ body: (inout ClusterEdit) throws(EngineError) -> Void) throws(EngineError) {
    var rowsLeft = try tree().count
    root = try editAll(root, keyOffset: 0, depth: 0, TraversalBudget(snapshot), &rowsLeft, body)
  }

  /// Takes a tree that was built apart in place of an empty one.
  func replaceEmptyTree(with new: Ref) throws(EngineError) {
    try store.releaseTree(root)
    root = new
  }

  private func editAll(
    _ ref: Ref, keyOffset: UInt64, depth: Int, _ budget: TraversalBudget, _ rowsLeft: inout Int,
    _ body: (inout ClusterEdit) throws(EngineError) -> Void
  ) throws(EngineError) -> Ref {
    let node = try snapshot.refsNode(ref)
    try budget.charge(node)
    guard node.isInner else {
      var cluster = ClusterEdit(store: store, ref: ref, count: try rowCount(node))
      cluster.keyOffset = Int64(bitPattern: keyOffset)
      rowsLeft -= cluster.count
      guard rowsLeft >= 0 else {
        throw EngineError.damaged(
          at: ref.offset, expected: "no more objects than the tree has", found: "more")
      }
      try body(&cluster)
      return cluster.ref
    }
    try checkDepth(depth, ref)
    var new = ref
    // The children's offsets are read before the first change.
    for (index, child) in try children(try inner(node)).enumerated() {
      let changed = try editAll(
        child.ref, keyOffset: keyOffset &+ child.offset, depth: depth + 1, budget, &rowsLeft, body)
      if changed != child.ref { new = try store.setSlot(new, Self.firstChildSlot + index, changed) }
    }
    return new
  }
}
