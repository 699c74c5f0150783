// Exact answers from search indexes. Layer: Query.
// An index narrows a value down to candidates; here their values are compared, as seldom as its order allows.

/// Looks up values of one indexed property.
struct IndexProbe {
  private let table: Table
  private let property: Property
  private let index: SearchIndex

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
    switch (property.type, constant) {
    case (_, .null): property.isOptional
    case (.int, .int), (.bool, .bool), (.string, .string), (.date, .date), (.objectID, .objectID),
      (.uuid, .uuid):
      true
    default: false
    }
  }

  /// The keys of the objects whose property equals `constant`, ascending. Cost: a few nodes and one step a key.
  func keys(_ constant: Value) throws(EngineError) -> [ObjectKey] {
    let candidates = try index.candidates(constant)
    guard let first = candidates.first, let last = candidates.last else { return [] }
    // A list is ordered by value, then by key: between two objects with the value all have it.
    let isFirst = try has(constant, first)
    let isLast = first == last ? isFirst : try has(constant, last)
    if isFirst && isLast {
      return candidates.isSorted ? candidates : candidates.sorted()
    }
    var keys: [ObjectKey] = []
    for candidate in candidates where try has(constant, candidate) { keys.append(candidate) }
    return keys.sorted()
  }

  private func has(_ constant: Value, _ key: ObjectKey) throws(EngineError) -> Bool {
    guard let position = try table.find(key) else { return false }
    return try position.block.leaf(property).value(position.row, in: table.snapshot) == constant
  }
}

extension Array where Element: Comparable {
  fileprivate var isSorted: Bool {
    for index in indices.dropFirst() where self[index] < self[index - 1] { return false }
    return true
  }
}
