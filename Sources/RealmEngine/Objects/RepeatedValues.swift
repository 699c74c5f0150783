// Values that stand in several objects. Layer: Objects.
// All values are told apart by a word each, of which equal ones have the same; only where words repeat are values compared.

extension Table {
  /// The objects that share a value of a property with one value, those of each value in the order of their keys, in the order of
  /// the first of each. Cost: a word an object.
  package func keysWithRepeatedValues(of property: Property) throws(EngineError) -> [[ObjectKey]] {
    let hash = SeededHash()
    var words: [UInt64] = []
    try forEachValue(of: property) { words.append($1.word(hash)) }
    let repeated = try Self.repeated(words)
    guard !repeated.isEmpty else { return [] }
    var places: [Value: Int] = [:]
    var groups: [[ObjectKey]] = []
    try forEachValue(of: property) { key, value in
      guard repeated.contains(value.word(hash)) else { return }
      if let place = places[value] { return groups[place].append(key) }
      places[value.owned()] = groups.count
      groups.append([key])
    }
    return groups.filter { $0.count > 1 }
  }

  private func forEachValue(
    of property: Property, _ body: (ObjectKey, Value) -> Void
  ) throws(EngineError) {
    var cursor = blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        body(block.key(row), try leaf.value(row, in: snapshot, target: property.target))
      }
    }
  }

  /// The words that stand there more than once.
  private static func repeated(_ words: consuming [UInt64]) throws(EngineError) -> Set<UInt64> {
    // Keys that somebody numbered are in order mostly.
    if words.indices.dropFirst().allSatisfy({ words[$0 - 1] < words[$0] }) { return [] }
    try Interruption.check()
    var scratch = DigitSort.scratch(words.count)
    DigitSort.sort(&words, words.indices, bits: 0..<UInt64.bitWidth, scratch: &scratch)
    var repeated: Set<UInt64> = []
    for index in words.indices.dropFirst() where words[index - 1] == words[index] {
      repeated.insert(words[index])
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
