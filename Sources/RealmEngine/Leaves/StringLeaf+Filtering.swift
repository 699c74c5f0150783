// Text conditions over a whole leaf, in whichever encoding it has. Layer: Leaves.

package import ByteText

/// What texts are tested for.
package struct TextTest: Sendable {
  package enum Kind: Sendable {
    case equal, beginsWith, endsWith, contains
    /// Ordering by bytes; the needle must be case-sensitive.
    case compare(ComparisonOperator)
    /// The needle says nothing.
    case like(TextPattern)
    /// The needle says nothing.
    case expression(RegularExpression)
    /// Equality with any of several; the needle says nothing.
    case isIn(TextSet)
  }

  package let kind: Kind
  package let needle: SearchTerm
  package let isNegated: Bool
  /// What the whole test answers for null, negation included.
  package let acceptsNull: Bool

  package init(_ kind: Kind, _ needle: SearchTerm, isNegated: Bool = false, acceptsNull: Bool) {
    self.kind = kind
    self.needle = needle
    self.isNegated = isNegated
    self.acceptsNull = acceptsNull
  }

  /// The texts that match `pattern`, by the simplest of tests that says the same. Where case does not matter, the
  /// pattern must be UTF-8.
  package init(like pattern: [UInt8], isCaseInsensitive: Bool) {
    let pattern = TextPattern(pattern, isCaseInsensitive: isCaseInsensitive)
    switch pattern.simple {
    case .equal(let needle)?: self.init(.equal, needle, acceptsNull: false)
    case .beginsWith(let needle)?: self.init(.beginsWith, needle, acceptsNull: false)
    case .endsWith(let needle)?: self.init(.endsWith, needle, acceptsNull: false)
    case .contains(let needle)?: self.init(.contains, needle, acceptsNull: false)
    case nil: self.init(.like(pattern), SearchTerm([]), acceptsNull: false)
    }
  }

  /// Of null alone.
  package static let isNull = TextTest(.isIn(TextSet([])), SearchTerm([]), acceptsNull: true)

  /// The answer for one text.
  package func accepts(_ bytes: RawBytes) -> Bool { holds(bytes) != isNegated }

  private func holds(_ bytes: RawBytes) -> Bool {
    switch kind {
    case .equal: return needle.equals(bytes)
    case .beginsWith: return needle.isPrefix(of: bytes)
    case .endsWith: return needle.isSuffix(of: bytes)
    case .contains: return needle.isContained(in: bytes)
    case .like(let pattern): return pattern.matches(bytes)
    case .expression(let expression): return expression.matches(bytes.span)
    case .isIn(let set): return set.contains(bytes)
    case .compare(let comparison):
      return comparison.mirrored.holds(order: needle.compare(bytes))
    }
  }
}

/// Memory that text tests reuse from leaf to leaf.
package final class TextTestScratch {
  let keys = ShortTextKeys()
  /// The answers for the distinct texts of an enumerated column, made at the first leaf.
  var enumeratedAnswers: [Bool]?

  package init() {}
}

extension StringLeaf {
  /// Marks the texts that the test accepts. One scratch serves one test over the leaves of one column.
  package func mark(
    _ test: TextTest, in snapshot: Snapshot, scratch: TextTestScratch, into mask: SelectionMask
  ) throws(EngineError) {
    switch self {
    case .short(let leaf): try leaf.mark(test, scratch: scratch, into: mask)
    case .medium(let leaf): try leaf.mark(test, scratch: scratch, into: mask)
    case .big(let leaf): try leaf.mark(test, in: snapshot, into: mask)
    case .enumerated(let numbers, let table):
      let answers: [Bool]
      if let known = scratch.enumeratedAnswers {
        answers = known
      } else {
        answers = try table.answers(test, in: snapshot)
        scratch.enumeratedAnswers = answers
      }
      mask.resize(numbers.count)
      for row in 0..<numbers.count {
        let number = numbers[row]
        guard number >= 0, number < Int64(answers.count) else {
          throw EngineError(damage: "an enumerated text is number \(number) of \(answers.count)")
        }
        mask[row] = answers[Int(number)]
      }
    }
  }
}

extension BinaryLeaf {
  /// Marks the data that the test accepts.
  package func mark(
    _ test: TextTest, in snapshot: Snapshot, scratch: TextTestScratch, into mask: SelectionMask
  ) throws(EngineError) {
    switch self {
    case .small(let leaf): try leaf.mark(test, scratch: scratch, into: mask)
    case .big(let leaf): try leaf.mark(test, in: snapshot, into: mask)
    }
  }
}

extension BigBlobLeaf {
  fileprivate func mark(_ test: TextTest, in snapshot: Snapshot, into mask: SelectionMask) throws(EngineError)
  {
    mask.resize(count)
    for row in 0..<count {
      mask[row] = try bytes(row, in: snapshot).map { test.accepts($0.bytes) } ?? test.acceptsNull
    }
  }
}

extension EnumeratedTexts {
  fileprivate func answers(_ test: TextTest, in snapshot: Snapshot) throws(EngineError) -> [Bool] {
    var answers: [Bool] = []
    for number in 0..<count {
      answers.append(
        try bytes(Int64(number), in: snapshot).map { test.accepts($0.bytes) } ?? test.acceptsNull)
    }
    return answers
  }
}

