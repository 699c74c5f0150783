// Work on several threads at once. Layer: Bytes; threads themselves are made in HelperThread.swift alone.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the same job on several threads and waits for all of them.
package enum ParallelWork {
  /// Threads that are worth having on this machine.
  package static var workerCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Threads that no run has at the moment. They are kept, because to start one takes as long as a short scan.
  private static let idle = Mutex<[HelperThread]>([])

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
    for (index, helper) in helpers.enumerated() { helper.begin { body(index + 1) } }
    body(0)
    for worker in helpers.count + 1..<workers { body(worker) }
    for helper in helpers { helper.waitForEnd() }
    idle.withLock { $0 += helpers }
  }

  /// What is left to be done of a row of items.
  private final class Claims: Sendable {
    let next = Atomic<Int>(0)
  }

  /// Calls `body` once for each item 0 ..< `count`, on as many threads as are worth having. Items are begun in order.
  package static func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let claims = Claims()
    run(workers: min(workerCount, count)) { _ in
      while case let item = claims.next.wrappingAdd(1, ordering: .relaxed).oldValue, item < count {
        body(item)
      }
    }
  }
}
