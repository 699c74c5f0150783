// The steps that tell apps how a collection was changed lead to the new collection.

import RealmEngine
import TestSupport
import Testing

@Suite("Steps between collections")
struct CollectionStepsTests {
  private func content(_ kind: CollectionKind, _ keys: [Int64], _ values: [Int64]) -> CollectionContent {
    var content = CollectionContent(kind: kind)
    content.keys = keys.map(Value.int)
    content.values = values.map(Value.int)
    return content
  }

  /// What an app makes of the steps.
  private func applied(_ steps: CollectionSteps, to old: [Value], _ new: [Value]) -> [Value] {
    var result = old
    for index in steps.erased.reversed() { result.remove(at: index) }
    for index in steps.inserted { result.insert(new[index], at: index) }
    for (index, _) in steps.changed { result[index] = new[index] }
    return result
  }

  @Test("the steps of random lists, sets and dictionaries lead from one to the other")
  func random() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<500 {
      let range: ClosedRange<Int64> = 0...Int64.random(in: 1...20, using: &random)
      func numbers() -> [Int64] {
        (0..<Int.random(in: 0...30, using: &random)).map { _ in Int64.random(in: range, using: &random) }
      }
      let (old, new) = (numbers(), numbers())
      let list = CollectionSteps(from: content(.list, [], old), to: content(.list, [], new))
      #expect(
        applied(list, to: old.map(Value.int), new.map(Value.int)) == new.map(Value.int),
        "seed \(seed): \(old) to \(new)")
      let (oldSet, newSet) = (Set(old).sorted(), Set(new).sorted())
      let set = CollectionSteps(from: content(.set, [], oldSet), to: content(.set, [], newSet))
      #expect(
        applied(set, to: oldSet.map(Value.int), newSet.map(Value.int)) == newSet.map(Value.int),
        "seed \(seed)")
      #expect(set.changed.isEmpty)
      let (oldValues, newValues) = (oldSet.map { $0 % 3 }, newSet.map { $0 % 2 })
      let dictionary = CollectionSteps(
        from: content(.dictionary, oldSet, oldValues), to: content(.dictionary, newSet, newValues))
      #expect(
        applied(dictionary, to: oldValues.map(Value.int), newValues.map(Value.int))
          == newValues.map(Value.int), "seed \(seed)")
    }
  }

  @Test("an element that comes, goes or is replaced is one step")
  func least() {
    func steps(_ old: [Int64], _ new: [Int64]) -> CollectionSteps {
      CollectionSteps(from: content(.list, [], old), to: content(.list, [], new))
    }
    #expect(steps([1, 2, 3], [1, 2, 3]).isEmpty)
    let inserted = steps([1, 2, 3], [1, 9, 2, 3])
    #expect(inserted.inserted == [1] && inserted.erased.isEmpty && inserted.changed.isEmpty)
    let erased = steps([1, 2, 3], [1, 3])
    #expect(erased.erased == [1] && erased.inserted.isEmpty && erased.changed.isEmpty)
    let changed = steps([1, 2, 3], [1, 5, 3])
    #expect(changed.changed.map(\.index) == [1] && changed.inserted.isEmpty && changed.erased.isEmpty)
    let both = steps([1, 2, 3, 4], [2, 3, 4, 5, 6])
    #expect(both.erased == [0] && both.inserted == [3, 4])
  }
}
