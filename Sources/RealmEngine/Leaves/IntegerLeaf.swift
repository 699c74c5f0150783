// Leaves of whole numbers: int, nullable int, bool, and the links that are numbers too. Layer: Leaves.

/// Integers, with or without nulls.
package struct IntegerLeaf: Sendable {
  package let values: PackedIntegers
  /// The stored number that means null; nil where the leaf has no nulls.
  package let nullSentinel: Int64?

  package var count: Int { values.count }

  init(values: PackedIntegers, nullSentinel: Int64? = nil) {
    self.values = values
    self.nullSentinel = nullSentinel
  }

  /// A leaf whose element 0 is the null sentinel (nullable) or that is all values.
  init(_ node: NodeView, isNullable: Bool) throws(EngineError) {
    let all = node.integers
    guard isNullable else {
      self.init(values: all)
      return
    }
    guard all.count > 0 else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a null sentinel", found: "an empty leaf")
    }
    self.init(values: all.slice(1, all.count - 1), nullSentinel: all[0])
  }

  /// Nil for null.
  package subscript(index: Int) -> Int64? {
    let value = values[index]
    return value == nullSentinel ? nil : value
  }

  func value(_ index: Int) -> Value { self[index].map(Value.int) ?? .null }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> IntegerLeaf {
    IntegerLeaf(values: values.slice(first, length), nullSentinel: nullSentinel)
  }
}

/// Booleans: 0 is false, any other number but the null sentinel is true.
package struct BoolLeaf: Sendable {
  /// The sentinel of formats 10 and later.
  package static let nullPattern: Int64 = 3
  package let values: PackedIntegers
  /// The stored number that means null, before any other meaning it has; nil where the leaf has no nulls.
  package let nullSentinel: Int64?

  package var count: Int { values.count }

  init(values: PackedIntegers, nullSentinel: Int64? = BoolLeaf.nullPattern) {
    self.values = values
    self.nullSentinel = nullSentinel
  }

  /// Nil for null.
  package subscript(index: Int) -> Bool? {
    let value = values[index]
    return value == nullSentinel ? nil : value != 0
  }

  func value(_ index: Int) -> Value { self[index].map(Value.bool) ?? .null }
}

/// To-one links: the target's key plus one, 0 for null. In lists and sets the key itself.
package struct LinkLeaf: Sendable {
  package let values: PackedIntegers
  /// 1 where 0 means null, 0 in collections.
  package let bias: Int64

  package var count: Int { values.count }

  /// The key as stored, unresolved ones included; nil for null.
  package subscript(index: Int) -> ObjectKey? {
    let value = values[index]
    return bias == 1 && value == 0 ? nil : ObjectKey(value &- bias)
  }

  /// The key of an object that exists: links to objects that do not (yet) read as null.
  package func existing(_ index: Int) -> ObjectKey? {
    let value = values[index]
    return value < bias ? nil : ObjectKey(value - bias)
  }
}

/// Links that name their table: pairs of numbers.
package struct TypedLinkLeaf: Sendable {
  let pairs: PackedIntegers

  package var count: Int { pairs.count / 2 }

  init(_ node: NodeView) throws(EngineError) {
    pairs = node.integers
    guard pairs.count % 2 == 0 else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "pairs of numbers", found: "\(pairs.count) numbers")
    }
  }

  /// Nil for null.
  package subscript(index: Int) -> ObjectLink? {
    let table = pairs[2 * index]
    guard table != 0, let key = TableKey(table &- 1) else { return nil }
    return ObjectLink(table: key, key: ObjectKey(pairs[2 * index + 1] &- 1))
  }
}
