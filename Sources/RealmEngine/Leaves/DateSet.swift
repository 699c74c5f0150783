// Sets of dates that every row of a scan is asked about. Layer: Leaves.

/// Dates, first told apart by their seconds.
package final class DateSet: Sendable {
  private let members: Set<Timestamp>
  /// The seconds of all members, and of those that are whole seconds.
  private let seconds: IntegerSet
  private let wholeSeconds: IntegerSet

  package init(_ dates: [Timestamp]) {
    members = Set(dates)
    seconds = IntegerSet(Set(dates.map(\.seconds)).sorted())
    wholeSeconds = IntegerSet(Set(dates.filter { $0.nanoseconds == 0 }.map(\.seconds)).sorted())
  }

  private init(_ members: Set<Timestamp>, _ seconds: IntegerSet, _ wholeSeconds: IntegerSet) {
    self.members = members
    self.seconds = seconds
    self.wholeSeconds = wholeSeconds
  }

  /// See `IntegerSet`.
  package func forOneThread() -> DateSet {
    DateSet(members, seconds.forOneThread(), wholeSeconds.forOneThread())
  }

  /// Marks the dates of `leaf` that are members. `acceptsNull`: the answer for null. `scratch` is overwritten.
  package func mark(
    _ leaf: TimestampLeaf, acceptsNull: Bool, scratch: SelectionMask, into mask: SelectionMask
  ) {
    guard leaf.nanoseconds.width > 0 else {
      return leaf.seconds.mark(wholeSeconds, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    }
    leaf.seconds.mark(seconds, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    mask.filter { row in leaf[row].map(members.contains) ?? acceptsNull }
  }
}
