// How much of what runs is done, for whoever shows it. Layer: Bytes.

import CPlatform

/// A count for the work that somebody waits for (`Interruption.working`), else one for the process, in whatever the work counts:
/// bytes, rows. Cheap enough for every node and every block.
package enum ProgressCounter {
  /// There is so much to do, from now on.
  package static func expect(_ total: Int) { platform_work_expect(UInt64(clamping: total)) }

  /// So much of it has been done. From any thread.
  package static func advance(_ count: Int) { platform_work_advance(UInt64(clamping: count)) }
}
