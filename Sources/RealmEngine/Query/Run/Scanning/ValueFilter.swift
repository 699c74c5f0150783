// Conditions that no kernel of one type knows: values are compared one by one, but their leaf is opened once a block.
// Layer: Query, Run, Scanning. Texts, dates, identifiers and booleans are compared where they stand.

/// Marks rows by comparing their values.
final class ValueFilter {
  private let snapshot: Snapshot
  private let keys = (ShortTextKeys(), ShortTextKeys())
  private let seconds = (NumberVector(), NumberVector())

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Marks the values of `leaf` that pass a test of `condition`'s property.
  func mark(_ condition: PropertyCondition, _ leaf: Leaf, into mask: SelectionMask) throws(EngineError) {
    let property = condition.property
    mask.resize(leaf.count)
    if case .compare(let relation, .string(let text)) = condition.test, relation.folding != .none,
      case .strings(let leaf) = leaf
    {
      let matcher = TextMatcher(relation, text.bytes)
      for row in 0..<leaf.count {
        let value = try leaf.bytes(row, in: snapshot)
        mask[row] = value.map { matcher.matches($0.bytes) } ?? (relation.kind == .notEqual)
      }
      return
    }
    if case .compare(let relation, .decimal(let wanted)) = condition.test, !wanted.isNaN,
      let comparison = relation.comparison, case .decimals(let leaf) = leaf
    {
      return mask.mark(leaf.count) { row in
        guard let number = leaf[row], !number.isNaN else { return comparison == .notEqual }
        return comparison.holds(order: number.compare(to: wanted))
      }
    }
    for row in 0..<leaf.count {
      let value = try leaf.value(row, in: snapshot, target: property.target)
      mask[row] = condition.test.holds(value, property)
    }
  }

  /// Marks the rows of `block` of which two values relate so.
  func mark(_ comparison: ValueComparison, _ block: RowBlock, into mask: SelectionMask) throws(EngineError) {
    mask.resize(block.count)
    guard case .property(let left) = comparison.left, case .property(let right) = comparison.right else {
      return try markWithConstant(comparison, block, mask)
    }
    let relation = comparison.relation
    let plain = relation.folding == .none ? relation.comparison : nil
    let (leaf, other) = (try block.leaf(left), try block.leaf(right))
    switch (leaf, other, plain) {
    case (.strings(let leaf), .strings(let other), let plain?)
    where leaf.loadKeys(into: keys.0) && other.loadKeys(into: keys.1):
      keys.0.mark(plain, keys.1, into: mask)
    case (.strings(let leaf), .strings(let other), let plain?):
      try mark(plain, mask) { row throws(EngineError) in
        try leaf.bytes(row, in: snapshot)
      } _: { row throws(EngineError) in
        try other.bytes(row, in: snapshot)
      } order: {
        $0.bytes.compare($1.bytes)
      }
    case (.dates(let leaf), .dates(let other), let plain?)
    where leaf.loadSeconds(into: seconds.0) && other.loadSeconds(into: seconds.1):
      seconds.0.mark(plain, ints: seconds.1, into: mask)
    case (.dates(let leaf), .dates(let other), let plain?):
      mark(plain, mask) {
        leaf[$0]
      } _: {
        other[$0]
      } order: {
        Self.order($0, $1)
      }
    case (.bools(let leaf), .bools(let other), let plain?):
      mark(plain, mask) {
        leaf[$0]
      } _: {
        other[$0]
      } order: {
        ($0 ? 1 : 0) - ($1 ? 1 : 0)
      }
    case (.uuids(let leaf), .uuids(let other), let plain?):
      mark(plain, mask) {
        leaf.uuid($0)
      } _: {
        other.uuid($0)
      } order: {
        Self.order($0, $1)
      }
    case (.objectIDs(let leaf), .objectIDs(let other), let plain?):
      mark(plain, mask) {
        leaf.objectID($0)
      } _: {
        other.objectID($0)
      } order: {
        Self.order($0, $1)
      }
    default:
      for row in 0..<block.count {
        mask[row] = relation.holds(
          try leaf.value(row, in: snapshot, target: left.target),
          try other.value(row, in: snapshot, target: right.target), ordersNaN: comparison.ordersNaN)
      }
    }
  }

  private func markWithConstant(
    _ comparison: ValueComparison, _ block: RowBlock, _ mask: SelectionMask
  ) throws(EngineError) {
    let relation = comparison.relation
    switch (comparison.left, comparison.right) {
    case (.property(let property), .constant(let constant)):
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        mask[row] = relation.holds(try leaf.value(row, in: snapshot, target: property.target), constant)
      }
    case (.constant(let constant), .property(let property)):
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        mask[row] = relation.holds(constant, try leaf.value(row, in: snapshot, target: property.target))
      }
    default: preconditionFailure("a side depends on the row")
    }
  }

  @inline(__always)
  private static func order<Item: Comparable>(_ left: Item, _ right: Item) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  /// Marks rows by the order of two values.
  @inline(__always)
  private func mark<Item, E: Error>(
    _ comparison: ComparisonOperator, _ mask: SelectionMask, _ left: (Int) throws(E) -> Item?,
    _ right: (Int) throws(E) -> Item?, order: (Item, Item) -> Int
  ) throws(E) {
    for row in 0..<mask.count {
      let (left, right) = (try left(row), try right(row))
      guard let left, let right else {
        mask[row] = comparison.holds(areBothNull: left == nil && right == nil)
        continue
      }
      mask[row] = comparison.holds(order: order(left, right))
    }
  }
}
