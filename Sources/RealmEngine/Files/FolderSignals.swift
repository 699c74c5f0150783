// Being told that something in a folder changed. Layer: Files.

import CPlatform

/// Wakes up whoever waits for changes of files in a folder.
package final class FolderSignals: Sendable {
  /// Negative where the system tells nobody: waiting is pausing then.
  private let descriptor: Int32

  private static let pauseMilliseconds: Int32 = 50

  package init(of folder: FilePath) {
    descriptor = unsafe folder.withCString { unsafe platform_open_folder_signals($0) }
  }

  deinit { platform_close_folder_signals(descriptor) }

  /// True as soon as something was written, made, closed, renamed or removed there; false after `milliseconds`, or when a
  /// signal came. Where the system tells nobody something may have happened always.
  package func wait(milliseconds: Int) -> Bool {
    guard descriptor >= 0 else {
      platform_pause(min(Int32(clamping: milliseconds), Self.pauseMilliseconds))
      return true
    }
    return platform_await_folder_signal(descriptor, Int32(clamping: milliseconds)) > 0
  }
}
