import RealmEngine
import Testing

@Suite("Sets of object keys")
struct KeySetTests {
  @Test(
    "keys in any order, as damaged files give them, are found and no others",
    arguments: [
      [], [5], [1, 2, 3], [3, 1, 2], [7, 7, 7], [0, -1], [5, -9_000_000_000], [-3, 4, 1 << 40],
      [0, .max, .min], [.max, 0], [1, 1 << 62, 2],
    ] as [[Int64]])
  func anyOrder(keys: [Int64]) {
    let set = KeySet(keys.map(ObjectKey.init))
    #expect(set.count == keys.count)
    for key in keys + [-2, 4, 6, 1 << 50, .max, .min] {
      #expect(set.contains(key) == keys.contains(key), "\(key) of \(keys)")
    }
  }
}
