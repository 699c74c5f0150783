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

  init(_ root: Ref, columns: [RowColumn], in store: NodeStore) {
    self.root = root
    self.columns = columns
    self.store = store
  }

  var snapshot: Snapshot { store.snapshot }

  /// The rows, for reading as they are now.
  func tree() throws(EngineError) -> ClusterTree { try ClusterTree(root, in: snapshot) }

  // MARK: Inner nodes

  func inner(_ node: NodeView) throws(EngineError) -> InnerCluster { try snapshot.innerCluster(node) }

  private static func unsorted(_ ref: Ref) -> EngineError {
    .damaged(at: ref.offset, expected: "rising object keys", found: "others")
  }

  func releaseInner(_ inner: InnerCluster) {
    if let offsets = inner.offsets { store.release(offsets) }
    store.release(inner.node)
  }

  // MARK: Clusters

  func cluster(_ node: NodeView) throws(EngineError) -> Cluster { try snapshot.cluster(node, keyOffset: 0) }

  /// Replaces a cluster's keys.
  func setKeys(_ ref: Ref, _ keys: [UInt64]) throws(EngineError) -> Ref {
    let node = try snapshot.refsNode(ref)
    let old = try node.slot(0)
    let changed = try store.setInteger(ref, 0, try store.makeClusterKeys(keys))
    if let oldRef = Ref(old) { try store.release(oldRef) }
    return changed
  }

  private func subtreeCount(_ ref: Ref) throws(EngineError) -> Int64 {
    Int64(try snapshot.objectCount(try snapshot.refsNode(ref)))
  }

  /// The row of `key`, or where it belongs.
  private func place(of key: UInt64, in keys: [UInt64]) -> (row: Int, isThere: Bool) {
    let low = (0..<keys.count).partitionPoint { keys[$0] < key }
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
    let depth = node.isInner ? Int(try node.tagged(InnerCluster.depthSlot)) + 1 : 1
    let total = try subtreeCount(left) + (try subtreeCount(split.ref))
    root = try store.makeInnerCluster(
      [InnerCluster.Child(offset: 0, ref: left), split], depth: depth, total: total)
  }

  private func insert(
    _ ref: Ref, _ key: UInt64, depth: Int, _ value: (RowColumn) throws(EngineError) -> Value
  ) throws(EngineError) -> (Ref, InnerCluster.Child?) {
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
    let total = Int64(try snapshot.objectCount(node)) + 1
    guard let split else {
      var new = ref
      if child != old { new = try store.setSlot(new, InnerCluster.firstChildSlot + position, child) }
      return (try store.setTagged(new, 2, total), nil)
    }
    var all = try parent.children()
    all[position].ref = child
    all.insert(InnerCluster.Child(offset: offset &+ split.offset, ref: split.ref), at: position + 1)
    let result = try divided(all, depth: parent.depth, total: total, inserted: position + 1)
    releaseInner(parent)
    return result
  }

  /// One inner node of `children`, or two where they are too many.
  private func divided(
    _ children: [InnerCluster.Child], depth: Int, total: Int64, inserted: Int
  ) throws(EngineError) -> (Ref, InnerCluster.Child?) {
    guard children.count > InnerCluster.childrenMax else {
      return (try store.makeInnerCluster(children, depth: depth, total: total), nil)
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
    let left = try store.makeInnerCluster(Array(children[..<cut]), depth: depth, total: total - rightTotal)
    return (
      left,
      InnerCluster.Child(
        offset: base, ref: try store.makeInnerCluster(right, depth: depth, total: rightTotal))
    )
  }

  private func insertInCluster(
    _ node: NodeView, _ key: UInt64, _ value: (RowColumn) throws(EngineError) -> Value
  ) throws(EngineError) -> (Ref, InnerCluster.Child?) {
    let cluster = try cluster(node)
    let count = cluster.count
    if cluster.relativeKeys == nil, key == UInt64(count), count < Self.rowsMax {
      let ref = try store.setTagged(node.ref, 0, Int64(count) + 1)
      return (try insertRow(ref, count, value), nil)
    }
    var keys = cluster.storedKeys
    let (row, isThere) = place(of: key, in: keys)
    guard !isThere else {
      throw EngineError(.constraint, "an object with key \(Int64(bitPattern: key)) already exists")
    }
    if count < Self.rowsMax {
      keys.insert(key, at: row)
      return (try insertRow(try setKeys(node.ref, keys), row, value), nil)
    }
    if row == count {
      let new = try store.makeCluster([0], columns) { column throws(EngineError) in
        let layout = column.layout
        return layout.holdsSlots ? try store.makeSlots([0]) : try store.makeLeaf(layout, [try value(column)])
      }
      return (node.ref, InnerCluster.Child(offset: key, ref: new))
    }
    let right = try moveRows(node.ref, keys, from: row)
    var left = try setKeys(right.left, Array(keys[..<row]) + [key])
    left = try insertRow(left, row, value)
    return (left, InnerCluster.Child(offset: keys[row], ref: right.right))
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

  /// Moves the rows from `row` on to a new cluster whose keys begin at 0. Keys of the left one stay to be set.
  private func moveRows(
    _ ref: Ref, _ keys: [UInt64], from row: Int
  ) throws(EngineError) -> (left: Ref, right: Ref) {
    guard keys[row...].allSatisfy({ $0 >= keys[row] }) else { throw Self.unsorted(ref) }
    let moved = keys[row...].map { $0 - keys[row] }
    var left = ClusterEdit(store: store, ref: ref, count: row)
    let right = try store.makeCluster(moved, columns) { column throws(EngineError) in
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
      return right
    }
    return (left.ref, right)
  }

  func checkDepth(_ depth: Int, _ ref: Ref) throws(EngineError) {
    guard depth <= InnerCluster.depthMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "at most \(InnerCluster.depthMax) levels of rows", found: "more")
    }
  }

  // MARK: Changing rows

  private struct Step {
    let parent: Ref
    let slot: Int
  }

  /// Where the row of `key` is: the way down, the cluster and the row.
  private func find(
    _ key: ObjectKey
  ) throws(EngineError) -> (steps: [Step], cluster: ClusterEdit, row: Int)? {
    var steps: [Step] = []
    var node = try snapshot.refsNode(root)
    var relative = UInt64(bitPattern: key.value)
    while node.isInner {
      try checkDepth(steps.count, node.ref)
      let parent = try inner(node)
      guard let position = parent.position(of: relative) else { return nil }
      relative -= parent.offset(position)
      steps.append(Step(parent: node.ref, slot: InnerCluster.firstChildSlot + position))
      node = try snapshot.refsNode(try parent.child(position))
    }
    let cluster = try cluster(node)
    guard let row = cluster.row(of: ObjectKey(Int64(bitPattern: relative))) else { return nil }
    return (steps, ClusterEdit(store: store, ref: node.ref, count: cluster.count), row)
  }

  /// The cluster and row of an object; nil where there is none. Valid until the next change.
  func locate(_ key: ObjectKey) throws(EngineError) -> (cluster: ClusterEdit, row: Int)? {
    try find(key).map { ($0.cluster, $0.row) }
  }

  /// Lets `body` change leaves of an object's cluster. Throws when there is no such object.
  func edit(
    _ key: ObjectKey, _ body: (inout ClusterEdit, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let found = try find(key) else {
      throw EngineError(.notFound, "no object with key \(key.value)")
    }
    var cluster = found.cluster
    try body(&cluster, found.row)
    var child = cluster.ref
    if child == found.cluster.ref { return }
    for step in found.steps.reversed() {
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
      var cluster = ClusterEdit(store: store, ref: ref, count: try cluster(node).count)
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
    for (index, child) in try inner(node).children().enumerated() {
      let changed = try editAll(
        child.ref, keyOffset: keyOffset &+ child.offset, depth: depth + 1, budget, &rowsLeft, body)
      if changed != child.ref { new = try store.setSlot(new, InnerCluster.firstChildSlot + index, changed) }
    }
    return new
  }
}
