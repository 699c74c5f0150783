// What happens to half-made files when a signal ends the process, and the moments in which it must not.
// Layer: Files.

import CPlatform

/// SIGINT, SIGTERM, SIGHUP and the other signals by which somebody ends the process.
package enum EndSignals {
  /// From now on they wait: files are changing places. So does an interrupt that a session has noted and not come to yet.
  package static func hold() { platform_hold_end_signals(0) }

  /// The same, but a session still notes interrupts, which then end what runs as an error does.
  static func hold(butInterrupts: Bool) { platform_hold_end_signals(butInterrupts ? 1 : 0) }

  /// Lets through what waited and what comes.
  package static func release() { platform_release_end_signals() }
}

/// A file that goes when a signal ends the process, for as long as this object lives.
package final class TemporaryName: Sendable {
  private let slot: Int32

  package init(_ path: FilePath) { slot = path.registerTemporary() }

  /// A directory that was made here: it stays where something is in it.
  init(directory path: FilePath) { slot = path.registerDirectory() }

  /// A lock file, held by `descriptor`: it stays where somebody else has it open.
  init(lockFile path: FilePath, heldBy descriptor: Int32) {
    slot = path.registerLockFile(heldBy: descriptor)
  }

  deinit { platform_forget_temporary(slot) }
}
