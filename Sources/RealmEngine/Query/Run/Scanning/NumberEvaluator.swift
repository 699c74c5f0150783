// Calculates numbers for a block of rows at a time, and compares them. Layer: Query, Run, Scanning.
// Invariant: no value of a row is boxed, and nothing is allocated for a row.

import RealmQueryLanguage

/// Calculates what number expressions say. Belongs to one thread.
final class NumberEvaluator {
  private let snapshot: Snapshot
  /// By how deep the operand stands that is calculated there; parentheses nest to a limit.
  private var blocks: [NumberVector] = []

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Marks the rows of `block` whose numbers relate as `comparison` says.
  func mark(_ comparison: NumberComparison, _ block: RowBlock, into mask: SelectionMask) throws(EngineError) {
    try evaluate(comparison.left, block, at: 0)
    try evaluate(comparison.right, block, at: 1)
    let (left, right) = (blocks[0], blocks[1])
    let (areInts, areOtherInts) = (comparison.left.kind == .int, comparison.right.kind == .int)
    if areInts, areOtherInts { return left.mark(comparison.comparison, ints: right, into: mask) }
    // An integer without a double of its own is not to be rounded before it is compared.
    if areInts, !left.areExactAsDoubles {
      return left.mark(comparison.comparison, right, into: mask) { row in
        Self.order(.int(left.int(row)), .double(right.double(row)), comparison.ordersNaN)
      }
    }
    if areOtherInts, !right.areExactAsDoubles {
      return left.mark(comparison.comparison, right, into: mask) { row in
        Self.order(.double(left.double(row)), .int(right.int(row)), comparison.ordersNaN)
      }
    }
    if areInts { left.convertToDoubles(asFloats: false) }
    if areOtherInts { right.convertToDoubles(asFloats: false) }
    left.mark(comparison.comparison, doubles: right, ordersNaN: comparison.ordersNaN, into: mask)
  }

  private static func order(_ left: Value, _ right: Value, _ ordersNaN: Bool) -> Int? {
    ordersNaN ? left.compareOrderingNaN(to: right) : left.compare(to: right)
  }

  private func numbers(at depth: Int) -> NumberVector {
    while blocks.count <= depth { blocks.append(NumberVector()) }
    return blocks[depth]
  }

  /// What `expression` gives for the rows of `block`, until the next call.
  func numbers(_ expression: NumberExpression, _ block: RowBlock) throws(EngineError) -> NumberVector {
    try evaluate(expression, block, at: 0)
    return blocks[0]
  }

  /// Leaves the numbers in the block at `depth`; deeper ones are overwritten.
  private func evaluate(
    _ expression: NumberExpression, _ block: RowBlock, at depth: Int
  ) throws(EngineError) {
    let target = numbers(at: depth)
    switch expression {
    case .null: target.fillNull(count: block.count)
    case .int(let value): target.fill(value, count: block.count)
    case .float(let value): target.fill(Double(value), count: block.count)
    case .double(let value): target.fill(value, count: block.count)
    case .property(let property):
      guard try block.leaf(property).loadNumbers(into: target) else { throw property.mismatch }
    case .size(let property):
      let leaf = try block.leaf(property)
      if case .mixed(let leaf) = leaf { return try loadSizes(of: leaf, of: property, into: target) }
      guard try leaf.loadSizes(into: target, in: snapshot) else { throw property.mismatch }
    case .elementCount(let property):
      let counter = ElementCounter(property, in: snapshot)
      try forEachList(property, block, target) { row, root throws(EngineError) in
        var count: Int64 = 0
        // Not by a closure, which would copy the counter for each row.
        if let root { count = try counter.count(root) }
        target.set(row, count)
      }
    case .incomingCount(let columns): try countIncoming(columns, block, target)
    case .linkCount(let source, let keys):
      let keys = keys.set
      try forEachLink(of: source, block, target, Int64(0)) { count, key in
        if keys.contains(key) { count += 1 }
      } store: {
        target.set($1, $0)
      }
    case .linked(let property, let numbers):
      guard case .links(let links) = try block.leaf(property) else { throw property.mismatch }
      let numbers = numbers.numbers
      target.resize(block.count)
      for row in 0..<block.count { numbers.store(links[row]?.value, in: target, row) }
    case .aggregate(let function, let property): try aggregate(function, property, block, target)
    case .linkAggregate(let function, let source, let numbers):
      let numbers = numbers.numbers
      try forEachLink(of: source, block, target, ElementSums()) { sums, key in
        sums.add(numbers, of: key)
      } store: {
        $0.store(function, areInts: numbers.kind == .int, target, $1)
      }
    case .arithmetic(let first, let rest):
      try evaluate(first, block, at: depth)
      var kind = first.kind
      for (operation, operand) in rest {
        try evaluate(operand, block, at: depth + 1)
        kind = apply(operation, target, kind, blocks[depth + 1], operand.kind)
      }
    }
  }

