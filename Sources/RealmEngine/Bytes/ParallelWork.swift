// Work on several threads at once, and nothing else about threads. Layer: Bytes; the only file that makes threads.

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

  private final class Job: Sendable {
    let worker: Int
    let body: @Sendable (Int) -> Void
    init(worker: Int, body: @escaping @Sendable (Int) -> Void) {
      self.worker = worker
      self.body = body
    }
  }

  /// Calls `body` once for each worker 0 ..< `workers`, the first on the calling thread. Returns when all are done.
  /// A thread that cannot be had is replaced by the caller.
  package static func run(workers: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    var left: [Int] = []
    for worker in stride(from: 1, to: workers, by: 1) {
      let job = unsafe Unmanaged.passRetained(Job(worker: worker, body: body))
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let status = unsafe pthread_create(
        &thread, nil,
        { argument in
          #if canImport(Darwin)
            let opaque = unsafe argument
          #else
            guard let opaque = unsafe argument else { return nil }
          #endif
          let job = unsafe Unmanaged<Job>.fromOpaque(opaque).takeRetainedValue()
          job.body(job.worker)
          return nil
        }, job.toOpaque())
      if status == 0 {
        #if canImport(Darwin)
          if let thread { threads.append(thread) }
        #else
          threads.append(thread)
        #endif
      } else {
        unsafe job.release()
        left.append(worker)
      }
    }
    body(0)
    for worker in left { body(worker) }
    for thread in threads { pthread_join(thread, nil) }
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
