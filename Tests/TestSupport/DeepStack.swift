// A stack for what nests deeply: the frames of a debug build are so large that 512 levels of a parser do not fit into the
// eight megabytes of a thread. Layer: below all tests.

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
