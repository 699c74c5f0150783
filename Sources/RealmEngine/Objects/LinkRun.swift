// Links through one column to one table, noted in the order of their owners until incoming links are written. Layer: Objects.

/// A link as its two ends see it.
struct NotedLink {
  let target: Int64
  let origin: Int64
}

/// Links that are noted one after the other.
final class LinkRun {
  private let targets = IntegerRun()
  private let origins = IntegerRun()
  private var isRising = true

  var count: Int { targets.count }

  func append(target: Int64, origin: Int64) {
    let count = targets.count
    if isRising, count > 0, targets[count - 1] > target { isRising = false }
    targets.append(target)
    origins.append(origin)
  }

  /// An object that links to `target`.
  func origin(of target: Int64) -> Int64? {
    (0..<count).first { targets[$0] == target }.map { origins[$0] }
  }

  /// The links by target, those to one in the order in which they were noted.
  struct Cursor {
    fileprivate let links: LinkRun
    /// Nil: as they were noted.
    fileprivate let order: [UInt64]?
    private var position = 0

    fileprivate init(_ links: LinkRun, order: [UInt64]?) {
      (self.links, self.order) = (links, order)
      next = links.count == 0 ? nil : links.link(order.map { Int($0[0]) } ?? 0)
    }

    /// Nil behind the last one.
    private(set) var next: NotedLink?

    mutating func advance() {
      position += 1
      next = position >= links.count ? nil : links.link(order.map { Int($0[position]) } ?? position)
    }
  }

  func byTarget() -> Cursor { Cursor(self, order: isRising ? nil : order) }

  private func link(_ index: Int) -> NotedLink { NotedLink(target: targets[index], origin: origins[index]) }

  private var order: [UInt64] {
    let bitCount = Int.bitWidth - count.leadingZeroBitCount
    let limit = Int64.max >> Int64(bitCount)
    var targetBits: UInt64 = 0
    for index in 0..<count {
      guard targets[index] >= 0, targets[index] < limit else { return comparedOrder }
      targetBits |= UInt64(targets[index])
    }
    // A target and the position of its link in one number.
    var numbers: [UInt64] = []
    numbers.reserveCapacity(count)
    for index in 0..<count { numbers.append(UInt64(targets[index]) << UInt64(bitCount) | UInt64(index)) }
    var scratch = DigitSort.scratch(count)
    let high = UInt64.bitWidth - targetBits.leadingZeroBitCount + bitCount
    DigitSort.sort(&numbers, 0..<count, bits: bitCount..<high, scratch: &scratch)
    let mask = UInt64(1) << UInt64(bitCount) - 1
    for index in numbers.indices { numbers[index] &= mask }
    return numbers
  }

  /// The same where targets are too large for that.
  private var comparedOrder: [UInt64] {
    (0..<count).sorted { left, right in
      targets[left] != targets[right] ? targets[left] < targets[right] : left < right
    }.map { UInt64($0) }
  }
}
