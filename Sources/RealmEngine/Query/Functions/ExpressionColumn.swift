// What an expression gives for a run of objects. Layer: Query.

/// One result an object. Texts in it may end with the evaluator's next block.
package enum ExpressionColumn {
  /// The same value for all.
  case repeated(Value, count: Int)
  case values([Value])
  /// Lists; nil for a null in place of one.
  case lists([[Value]?])

  package var count: Int {
    switch self {
    case .repeated(_, let count): count
    case .values(let values): values.count
    case .lists(let lists): lists.count
    }
  }

  /// The single value at `index`. Throws where there is a list.
  package func value(_ index: Int) throws(EngineError) -> Value {
    switch self {
    case .repeated(let value, _): return value
    case .values(let values): return values[index]
    case .lists(let lists):
      guard lists[index] != nil else { return .null }
      throw EngineError(.constraint, "several values where one is needed")
    }
  }

  /// The list at `index`; nil for null. Throws where there is a single value.
  package func list(_ index: Int) throws(EngineError) -> [Value]? {
    if case .lists(let lists) = self { return lists[index] }
    let value = try value(index)
    guard value == .null else { throw EngineError(.constraint, "one value where a list is needed") }
    return nil
  }

  package var isList: Bool { if case .lists = self { true } else { false } }
}
