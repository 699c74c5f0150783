// Sets of object keys that are asked for every row of a scan. Layer: Query.

/// Object keys.
package struct KeySet: Sendable {
  let keys: IntegerMembers

  package init(_ keys: [ObjectKey]) {
    self.keys = IntegerMembers(keys.ascending.map(\.value))
  }

  private init(_ keys: IntegerMembers) { self.keys = keys }

  /// The same set as an object of its own, for one of several threads.
  func forOneThread() -> KeySet { KeySet(keys.forOneThread()) }

  /// What threads have found.
  init(_ parts: [IntegerPart]) { keys = IntegerMembers(parts) }

  package var count: Int { keys.count }

  @inline(__always)
  package func contains(_ key: Int64) -> Bool { keys.contains(key) }
}
