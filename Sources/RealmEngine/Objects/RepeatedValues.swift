// Values that stand in several objects. Layer: Objects.
// All values are told apart by a word each, of which equal ones have the same; only where words repeat are values compared. Of
// many values the words are looked at part by part, so that little memory is taken.

extension Table {
  /// The objects that share a value of a property with one value, those of each value in the order of their keys, in the order of
  /// the first of each. Cost: reads all values, several times where there are more than `wordsHeldMin`, for each of which a word is
  /// in memory.
  package func keysWithRepeatedValues(
    of property: Property, wordsHeldMin: Int = 1 << 20
  ) throws(EngineError) -> [[ObjectKey]] {
    let hash = SeededHash()
    let repeated = try repeatedWords(of: property, hash, heldMin: wordsHeldMin)
    guard !repeated.isEmpty else { return [] }
    var places: [Value: Int] = [:]
    var groups: [[ObjectKey]] = []
    try forEachValue(of: property) { key, value in
      guard repeated.contains(value.word(hash)) else { return true }
      if let place = places[value] {
        groups[place].append(key)
      } else {
        places[value.owned()] = groups.count
        groups.append([key])
      }
      return true
    }
    return groups.filter { $0.count > 1 }
  }

  /// `body` gives false when it has seen enough.
  private func forEachValue(
    of property: Property, _ body: (ObjectKey, Value) -> Bool
  ) throws(EngineError) {
    var cursor = blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        guard body(block.key(row), try leaf.value(row, in: snapshot, target: property.target)) else { return }
      }
    }
  }

  /// More parts would take longer than their memory is worth.
  private static let partCountMax = 16

  /// The words that stand there more than once.
  private func repeatedWords(
    of property: Property, _ hash: SeededHash, heldMin: Int
  ) throws(EngineError) -> Set<UInt64> {
    // Keys that somebody numbered are in order mostly.
    var last: UInt64?
    var isRising = true
    try forEachValue(of: property) { _, value in
      let word = value.word(hash)
      if let last, last >= word { isRising = false }
      last = word
      return isRising
    }
    if isRising { return [] }
    var repeated: Set<UInt64> = []
    let partCount = min(Self.partCountMax, (count + heldMin - 1) / heldMin)
    for part in 0..<UInt64(partCount) {
      try Interruption.check()
      var words: [UInt64] = []
      try forEachValue(of: property) { _, value in
        let word = value.word(hash)
        // Numbers are words as they are: their parts are told by hashes.
        if partCount == 1 || hash.mix(hash.start, word) % UInt64(partCount) == part { words.append(word) }
        return true
      }
      var scratch = DigitSort.scratch(words.count)
      DigitSort.sort(&words, words.indices, bits: 0..<UInt64.bitWidth, scratch: &scratch)
      for index in words.indices.dropFirst() where words[index - 1] == words[index] {
        repeated.insert(words[index])
      }
    }
    return repeated
  }
}

extension Value {
  /// Equal values have equal words; unequal ones seldom do.
  fileprivate func word(_ hash: SeededHash) -> UInt64 {
    switch self {
    case .int(let number): return UInt64(bitPattern: number)
    case .string(let text), .data(let text): return hash.mix(hash.start, text.bytes)
    case .null: return hash.start
    default:
      var hasher = Hasher()
      self.hash(into: &hasher)
      return UInt64(truncatingIfNeeded: hasher.finalize())
    }
  }
}
