// What a reader does about damage: opening a realm ends at the first of it, `recover` goes on without what is lost.
// Layer: Storage.

/// What one reader does about each fault that it meets.
package struct Faults<Failure: Error> {
  /// Throws, or notes the fault where reading goes on.
  package let meet: (EngineError) throws(Failure) -> Void

  package init(_ meet: @escaping (EngineError) throws(Failure) -> Void) { self.meet = meet }

  /// What `body` gives; nil where that is lost and reading goes on.
  func reading<Result>(_ body: () throws(EngineError) -> Result?) throws(Failure) -> Result? {
    do throws(EngineError) { return try body() } catch {
      try meet(error)
      return nil
    }
  }
}

extension Faults<EngineError> {
  static var thrown: Faults { Faults { fault throws(EngineError) in throw fault } }
}

extension Faults<Never> {
  package static var passed: Faults { Faults { _ in } }
}
