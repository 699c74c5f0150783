// Evaluates a planned condition over one block of rows into a mask. Layer: Query, Run, Scanning.
// One evaluator belongs to one thread: it keeps scratch masks and what it learnt about selectivity from block to
// block. Invariant: `and` and `or` give the same rows in whatever order their parts are asked.

/// Answers a condition block by block.
final class BlockEvaluator {
  private let snapshot: Snapshot
  private let blocks: BlockDirectory
  private let table: Table
  private let realm: ReadTransaction
  /// Answers what no kernel knows.
  private let rowEvaluator: RowEvaluator
  private let root: Node
  private let marker: LeafFilter
  private let collectionMarker: CollectionFilter
  private let dictionaryMarker: DictionaryFilter
  private let numbers: NumberEvaluator
  private let values: ValueFilter

  init(
    _ condition: PlannedCondition, over blocks: BlockDirectory, of table: Table, in realm: ReadTransaction
  ) {
    self.realm = realm
    snapshot = blocks.snapshot
    self.blocks = blocks
    self.table = table
    rowEvaluator = RowEvaluator(realm)
    marker = LeafFilter(snapshot)
    collectionMarker = CollectionFilter(snapshot, marker)
    dictionaryMarker = DictionaryFilter(snapshot)
    numbers = NumberEvaluator(snapshot)
    values = ValueFilter(snapshot)
    root = Node(condition)
  }

  /// Marks the rows of the block at `place` that meet the condition.
  func evaluate(_ place: BlockPlace, into mask: SelectionMask) throws(EngineError) {
    try evaluate(root, place, into: mask)
  }

  /// Answers a computed comparison for rows of a block.
  private func mark(
    _ node: Node, _ comparison: BoundComparison, _ block: RowBlock, _ rows: [Int], into mask: SelectionMask
  ) throws(EngineError) {
    // Made here, as it may fail, and only where it is asked.
    if node.computed == nil { node.computed = ComputedFilter(comparison, of: table, in: realm) }
    try node.computed?.mark(block, rows) { row, isMet in mask[row] = isMet }
  }

  private func matches(_ predicate: BoundPredicate, _ block: RowBlock, _ row: Int) throws(EngineError) -> Bool
  {
    try rowEvaluator.matches(predicate, in: table, at: ObjectPosition(block: block, row: row))
  }

  /// A condition with what was measured about it.
  private final class Node {
    let condition: PlannedCondition
    let kind: Kind
    /// Of kind `number`.
    let columnTest: NumberColumnTest?
    var parts: [Node]
    let textScratch = TextTestScratch()
    var computed: ComputedFilter?
    var linkedValues: LinkedValueFilter?
    /// Two masks of its own for its parts' answers.
    lazy var partMask = SelectionMask()
    var rowsAsked = 0
    var rowsAccepted = 0
    var blocksSeen = 0

    /// What to do about the condition, told without reading it: it is shared between threads, and counting the
    /// references to it takes longer than a kernel.
    enum Kind {
      case and, or, not, number, other
    }

    init(_ condition: PlannedCondition) {
      if case .numbers(let comparison) = condition {
        self.condition = .numbers(comparison.forOneThread())
      } else {
        self.condition = condition
      }
      let test = NumberColumnTest(condition)
      columnTest = test
      switch condition {
      case .and(let conditions):
        kind = .and
        parts = conditions.map(Node.init)
      case .or(let conditions):
        kind = .or
        parts = conditions.map(Node.init)
      case .not(let condition):
        kind = .not
        parts = [Node(condition)]
      default:
        kind = test == nil ? .other : .number
        parts = []
      }
    }

    /// Rows asked in vain for each unit of cost: the higher, the earlier an `and` should ask.
    func rank(rejecting: Bool) -> Double {
      let accepted = (Double(rowsAccepted) + 1) / (Double(rowsAsked) + 2)
      return (rejecting ? 1 - accepted : accepted) / max(condition.cost, 0.1)
    }
  }

  private static let blocksBetweenReordering = 64
  /// Below this share of a block's rows, asking the rest row by row is cheaper than a kernel.
  private static let sparseShare = 16

  private func evaluate(_ node: Node, _ place: BlockPlace, into mask: SelectionMask) throws(EngineError) {
    switch node.kind {
    case .and: try evaluateAnd(node, place, into: mask)
    case .or: try evaluateOr(node, place, into: mask)
    case .not:
      try evaluate(node.parts[0], place, into: mask)
      mask.invert()
    case .number:
      guard case .cluster(let cluster) = place else {
        return try evaluateLeaf(node, blocks.block(place), into: mask)
      }
      // Bound to a name, the test would be counted once more for each block.
      try node.columnTest?.mark(cluster, in: snapshot, into: mask)
    case .other: try evaluateLeaf(node, blocks.block(place), into: mask)
    }
  }

