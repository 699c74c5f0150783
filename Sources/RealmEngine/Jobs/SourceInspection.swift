// Looks for damage in a file while it is copied, so that a copy never makes damage look sound. Layer: Jobs.
// The file is walked on threads of its own.

import Synchronization

/// One look at one file.
final class SourceInspection: Sendable {
  /// Places that are damaged.
  struct Damage: Sendable, Equatable {
    let count: Int
    /// The first ones, in words.
    let places: [String]

    static let none = Damage(count: 0, places: [])
  }

  private let file: RealmFile
  private let workers: Int
  private let outcome = Mutex<Result<Damage, EngineError>?>(nil)
  private let errand = Mutex<ParallelWork.Errand?>(nil)

  /// `workers`: threads that look.
  init(_ file: RealmFile, workers: Int) { (self.file, self.workers) = (file, workers) }

  /// Begins to look, on a thread that nothing else needs; who has not begun looks when it is asked. `finish` must be called.
  func begin() {
    let begun = ParallelWork.begin { [self] in look() }
    errand.withLock { $0 = begun }
  }

  private func look() {
    let result: Result<Damage, EngineError>
    do throws(EngineError) {
      let found = try damage(in: file, workers: workers)
      var damage = Damage(count: found.count, places: found.places)
      if found.count == 0, found.isUpgradeInterrupted, let reason = try file.flawOfInterruptedUpgrade() {
        damage = Damage(count: 1, places: ["the interrupted upgrade – \(reason)"])
      }
      result = .success(damage)
    } catch {
      result = .failure(error)
    }
    outcome.withLock { $0 = result }
  }

  /// Waits for the end of the look.
  func finish() {
    errand.withLock { errand in
      errand?.wait()
      errand = nil
    }
  }

  /// What was found; waits for it.
  func found() throws(EngineError) -> Damage {
    finish()
    if outcome.withLock({ $0 == nil }) { look() }
    guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("a look has an outcome") }
    return try outcome.get()
  }

  /// Throws `.damaged` where anything is.
  func refuseDamage() throws(EngineError) {
    let damage = try found()
    guard damage.count > 0 else { return }
    let others = damage.count > 1 ? ", and \(damage.count - 1) more" : ""
    throw EngineError(
      damage: "\(damage.places.first ?? "in places without words")\(others)",
      hint:
        "`realm-cli check` names every place; `realm-cli recover` writes a sound realm from the rest; --salvage goes on"
    )
  }
}
