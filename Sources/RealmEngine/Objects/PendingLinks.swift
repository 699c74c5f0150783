// Links through one column to one table, noted in the order of their owners until incoming links are written. Layer: Objects.
// Where targets do not rise, links are put in order some at a time, those to a range of targets, so that their order takes little
// memory beside them.

/// A link as its two ends see it.
struct NotedLink {
  let target: Int64
  let origin: Int64
}

/// Links that are noted one after the other.
final class PendingLinks {
  private let targets = CompressedIntegers()
  private let origins = CompressedIntegers()
  private var isRising = true
  private var lastTarget = Int64.min

  var count: Int { targets.count }
  var isEmpty: Bool { targets.isEmpty }
  /// The other ends, in the order in which links were noted.
  var allTargets: CompressedIntegers { targets }

  func append(target: Int64, origin: Int64) {
    if target < lastTarget { isRising = false }
    lastTarget = target
    targets.append(target)
    origins.append(origin)
  }

  /// The links to some targets alone.
  func filter(_ isWanted: (Int64) -> Bool) -> PendingLinks {
    let links = PendingLinks()
    for (target, origin) in zip(targets, origins) where isWanted(target) {
      links.append(target: target, origin: origin)
    }
    return links
  }

  /// An object that links to `target`.
  func origin(of target: Int64) -> Int64? {
    (0..<count).first { targets[$0] == target }.map { origins[$0] }
  }

  /// The links by target, those to one in the order in which they were noted.
  struct Cursor {
    private let links: PendingLinks
    /// Of targets, rising, whose links are put in order together; nil where they are as they were noted.
    private let ranges: [ClosedRange<Int64>]?
    private var rangeIndex = 0
    private var order: [UInt64] = []
    private var position = 0

    fileprivate init(_ links: PendingLinks, ranges: [ClosedRange<Int64>]?) {
      (self.links, self.ranges) = (links, ranges)
      if let first = ranges?.first { order = links.order(of: first) }
      next = current
    }

    /// Nil behind the last one.
    private(set) var next: NotedLink?

    private var current: NotedLink? {
      guard ranges != nil else { return position < links.count ? links.link(position) : nil }
      return position < order.count ? links.link(Int(order[position])) : nil
    }

    mutating func advance() {
      position += 1
      if let ranges, position == order.count, rangeIndex + 1 < ranges.count {
        rangeIndex += 1
        position = 0
        order = links.order(of: ranges[rangeIndex])
      }
      next = current
    }
  }

  func byTarget() -> Cursor { Cursor(self, ranges: isRising ? nil : ranges) }

  private func link(_ index: Int) -> NotedLink { NotedLink(target: targets[index], origin: origins[index]) }

  /// So many links are put in order at once, or a part of all where that is more.
  private static let orderedCountMin = 1 << 19
  private static let rangeCountMax = 16
  private static let bucketBits = 12

  /// Ranges that hold all targets, none of them empty, and about as many links each.
  private var ranges: [ClosedRange<Int64>] {
    var (least, most) = (Int64.max, Int64.min)
    for target in targets { (least, most) = (min(least, target), max(most, target)) }
    let wanted = max(Self.orderedCountMin, count / Self.rangeCountMax)
    guard count > wanted else { return [least...most] }
    let width = UInt64.bitWidth - UInt64(bitPattern: most &- least).leadingZeroBitCount
    let shift = UInt64(max(0, width - Self.bucketBits))
    var counts = [Int](repeating: 0, count: 1 << Self.bucketBits)
    for target in targets { counts[Int(UInt64(bitPattern: target &- least) >> shift)] += 1 }
    var ranges: [ClosedRange<Int64>] = []
    var (start, linkCount) = (least, 0)
    for (bucket, more) in counts.enumerated() where more > 0 {
      let first = least &+ Int64(bitPattern: UInt64(bucket) << shift)
      if linkCount > 0, linkCount + more > wanted {
        ranges.append(start...(first - 1))
        (start, linkCount) = (first, 0)
      }
      linkCount += more
    }
    return ranges + [start...most]
  }

  /// The positions of the links to a range of targets, by target.
  private func order(of range: ClosedRange<Int64>) -> [UInt64] {
    let bitCount = Int.bitWidth - count.leadingZeroBitCount
    let span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    // A target and the position of its link in one number.
    guard span >> UInt64(UInt64.bitWidth - bitCount) == 0 else { return comparedOrder(of: range) }
    var numbers: [UInt64] = []
    for (index, target) in targets.enumerated() where range.contains(target) {
      numbers.append(UInt64(bitPattern: target &- range.lowerBound) << UInt64(bitCount) | UInt64(index))
    }
    if span > 0 {
      var scratch = DigitSort.scratch(numbers.count)
      let high = UInt64.bitWidth - span.leadingZeroBitCount + bitCount
      DigitSort.sort(&numbers, 0..<numbers.count, bits: bitCount..<high, scratch: &scratch)
    }
    let mask = UInt64(1) << UInt64(bitCount) - 1
    for index in numbers.indices { numbers[index] &= mask }
    return numbers
  }

  /// The same where targets are too far from each other for that.
  private func comparedOrder(of range: ClosedRange<Int64>) -> [UInt64] {
    let numbers = (0..<count).filter { range.contains(targets[$0]) }
    return numbers.sorted { (targets[$0], $0) < (targets[$1], $1) }.map { UInt64($0) }
  }
}