  private func evaluateAnd(_ node: Node, _ place: BlockPlace, into mask: SelectionMask) throws(EngineError) {
    reorder(node, rejecting: true)
    mask.fill(true, count: place.count)
    var remaining = place.count
    for (index, part) in node.parts.enumerated() where remaining > 0 {
      part.rowsAsked += remaining
      if index == 0 {
        try evaluate(part, place, into: mask)
      } else if case .rows(let predicate) = part.condition {
        let block = blocks.block(place)
        try mask.filter { row throws(EngineError) in try matches(predicate, block, row) }
      } else if case .computed(let comparison) = part.condition {
        let block = blocks.block(place)
        try mark(part, comparison, block, (0..<block.count).filter { mask[$0] }, into: mask)
      } else if remaining * Self.sparseShare < place.count,
        try filterSparsely(part, blocks.block(place), mask)
      {
        // The few rows that were left have been asked one by one.
      } else {
        try evaluate(part, place, into: node.partMask)
        mask.formIntersection(node.partMask)
      }
      remaining = mask.population
      part.rowsAccepted += remaining
    }
  }

  private func evaluateOr(_ node: Node, _ place: BlockPlace, into mask: SelectionMask) throws(EngineError) {
    reorder(node, rejecting: false)
    mask.fill(false, count: place.count)
    var accepted = 0
    for part in node.parts where accepted < place.count {
      part.rowsAsked += place.count - accepted
      if case .rows(let predicate) = part.condition {
        let block = blocks.block(place)
        for row in 0..<block.count where !mask[row] {
          if try matches(predicate, block, row) { mask[row] = true }
        }
      } else if case .computed(let comparison) = part.condition {
        let block = blocks.block(place)
        try mark(part, comparison, block, (0..<block.count).filter { !mask[$0] }, into: mask)
      } else {
        try evaluate(part, place, into: node.partMask)
        mask.formUnion(node.partMask)
      }
      let now = mask.population
      part.rowsAccepted += now - accepted
      accepted = now
    }
  }

  private func reorder(_ node: Node, rejecting: Bool) {
    node.blocksSeen += 1
    // Early once, when the guess meets the data, then now and then.
    guard node.blocksSeen == 4 || node.blocksSeen % Self.blocksBetweenReordering == 0 else { return }
    let ranked = node.parts.map { ($0.rank(rejecting: rejecting), $0) }
    node.parts = ranked.enumerated()
      .sorted { left, right in
        left.element.0 != right.element.0 ? left.element.0 > right.element.0 : left.offset < right.offset
      }
      .map { $0.element.1 }
  }

  /// Asks the few rows that are still in about a text or number, without a kernel. False: not done.
  private func filterSparsely(_ node: Node, _ block: RowBlock, _ mask: SelectionMask) throws(EngineError)
    -> Bool
  {
    switch node.condition {
    case .texts(let property, let test):
      guard case .strings(let leaf) = try block.leaf(property) else { return false }
      if case .enumerated = leaf { return false }
      try mask.filter { row throws(EngineError) in
        try leaf.bytes(row, in: snapshot).map { test.accepts($0.bytes) } ?? test.acceptsNull
      }
      return true
    case .column(let property, .dates(let test, let acceptsNull)):
      guard case .dates(let leaf) = try block.leaf(property) else { return false }
      mask.filter { row in leaf[row].map(test.accepts) ?? acceptsNull }
      return true
    default: return false
    }
  }

  private func evaluateLeaf(_ node: Node, _ block: RowBlock, into mask: SelectionMask) throws(EngineError) {
    switch node.condition {
    case .constant(let isTrue): mask.fill(isTrue, count: block.count)
    case .rows(let predicate):
      mask.resize(block.count)
      for row in 0..<block.count { mask[row] = try matches(predicate, block, row) }
    case .computed(let comparison):
      mask.resize(block.count)
      try mark(node, comparison, block, Array(0..<block.count), into: mask)
    case .anyElement(let property, .all, let condition):
      try collectionMarker.markAnyElement(
        property, condition, block, textScratch: node.textScratch, into: mask)
    case .anyElement(let property, let choice, let condition):
      try collectionMarker.markElement(
        choice, of: property, condition, block, textScratch: node.textScratch, into: mask)
    case .anyLinked(let property, let keys):
      try collectionMarker.markAnyLinked(property, keys.set, block, into: mask)
    case .anyIncoming(let column, let keys):
      try collectionMarker.markAnyIncoming(column, keys.set, block, into: mask)
    case .elementCount(let property, let test):
      try collectionMarker.markCounts(property, test, block, into: mask)
    case .incomingCount(let columns, let test):
      try collectionMarker.markIncomingCounts(columns, test, block, into: mask)
    case .entries(let condition): try dictionaryMarker.mark(condition, block, into: mask)
    case .numbers(let comparison): try numbers.mark(comparison, block, into: mask)
    case .values(let comparison): try values.mark(comparison, block, into: mask)
    case .linkedValues(let comparison):
      if node.linkedValues == nil { node.linkedValues = LinkedValueFilter(comparison, snapshot, in: realm) }
      try node.linkedValues?.mark(block, into: mask)
    case .keys(let keys):
      mask.resize(block.count)
      for row in 0..<block.count { mask[row] = keys.contains(block.key(row).value) }
    case .and, .or, .not: preconditionFailure("composed conditions are evaluated by their parts")
    default:
      guard let property = node.condition.firstProperty else {
        preconditionFailure("kernels read one property")
      }
      try marker.mark(node.condition, try block.leaf(property), textScratch: node.textScratch, into: mask)
    }
  }
}
