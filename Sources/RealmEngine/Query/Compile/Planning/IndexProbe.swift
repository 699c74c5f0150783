// Exact answers from search indexes. Layer: Query, Compile, Planning.
// An index narrows a value down to candidates; here their values are compared, as seldom as its order allows.

/// Looks up values of one indexed property.
struct IndexProbe {
  private let table: Table
  private let property: Property
  private let index: SearchIndex

  static let alternativesMax = 100

  /// Nil where the property has no index that finds single values.
  init?(_ property: Property, of table: Table) {
    guard property.index == .general, property.collection == nil, let root = property.indexRef,
      [.int, .bool, .string, .date, .objectID, .uuid].contains(property.type)
    else { return nil }
    self.table = table
    self.property = property
    index = SearchIndex(root, in: table.snapshot)
  }

  /// Whether the index can be asked for `constant`: it knows values by the bytes of the property's own type.
  func knows(_ constant: Value) -> Bool {
    constant == .null
      ? property.isOptional
      : constant.type == property.type && PropertyDefinition.canIndex(property.type, nil, .general)
  }

  /// Whether the index can be asked for each of `constants`, which must not be many.
  func knows(all constants: [Value]) -> Bool {
    constants.count <= Self.alternativesMax && constants.allSatisfy(knows)
  }

  /// The objects whose property equals `constant`. Cost: a few nodes, and one step a key only where the index files
  /// other values under the same bytes.
  func hits(_ constant: Value) throws(EngineError) -> IndexHits {
    guard let found = try index.find(IndexData(constant)) else { return .empty }
    return try hits(found) { $0 == constant }
  }

  /// The objects whose text is `needle` in any case. Cost: as for each way to write it that occurs.
  func hits(inAnyCase needle: SearchTerm) throws(EngineError) -> IndexHits {
    let alternatives = try index.find(inAnyCase: needle).map { found throws(EngineError) in
      try hits(found) { if case .string(let text) = $0 { needle.equals(text.bytes) } else { false } }
    }
    return try alternatives.count == 1 ? alternatives[0] : IndexHits(anyOf: alternatives)
  }

  /// Those of the objects found whose values are wanted. Equal values are all wanted, or none.
  private func hits(
    _ found: SearchIndex.Found, _ isWanted: (Value) -> Bool
  ) throws(EngineError) -> IndexHits {
    switch found.entry {
    case .subindex: return .empty
    case .one(let key): return try value(key).map(isWanted) ?? false ? IndexHits(key) : .empty
    case .list(let ref):
      let list = try KeyList(ref, in: table.snapshot)
      guard let first = try list.first else { return .empty }
      // A list is ordered by value, then by key: between two objects with a value all have it.
      if let value = try value(first), try found.isOneValue ? true : lastValue(list) == value {
        return isWanted(value) ? IndexHits(count: list.count, list: ref, of: index) : .empty
      }
      var keys: [ObjectKey] = []
      for key in try index.keys(inList: ref) where try value(key).map(isWanted) ?? false { keys.append(key) }
      return IndexHits(keys.sorted())
    }
  }

  /// The objects whose property equals any of `constants`.
  func hits(anyOf constants: [Value]) throws(EngineError) -> IndexHits {
    if constants.count == 1 { return try hits(constants[0]) }
    return try IndexHits(anyOf: try constants.map { constant throws(EngineError) in try hits(constant) })
  }

  private func lastValue(_ list: KeyList) throws(EngineError) -> Value? {
    guard let last = try list.last else { return nil }
    return try value(last)
  }

  /// Nil where there is no such object.
  private func value(_ key: ObjectKey) throws(EngineError) -> Value? {
    guard let position = try table.find(key) else { return nil }
    return try position.block.leaf(property).value(position.row, in: table.snapshot)
  }
}
