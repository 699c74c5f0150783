// Sets of object keys that are asked for every row of a scan. Layer: Query.

/// Object keys.
package struct KeySet: Sendable {
  private let keys: IntegerSet
  package let count: Int

  /// `keys` ascend, but for those of a damaged file.
  package init(_ keys: [ObjectKey]) {
    self.keys = IntegerSet(keys.map(\.value))
    count = keys.count
  }

  @inline(__always)
  package func contains(_ key: Int64) -> Bool { keys.contains(key) }
}
