// Integer, boolean, date and floating-point conditions over a whole leaf. Layer: Leaves.
// Each marks every row of the leaf; null is decided apart from the values.

extension IntegerLeaf {
  /// Marks the elements that the test accepts. `acceptsNull`: the answer for null. `scratch` is overwritten where
  /// null needs a look of its own.
  package func mark(_ test: IntegerRange, acceptsNull: Bool, scratch: SelectionMask, into mask: SelectionMask)
  {
    guard let nullSentinel, test.accepts(nullSentinel) != acceptsNull else {
      return values.mark(test, into: mask)
    }
    // The sentinel is mostly the greatest number of the width: a range that reaches it can end before it.
    let high = min(test.high, PackedIntegers.upperBound(width: values.width))
    if nullSentinel == high, test.low < high {
      return values.mark(IntegerRange(low: test.low, high: high - 1, isNegated: test.isNegated), into: mask)
    }
    values.mark(test, into: mask)
    values.mark(.equal(nullSentinel), into: scratch)
    scratch.forEachRow { mask[$0] = acceptsNull }
  }

  /// Marks the elements that are in `set`. `scratch` is overwritten.
  package func mark(_ set: IntegerSet, acceptsNull: Bool, scratch: SelectionMask, into mask: SelectionMask) {
    values.mark(set, scratch: scratch, into: mask)
    guard let nullSentinel, set.contains(nullSentinel) != acceptsNull else { return }
    values.mark(.equal(nullSentinel), into: scratch)
    scratch.forEachRow { mask[$0] = acceptsNull }
  }

  /// Whether the test accepts some element. For the few elements of a list, for which `mark` has too much to set up.
  func hasAny(_ test: IntegerRange, acceptsNull: Bool) -> Bool {
    guard let nullSentinel else { return values.hasAny(test) }
    for index in 0..<count {
      let value = values[index]
      if value == nullSentinel ? acceptsNull : test.accepts(value) { return true }
    }
    return false
  }

  /// Marks null elements.
  package func markNulls(into mask: SelectionMask) {
    if let nullSentinel {
      values.mark(.equal(nullSentinel), into: mask)
    } else {
      mask.fill(false, count: count)
    }
  }
}

extension LinkLeaf {
  /// Marks links to objects whose keys are in `keys`. `acceptsNull`: the answer for links that lead nowhere. `scratch`
  /// is overwritten where they need a look of their own.
  package func mark(
    _ keys: IntegerMembers, acceptsNull: Bool, scratch: SelectionMask, into mask: SelectionMask
  ) {
    values.mark(keys, less: bias, into: mask)
    // What is below all links becomes the greatest number without the bias.
    guard acceptsNull || keys.hasNegative || keys.contains(.max) else { return }
    markNulls(into: scratch)
    if !acceptsNull { scratch.invert() }
    acceptsNull ? mask.formUnion(scratch) : mask.formIntersection(scratch)
  }

  /// Marks links that lead nowhere; those to objects that do not exist (yet) read as null.
  package func markNulls(into mask: SelectionMask) {
    values.mark(IntegerRange(low: .min, high: bias - 1), into: mask)
  }
}

extension BoolLeaf {
  /// Marks the elements that are one of the named three.
  package func mark(acceptsFalse: Bool, acceptsTrue: Bool, acceptsNull: Bool, into mask: SelectionMask) {
    guard let nullSentinel else {
      return acceptsFalse == acceptsTrue
        ? mask.fill(acceptsTrue, count: count)
        : values.mark(acceptsFalse ? .equal(0) : .equal(0).negated, into: mask)
    }
    guard nullSentinel == Self.nullPattern else {
      mask.resize(count)
      for row in 0..<count {
        mask[row] = self[row].map { $0 ? acceptsTrue : acceptsFalse } ?? acceptsNull
      }
      return
    }
    switch (acceptsFalse, acceptsTrue, acceptsNull) {
    case (false, false, false): mask.fill(false, count: count)
    case (true, true, true): mask.fill(true, count: count)
    case (false, true, false): values.mark(IntegerRange(low: 1, high: 2), into: mask)
    case (true, false, false): values.mark(.equal(0), into: mask)
    case (true, true, false): values.mark(IntegerRange(low: 0, high: 2), into: mask)
    case (false, false, true): values.mark(.equal(Self.nullPattern), into: mask)
    case (true, false, true): values.mark(IntegerRange(low: 1, high: 2, isNegated: true), into: mask)
    case (false, true, true): values.mark(IntegerRange(low: 1, high: 3), into: mask)
    }
  }
}

