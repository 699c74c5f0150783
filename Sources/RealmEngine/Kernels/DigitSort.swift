// Sorting of numbers by their digits, the highest first. Layer: Kernels.
// Numbers are dealt out to buckets by one digit and each bucket by the next one, until buckets are short enough for
// inserting. Long runs are sorted by several threads, whose number the result does not depend on.
// Safe: the caller's range is checked against both arrays, and counts of digits say where a number may be put.

/// Sorts runs of 64-bit numbers.
enum DigitSort {
  /// Runs up to this length are sorted by inserting.
  private static let insertedMax = 24
  /// Runs from this length on are worth a second thread.
  private static let parallelMin = 1 << 16
  /// Parts of a long run that threads take in turn.
  private static let partCount = 32

  /// Room for as many numbers, which are whatever they are.
  static func scratch(_ count: Int) -> [UInt64] {
    var numbers: [UInt64] = []
    numbers.reserveLarge(count)
    numbers.append(upTo: count) { span in
      unsafe span.withUnsafeMutableBufferPointer { $1 = count }
    }
    return numbers
  }

  /// Sorts `numbers[range]` by the bits `bits`, above which they do not differ. Numbers that are the same in these bits
  /// must ascend already, and stay as they are. `scratch` is as long and may be exchanged with `numbers`.
  static func sort(
    _ numbers: inout [UInt64], _ range: Range<Int>, bits: Range<Int>, scratch: inout [UInt64]
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= numbers.count)
    precondition(scratch.count == numbers.count && bits.lowerBound >= 0 && bits.upperBound <= UInt64.bitWidth)
    let isAll = range.count == numbers.count
    unsafe numbers.withUnsafeMutableBufferPointer { numbers in
      unsafe scratch.withUnsafeMutableBufferPointer { scratch in
        guard let numbers = numbers.baseAddress, let scratch = scratch.baseAddress else { return }
        let run = unsafe Slice(
          from: numbers + range.lowerBound, other: scratch + range.lowerBound, count: range.count,
          low: bits.lowerBound, high: bits.upperBound, endsInOther: isAll)
        run.sort(isParallel: range.count >= parallelMin)
      }
    }
    if isAll { swap(&numbers, &scratch) }
  }

  /// Numbers in one place that are to be sorted there, or in another one.
  @safe private struct Slice: @unchecked Sendable {
    let from: UnsafeMutablePointer<UInt64>
    let other: UnsafeMutablePointer<UInt64>
    let count: Int
    let low: Int
    let high: Int
    let endsInOther: Bool

    /// Wide digits for long runs; for short ones so many buckets that each gets a few numbers.
    private var digitWidth: Int {
      let wanted = count >= 1 << 15 ? 11 : max(2, min(8, Int.bitWidth - count.leadingZeroBitCount - 3))
      return min(wanted, high - low)
    }

    func sort(isParallel: Bool = false) {
      guard high > low, count > DigitSort.insertedMax else {
        if high > low { insert() }
        if endsInOther { unsafe other.update(from: from, count: count) }
        return
      }
      let width = digitWidth
      unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 1 << width + 1) { starts in
        unsafe starts.initialize(repeating: 0)
        guard let starts = starts.baseAddress, unsafe deal(width, starts + 1) else {
          // All are the same in this digit.
          return unsafe Slice(
            from: from, other: other, count: count, low: low, high: high - width, endsInOther: endsInOther
          ).sort(isParallel: isParallel)
        }
        if isParallel {
          unsafe sortBuckets(width, Array(UnsafeBufferPointer(start: starts, count: 1 << width + 1)))
        } else {
          for digit in 0..<1 << width { unsafe sortBucket(width, starts[digit]..<starts[digit + 1]) }
        }
      }
    }

    /// Deals the numbers out to the other place; `ends` then tells where the numbers of each digit end. False: they
    /// are all the same in the digit and have not been moved.
    private func deal(_ width: Int, _ ends: UnsafeMutablePointer<Int>) -> Bool {
      let shift = UInt64(high - width)
      let mask = UInt64(1 << width - 1)
      for index in 0..<count { unsafe ends[Int(from[index] >> shift & mask)] += 1 }
      if unsafe ends[Int(from[0] >> shift & mask)] == count { return false }
      var position = 0
      for digit in 0..<1 << width {
        let count = unsafe ends[digit]
        unsafe ends[digit] = position
        position += count
      }
      for index in 0..<count {
        let number = unsafe from[index]
        let digit = Int(number >> shift & mask)
        unsafe other[ends[digit]] = number
        unsafe ends[digit] += 1
      }
      return true
    }

    @inline(__always)
    private func sortBucket(_ width: Int, _ range: Range<Int>) {
      if range.isEmpty { return }
      let bucket = unsafe Slice(
        from: other + range.lowerBound, other: from + range.lowerBound, count: range.count, low: low,
        high: high - width, endsInOther: !endsInOther)
      bucket.sort()
    }

    /// Sorts buckets on several threads, in parts of about the same length.
    private func sortBuckets(_ width: Int, _ starts: [Int]) {
      var parts: [Range<Int>] = []
      var first = 0
      for digit in 1..<starts.count
      where starts[digit] - starts[first] > count / DigitSort.partCount || digit == starts.count - 1 {
        parts.append(first..<digit)
        first = digit
      }
      ParallelWork.forEach(parts.count) { [parts] part in
        for digit in parts[part] { sortBucket(width, starts[digit]..<starts[digit + 1]) }
      }
    }

    private func insert() {
      for index in 1..<max(1, count) {
        let number = unsafe from[index]
        var place = index
        while place > 0, unsafe from[place - 1] > number {
          unsafe from[place] = from[place - 1]
          place -= 1
        }
        unsafe from[place] = number
      }
    }
  }
}
