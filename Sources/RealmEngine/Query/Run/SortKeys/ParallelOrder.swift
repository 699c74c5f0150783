// Millions of rows in the order of their words, by all threads: as many bits of all columns as 64 hold are made one word,
// rows are dealt out to ranges of these words that a sample tells, and each range is sorted by one thread.
// Layer: Query, Run, SortKeys.
// Texts that words do not say whole are compared by their next bytes, from where they begin to differ.
// Invariants: rows that are equal in all columns keep their order; the result does not depend on the number of threads.

/// Sorting that is worth several threads.
struct ParallelOrder: Sendable {
  /// Rows that are worth it.
  static let rowsMin = 1 << 17

  private let levels: [SortLevel]
  private let count: Int
  /// The word that decides first.
  private let words: [UInt64]
  /// The first level that the words do not say whole; as many as there are levels where they say all.
  private let rest: Int

  private static let bitsMax = 64
  /// Ranges have about so many rows, so that what one thread sorts stays in its cache.
  private static let rangeLength = 1 << 14
  private static let samplesOfARange = 32
  /// Equal words up to so many rows are told apart by comparing the rest.
  private static let comparedMax = 24
  /// Bits of words that are counted rather than sorted.
  private static let countedBitsMax = 11

  /// Nil where levels are not all words and texts. What is not finished because the user wants it to end is no order.
  static func sorted(_ count: Int, by levels: [SortLevel]) -> [Int32]? {
    guard levels.allSatisfy({ !$0.cut.hasValues }) else { return nil }
    ProgressCounter.expect(0)
    return ParallelOrder(TextTieBreak.skipped(levels, count), count).sorted()
  }

  private init(_ levels: [SortLevel], _ count: Int) {
    var parts: [(level: Int, bits: BitSelection)] = []
    var room = Self.bitsMax
    var rest = 0
    while rest < levels.count, room > 0 {
      let bits = BitSelection(of: Self.spread(levels[rest]), room: room)
      if bits.count > 0 { parts.append((rest, bits)) }
      room -= bits.count
      guard bits.isWhole, levels[rest].cut.isEmpty else { break }
      rest += 1
    }
    self.levels = levels
    self.count = count
    self.rest = rest
    bitCount = Self.bitsMax - room
    let pieces = ParallelFill.bounds(count)
    words = ParallelFill.array(pieces) { [parts] piece, words in
      for index in words.indices { words[index] = 0 }
      let start = pieces[piece]
      for (number, bits) in parts {
        let (level, flip) = (levels[number].words, levels[number].flip)
        let column = level.span
        bits.withAppending { append in
          for index in words.indices { words[index] = append(words[index], column[start + index] ^ flip) }
        }
      }
    }
  }

  /// How many bits the words have.
  private let bitCount: Int

  private static func spread(_ level: SortLevel) -> KeySpread {
    let pieces = ParallelFill.bounds(level.words.count)
    let first = level.words[0] ^ level.flip
    let spreads: [KeySpread] = ParallelFill.array(Array(0..<pieces.count)) { piece, spreads in
      let words = level.words.span
      var spread = KeySpread(first)
      for row in pieces[piece]..<pieces[piece + 1] { spread.add(words[row] ^ level.flip) }
      spreads[0] = spread
    }
    return spreads.dropFirst().reduce(into: spreads[0]) { $0.add($1) }
  }

  private var isWhole: Bool { rest == levels.count }

  private func sorted() -> [Int32] {
    if isWhole, bitCount <= Self.countedBitsMax {
      let digit = KeyDigit(flip: 0, base: 0, shift: 0, mask: (1 << UInt64(bitCount)) - 1)
      return CountingSort.rows(words, by: digit)
    }
    guard !Interruption.isPending, let dealt = PartitionedRows(words, bounds()) else {
      return [Int32](repeating: 0, count: count)
    }
    let starts = dealt.starts
    var rows: [Int32] = ParallelFill.array(starts) { range, rows in
      if Interruption.isPending {
        for place in rows.indices { rows[place] = 0 }
      } else {
        sort(starts[range]..<starts[range + 1], of: dealt, into: &rows)
      }
    }
    // What one thread would take too long for.
    if !isWhole {
      for range in 0..<starts.count - 1 where starts[range + 1] - starts[range] >= Self.rowsMin {
        sortLongRuns(dealt, starts[range]..<starts[range + 1], &rows)
      }
    }
    return rows
  }

