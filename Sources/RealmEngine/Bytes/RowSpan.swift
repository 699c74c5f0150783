// The numbers of some rows of a leaf, as whoever reads the leaf is given them. Layer: Bytes.

extension Span<Int32> {
  /// Calls `body` with each row number.
  @inline(__always)
  package func forEachRow<E: Error>(_ body: (Int) throws(E) -> Void) throws(E) {
    for index in indices { try body(Int(self[index])) }
  }
}