extension ShortStringLeaf {
  fileprivate func mark(_ test: TextTest, scratch: TextTestScratch, into mask: SelectionMask)
    throws(EngineError)
  {
    guard width > 0 else {
      return mask.fill(isNullable ? test.acceptsNull : test.accepts(.empty), count: count)
    }
    let needle = test.needle
    let isPlain = !needle.isEmpty && !needle.containsZero
    switch test.kind {
    case .equal:
      TextKernels.markEqual(payload, width: width, start: start, count: count, needle: needle, into: mask)
    case .beginsWith where isPlain:
      TextKernels.markPrefix(payload, width: width, start: start, count: count, needle: needle, into: mask)
    case .endsWith where !needle.isEmpty && width >= 8:
      TextKernels.markSuffix(payload, width: width, start: start, count: count, needle: needle, into: mask)
    case .compare(let comparison) where !test.isNegated && loadKeys(into: scratch.keys):
      return scratch.keys.mark(
        comparison, needle.upper, acceptsNull: test.acceptsNull, into: mask)
    case .isIn(let set) where width == 8 || width == 16:
      try mark(set, into: mask)
    case .isIn(let set) where !set.needles.isEmpty:
      markNeedles(of: set, into: mask)
    case .contains where isPlain:
      // Padding is zeros and a small number: the needle may run into the number, never into the next element.
      mask.fill(false, count: count)
      let elements = payload.slice(start * width, count * width)
      TextKernels.forEachOccurrence(of: needle, in: elements) { position in
        let row = position / width
        let used = width - 1 - Int(elements[row * width + width - 1])
        guard position - row * width + needle.count <= used else { return position + 1 }
        mask[row] = true
        return (row + 1) * width
      }
    case .like(let pattern) where !test.isNegated && !test.acceptsNull:
      if let beginning = pattern.beginning, width == 8 || width == 16 {
        TextKernels.markCandidates(
          payload, width: width, start: start, count: count, beginning, into: mask)
      } else {
        mask.fill(true, count: count)
      }
      return try mask.filter { row throws(EngineError) in
        guard let text = try bytes(row) else { return false }
        return pattern.matches(text)
      }
    default:
      mask.resize(count)
      for row in 0..<count {
        if let text = try bytes(row) { mask[row] = test.accepts(text) } else { mask[row] = test.acceptsNull }
      }
      return
    }
    if test.isNegated { mask.invert() }
    try correctNulls(test, mask)
  }

  /// Marks elements of 8 or 16 bytes that are in the set: most others lack what its members have in common.
  private func mark(_ set: TextSet, into mask: SelectionMask) throws(EngineError) {
    guard let pattern = set.pattern(width: width) else { return mask.fill(false, count: count) }
    pattern.mark(payload.slice(start * width, count * width), into: mask)
    if pattern.isExact { return }
    if mask.population > count / Self.candidateShare, !set.needles.isEmpty {
      return markNeedles(of: set, into: mask)
    }
    try mask.filter { row throws(EngineError) in try bytes(row).map(set.contains) ?? false }
  }

  /// Candidates that are asked one by one: one in so many rows at most, where there is another way.
  private static let candidateShare = 32

  private func markNeedles(of set: TextSet, into mask: SelectionMask) {
    mask.fill(false, count: count)
    for needle in set.needles {
      TextKernels.markEqual(
        payload, width: width, start: start, count: count, needle: needle, adding: true, into: mask)
    }
  }

  /// The kernels take null for a text that nothing equals; where that is not the test's answer, it is put right.
  private func correctNulls(_ test: TextTest, _ mask: SelectionMask) throws(EngineError) {
    guard isNullable, test.isNegated != test.acceptsNull else { return }
    for row in 0..<count where try bytes(row) == nil { mask[row] = test.acceptsNull }
  }
}

extension SmallBlobLeaf {
  fileprivate func mark(_ test: TextTest, scratch: TextTestScratch, into mask: SelectionMask)
    throws(EngineError)
  {
    guard case .contains = test.kind, !test.needle.isEmpty, !test.needle.containsZero, terminatorSize == 1
    else {
      mask.resize(count)
      for row in 0..<count {
        if let text = try bytes(row) { mask[row] = test.accepts(text) } else { mask[row] = test.acceptsNull }
      }
      return
    }
    // One search through all texts; the zero byte between them keeps a match within one.
    mask.fill(test.isNegated, count: count)
    guard count > 0 else { return }
    let begin = max(0, min(Int64(blob.count), self.begin(0)))
    var row = 0
    let texts = blob.slice(Int(begin), blob.count - Int(begin))
    TextKernels.forEachOccurrence(of: test.needle, in: texts) { position in
      while row < count, ends[row] <= begin + Int64(position) { row += 1 }
      guard row < count else { return texts.count }
      if !isNull(row) { mask[row] = !test.isNegated }
      return max(position + 1, Int(clamping: ends[row] &- begin))
    }
    for row in 0..<count where isNull(row) { mask[row] = test.acceptsNull }
  }
}
