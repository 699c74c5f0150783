// Deciding on a file before its lock is held, and again where that was too early. Layer: Jobs.
// Looking needs no lock, so most of what there is nothing to do for keeps nobody out; but between looking and locking
// another process may have done the same work. A job that is bound to the version which was looked at finds out behind
// the lock.

extension WholeFileJob {
  /// Each further attempt means that another process has changed the file in between.
  private static let decisionsMax = 100

  /// Says that what was decided on is no longer what stands at `path`.
  package static func outdated(_ path: FilePath) -> EngineError {
    EngineError(.outdated, of: path, "was changed by another process meanwhile", hint: "try again")
  }

  /// Runs `body`, which looks at a file, decides and runs a job bound to what it looked at; again where the file was
  /// changed before the job had the lock.
  package static func deciding<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 1..<decisionsMax {
      do {
        return try body()
      } catch let error as EngineError where error.kind == .outdated {
        continue
      }
    }
    return try body()
  }
}
