// Arrays that several threads fill, each other places of them. Layer: Kernels.
// Safe: places of threads are ranges that follow one another, or places that were counted and are checked.

/// Makes arrays of millions of numbers.
enum ParallelFill {
  /// Items that are worth a second thread.
  static let itemsOfAThread = 1 << 16

  /// Memory that threads write to.
  @unsafe private struct Room<Item>: @unchecked Sendable {
    let start: UnsafeMutablePointer<Item>?
  }

  /// An array of `bounds.last` items; `fill` is called for each two neighbouring numbers of `bounds`, which ascend from
  /// 0, with the items between them, and gives each of them a value.
  static func array<Item: BitwiseCopyable & Sendable>(
    _ bounds: [Int], of: Item.Type = Item.self,
    _ fill: @escaping @Sendable (_ piece: Int, _ items: inout MutableSpan<Item>) -> Void
  ) -> [Item] {
    let count = bounds.last ?? 0
    precondition(bounds.first == 0 && zip(bounds, bounds.dropFirst()).allSatisfy { $0 <= $1 })
    var items: [Item] = []
    items.reserveLarge(count)
    items.append(upTo: count) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        let room = unsafe Room(start: buffer.baseAddress)
        ParallelWork.forEach(bounds.count - 1) { piece in
          let part = unsafe UnsafeMutableBufferPointer(
            start: room.start.map { unsafe $0 + bounds[piece] }, count: bounds[piece + 1] - bounds[piece])
          var items = unsafe MutableSpan(_unsafeElements: part)
          fill(piece, &items)
        }
        initializedCount = count
      }
    }
    return items
  }

  /// Bounds of pieces of `0 ..< count` that are worth a thread's while.
  static func bounds(_ count: Int, pieceLength: Int = itemsOfAThread) -> [Int] {
    var bounds = Array(stride(from: 0, to: count, by: pieceLength))
    bounds.append(count)
    return bounds
  }
}

/// Rows dealt out to ranges of their words: what is in one range sorts before what is in the next one.
struct PartitionedRows: Sendable {
  /// A number that begins a range, and the first row with it that belongs there.
  struct Bound: Sendable {
    let word: UInt64
    let row: Int32
  }

  /// Range by range; in a range rows ascend.
  let rows: [Int32]
  let words: [UInt64]
  /// Where each range begins, and behind the last one the end.
  let starts: [Int]

  static let rangesMax = 1 << 10

  /// Deals `0 ..< words.count` out to the ranges that sorted bounds make. Nil: the user wants an end.
  init?(_ words: [UInt64], _ bounds: [Bound]) {
    precondition(words.count <= Int(Int32.max) && bounds.count < Self.rangesMax)
    let pieces = ParallelFill.bounds(words.count)
    let (rangeCount, pieceCount) = (bounds.count + 1, pieces.count - 1)
    let search = BoundSearch(bounds)
    if Interruption.isPending { return nil }
    let numbers: [UInt16] = ParallelFill.array(pieces) { piece, numbers in
      search.find(words.span, from: pieces[piece], &numbers)
    }
    if Interruption.isPending { return nil }
    // How many rows of each piece are in each range; then where they go.
    let table = ParallelFill.bounds(rangeCount * pieceCount, pieceLength: rangeCount)
    var places: [Int] = ParallelFill.array(table) { piece, counts in
      for range in counts.indices { counts[range] = 0 }
      let numbers = numbers.span
      for row in pieces[piece]..<pieces[piece + 1] { counts[Int(numbers[row])] += 1 }
    }
    var starts: [Int] = []
    var next = 0
    for range in 0..<rangeCount {
      starts.append(next)
      for piece in 0..<pieceCount {
        let count = places[piece * rangeCount + range]
        places[piece * rangeCount + range] = next
        next += count
      }
    }
    starts.append(next)
    if Interruption.isPending { return nil }
    (rows, self.words) = Self.dealt(words, numbers, pieces, places, rangeCount)
    self.starts = starts
  }

  /// Where rows and words are written to.
  @unsafe private struct Target: @unchecked Sendable {
    let rows: UnsafeMutablePointer<Int32>
    let words: UnsafeMutablePointer<UInt64>
  }

  private static func dealt(
    _ words: [UInt64], _ numbers: [UInt16], _ pieces: [Int], _ places: [Int], _ rangeCount: Int
  ) -> (rows: [Int32], words: [UInt64]) {
    let count = words.count
    var dealtRows: [Int32] = []
    var dealtWords: [UInt64] = []
    dealtRows.reserveLarge(count)
    dealtWords.reserveLarge(count)
    dealtRows.append(upTo: count) { rowSpan in
      unsafe rowSpan.withUnsafeMutableBufferPointer { rowRoom, rowCount in
        dealtWords.append(upTo: count) { wordSpan in
          unsafe wordSpan.withUnsafeMutableBufferPointer { wordRoom, wordCount in
            guard let rows = rowRoom.baseAddress, let room = wordRoom.baseAddress else { return }
            let target = unsafe Target(rows: rows, words: room)
            ParallelWork.forEach(pieces.count - 1) { piece in
              let (words, numbers) = (words.span, numbers.span)
              var next = Array(places[piece * rangeCount..<(piece + 1) * rangeCount])
              var places = next.mutableSpan
              for row in pieces[piece]..<pieces[piece + 1] {
                let range = Int(numbers[row])
                let place = places[range]
                precondition(place < count, "each row has one place")
                unsafe target.rows[place] = Int32(truncatingIfNeeded: row)
                unsafe target.words[place] = words[row]
                places[range] = place &+ 1
              }
            }
            wordCount = count
          }
        }
        rowCount = count
      }
    }
    return (dealtRows, dealtWords)
  }
}

/// Finds the range of a word without guessing which way the search goes.
private struct BoundSearch: Sendable {
  /// The words of the bounds, and the greatest ones behind them, for a number of places that is a power of two.
  private let words: [UInt64]
  private let bounds: [PartitionedRows.Bound]

  init(_ bounds: [PartitionedRows.Bound]) {
    self.bounds = bounds
    var size = 1
    while size < bounds.count + 1 { size *= 2 }
    words = bounds.map(\.word) + [UInt64](repeating: .max, count: size - bounds.count)
  }

  /// The ranges of words from row `first` on. Four at a time: each step of a search waits for the one before.
  func find(_ words: borrowing Span<UInt64>, from first: Int, _ numbers: inout MutableSpan<UInt16>) {
    let bounds = self.words.span
    for index in stride(from: 0, to: numbers.count, by: 4) {
      var sought = SIMD4<UInt64>.zero
      let laneCount = min(4, numbers.count - index)
      for lane in 0..<laneCount { sought[lane] = words[first + index + lane] }
      var places = SIMD4<Int>.zero
      var step = bounds.count / 2
      while step > 0 {
        // How many bounds have a lesser word.
        for lane in 0..<4 {
          let next = places[lane] &+ step
          places[lane] = bounds[next &- 1] < sought[lane] ? next : places[lane]
        }
        step /= 2
      }
      for lane in 0..<laneCount {
        numbers[index + lane] = range(places[lane], sought[lane], first + index + lane)
      }
    }
  }

  /// The range of a word of which `place` bounds have a lesser one.
  @inline(__always)
  private func range(_ place: Int, _ word: UInt64, _ row: Int) -> UInt16 {
    var place = place
    while place < bounds.count, bounds[place].word == word, bounds[place].row <= row { place &+= 1 }
    return UInt16(truncatingIfNeeded: place)
  }
}
