// Keys of objects in the order in which rows stand, whatever they are and however they came.

import RealmEngine
import TestSupport
import Testing

@Suite("Lists of object keys")
struct ObjectKeyListTests {
  /// Close together, far apart, on both sides of zero.
  private static let spans: [ClosedRange<Int64>] = [0...5000, -40...40, 0...Int64.max, Int64.min...Int64.max]

  @Test("keys rise as unsigned numbers, each once", arguments: spans.indices)
  func order(index: Int) {
    var random = SplitMix64(state: 7)
    let span = Self.spans[index]
    let numbers = (0..<3000).map { _ in Int64.random(in: span, using: &random) }
    let expected = Set(numbers).map { UInt64(bitPattern: $0) }.sorted()
    let list = ObjectKeyList(numbers.map { ObjectKey($0) })
    #expect(list[0..<list.count].map { UInt64(bitPattern: $0.value) } == expected)
    #expect(list.first == list[0..<1].first)
    let again = ObjectKeyList(list[0..<list.count])
    #expect(again.count == list.count)
  }

  @Test("a list may be empty")
  func empty() {
    let list = ObjectKeyList([ObjectKey]())
    #expect(list.isEmpty && list.first == nil)
  }
}
