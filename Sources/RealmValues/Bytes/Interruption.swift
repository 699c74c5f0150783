// Stopping long work when the user asks for it. Layer: Bytes.

import CPlatform

/// Control-C in a session that goes on afterwards.
package enum Interruption {
  /// Whether the user wants what runs to end.
  package static var isPending: Bool { platform_interrupt_pending() != 0 }

  package static var error: EngineError { EngineError(.cancelled, "cancelled") }

  /// Throws `.cancelled` where the user wants what runs to end; cheap enough for every node and every block of rows.
  @inline(__always)
  package static func check() throws(EngineError) {
    if isPending { throw error }
  }

  /// Runs `body` as the work at an address (`platform_work`): it is asked to end when nobody waits for its result, and counts there
  /// how much of it is done. 0: nobody's work, which goes on whoever leaves.
  package static func working<Result>(on work: UInt, _ body: () throws -> Result) rethrows -> Result {
    let former = platform_work_current()
    platform_work_on(work)
    defer { platform_work_on(former) }
    return try body()
  }

  /// The same work on another thread, which is asked to end as this one is.
  static func sharing(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let work = platform_work_current()
    guard work != 0 else { return body }
    return { () -> Void in working(on: work) { () -> Void in body() } }
  }

  /// Waits before something is tried again. Throws `.cancelled` where the user does not want that.
  package static func pause(milliseconds: Int32) throws(EngineError) {
    platform_pause(milliseconds)
    try check()
  }
}
