// Leaves of dates: nullable seconds beside nanoseconds. Layer: Leaves.

/// Points in time.
package struct TimestampLeaf: Sendable {
  package let seconds: IntegerLeaf
  package let nanoseconds: PackedIntegers

  package var count: Int { seconds.count }

  init(seconds: IntegerLeaf, nanoseconds: PackedIntegers) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ node: NodeView, in snapshot: Snapshot) throws(EngineError) {
    let secondsNode = try snapshot.integersNode(try node.requiredRef(0))
    let nanosecondsNode = try snapshot.integersNode(try node.requiredRef(1))
    self.init(
      seconds: try IntegerLeaf(secondsNode, isNullable: true), nanoseconds: nanosecondsNode.integers)
    guard seconds.count == nanoseconds.count else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "as many nanoseconds as seconds",
        found: "\(nanoseconds.count) beside \(seconds.count)")
    }
  }

  /// Nil for null.
  package subscript(index: Int) -> Timestamp? {
    guard let seconds = seconds[index] else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: Self.inRange(nanoseconds[index]))
  }

  /// The nanoseconds that stored ones mean: those that no date can have are brought into range.
  static func inRange(_ nanoseconds: Int64) -> Int32 {
    let limit: Int64 = 999_999_999
    return Int32(max(-limit, min(limit, nanoseconds)))
  }

  func value(_ index: Int) -> Value { self[index].map(Value.date) ?? .null }
}
