// Texts in any case in a search index: each level is asked for every way to write its four bytes. Layer: Trees.

extension SearchIndex {
  /// What the texts lead to that are `needle` in any case. Cost: up to 16 searches of a node for
  /// each way to write the bytes before that the index knows.
  func find(inAnyCase needle: SearchTerm) throws(EngineError) -> [Found] {
    let data = IndexData(word: ByteString(copying: needle.upper))
    var found: [Found] = []
    var levels = [(ref: root, offset: 0)]
    let budget = TraversalBudget(snapshot)
    while let (ref, offset) = levels.popLast() {
      guard offset <= IndexData.offsetMax else { continue }
      try budget.charge(try snapshot.node(ref))
      let chunk = data.chunk(at: offset)
      let caseBits = needle.caseChunk(at: offset)
      var variant: Int32 = 0
      repeat {
        switch try entry(ref, chunk | variant) {
        case .subindex(let next)?: levels.append((next, offset + IndexData.chunkSize))
        case let entry?: found.append(Found(entry, offset: offset))
        case nil: break
        }
        // The next subset of the bits.
        variant = (variant &- caseBits) & caseBits
      } while variant != 0
    }
    return found
  }
}

extension SearchTerm {
  /// The bits of the four bytes at `offset` in which their cases differ, the first byte at the top.
  fileprivate func caseChunk(at offset: Int) -> Int32 {
    var chunk: UInt32 = 0
    for index in offset..<offset + IndexData.chunkSize {
      chunk = chunk << 8 | UInt32(index < count ? caseBits[index] : 0)
    }
    return Int32(bitPattern: chunk)
  }
}
