// Range tests over packed integers of any width. Layer: Nodes.
// The width is looked at once a leaf: a range that no value of the width can meet, or that all meet, is decided
// without reading the elements.

/// What integers are tested for: to lie in a range, or not to.
package struct IntegerRange: Sendable, Hashable {
  package let low: Int64
  package let high: Int64
  package let isNegated: Bool

  /// Elements in `low ... high`; nothing when `low` is above `high`.
  package init(low: Int64, high: Int64, isNegated: Bool = false) {
    self.low = low
    self.high = high
    self.isNegated = isNegated
  }

  package static func equal(_ value: Int64) -> IntegerRange { IntegerRange(low: value, high: value) }
  package static let all = IntegerRange(low: .min, high: .max)
  package static let none = IntegerRange(low: 1, high: 0)

  package var negated: IntegerRange { IntegerRange(low: low, high: high, isNegated: !isNegated) }

  package func accepts(_ value: Int64) -> Bool { (value >= low && value <= high) != isNegated }
}

extension PackedIntegers {
  /// What the width alone says about a test.
  private enum Outlook {
    case decided(Bool)
    /// The range cut down to what the width can hold.
    case open(low: Int64, high: Int64)
  }

  private func outlook(_ test: IntegerRange) -> Outlook {
    let least = Self.lowerBound(width: width)
    let greatest = Self.upperBound(width: width)
    if test.low > test.high || test.low > greatest || test.high < least { return .decided(test.isNegated) }
    if test.low <= least && test.high >= greatest { return .decided(!test.isNegated) }
    return .open(low: max(test.low, least), high: min(test.high, greatest))
  }

  /// Marks the elements that the test accepts.
  package func mark(_ test: IntegerRange, into mask: SelectionMask) {
    switch outlook(test) {
    case .decided(let isIn): mask.fill(isIn, count: count)
    case .open(let low, let high): mark(low: low, high: high, isNegated: test.isNegated, into: mask)
    }
  }

  /// Marks the elements that are in `set`. `scratch` is overwritten.
  package func mark(_ set: IntegerSet, scratch: SelectionMask, into mask: SelectionMask) {
    if let few = set.few, width >= 8 { return mark(anyOf: few, into: mask) }
    if let runs = set.runs {
      mask.fill(false, count: count)
      for run in runs {
        mark(IntegerRange(low: run.lowerBound, high: run.upperBound), into: scratch)
        mask.formUnion(scratch)
      }
      return
    }
    switch width {
    case 0: mask.fill(set.contains(0), count: count)
    case 1, 2, 4:
      IntegerKernels.spread(payload, width: width, start: start, count: count, into: mask)
      IntegerKernels.lookUpSpread(mask, set.unsignedBytes)
    case 8: IntegerKernels.lookUp(payload, start: start, count: count, set.signedBytes, into: mask)
    default:
      mask.resize(count)
      var row = 0
      forEachElement { element in
        mask[row] = set.contains(element)
        row += 1
      }
    }
  }

  /// Marks the elements that are members when `bias` is taken from them.
  func mark(_ members: IntegerMembers, less bias: Int64, into mask: SelectionMask) {
    switch (width, members.bits) {
    case (8, let bits?):
      IntegerKernels.mark(payload, start: start, count: count, Int8.self, less: bias, in: bits, into: mask)
    case (16, let bits?):
      IntegerKernels.mark(payload, start: start, count: count, Int16.self, less: bias, in: bits, into: mask)
    case (32, let bits?):
      IntegerKernels.mark(payload, start: start, count: count, Int32.self, less: bias, in: bits, into: mask)
    case (64, let bits?):
      IntegerKernels.mark(payload, start: start, count: count, Int64.self, less: bias, in: bits, into: mask)
    default: mask.mark(count) { members.contains(self[$0] &- bias) }
    }
  }

  private func mark(anyOf few: FewIntegers, into mask: SelectionMask) {
    switch width {
    case 8: IntegerKernels.mark(payload, start: start, count: count, anyOf: few.bytes, into: mask)
    case 16: IntegerKernels.mark(payload, start: start, count: count, anyOf: few.halves, into: mask)
    case 32: IntegerKernels.mark(payload, start: start, count: count, anyOf: few.words, into: mask)
    default: IntegerKernels.mark(payload, start: start, count: count, anyOf: few.longs, into: mask)
    }
  }

  /// Whether the test accepts some element.
  func hasAny(_ test: IntegerRange) -> Bool {
    switch outlook(test) {
    case .decided(let isIn): return isIn && count > 0
    case .open(let low, let high):
      for index in 0..<count {
        let value = self[index]
        if (value >= low && value <= high) != test.isNegated { return true }
      }
      return false
    }
  }

  private func mark(low: Int64, high: Int64, isNegated: Bool, into mask: SelectionMask) {
    switch width {
    case 8:
      IntegerKernels.mark(
        payload, start: start, count: count, low: Int8(low), high: Int8(high), isNegated: isNegated,
        into: mask)
    case 16:
      IntegerKernels.mark(
        payload, start: start, count: count, low: Int16(low), high: Int16(high), isNegated: isNegated,
        into: mask)
    case 32:
      IntegerKernels.mark(
        payload, start: start, count: count, low: Int32(low), high: Int32(high), isNegated: isNegated,
        into: mask)
    case 64:
      IntegerKernels.mark(
        payload, start: start, count: count, low: low, high: high, isNegated: isNegated, into: mask)
    default:
      IntegerKernels.spread(payload, width: width, start: start, count: count, into: mask)
      IntegerKernels.markSpread(mask, low: UInt8(low), high: UInt8(high), isNegated: isNegated)
    }
  }
}
