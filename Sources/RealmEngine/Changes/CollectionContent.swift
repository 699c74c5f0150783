// What a collection holds, for who compares it with what it held before. Layer: Changes.
// A collection inside another one is the same as long as it has the same name: what happened in it is told of it itself.

/// What a collection holds, in stored order.
package struct CollectionContent {
  package let kind: CollectionKind?
  /// Of a dictionary; else empty.
  package var keys: [Value] = []
  /// In the place of a collection that has a name stands one that has no other contents.
  package var values: [Value] = []
  /// The collections that have a name, by it.
  var inner: [Int64: Value] = [:]

  package init(kind: CollectionKind?) { self.kind = kind }

  /// Adds the values of one leaf.
  fileprivate mutating func add(_ leaf: MixedLeaf, in snapshot: Snapshot) throws(EngineError) {
    for index in 0..<leaf.count {
      let value = try leaf.value(index, in: snapshot)
      let name = leaf.collectionKey(index)
      switch value {
      case .list where name != 0: values.append(.list(NestedCollection(rootOffset: Int(name))))
      case .dictionary where name != 0: values.append(.dictionary(NestedCollection(rootOffset: Int(name))))
      default:
        values.append(value)
        continue
      }
      inner[name] = value
    }
  }
}

/// Which collection of an object is meant.
struct CollectionPlace {
  let table: TableKey
  let column: ColumnKey
  let key: ObjectKey
  /// Of the collections on the way into the one that the property holds.
  private(set) var names: [Int64] = []

  func inner(_ name: Int64) -> CollectionPlace {
    var place = self
    place.names.append(name)
    return place
  }
}

extension Snapshot {
  /// What the collection of `property` at `root` holds.
  func content(of property: Property, at root: Ref) throws(EngineError) -> CollectionContent {
    var content = CollectionContent(kind: property.collection)
    if property.collection == .dictionary {
      for entry in try entries(of: property, at: root) { content.keys.append(entry.key) }
      try forEachValueLeaf(of: property, at: root) { leaf throws(EngineError) in
        try content.add(leaf, in: self)
        return true
      }
    } else if property.type == .mixed {
      try content.addElements(root, property.elementLayout, in: self)
    } else {
      try forEachElement(of: property, at: root) { value in
        content.values.append(value)
        return true
      }
    }
    return content
  }

  /// What a collection inside a mixed value holds.
  func content(ofInner value: Value) throws(EngineError) -> CollectionContent {
    switch value {
    case .list(let list):
      var content = CollectionContent(kind: .list)
      if let root = Ref(Int64(list.rootOffset)) {
        try content.addElements(root, .mixedElements, in: self)
      }
      return content
    case .dictionary(let dictionary):
      var content = CollectionContent(kind: .dictionary)
      content.keys = try entries(ofNested: dictionary).map(\.key)
      try forEachValueLeaf(ofNested: dictionary) { leaf throws(EngineError) in
        try content.add(leaf, in: self)
        return true
      }
      return content
    default: return CollectionContent(kind: nil)
    }
  }
}

extension CollectionContent {
  fileprivate mutating func addElements(
    _ root: Ref, _ layout: LeafLayout, in snapshot: Snapshot
  ) throws(EngineError) {
    try snapshot.forEachElementLeaf(root, layout) { leaf throws(EngineError) in
      guard case .mixed(let leaf) = leaf else { return false }
      try add(leaf, in: snapshot)
      return true
    }
  }
}
