import RealmEngine
import TestSupport
import Testing

@Suite("Numbers in few bits")
struct CompressedIntegersTests {
  @Test("every number comes back, however far from its neighbours", arguments: [0, 1, 255, 256, 257, 1000])
  func numbers(count: Int) {
    var random = SplitMix64(state: UInt64(count))
    let kinds: [(Int) -> Int64] = [
      { Int64($0) }, { _ in 7 }, { Int64($0) * 1000 - 300 }, { $0 % 300 == 0 ? .max : .min },
      { _ in Int64(bitPattern: random.next()) }, { _ in Int64(random.below(100_000)) - 1 },
    ]
    for kind in kinds {
      let numbers = (0..<count).map(kind)
      let run = CompressedIntegers(numbers)
      #expect(Array(run) == numbers && run.count == count)
      #expect(Array(run[(count / 3)...]) == Array(numbers[(count / 3)...]))
    }
  }
}