/// A range of dates, both ends inclusive, in the order of (seconds, nanoseconds).
package struct DateTest: Sendable, Hashable {
  package let low: (seconds: Int64, nanoseconds: Int64)
  package let high: (seconds: Int64, nanoseconds: Int64)
  package let isNegated: Bool

  package init(
    low: (seconds: Int64, nanoseconds: Int64), high: (seconds: Int64, nanoseconds: Int64),
    isNegated: Bool = false
  ) {
    self.low = low
    self.high = high
    self.isNegated = isNegated
  }

  /// The whole seconds in the range, negation left aside: an end between two of them moves to the one inside.
  fileprivate var wholeSeconds: IntegerRange {
    let (first, firstOverflow) = low.seconds.addingReportingOverflow(low.nanoseconds > 0 ? 1 : 0)
    let (last, lastOverflow) = high.seconds.subtractingReportingOverflow(high.nanoseconds < 0 ? 1 : 0)
    return firstOverflow || lastOverflow || low > high ? .none : IntegerRange(low: first, high: last)
  }

  package func accepts(_ date: Timestamp) -> Bool {
    let value = (date.seconds, Int64(date.nanoseconds))
    return (value >= low && value <= high) != isNegated
  }

  package static func == (left: DateTest, right: DateTest) -> Bool {
    left.low == right.low && left.high == right.high && left.isNegated == right.isNegated
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(low.seconds)
    hasher.combine(high.seconds)
  }
}

extension TimestampLeaf {
  /// Marks the dates that the test accepts. `acceptsNull`: the answer for null.
  package func mark(_ test: DateTest, acceptsNull: Bool, scratch: SelectionMask, into mask: SelectionMask) {
    let (low, high) = (test.low, test.high)
    guard nanoseconds.width > 0, low <= high else {
      let test = test.isNegated ? test.wholeSeconds.negated : test.wholeSeconds
      return seconds.mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
    }
    seconds.values.mark(IntegerRange(low: low.seconds, high: high.seconds), into: mask)
    markSecond(low.seconds, test, scratch: scratch, into: mask)
    if low.seconds != high.seconds { markSecond(high.seconds, test, scratch: scratch, into: mask) }
    if test.isNegated { mask.invert() }
    guard let sentinel = seconds.nullSentinel else { return }
    seconds.values.mark(.equal(sentinel), into: scratch)
    scratch.forEachRow { mask[$0] = acceptsNull }
  }

  /// Looks at the nanoseconds of the dates in one second, which is an end of the test's range.
  private func markSecond(_ second: Int64, _ test: DateTest, scratch: SelectionMask, into mask: SelectionMask)
  {
    seconds.values.mark(.equal(second), into: scratch)
    scratch.forEachRow { row in
      let value = (second, nanoseconds[row])
      mask[row] = value >= test.low && value <= test.high
    }
  }
}

extension FloatingLeaf where Number: VectorFraction, Number.Bits: VectorNumber {
  /// Marks by IEEE comparison: null and NaN meet nothing but "not equal".
  package func mark(_ test: FloatingTest<Number>, into mask: SelectionMask) {
    FloatingKernels.mark(payload, start: start, count: count, test, into: mask)
  }

  package func markNulls(into mask: SelectionMask) {
    guard let nullBits else { return mask.fill(false, count: count) }
    FloatingKernels.mark(payload, start: start, count: count, bitPattern: nullBits, into: mask)
  }
}
