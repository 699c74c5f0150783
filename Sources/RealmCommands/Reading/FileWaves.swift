// Work on thousands of files, several at once, whose results come in the order of the files. Layer: RealmCommands, Reading.
// Invariants: what waits for its turn is of a bounded number of bytes of files; a large file has a turn of its own, on the
// calling thread, so that its result need not wait in memory.

import RealmEngine
import Synchronization

/// Files in runs that are worked on together.
struct FileWaves {
  let paths: [FilePath]
  let jobCount: Int
  /// What was done stays done: all results of a run are delivered, and runs are short.
  var isChanging = false

  /// Bytes of files in a run, which costs a meeting of all threads at its end.
  private static let sizeMax = 16 << 20
  private static let countMax = 1024
  /// Of these a process that is killed loses the results.
  private static let changedCountMaxOfJob = 8

  /// Gives each file to `work`, or to `workAlone` where it is large, and the results to `deliver` in the order of the files
  /// until it returns false, or until the end of their run.
  func forEach<Outcome: Sendable>(
    _ work: @escaping @Sendable (FilePath) -> Outcome, alone workAlone: (FilePath) -> Outcome,
    _ deliver: (FilePath, Outcome) throws -> Bool
  ) throws {
    var start = 0
    while start < paths.count {
      try Interruption.check()
      let wave = paths[start..<end(of: start)]
      start = wave.endIndex
      if wave.count == 1, let path = wave.first {
        guard try deliver(path, workAlone(path)) else { return }
        continue
      }
      let outcomes = Mutex<[Outcome?]>(Array(repeating: nil, count: wave.count))
      ParallelWork.forEach(wave.count, workers: jobCount) { index in
        let outcome = work(wave[wave.startIndex + index])
        outcomes.withLock { $0[index] = outcome }
      }
      var goesOn = true
      for (path, outcome) in zip(wave, outcomes.withLock { $0 }) where goesOn || isChanging {
        guard let outcome else { return }
        goesOn = try deliver(path, outcome) && goesOn
      }
      guard goesOn else { return }
    }
  }

  /// Where the run that begins at `start` ends.
  private func end(of start: Int) -> Int {
    var (end, size) = (start, 0)
    let countMax = isChanging ? Self.changedCountMaxOfJob * jobCount : Self.countMax
    while end < paths.count, end - start < countMax {
      size += (try? paths[end].status)?.size ?? 0
      if end > start, size > Self.sizeMax { break }
      end += 1
    }
    return end
  }
}

/// How far work on many files is, on a terminal.
final class FileProgress {
  private let total: Int
  private var line: ProgressLine
  private var doneCount = 0
  private var failedCount = 0

  init(total: Int, isShown: Bool) {
    self.total = total
    line = ProgressLine(isShown: isShown)
  }

  func add(hasFailed: Bool) {
    doneCount += 1
    if hasFailed { failedCount += 1 }
    line.update { elapsed in
      let rate = Double(doneCount) * 1000 / Double(max(1, elapsed))
      let left = Int((Double(total - doneCount) / max(rate, 0.001)).rounded(.up))
      let failed = failedCount > 0 ? ", \(failedCount) failed" : ""
      return "\(doneCount) of \(total) files, \(Int(rate))/s\(failed), \(left) s left"
    }
  }

  /// The line goes away, until there is more to tell.
  func hide() { line.hide() }
}
