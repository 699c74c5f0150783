// Sorting the words of an index.

import RealmEngine
import TestSupport
import Testing

@Suite("Words of an index")
struct IndexSortingTests {
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
}
