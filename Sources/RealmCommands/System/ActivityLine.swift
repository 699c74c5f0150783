// The line on standard error which says that something still runs, where that is a terminal and it takes over a second.
// Layer: RealmCommands, System. Whoever writes to the terminal hides it; jobs with a meter of their own end it.

import ByteText
import CPlatform

/// One at a time: what runs, for how long, and how much of it is done.
enum ActivityLine {
  /// Begins at once; the line appears after a second. `label` may hold anything.
  static func begin(_ label: String) {
    var bytes = ByteBuffer()
    bytes.append(text: label)
    SystemCalls.beginActivity(bytes.forTerminal.bytes)
  }

  /// Nothing runs any more, or somebody else uses the terminal until the next `begin`.
  static func end() { platform_activity_end() }

  /// Somebody is asked something.
  static func pause() { platform_activity_pause() }

  /// The answer is there.
  static func resume() { platform_activity_resume() }

  /// Something is written to standard error, which is a terminal.
  static func hide() { platform_activity_hide() }
}
