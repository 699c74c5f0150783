// Work on several threads at once. Layer: Bytes; threads themselves are made in HelperThread.swift alone.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The memory of this machine.
package enum SystemMemory {
  private static let sizeOfSmallMachines = 1 << 30

  package static var size: Int {
    let (pages, pageSize) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    return pages > 0 && pageSize > 0 ? pages * pageSize : sizeOfSmallMachines
  }
}

/// Runs the same job on several threads and waits for all of them.
package enum ParallelWork {
  /// Threads that are worth having on this machine.
  package static var workerCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Threads that no run has at the moment. They are kept, because to start one takes as long as a short scan.
  private static let idle = Mutex<[HelperThread]>([])

  /// How many these are.
  static var keptCount: Int { idle.withLock { $0.count } }

  /// Calls `body` once for each worker 0 ..< `workers`, the first on the calling thread. Returns when all are done.
  /// A thread that cannot be had is replaced by the caller.
  package static func run(workers: Int, _ body: @escaping @Sendable (Int) -> Void) {
    guard workers > 1 else { return body(0) }
    var helpers: [HelperThread] = []
    idle.withLock { idle in
      let start = max(0, idle.count - (workers - 1))
      helpers = Array(idle[start...])
      idle.removeSubrange(start...)
    }
    while helpers.count < workers - 1, let helper = HelperThread() { helpers.append(helper) }
    for (index, helper) in helpers.enumerated() { helper.begin(Interruption.sharing { body(index + 1) }) }
    body(0)
    for worker in helpers.count + 1..<workers { body(worker) }
    for helper in helpers { helper.waitForEnd() }
    idle.withLock { $0 += helpers }
  }

  /// A job that runs beside its owner, who waits for it in the end. Where nobody does, its thread ends with it.
  package final class Errand: Sendable {
    private let helper: HelperThread
    private let isOver = Atomic(false)

    fileprivate init(_ helper: HelperThread) { self.helper = helper }

    deinit { if !isOver.load(ordering: .relaxed) { helper.leave() } }

    /// Waits for the end of the job. Only once.
    package func wait() {
      helper.waitForEnd()
      isOver.store(true, ordering: .relaxed)
      idle.withLock { $0.append(helper) }
    }
  }

  /// Begins `job` on another thread. Nil: there is none, and nothing was begun.
  package static func begin(_ job: @escaping @Sendable () -> Void) -> Errand? {
    guard let helper = idle.withLock({ $0.popLast() }) ?? HelperThread() else { return nil }
    helper.begin(Interruption.sharing(job))
    return Errand(helper)
  }

  /// What is left to be done of a row of items.
  private final class Claims: Sendable {
    let next: Atomic<Int>
    let failure = Mutex<EngineError?>(nil)

    init(from first: Int = 0) { next = Atomic(first) }
  }

  /// Calls `body` once for each item 0 ..< `count`, on up to `workers` threads. Items are begun in order.
  package static func forEach(
    _ count: Int, workers: Int = workerCount, _ body: @escaping @Sendable (Int) -> Void
  ) {
    let claims = Claims()
    run(workers: min(workers, count)) { _ in
      while case let item = claims.next.wrappingAdd(1, ordering: .relaxed).oldValue, item < count {
        body(item)
      }
    }
  }

  /// Calls `body` once for each item with what its thread has for itself, which `makeOwn` makes. Items are begun in
  /// order; after a failure no more are begun.
  package static func forEach<Own>(
    _ items: Range<Int>, workers: Int, _ makeOwn: @escaping @Sendable () -> Own,
    _ body: @escaping @Sendable (Int, Own) throws(EngineError) -> Void
  ) throws(EngineError) {
    if min(workers, items.count) <= 1 {
      let own = makeOwn()
      for item in items { try body(item, own) }
      return
    }
    let claims = Claims(from: items.lowerBound)
    run(workers: min(workers, items.count)) { _ in
      let own = makeOwn()
      while case let item = claims.next.wrappingAdd(1, ordering: .relaxed).oldValue, item < items.upperBound,
        claims.failure.withLock({ $0 == nil })
      {
        do throws(EngineError) {
          try body(item, own)
        } catch {
          claims.failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    if let error = claims.failure.withLock({ $0 }) { throw error }
  }

  /// Makes something of each item, nil for nothing: `body` gets it in the items' order until it returns
  /// false. Where an item fails, what was made of those before it comes first, however many threads there are.
  package static func forEachMade<Own, Made: Sendable>(
    of items: Range<Int>, workers: Int, _ makeOwn: @escaping @Sendable () -> Own,
    _ make: @escaping @Sendable (Int, Own) throws(EngineError) -> Made?,
    _ body: (Made) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    let found = Mutex<[Int: Result<Made, EngineError>]>([:])
    do throws(EngineError) {
      try forEach(items, workers: workers, makeOwn) { item, own throws(EngineError) in
        do throws(EngineError) {
          if let made = try make(item, own) { found.withLock { $0[item] = .success(made) } }
        } catch {
          found.withLock { $0[item] = .failure(error) }
          throw error
        }
      }
    } catch {
      // It is among what was found, behind what comes before it.
    }
    let all = found.withLock { $0 }
    for item in items {
      if let made = try all[item]?.get(), try !body(made) { return false }
    }
    return true
  }

  /// The same where threads have nothing of their own.
  package static func forEachMade<Made: Sendable>(
    of items: Range<Int>, workers: Int,
    _ make: @escaping @Sendable (Int) throws(EngineError) -> Made?,
    _ body: (Made) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    try forEachMade(of: items, workers: workers, {}, { item, _ throws(EngineError) in try make(item) }, body)
  }
}
