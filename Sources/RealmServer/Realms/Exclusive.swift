// A value that one thread at a time may use, whatever it is. Layer: RealmServer, Realms.

import Synchronization

/// Lends its value to whoever asks, one after the other. Nothing of it may be kept.
final class Exclusive<Value>: @unchecked Sendable {
  private let lock = Mutex<Void>(())
  private var value: Value

  init(_ value: Value) { self.value = value }

  func lend<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { _ in try body(&value) }
  }
}
