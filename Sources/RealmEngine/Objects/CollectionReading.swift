// Elements of lists, sets and dictionaries, as the SDKs show them. Layer: Objects.
// Links to objects that do not exist are left out of lists and sets of links and are null everywhere else.

extension Snapshot {
  /// The elements of a list or set. Cost: opens its root.
  package func elements(_ root: Ref, _ layout: LeafLayout) throws(EngineError) -> Elements {
    try Elements(root, layout, in: self)
  }

  /// How many elements the list or set of `property` at `root` has, as the SDKs count them. Cost: constant, but for
  /// lists that hold links to objects that do not exist.
  package func elementCount(of property: Property, at root: Ref) throws(EngineError) -> Int {
    let elements = try elements(root, property.elementLayout)
    guard property.isLink, try node(root).header.contextFlag else { return elements.count }
    var count = 0
    try forEachElement(of: property, at: root) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Bytes of a text or data, elements of a list or entries of a dictionary; nil for all other values. Cost: that of
  /// walking a collection.
  func size(of value: Value) throws(EngineError) -> Int? {
    switch value {
    case .string(let bytes), .data(let bytes): return bytes.count
    case .dictionary(let dictionary): return try entries(ofNested: dictionary).count
    case .list(let list):
      var count = 0
      try forEachElement(ofNested: list) { _ in
        count += 1
        return true
      }
      return count
    default: return nil
    }
  }

  /// The leaf of a list or set that has just one, as most have; nil for others.
  package func onlyElementLeaf(_ root: Ref, _ layout: LeafLayout) throws(EngineError) -> Leaf? {
    try Elements.onlyLeaf(root, layout, in: self)
  }

  /// Does it for a list or set of integers, more cheaply.
  @inline(__always)
  func onlyIntegerLeaf(_ root: Ref, _ layout: LeafLayout) throws(EngineError) -> IntegerLeaf? {
    let node = try node(root)
    // What is anything else is told apart, and refused, by the general way.
    guard layout.subtableForm == nil, !node.isInner, !node.hasRefs, node.header.kind == .bits,
      node.count <= Elements.perLeafMax
    else { return nil }
    return try IntegerLeaf(node, isNullable: layout.isNullable)
  }

  /// Calls `body` with every leaf of a list or set until it returns false. Unresolved links are still in it.
  package func forEachElementLeaf(
    _ root: Ref, _ layout: LeafLayout, budget: TraversalBudget? = nil,
    _ body: (Leaf) throws(EngineError) -> Bool
  ) throws(EngineError) {
    try elements(root, layout).forEachLeaf(budget: budget, body)
  }

  /// Calls `body` with every element of the list or set of `property` at `root` until it returns false.
  package func forEachElement(
    of property: Property, at root: Ref, budget: TraversalBudget? = nil,
    _ body: (Value) throws(EngineError) -> Bool
  ) throws(EngineError) {
    try forEachElement(root, property.elementLayout, target: property.target, budget: budget, body)
  }

  /// Calls `body` with every element of a list inside a mixed value.
  package func forEachElement(
    ofNested list: NestedCollection, budget: TraversalBudget? = nil,
    _ body: (Value) throws(EngineError) -> Bool
  ) throws(EngineError) {
    guard let root = Ref(Int64(list.rootOffset)) else { return }
    try forEachElement(root, .mixedElements, target: nil, budget: budget, body)
  }

  private func forEachElement(
    _ root: Ref, _ layout: LeafLayout, target: TableKey?, budget: TraversalBudget?,
    _ body: (Value) throws(EngineError) -> Bool
  ) throws(EngineError) {
    try forEachElementLeaf(root, layout, budget: budget) { leaf throws(EngineError) in
      for index in 0..<leaf.count {
        if case .links(let links) = leaf, let key = links[index], key.value < 0 { continue }
        guard try body(try leaf.value(index, in: self, target: target)) else { return false }
      }
      return true
    }
  }
}

extension LeafLayout {
  /// Elements of nested lists and values of dictionaries.
  package static let mixedElements = LeafLayout(type: .mixed, isNullable: true, isInCollection: true)
  package static let textKeys = LeafLayout(type: .string, isNullable: false, isInCollection: true)
  /// Of hidden columns.
  package static let backlinks = LeafLayout(type: .backlink, isNullable: false)
  package static let integerKeys = LeafLayout(type: .int, isNullable: false, isInCollection: true)
}
