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

  /// Waits before something is tried again. Throws `.cancelled` where the user does not want that.
  static func pause(milliseconds: Int32) throws(EngineError) {
    platform_pause(milliseconds)
    try check()
  }
}
