// Finds what may differ between two versions of a class, a run of blocks at a time. Layer: Comparison.
// Blocks with the same keys are compared by the bytes of their leaves, which takes as long as reading them; only where these
// differ are rows looked at. Objects are matched by object key; those that another primary key tells apart come back as
// objects of one side, and whoever gets them finds their other half among those of the other side.

/// What one run of blocks gave.
package struct ComparedBlocks: Sendable {
  /// Objects of both sides that may differ.
  package fileprivate(set) var candidates: [(left: ObjectPosition, right: ObjectPosition)] = []
  /// Objects that only one side has under their key, in key order.
  package fileprivate(set) var onlyLeft: [ObjectKey] = []
  package fileprivate(set) var onlyRight: [ObjectKey] = []
  /// How many objects are the same for sure.
  package fileprivate(set) var sameCount = 0
  /// Whether some object key has another primary key on the other side.
  fileprivate(set) var hasOtherIdentity = false

  fileprivate mutating func separate(_ key: ObjectKey) {
    onlyLeft.append(key)
    onlyRight.append(key)
    hasOtherIdentity = true
  }
}

/// Two versions of a class.
package struct TableComparison: Sendable {
  package let compared: ComparedClass
  private let identity: ComparedProperty?
  private let trust: LinkComparability
  /// Objects that own embedded ones which may differ.
  private let dirty: Set<ObjectKey>
  private let left: BlockDirectory
  private let right: BlockDirectory
  private let isOneFile: Bool

  /// Blocks of a run.
  private static let runLength = 32

  init(
    _ compared: ComparedClass, _ trust: LinkComparability, dirty: Set<ObjectKey>, isOneFile: Bool
  ) throws(EngineError) {
    self.compared = compared
    self.trust = trust
    self.dirty = dirty
    self.isOneFile = isOneFile
    identity = compared.identity
    left = try compared.left.directory()
    right = try compared.right.directory()
  }

  /// How many runs there are, at least one.
  package var runCount: Int { max(1, (left.count + Self.runLength - 1) / Self.runLength) }

  /// What one thread needs for itself.
  package final class Worker {
    fileprivate let left: BlockDirectory
    fileprivate let right: BlockDirectory
    fileprivate let trees: TreeEquality

    fileprivate init(_ left: BlockDirectory, _ right: BlockDirectory, isOneFile: Bool) {
      self.left = left
      self.right = right
      trees = TreeEquality(left.snapshot, right.snapshot, isOneFile: isOneFile)
    }

    fileprivate var snapshots: (left: Snapshot, right: Snapshot) { (left.snapshot, right.snapshot) }
  }

  package func makeWorker() -> Worker {
    Worker(left.forOneThread(), right.forOneThread(), isOneFile: isOneFile)
  }

  /// Compares run number `index`.
  package func run(_ index: Int, _ worker: Worker) throws(EngineError) -> ComparedBlocks {
    let bounds = (try lowerBound(index), try lowerBound(index + 1))
    var leftRows = KeyedRows(worker.left, from: min(index * Self.runLength, left.count), below: bounds.1)
    let rightStart = index == 0 || right.count == 0 ? 0 : right.index(holding: ObjectKey(bounds.0), from: 0)
    var rightRows = KeyedRows(worker.right, from: rightStart, below: bounds.1)
    try leftRows.open()
    try rightRows.open(skippingBelow: index == 0 ? .min : bounds.0)
    var result = ComparedBlocks()
    while let leftBlock = leftRows.block, let rightBlock = rightRows.block {
      let pairs = KeyedRows.match(&leftRows, &rightRows, &result.onlyLeft, &result.onlyRight)
      try compare(leftBlock, rightBlock, pairs, worker, &result)
      try leftRows.openIfEnded()
      try rightRows.openIfEnded()
    }
    try leftRows.takeRest(&result.onlyLeft)
    try rightRows.takeRest(&result.onlyRight)
    return result
  }

  /// The first key that belongs to run number `index` or a later one.
  private func lowerBound(_ index: Int) throws(EngineError) -> Int64 {
    guard index > 0 else { return .min }
    var number = index * Self.runLength
    while number < left.count {
      let place = try left.place(number)
      if place.count > 0 { return place.key(0).value }
      number += 1
    }
    return .max
  }

  private func compare(
    _ leftBlock: RowBlock, _ rightBlock: RowBlock, _ matched: MatchedRows, _ worker: Worker,
    _ result: inout ComparedBlocks
  ) throws(EngineError) {
    var pairs = matched
    if let identity, !pairs.isEmpty,
      try !hasEqualBytes(identity, leftBlock, rightBlock, pairs, worker)
    {
      let differing = try differing(identity, leftBlock, rightBlock, pairs, worker)
      for index in differing { result.separate(leftBlock.key(pairs.left(index))) }
      pairs.remove(differing)
    }
    var candidates = Set<Int>()
    if !dirty.isEmpty {
      for index in 0..<pairs.count where dirty.contains(leftBlock.key(pairs.left(index))) {
        candidates.insert(index)
      }
    }
    for property in compared.properties {
      if try hasEqualBytes(property, leftBlock, rightBlock, pairs, worker) { continue }
      candidates.formUnion(try differing(property, leftBlock, rightBlock, pairs, worker))
    }
    for index in candidates.sorted() {
      result.candidates.append(
        (
          ObjectPosition(block: leftBlock, row: pairs.left(index)),
          ObjectPosition(block: rightBlock, row: pairs.right(index))
        ))
    }
    result.sameCount += pairs.count - candidates.count
  }

  /// Whether all rows of two blocks have the same values of a property because their leaves have the same bytes.
  private func hasEqualBytes(
    _ property: ComparedProperty, _ leftBlock: RowBlock, _ rightBlock: RowBlock, _ pairs: MatchedRows,
    _ worker: Worker
  ) throws(EngineError) -> Bool {
    guard pairs.isWhole, let leftProperty = property.left, trust.trustsBytes(property),
      case .cluster(let leftCluster) = leftBlock.place, case .cluster(let rightCluster) = rightBlock.place
    else { return false }
    return try worker.trees.isEqual(
      try leftCluster.requiredLeafRef(leftProperty.columnKey.leafIndex),
      try rightCluster.requiredLeafRef(property.right.columnKey.leafIndex))
  }

  /// The pairs whose values of a property may differ.
  private func differing(
    _ property: ComparedProperty, _ leftBlock: RowBlock, _ rightBlock: RowBlock, _ pairs: MatchedRows,
    _ worker: Worker
  ) throws(EngineError) -> [Int] {
    var differing: [Int] = []
    let rightLeaf = try rightBlock.leaf(property.right)
    guard let leftProperty = property.left else {
      for index in 0..<pairs.count
      where try !LinkComparability.isDefault(
        rightLeaf, pairs.right(index), of: property.right, in: worker.right.snapshot)
      {
        differing.append(index)
      }
      return differing
    }
    let leftLeaf = try leftBlock.leaf(leftProperty)
    let snapshots = worker.snapshots
    for index in 0..<pairs.count
    where try !trust.isEqual(
      property, leftLeaf, pairs.left(index), rightLeaf, pairs.right(index), worker.trees, in: snapshots)
    {
      differing.append(index)
    }
    return differing
  }
}
