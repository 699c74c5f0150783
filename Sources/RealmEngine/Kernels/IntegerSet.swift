// Sets of integers that every row of a scan is asked about. Layer: Kernels.

/// Integers, and what kernels ask of few of them.
package final class IntegerSet: Sendable {
  private let members: IntegerMembers
  /// Runs of consecutive members, ascending; nil where they are more than are worth a comparison each.
  package let runs: [ClosedRange<Int64>]?
  /// The members, where there are only a few and no two follow each other.
  let few: FewIntegers?
  /// For each byte whether it is a member, as a number with a sign and as one without.
  let signedBytes: [UInt8]
  let unsignedBytes: [UInt8]

  private static let runsMax = 6

  /// Ascending members are taken as they are.
  package init(_ members: [Int64]) {
    var values = members
    if !Self.ascend(values.span) { values.sort() }
    let runs = Self.runs(of: values)
    self.runs = runs
    few = runs.flatMap { runs in
      runs.allSatisfy { $0.lowerBound == $0.upperBound } ? FewIntegers(runs.map(\.lowerBound)) : nil
    }
    var isMember = [UInt8](repeating: 0, count: 384)
    for value in values[values.lowerBound(-128)...] {
      if value >= 256 { break }
      isMember[Int(value) + 128] = 1
    }
    unsignedBytes = Array(isMember[128...])
    signedBytes = Array(isMember[128..<256] + isMember[..<128])
    self.members = IntegerMembers(values)
  }

  private static func ascend(_ values: Span<Int64>) -> Bool {
    guard values.count > 1 else { return true }
    for index in 1..<values.count where values[index - 1] >= values[index] { return false }
    return true
  }

  /// `values` ascend, perhaps with repetitions.
  private static func runs(of values: [Int64]) -> [ClosedRange<Int64>]? {
    var runs: [ClosedRange<Int64>] = []
    for value in values {
      if let last = runs.last, value == last.upperBound || value == last.upperBound &+ 1 {
        runs[runs.count - 1] = last.lowerBound...value
      } else if runs.count == runsMax {
        return nil
      } else {
        runs.append(value...value)
      }
    }
    return runs
  }

  @inline(__always)
  package func contains(_ value: Int64) -> Bool { members.contains(value) }
}

extension IntegerSet {
  /// The same set as an object of its own, if it is small: for one of several threads, which wait for each other where
  /// they count references to one object.
  package func forOneThread() -> IntegerSet { few.map { IntegerSet($0.members) } ?? self }
}

/// A few integers as elements of each width hold them; what a width cannot hold is not among its elements.
struct FewIntegers: Sendable {
  let members: [Int64]
  let bytes: [UInt8]
  let halves: [UInt16]
  let words: [UInt32]
  let longs: [UInt64]

  init(_ members: [Int64]) {
    self.members = members
    bytes = members.compactMap { Int8(exactly: $0).map(UInt8.init(bitPattern:)) }
    halves = members.compactMap { Int16(exactly: $0).map(UInt16.init(bitPattern:)) }
    words = members.compactMap { Int32(exactly: $0).map(UInt32.init(bitPattern:)) }
    longs = members.map(UInt64.init(bitPattern:))
  }
}
