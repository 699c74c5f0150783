// A stack for what nests deeply: the frames of a debug build are some forty times those of a release, and a thread's eight
// megabytes are too few for 512 levels of them. Layer: below all tests.

import Foundation

/// Runs `body` on a thread with 256 MB of stack, which take memory only as they are used.
package func onDeepStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  let finished = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
  let thread = Thread {
    result = Swift.Result { try body() }
    finished.signal()
  }
  thread.stackSize = 256 << 20
  thread.start()
  finished.wait()
  return try result!.get()
}