  private func loadSizes(
    of leaf: MixedLeaf, of property: Property, into target: NumberVector
  ) throws(EngineError) {
    target.resize(leaf.count)
    for row in 0..<leaf.count {
      if let count = try leaf.byteCount(row, in: snapshot) {
        target.set(row, Int64(count))
      } else if leaf.mayBeCollection(row),
        let count = try snapshot.size(of: try leaf.value(row, in: snapshot, untypedTarget: property.target))
      {
        target.set(row, Int64(count))
      } else {
        target.setNull(row)
      }
    }
  }

  /// `left` becomes the result, of the kind that is returned.
  private func apply(
    _ operation: NumberVector.Operation, _ left: NumberVector, _ leftKind: NumberExpression.Kind,
    _ right: NumberVector, _ rightKind: NumberExpression.Kind
  ) -> NumberExpression.Kind {
    let kind = leftKind.wider(rightKind)
    if kind == .int {
      left.apply(operation, ints: right)
      return kind
    }
    if leftKind == .int { left.convertToDoubles(asFloats: kind == .float) }
    if rightKind == .int { right.convertToDoubles(asFloats: kind == .float) }
    left.apply(operation, doubles: right, asFloats: kind == .float)
    return kind
  }

  private func countIncoming(
    _ columns: [BacklinkColumn], _ block: RowBlock, _ target: NumberVector
  ) throws(EngineError) {
    target.fill(Int64(0), count: block.count)
    for column in columns {
      let origins = try block.backlinks(column)
      for row in 0..<block.count {
        target.set(row, target.int(row) + Int64(try snapshot.originCount(try origins[row])))
      }
    }
  }
}

// MARK: Lists

extension NumberEvaluator {
  /// Calls `body` with each row and its list or set, which may never have been stored.
  @inline(__always)
  private func forEachList(
    _ property: Property, _ block: RowBlock, _ target: NumberVector,
    _ body: (Int, Ref?) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard case .collections(let roots) = try block.leaf(property) else { throw property.mismatch }
    roots.prefetch(in: snapshot)
    target.resize(block.count)
    for row in 0..<block.count { try body(row, try roots.root(row)) }
  }

  /// Adds up something over the links of each row, from `none` on.
  @inline(__always)
  private func forEachLink<Sum>(
    of source: LinkSource, _ block: RowBlock, _ target: NumberVector, _ none: Sum,
    add: (inout Sum, Int64) -> Void, store: (Sum, Int) -> Void
  ) throws(EngineError) {
    switch source {
    case .elements(let property):
      try forEachList(property, block, target) { row, root throws(EngineError) in
        var sum = none
        if let root {
          try snapshot.forEachElementLeaf(root, property.elementLayout) { leaf throws(EngineError) in
            guard case .links(let links) = leaf else { throw property.mismatch }
            for index in 0..<links.count { add(&sum, links.values[index]) }
            return true
          }
        }
        store(sum, row)
      }
    case .incoming(let column):
      let origins = try block.backlinks(column)
      target.resize(block.count)
      for row in 0..<block.count {
        var sum = none
        try snapshot.forEachOrigin(try origins[row]) { key in
          add(&sum, key.value)
          return true
        }
        store(sum, row)
      }
    }
  }

