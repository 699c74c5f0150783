// What happens to half-made files when a signal ends the process, and the moments in which it must not.
// Layer: RealmFiles.

import CPlatform

/// SIGINT, SIGTERM, SIGHUP and the other signals by which somebody ends the process.
package enum EndSignals {
  /// From now on they wait: files are changing places. So does an interrupt that a session has noted and not come to yet.
  package static func hold() { platform_hold_end_signals(0) }

  /// The same, but a session still notes interrupts, which then end what runs as an error does.
  package static func hold(butInterrupts: Bool) { platform_hold_end_signals(butInterrupts ? 1 : 0) }

  /// Lets through what waited and what comes.
  package static func release() { platform_release_end_signals() }

  /// A signal that ends the process from now on says that something was finished before. Only while signals are held.
  package static func noteFinished() { platform_note_finished() }

  /// What is counted for it.
  package enum Counted: Sendable { case nothing, objects, statements }

  /// So many are done.
  package static func count(_ counted: Counted, _ done: Int) {
    platform_ending_count(counted.number, UInt64(clamping: done))
  }
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

extension EndSignals.Counted {
  package var number: Int32 {
    switch self {
    case .nothing: Int32(bitPattern: UInt32(platform_counts_nothing))
    case .objects: Int32(bitPattern: UInt32(platform_counts_objects))
    case .statements: Int32(bitPattern: UInt32(platform_counts_statements))
    }
  }
}
