// The parts of an inspection that all threads help with: objects of large tables, and large indexes. Layer: RealmInspection.
// They only tell whether all is well. Where it is not, or cannot be told, one thread inspects the whole file again and says what is
// wrong, in the order of the file: what is said does not depend on threads. Invariant: each thread has an inspection of its own,
// made from the same bytes; all claim nodes in one map.

import RealmFiles
import Synchronization

/// What a thread needs to join an inspection.
struct SharedInspection: Sendable {
  private let image: FileImage
  private let limit: Int
  private let format: Int
  private let coverage: CoverageMap
  private let top: RawNode
  private let workers: Int

  /// Tables of fewer objects are not worth other threads.
  static let objectCountMin = 20_000

  /// Of the inspection that walks down from `top`.
  init(_ walk: Walk, _ coverage: CoverageMap, _ top: RawNode, workers: Int) {
    (image, limit, format) = (walk.image, walk.limit, walk.format)
    self.coverage = coverage
    self.top = top
    self.workers = workers
  }

  /// Whether the tree of objects at `root` says that it is worth other threads.
  static func isLarge(_ root: RawNode) -> Bool {
    guard root.isInner, case .tagged(let count) = root.slot(Walk.clusterTotalSlot) else { return false }
    return count >= objectCountMin
  }

  // MARK: What a thread has for itself

  /// A walk that claims with all others. What it finds is only counted.
  func claimingWalk() -> Walk { walk(coverage, FindingLog(perKindMax: 1)) }

  /// A walk that claims and reports nothing.
  func peekingWalk() -> Walk {
    let walk = walk(nil, nil)
    // Without marks of nodes a walk may go in circles.
    walk.remainingCount = limit / RawHeader.size
    return walk
  }

  private func walk(_ coverage: CoverageMap?, _ log: FindingLog?) -> Walk {
    Walk(
      image: image.forOneThread(), limit: limit, format: format, names: PlaceNames(), coverage: coverage,
      log: log)
  }

  /// An inspection that knows the tables and has met no object.
  func branch() -> SnapshotInspection {
    let branch = SnapshotInspection(peekingWalk())
    branch.open(top)
    branch.walk = claimingWalk()
    return branch
  }

  // MARK: Threads

  /// Does `count` pieces of work on several threads, each with something of its own. False: a piece returned false, and not all
  /// were done.
  func all<Own>(
    _ count: Int, own begin: @escaping @Sendable () -> Own,
    piece: @escaping @Sendable (Int, Own) -> Bool
  ) -> Bool {
    do throws(EngineError) {
      try ParallelWork.forEach(0..<count, workers: workers, begin) {
        number, own throws(EngineError) in
        guard piece(number, own) else { throw EngineError(.damaged, "one thread must report what is wrong") }
      }
      return true
    } catch {
      return false
    }
  }
}

/// What an inspection sums up as it meets objects, in whatever order.
struct InspectionSums: Sendable {
  var statistics = InspectionStatistics()
  var relations: [LedgerRelation] = []
  var ownership = OwnershipChains()
  var primaryKeyHashes: [UInt64] = []
}

extension SnapshotInspection {
  private static let clustersPerPiece = 32

  /// Inspects the clusters of a table with the help of other threads.
  func inspect(_ clusters: [RawCluster], of table: RawTable, _ shared: SharedInspection) {
    let slot = table.slot
    let sums = Mutex<[InspectionSums]>([])
    let pieceCount = (clusters.count + Self.clustersPerPiece - 1) / Self.clustersPerPiece
    let isSound = shared.all(
      pieceCount, own: { shared.branch() },
      piece: { piece, branch in
        guard let table = branch.tablesBySlot[slot] else { return false }
        branch.walk.place = Place(.rows, table: slot)
        let start = piece * Self.clustersPerPiece
        for cluster in clusters[start..<min(clusters.count, start + Self.clustersPerPiece)] {
          branch.inspectCluster(cluster, of: table)
        }
        let met = branch.takeSums()
        sums.withLock { $0.append(met) }
        return branch.walk.isQuiet
      })
    guard isSound else {
      mustBeTold = true
      return
    }
    for met in sums.withLock({ $0 }) { add(met) }
  }

  /// Gives what was summed up and begins anew.
  private func takeSums() -> InspectionSums {
    defer {
      walk.statistics = InspectionStatistics()
      ownership = OwnershipChains()
      primaryKeyHashes.removeAll(keepingCapacity: true)
    }
    return InspectionSums(
      statistics: walk.statistics, relations: ledger.takeSums(), ownership: ownership,
      primaryKeyHashes: primaryKeyHashes)
  }

  private func add(_ sums: InspectionSums) {
    walk.statistics.add(sums.statistics)
    ledger.add(sums.relations)
    ownership.add(sums.ownership)
    primaryKeyHashes += sums.primaryKeyHashes
  }
}
