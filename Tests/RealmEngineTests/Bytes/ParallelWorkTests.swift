import Foundation
import RealmEngine
import Synchronization
import Testing

@Suite("Work on several threads")
struct ParallelWorkTests {
  /// Counts what was done by whom.
  private final class Tally: Sendable {
    let workers = Mutex<[Int: Int]>([:])
    func note(_ worker: Int) { workers.withLock { $0[worker, default: 0] += 1 } }
  }

  @Test("every worker works once, run after run", arguments: [0, 1, 2, 5])
  func runs(workerCount: Int) {
    for _ in 0..<50 {
      let tally = Tally()
      ParallelWork.run(workers: workerCount) { tally.note($0) }
      let expected = Dictionary(uniqueKeysWithValues: (0..<max(1, workerCount)).map { ($0, 1) })
      #expect(tally.workers.withLock { $0 } == expected)
    }
  }

  private static let endedCount = Atomic(0)

  /// Counts the threads that end, of those that have a value for it.
  private static let ends: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { _ in _ = ParallelWorkTests.endedCount.wrappingAdd(1, ordering: .relaxed) }
    return key
  }()

  @Test("a job that nobody waits for takes its thread along")
  func leaves() throws {
    for _ in 0..<20 {
      let errand = ParallelWork.begin { _ = pthread_setspecific(Self.ends, UnsafeRawPointer(bitPattern: 1)) }
      try #require(errand != nil)
    }
    let deadline = Date(timeIntervalSinceNow: 30)
    while Self.endedCount.load(ordering: .relaxed) < 20, Date() < deadline { usleep(1000) }
    #expect(Self.endedCount.load(ordering: .relaxed) == 20)
  }

  @Test("a worker can start workers, and several threads can run work at once")
  func nests() {
    let tally = Tally()
    ParallelWork.run(workers: 3) { outer in
      for _ in 0..<20 { ParallelWork.run(workers: 3) { tally.note(3 * outer + $0) } }
    }
    #expect(tally.workers.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<9).map { ($0, 20) }))
  }

  @Test("what a job holds is given up when the run ends")
  func releases() {
    final class Held: Sendable {}
    for _ in 0..<50 {
      weak var kept: Held?
      do {
        let held = Held()
        kept = held
        ParallelWork.run(workers: 2) { [held] _ in withExtendedLifetime(held) {} }
      }
      #expect(kept == nil)
    }
  }

  @Test("what is made comes in order, and what comes before a failure comes first", arguments: [1, 2, 4])
  func ordered(workerCount: Int) {
    for failing in [nil, 0, 7, 17] as [Int?] {
      var met: [Int] = []
      var failure: EngineError?
      do throws(EngineError) {
        let isWhole = try ParallelWork.forEachMade(
          of: 0..<20, workers: workerCount, { [1, 2, 3] },
          { item, own throws(EngineError) in
            if item == failing { throw EngineError(.damaged, "item \(item)") }
            // Every third makes nothing.
            return item % 3 == 2 ? nil : item * own.count
          },
          { made in
            met.append(made)
            return made < 54
          })
        #expect(!isWhole)
      } catch {
        failure = error
      }
      #expect(met == (0..<(failing ?? 19)).filter { $0 % 3 != 2 }.map { $0 * 3 })
      #expect(failure?.message == failing.map { "item \($0)" })
    }
  }
}
