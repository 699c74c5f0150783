// Being told that a file, or one beside it whose name begins with its name, changed. Layer: RealmFiles.

import CPlatform

/// Wakes up whoever waits for changes of a file and of its companions.
package final class FolderSignals: Sendable {
  /// Negative where the system tells nobody: waiting is pausing then.
  private let descriptor: Int32
  private let name: FilePath

  private static let pauseMilliseconds: Int32 = 50

  package init(of file: FilePath) {
    descriptor = unsafe file.directory.withCString { unsafe platform_open_folder_signals($0) }
    name = FilePath(file.lastComponent)
  }

  deinit { platform_close_folder_signals(descriptor) }

  /// What woke up who waited.
  package enum Signal {
    /// The file or a companion was opened by somebody.
    case opened
    /// One of them was written, made, closed, renamed or removed. Where the system tells nobody that may have happened always.
    case changed
  }

  /// Nil after `milliseconds`, when a signal came to the process, or something happened to other files there.
  package func wait(milliseconds: Int) -> Signal? {
    guard descriptor >= 0 else {
      platform_pause(min(Int32(clamping: milliseconds), Self.pauseMilliseconds))
      return .changed
    }
    let told = unsafe name.withCString { name in
      unsafe platform_await_folder_signal(descriptor, Int32(clamping: milliseconds), name)
    }
    if Int(told) & platform_folder_changed != 0 { return .changed }
    return told == 0 ? nil : .opened
  }

  /// Whether something changed within `milliseconds`. Who looks at the file opens it: that does not wake him.
  package func changes(withinMilliseconds milliseconds: Int) -> Bool {
    let end = SystemClock.milliseconds + milliseconds
    var left = milliseconds
    repeat {
      if wait(milliseconds: left) == .changed { return true }
      left = end - SystemClock.milliseconds
    } while left > 0
    return false
  }
}
