// Whether values can be compared, as conditions ask. Layer: Values.
// Values of one kind are in the order of all values; all numbers are one kind, nested lists are all equal, and so are
// nested dictionaries. A null is in no order with anything.

extension Value {
  /// Negative, zero or positive as this value is less than, equal to or greater than `other`; nil where they are of
  /// different kinds, or one is null or NaN.
  package func compare(to other: Value) -> Int? {
    isNaN || other.isNaN ? nil : compareOrderingNaN(to: other)
  }

  /// The same, but with a place for NaN: equal to itself and before all numbers.
  package func compareOrderingNaN(to other: Value) -> Int? {
    guard self != .null, storedRank == other.storedRank else { return nil }
    return isNaN && other.isNaN ? 0 : storedOrder(other)
  }
}
