// Conditions on one column of numbers, ready to run.
// Layer: Query, Run, Scanning.
// Nothing here counts references to what threads share, but to large sets: a leaf of such numbers is tested in less time
// than a few counts take then.

extension NumberPredicate {
  /// Nil for conditions of other kinds.
  init?(_ condition: PlannedCondition) {
    switch condition {
    case .column(_, let test): self = test
    case .links(_, let keys, let acceptsNull): self = .links(keys.set, acceptsNull: acceptsNull)
    case .isNull(let property) where property.type == .object: self = .nullLinks
    default: return nil
    }
  }

  /// The same test with objects of its own, for one of several threads.
  func forOneThread() -> NumberPredicate {
    switch self {
    case .integerSet(let members, let acceptsNull):
      .integerSet(members.forOneThread(), acceptsNull: acceptsNull)
    case .dateSet(let members, let acceptsNull): .dateSet(members.forOneThread(), acceptsNull: acceptsNull)
    case .links(let keys, let acceptsNull): .links(keys.forOneThread(), acceptsNull: acceptsNull)
    case .floats(let test): .floats(test.forOneThread())
    case .doubles(let test): .doubles(test.forOneThread())
    default: self
    }
  }

  /// Marks the elements of `leaf` that meet the test. False: the leaf holds other values.
  func mark(_ leaf: Leaf, scratch: SelectionMask, into mask: SelectionMask) -> Bool {
    switch (self, leaf) {
    case (.integers(let test, let acceptsNull), .integers(let leaf)):
      leaf.mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case (.integerSet(let members, let acceptsNull), .integers(let leaf)):
      leaf.mark(members, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case (.bools(let acceptsFalse, let acceptsTrue, let acceptsNull), .bools(let leaf)):
      leaf.mark(acceptsFalse: acceptsFalse, acceptsTrue: acceptsTrue, acceptsNull: acceptsNull, into: mask)
    case (.floats(let test), .floats(let leaf)): leaf.mark(test, into: mask)
    case (.doubles(let test), .doubles(let leaf)): leaf.mark(test, into: mask)
    case (.dates(let test, let acceptsNull), .dates(let leaf)):
      leaf.mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case (.dateSet(let members, let acceptsNull), .dates(let leaf)):
      members.mark(leaf, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case (.links(let keys, let acceptsNull), .links(let leaf)):
      leaf.mark(keys.keys, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case (.nullLinks, .links(let leaf)): leaf.markNulls(into: mask)
    default: return false
    }
    return true
  }
}

/// Such a condition on one column. One belongs to one thread; it is an object so that a test, which is long, is not
/// copied for each leaf.
final class NumberColumnTest {
  private let test: NumberPredicate
  private let leafIndex: Int
  private let isNullable: Bool
  private let scratch = SelectionMask()

  /// Nil for conditions of other kinds.
  init?(_ condition: PlannedCondition) {
    guard let test = NumberPredicate(condition), let property = condition.firstProperty,
      property.collection == nil
    else { return nil }
    self.test = test.forOneThread()
    leafIndex = property.columnKey.leafIndex
    isNullable = property.layout.isNullable
  }

  /// Marks the rows of a cluster that meet the test.
  func mark(_ cluster: Cluster, in snapshot: Snapshot, into mask: SelectionMask) throws(EngineError) {
    let node = try snapshot.node(try cluster.requiredLeafRef(leafIndex))
    switch test {
    case .integers(let test, let acceptsNull):
      try snapshot.integerLeaf(node, isNullable: isNullable)
        .mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case .integerSet(let members, let acceptsNull):
      try snapshot.integerLeaf(node, isNullable: isNullable)
        .mark(members, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case .bools(let acceptsFalse, let acceptsTrue, let acceptsNull):
      try snapshot.boolLeaf(node)
        .mark(acceptsFalse: acceptsFalse, acceptsTrue: acceptsTrue, acceptsNull: acceptsNull, into: mask)
    case .floats(let test): try FloatLeaf(node, isNullable: isNullable).mark(test, into: mask)
    case .doubles(let test): try DoubleLeaf(node, isNullable: isNullable).mark(test, into: mask)
    case .dates(let test, let acceptsNull):
      try snapshot.dateLeaf(node).mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case .dateSet(let members, let acceptsNull):
      members.mark(try snapshot.dateLeaf(node), acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case .links(let keys, let acceptsNull):
      try snapshot.linkLeaf(node)
        .mark(keys.keys, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    case .nullLinks: try snapshot.linkLeaf(node).markNulls(into: mask)
    }
    guard mask.count == cluster.count else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "\(cluster.count) values", found: "\(mask.count)")
    }
  }
}