  private func aggregate(
    _ function: Aggregate, _ property: Property, _ block: RowBlock, _ target: NumberVector
  ) throws(EngineError) {
    let layout = property.elementLayout
    let isInteger = property.type == .int
    guard property.collection != .dictionary else {
      return try forEachList(property, block, target) { row, root throws(EngineError) in
        var sums = ElementSums()
        if let root {
          try snapshot.forEachValueLeaf(of: property, at: root) { leaf throws(EngineError) in
            for index in 0..<leaf.count {
              guard sums.add(try leaf.value(index, in: snapshot)) else { throw property.mismatch }
            }
            return true
          }
        }
        sums.store(function, areInts: isInteger, target, row)
      }
    }
    try forEachList(property, block, target) { row, root throws(EngineError) in
      var sums = ElementSums()
      if isInteger, let root, let leaf = try snapshot.onlyIntegerLeaf(root, layout) {
        sums.add(leaf)
      } else if let root {
        try snapshot.forEachElementLeaf(root, layout) { leaf throws(EngineError) in
          guard sums.add(leaf) else { throw property.mismatch }
          return true
        }
      }
      sums.store(function, areInts: isInteger, target, row)
    }
  }
}

/// What aggregates need to know of the elements of one list. Nulls and NaN are passed over.
private struct ElementSums {
  private var count = 0
  private var intSum: Int64 = 0
  private var intLeast = Int64.max
  private var intGreatest = Int64.min
  private var sum = 0.0
  private var least = 0.0
  private var greatest = 0.0

  mutating func add(_ leaf: IntegerLeaf) {
    for index in 0..<leaf.count {
      if let value = leaf[index] { add(value) }
    }
  }

  @inline(__always)
  private mutating func add(_ value: Int64) {
    count += 1
    intSum &+= value
    sum += Double(value)
    intLeast = min(intLeast, value)
    intGreatest = max(intGreatest, value)
  }

  /// Adds the number of the object with `key`, if there is one.
  @inline(__always)
  mutating func add(_ numbers: KeyedNumbers, of key: Int64) {
    guard let word = numbers.word(of: key) else { return }
    if numbers.kind == .int {
      add(Int64(bitPattern: word))
    } else {
      add(Double(bitPattern: word))
    }
  }

  /// False for a leaf of anything but ints, floats and doubles.
  mutating func add(_ leaf: Leaf) -> Bool {
    switch leaf {
    case .integers(let leaf): add(leaf)
    case .floats(let leaf): for index in 0..<leaf.count { add(leaf[index].map(Double.init)) }
    case .doubles(let leaf): for index in 0..<leaf.count { add(leaf[index]) }
    default: return false
    }
    return true
  }

  /// False for what is no int, float or double.
  mutating func add(_ value: Value) -> Bool {
    switch value {
    case .int(let value): add(value)
    case .float(let value): add(Double(value))
    case .double(let value): add(value)
    case .null: break
    default: return false
    }
    return true
  }

  private mutating func add(_ value: Double?) {
    guard let value, !value.isNaN else { return }
    if count == 0 || value < least { least = value }
    if count == 0 || value > greatest { greatest = value }
    count += 1
    sum += value
  }

  func store(_ function: Aggregate, areInts: Bool, _ target: NumberVector, _ row: Int) {
    guard count > 0 || function == .sum else { return target.setNull(row) }
    switch function {
    case .avg: target.set(row, sum / Double(count))
    case .min: areInts ? target.set(row, intLeast) : target.set(row, least)
    case .max: areInts ? target.set(row, intGreatest) : target.set(row, greatest)
    case .sum: areInts ? target.set(row, intSum) : target.set(row, sum)
    }
  }
}
