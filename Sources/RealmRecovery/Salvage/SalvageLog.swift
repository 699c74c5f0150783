// Where a file is damaged, as far as its readers met it. Layer: RealmRecovery, Salvage.
// Invariant: what is kept is bounded; what is counted is not.

package import RealmEngine

/// One place that could not be read.
package struct SalvageDamage: Sendable, Hashable {
  /// What stands there for its user: `Person.name, objects 0 to 255`.
  package let place: String
  /// Byte offset or whatever names the bytes.
  package let location: String
  /// What was wrong.
  package let reason: String
}

/// Gathers damage while a file is read.
package final class SalvageLog {
  package private(set) var damages: [SalvageDamage] = []
  /// Those that are not told, too.
  package private(set) var count = 0
  private var known: Set<SalvageDamage> = []

  private static let keptMax = 1000

  package func note(_ error: EngineError, _ place: String) {
    let isPage = error.kind == .changedWhileRead
    let damage = SalvageDamage(
      place: place, location: error.place ?? "",
      reason: isPage ? "is on an encrypted page that fails its check" : error.reason)
    guard known.count < Self.keptMax else {
      count += 1
      return
    }
    guard known.insert(damage).inserted else { return }
    count += 1
    damages.append(damage)
  }

  /// What `body` gives; nil, with a note, where bytes are damaged. Throws what ends the work, as an interrupt does.
  func reading<Result>(
    _ place: @autoclosure () -> String, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result? {
    do throws(EngineError) {
      return try body()
    } catch {
      guard error.isLoss else { throw error }
      note(error, place())
      return nil
    }
  }
}
