// Sorting the words of an index, and the keys of its items.

import RealmEngine
import TestSupport
import Testing

@Suite("Words and keys of an index")
struct IndexWordsTests {
  @Test("words are sorted, many or few, alike above or below, crowded or spread")
  func words() throws {
    var random = SplitMix64(state: 20_261_123)
    for count in [0, 1, 2, 2047, 2048, 70_000, 200_000] {
      for mask: UInt64 in [0, 0xFF, 0xFF00_0000, 0x0F0F_0003, 0xFFFF_FFFF] {
        var words = (0..<UInt64(count)).map { (random.next() & mask) << 32 | $0 }
        let crowded = count / 10 * 9
        for index in words.indices.prefix(crowded) where mask == 0xFF { words[index] &= 0xFFFF_FFFF }
        let wanted = words.sorted()
        try words.sortWords()
        #expect(words == wanted, "\(count) words under \(mask)")
      }
    }
  }

  @Test("keys are kept as they came: without gaps, with small ones and large ones, falling and repeated")
  func keys() {
    let lists: [[Int64]] = [
      [], [5], [5, 6, 7], [5, 6, 8, 9], [5, 5, 6], [7, 6], [0, 1, 1 << 40, 1 << 40 + 1], [0, 2, 1 << 40],
      [.max - 1, .max], [.max, .min, 0], [-3, -2, -1, 0, 1], [.min, 0, .max],
    ]
    for list in lists {
      var keys = IndexKeys()
      for (index, key) in list.enumerated() {
        #expect(keys.count == index)
        keys.append(key)
      }
      #expect(list.indices.map { keys[$0] } == list)
    }
  }
}
