// The address of a node: its byte offset in the data. Layer: Storage.
// Invariant: a `Ref` is positive and a multiple of 8; whether a node stands there is found out by opening it.

/// Names a node of a snapshot.
package struct Ref: Hashable, Sendable {
  package let offset: Int

  /// Nil for what cannot be the address of a node.
  package init?(_ value: Int64) {
    guard value > 0, value & 7 == 0 else { return nil }
    offset = Int(value)
  }

  /// Whether an element of a node of refs leads to another node: 0 leads nowhere, an odd number is a tagged one.
  @inline(__always)
  static func isRef(_ element: Int64) -> Bool { element & 1 == 0 && element != 0 }
}

/// A run of bytes in the file.
package struct Extent: Sendable, Hashable {
  package let offset: Int
  package let size: Int

  package init(offset: Int, size: Int) {
    self.offset = offset
    self.size = size
  }

  package var end: Int { offset + size }
}
