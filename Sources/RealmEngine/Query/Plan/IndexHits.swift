// What an index answered: objects by their keys. Layer: Query, Plan.

/// Objects that an index names: counted at once, listed when that is needed.
package struct IndexHits: Sendable {
  private enum Source: Sendable {
    case empty
    case one(ObjectKey)
    case keys([ObjectKey])
    case list(Ref, SearchIndex)
  }

  package let count: Int
  private let source: Source

  static let empty = IndexHits(0, .empty)

  init(_ key: ObjectKey) { self.init(1, .one(key)) }

  private init(_ count: Int, _ source: Source) {
    self.count = count
    self.source = source
  }

  /// `keys` ascend.
  init(_ keys: [ObjectKey]) { self.init(keys.count, .keys(keys)) }

  init(count: Int, list: Ref, of index: SearchIndex) { self.init(count, .list(list, index)) }

  /// The objects that any of `alternatives` names. Cost: one step a key.
  init(anyOf alternatives: [IndexHits]) throws(EngineError) {
    var keys: [ObjectKey] = []
    for hits in alternatives { keys += try hits.keys() }
    keys = keys.ascending
    keys.removeRepetitions()
    self.init(keys)
  }

  /// The objects' keys, ascending. Cost: one step a key.
  package func keys() throws(EngineError) -> [ObjectKey] {
    switch source {
    case .empty: return []
    case .one(let key): return [key]
    case .keys(let keys): return keys
    case .list(let ref, let index):
      return try index.keys(inList: ref).ascending
    }
  }
}
