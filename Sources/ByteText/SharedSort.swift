// One sort for elements of all types. Layer: ByteText.
// Generic code is compiled anew for each type, and the standard library's sort is 5 KB: sixty types would make 0.3 MB.
// Here places are sorted, and what is compared is looked up through them. Equals keep their order.

extension Sequence {
  /// Comes before the standard library's of the same name.
  @inlinable
  package func sorted(by comesFirst: (Element, Element) throws -> Bool) rethrows -> [Element] {
    let all = Array(self)
    return try sortedPlaces(all.count) { try comesFirst(all[$0], all[$1]) }.map { all[$0] }
  }
}

extension Array {
  /// Comes before the standard library's of the same name.
  @inlinable
  package mutating func sort(by comesFirst: (Element, Element) throws -> Bool) rethrows {
    self = try sorted(by: comesFirst)
  }
}

/// `0 ..< count`, sorted.
@usableFromInline
package func sortedPlaces(
  _ count: Int, by comesFirst: (Int, Int) throws -> Bool
) rethrows -> ContiguousArray<Int> {
  var places = ContiguousArray(0..<count)
  try places.sort(by: comesFirst)
  return places
}
