// Words of 64 bits by which a level of an index sorts its items. Layer: Trees.
// There may be millions of them, so that little memory stands beside them while they are sorted.

extension [UInt64] {
  /// As many are sorted where they stand.
  private static var insertedCountMax: Int { 16 }
  /// Fewer are sorted by comparing them.
  private static var radixCountMin: Int { 2048 }
  /// As many are sorted with memory beside them.
  private static var besideCountMax: Int { 1 << 16 }

  /// Sorts words of which no two are equal.
  package mutating func sortWords() throws(EngineError) {
    try sortWords(indices)
  }

  mutating func sortWords(_ range: Range<Int>) throws(EngineError) {
    if range.count <= Self.insertedCountMax { return sortByInserting(range) }
    try Interruption.check()
    guard range.count >= Self.radixCountMin else { return self[range].sort() }
    let difference = difference(in: range)
    guard range.count > Self.besideCountMax, difference != 0 else {
      return sortBeside(range, where: difference)
    }
    let highest = UInt64(63 - difference.leadingZeroBitCount) & ~7
    let ends = part(range, by: highest)
    var start = range.lowerBound
    for end in ends {
      try sortWords(start..<end)
      start = end
    }
  }

  private mutating func sortByInserting(_ range: Range<Int>) {
    for index in range.dropFirst() {
      let word = self[index]
      var place = index
      while place > range.lowerBound, self[place - 1] > word {
        self[place] = self[place - 1]
        place -= 1
      }
      self[place] = word
    }
  }

  /// Behind the last word, of those before `end`, that shares the upper half of the one at `start`.
  func endOfGroup(at start: Int, before end: Int) -> Int {
    let chunk = self[start] >> 32
    var next = start + 1
    while next < end, self[next] >> 32 == chunk { next += 1 }
    return next
  }

  /// Parts that follow each other, each of whole groups of sorted words and, where that is possible, of about as many.
  func groups(_ range: Range<Int>, dividedIn count: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for number in 1...count where start < range.upperBound {
      let wanted = range.lowerBound + range.count * number / count
      let end = endOfGroup(at: Swift.max(wanted - 1, start), before: range.upperBound)
      parts.append(start..<end)
      start = end
    }
    return parts
  }

  /// The bits in which not all are alike.
  private func difference(in range: Range<Int>) -> UInt64 {
    var difference: UInt64 = 0
    for index in range { difference |= self[index] ^ self[range.lowerBound] }
    return difference
  }

  /// Puts words together that share the byte at `shift`, in place, the bytes rising, and says where each byte ends.
  private mutating func part(_ range: Range<Int>, by shift: UInt64) -> [Int] {
    var ends = [Int](repeating: 0, count: 256)
    for index in range { ends[Int(self[index] >> shift & 0xFF)] += 1 }
    var next = ends
    var end = range.lowerBound
    for byte in ends.indices {
      next[byte] = end
      end += ends[byte]
      ends[byte] = end
    }
    for byte in ends.indices {
      while next[byte] < ends[byte] {
        let target = Int(self[next[byte]] >> shift & 0xFF)
        if target != byte { swapAt(next[byte], next[target]) }
        next[target] += 1
      }
    }
    return ends
  }

  /// Sorts by the bytes that have bits of `difference`, lowest first, each time moving all words to memory beside them.
  private mutating func sortBeside(_ range: Range<Int>, where difference: UInt64) {
    var words = Array(self[range])
    var other = words
    for shift in stride(from: UInt64(0), to: 64, by: 8) where difference >> shift & 0xFF != 0 {
      var starts = [Int](repeating: 0, count: 257)
      for word in words { starts[Int(word >> shift & 0xFF) + 1] += 1 }
      for index in 1...256 { starts[index] += starts[index - 1] }
      for word in words {
        let byte = Int(word >> shift & 0xFF)
        other[starts[byte]] = word
        starts[byte] += 1
      }
      swap(&words, &other)
    }
    for index in words.indices { self[range.lowerBound + index] = words[index] }
  }
}
