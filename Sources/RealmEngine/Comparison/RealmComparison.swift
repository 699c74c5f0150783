// Two realms, prepared for comparing class by class: which links can be trusted, and whose embedded objects may differ.
// Layer: Comparison.

import Synchronization

/// Two versions of realms whose classes are compared.
package struct RealmComparison: Sendable {
  private let classes: [ComparedClass]
  private let trust: LinkComparability
  /// By the name of the class.
  private let dirty: [String: Set<ObjectKey>]
  private let isOneFile: Bool

  /// `classes`: all that both sides have, embedded ones too. `isOneFile`: both are versions of one file, read from the
  /// same bytes.
  package init(
    left: ReadTransaction, right: ReadTransaction, classes: [ComparedClass], isOneFile: Bool
  ) throws(EngineError) {
    self.classes = classes
    self.isOneFile = isOneFile
    var targets: Set<TableKey> = []
    let nothing = LinkComparability(left, right, targets: [])
    for compared in classes {
      if compared.hasIdentity, try !Self.hasSameIdentities(compared, nothing, isOneFile) { continue }
      targets.insert(compared.right.schema.tableKey)
    }
    trust = LinkComparability(left, right, targets: targets)
    var owners = ComparedOwners(left, right)
    for compared in classes where compared.right.schema.kind == .embedded {
      let comparison = try TableComparison(compared, trust, dirty: [], isOneFile: isOneFile)
      try comparison.forEachRun { run throws(EngineError) in
        let (leftTable, rightTable) = (compared.left.schema.tableKey, compared.right.schema.tableKey)
        let keys = run.candidates.map(\.left.key)
        try owners.add(keys + run.onlyLeft, of: leftTable, isLeft: true)
        try owners.add(keys + run.onlyRight, of: rightTable, isLeft: false)
        return true
      }
    }
    dirty = owners.keys
  }

  package func table(_ compared: ComparedClass) throws(EngineError) -> TableComparison {
    try TableComparison(compared, trust, dirty: dirty[compared.name] ?? [], isOneFile: isOneFile)
  }

  /// Whether each object key has the same primary key on both sides, where both have it.
  private static func hasSameIdentities(
    _ compared: ComparedClass, _ trust: LinkComparability, _ isOneFile: Bool
  ) throws(EngineError) -> Bool {
    let keysOnly = ComparedClass(
      left: compared.left, right: compared.right, properties: [], hasIdentity: compared.hasIdentity)
    var isSame = true
    try TableComparison(keysOnly, trust, dirty: [], isOneFile: isOneFile).forEachRun {
      run throws(EngineError) in
      if run.hasOtherIdentity { isSame = false }
      return isSame
    }
    return isSame
  }
}

extension TableComparison {
  /// Runs that are compared before the first of them is handed on.
  private static let runsAhead = 64

  /// Calls `body` with what each run gave, in order, until it returns false.
  fileprivate func forEachRun(
    _ body: (ComparedBlocks) throws(EngineError) -> Bool
  ) throws(EngineError) {
    try forEachRun(
      { () }, { (run: ComparedBlocks, _: ()) throws(EngineError) -> ComparedBlocks in run }, body)
  }

  /// Calls `body` with what `make` made of each run, in order, until it returns false. `make` runs on several threads, each with
  /// what `makeOwn` made for it.
  package func forEachRun<Own, Made: Sendable>(
    _ makeOwn: @escaping @Sendable () -> Own,
    _ make: @escaping @Sendable (ComparedBlocks, Own) throws(EngineError) -> Made,
    _ body: (Made) throws(EngineError) -> Bool
  ) throws(EngineError) {
    var first = 0
    while first < runCount {
      let runs = first..<min(first + Self.runsAhead, runCount)
      let isWanted = try ParallelWork.forEachMade(
        of: runs, workers: ParallelWork.workerCount,
        { () -> (Worker, Own) in
          (makeWorker(), makeOwn())
        },
        { (index, own) throws(EngineError) -> Made? in try make(try run(index, own.0), own.1) }, body)
      guard isWanted else { return }
      first = runs.upperBound
    }
  }
}
