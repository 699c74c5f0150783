// Stopping long work when the user asks for it. Layer: Bytes.

import CPlatform

/// Control-C in a session that goes on afterwards.
enum Interruption {
  /// Throws `.cancelled` where the user wants what runs to end; cheap enough for every block of rows.
  static func check() throws(EngineError) {
    if platform_interrupt_pending() != 0 { throw EngineError(.cancelled, "cancelled") }
  }
}
