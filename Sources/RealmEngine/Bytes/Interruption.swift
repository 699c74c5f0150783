// Stopping long work when the user asks for it. Layer: Bytes.

import CPlatform

/// Control-C in a session that goes on afterwards.
package enum Interruption {
  /// Whether the user wants what runs to end.
  static var isPending: Bool { platform_interrupt_pending() != 0 }

  static var error: EngineError { EngineError(.cancelled, "cancelled") }

  /// Throws `.cancelled` where the user wants what runs to end; cheap enough for every node and every block of rows.
  @inline(__always)
  package static func check() throws(EngineError) {
    if isPending { throw error }
  }

  /// Runs `body` so that it is asked to end when the number at an address is no longer 0: where nobody waits for its result.
  package static func stopping<Result>(when flag: UInt, _ body: () throws -> Result) rethrows -> Result {
    let former = platform_stop_flag()
    platform_stop_when(flag)
    defer { platform_stop_when(former) }
    return try body()
  }

  /// The same work on another thread, which is asked to end as this one is.
  static func sharing(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let flag = platform_stop_flag()
    guard flag != 0 else { return body }
    return { () -> Void in stopping(when: flag) { () -> Void in body() } }
  }

  /// Waits before something is tried again. Throws `.cancelled` where the user does not want that.
  static func pause(milliseconds: Int32) throws(EngineError) {
    platform_pause(milliseconds)
    try check()
  }
}
