// Binary search, for all that is in order. Layer: Kernels.

extension Range<Int> {
  /// The first number for which `isBefore` does not hold, and with it for none after it; the upper bound where it holds for
  /// all. Cost: a call for each halving.
  @inline(__always)
  package func partitionPoint<Failure: Error>(
    _ isBefore: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Array where Element: Comparable {
  /// The first index whose element is not below `value`; the array is sorted.
  @inline(__always)
  func lowerBound(_ value: Element) -> Int { indices.partitionPoint { self[$0] < value } }

  func containsSorted(_ value: Element) -> Bool {
    let index = lowerBound(value)
    return index < count && self[index] == value
  }
}
