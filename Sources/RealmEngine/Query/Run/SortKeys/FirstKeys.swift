// The first words of many values, for columns of which mostly nothing else has to be kept. Layer: Query, Run, SortKeys.

extension OutputSpan<UInt64> {
  /// Adds the first words of the values of a leaf at `rows`. False: they do not say all of these values, or are not
  /// told here, and what was added is of no use. `usualSecond`: the second word that goes without saying.
  mutating func append(firstWordsOf leaf: Leaf, at rows: borrowing Span<Int32>, usualSecond: UInt64) -> Bool {
    switch leaf {
    case .integers(let leaf): return append(firstWordsOfIntegers: leaf, at: rows)
    case .bools(let leaf):
      append(firstWordsOfBools: IntegerLeaf(values: leaf.values, nullSentinel: leaf.nullSentinel), at: rows)
      return true
    default: break
    }
    var isUsual = true
    write(atMost: rows.count) { writer in
      @inline(__always) func write(_ words: OrderKey) {
        if words.second != usualSecond || words.third != 0 { isUsual = false }
        writer.write(words.first)
      }
      switch leaf {
      case .links(let leaf): rows.forEachRow { write(OrderKey(link: leaf.existing($0))) }
      case .dates(let leaf) where leaf.nanoseconds.width == 0:
        let null = leaf.seconds.nullSentinel
        leaf.seconds.values.forEachElement(at: rows) {
          write(OrderKey(seconds: $0 == null ? nil : $0, nanoseconds: 0))
        }
      case .doubles(let leaf): rows.forEachRow { write(OrderKey(leaf[$0])) }
      case .floats(let leaf): rows.forEachRow { write(OrderKey(leaf[$0])) }
      default: isUsual = false
      }
    }
    return isUsual
  }

  /// Adds the first words of integers.
  @inline(__always)
  mutating func append(firstWordsOfIntegers leaf: IntegerLeaf, at rows: borrowing Span<Int32>) -> Bool {
    var isUsual = true
    write(atMost: rows.count) { writer in
      @inline(__always) func write(_ words: OrderKey) {
        if words.second != 0 { isUsual = false }
        writer.write(words.first)
      }
      if let null = leaf.nullSentinel {
        leaf.values.forEachElement(at: rows) { write(OrderKey($0 == null ? nil : $0)) }
      } else {
        leaf.values.forEachElement(at: rows) { write(OrderKey($0)) }
      }
    }
    return isUsual
  }

  /// Adds the first words of booleans, read as the numbers they are stored as.
  @inline(__always)
  mutating func append(firstWordsOfBools leaf: IntegerLeaf, at rows: borrowing Span<Int32>) {
    let null = leaf.nullSentinel
    write(atMost: rows.count) { writer in
      leaf.values.forEachElement(at: rows) { writer.write(OrderKey($0 == null ? nil : $0 != 0).first) }
    }
  }
}