  /// Words that part the rows into ranges of about the same length, told from some of them.
  private func bounds() -> [PartitionedRows.Bound] {
    let rangeCount = min(PartitionedRows.rangesMax, max(2, count / Self.rangeLength))
    let sampleCount = rangeCount * Self.samplesOfARange
    var samples: [PartitionedRows.Bound] = []
    var random: UInt64 = 1
    for number in 0..<sampleCount {
      // Not at equal distances, in which columns may have a pattern.
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let distance = count / sampleCount
      let row = min(count - 1, number * distance + Int(random >> 33) % max(1, distance))
      samples.append(PartitionedRows.Bound(word: words[row], row: isWhole ? Int32(row) : 0))
    }
    samples.sort { ($0.word, $0.row) < ($1.word, $1.row) }
    var bounds: [PartitionedRows.Bound] = []
    for place in stride(from: Self.samplesOfARange, to: sampleCount, by: Self.samplesOfARange) {
      // Rows whose words do not tell them apart stay together.
      if let last = bounds.last, last.word == samples[place].word, !isWhole || last.row == samples[place].row
      {
        continue
      }
      bounds.append(samples[place])
    }
    return bounds
  }

  // MARK: One range

  private func sort(_ range: Range<Int>, of dealt: PartitionedRows, into rows: inout MutableSpan<Int32>) {
    let words = Array(dealt.words[range])
    let order = RowOrder.sorted(range.count, by: [SortLevel(words)], isAlone: true)
    let source = dealt.rows.span
    for place in order.indices { rows[place] = source[range.lowerBound + Int(order[place])] }
    guard !isWhole, range.count < Self.rowsMin else { return }
    for run in runs(range.count, by: { words[Int(order[$0])] }) {
      if run.count <= Self.comparedMax {
        sortByInserting(run, &rows)
      } else {
        let sorted = sortedRest(run.map { rows[$0] })
        for (index, place) in run.enumerated() { rows[place] = sorted[index] }
      }
    }
  }

  /// Runs of places that have the same word.
  @inline(__always)
  private func runs(_ count: Int, by word: (Int) -> UInt64) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    while start < count {
      let first = word(start)
      var end = start + 1
      while end < count, word(end) == first { end += 1 }
      if end - start > 1 { runs.append(start..<end) }
      start = end
    }
    return runs
  }

  private func sortByInserting(_ range: Range<Int>, _ rows: inout MutableSpan<Int32>) {
    for index in range.dropFirst() {
      let row = rows[index]
      var place = index
      while place > range.lowerBound, levels.compare(Int(row), Int(rows[place - 1]), from: rest) < 0 {
        rows[place] = rows[place - 1]
        place -= 1
      }
      rows[place] = row
    }
  }

  /// Rows with the same word in the order of what it does not say.
  private func sortedRest(_ rows: [Int32]) -> [Int32] {
    let levels = TextTieBreak.skipped(levels[rest...].map { $0.chosen(rows) }, rows.count)
    return RowOrder.sorted(rows.count, by: levels).map { rows[Int($0)] }
  }

  /// Sorts the runs of a long range, with all threads.
  private func sortLongRuns(_ dealt: PartitionedRows, _ range: Range<Int>, _ rows: inout [Int32]) {
    let runs = runs(range.count) { words[Int(rows[range.lowerBound + $0])] }
    for run in runs where !Interruption.isPending {
      let places = range.lowerBound + run.lowerBound..<range.lowerBound + run.upperBound
      rows.replaceSubrange(places, with: sortedRest(Array(rows[places])))
    }
  }
}

/// What texts have behind what words say of them.
enum TextTieBreak {
  /// Levels without those in which all rows are the same. Where the words of a text are, what follows in it is asked
  /// instead, from where texts differ.
  static func skipped(_ levels: [SortLevel], _ count: Int) -> [SortLevel] {
    var levels = levels
    while let level = levels.first, count > 0 {
      let first = level.words[0]
      guard level.words.allSatisfy({ $0 == first }) else { break }
      levels.removeFirst()
      if !level.cut.isEmpty, OrderKey.isCut(first), !level.cut.hasValues {
        levels.insert(contentsOf: rest(of: level), at: 0)
      } else if level.cut.hasValues {
        levels.insert(level, at: 0)
        break
      }
    }
    return levels
  }

  /// The next bytes of texts that begin with the same ones; none where they are the same to the end.
  private static func rest(of level: SortLevel) -> [SortLevel] {
    let texts = level.cut.texts
    let first = texts[0].bytes
    var length = first.count
    var isSame = true
    for text in texts {
      let common = first.commonPrefixLength(text.bytes, max: length)
      if common < length { length = common }
      if text.bytes.count != first.count { isSame = false }
    }
    if isSame, length == first.count { return [] }
    let offsets = [length, length + OrderKey.textBytes]
    return offsets.map { offset in
      let bounds = ParallelFill.bounds(texts.count)
      let words: [UInt64] = ParallelFill.array(bounds) { piece, words in
        for index in words.indices {
          words[index] = OrderKey.word(texts[bounds[piece] + index].bytes, offset)
        }
      }
      let cut = offset == length ? TruncatedKeys() : TruncatedKeys(texts: texts)
      return SortLevel(words, flip: level.flip, cut: cut)
    }
  }
}
