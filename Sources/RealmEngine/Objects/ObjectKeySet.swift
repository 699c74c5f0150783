// A growing set of objects of a class, in few bits each. Layer: Objects.
// Memory and the time to ask for a key stay small however many times keys are added.

/// Objects of one class, by their keys.
struct ObjectKeySet {
  /// Each at least twice as long as the next: as many waves as links are followed add some. The bits are as
  /// `CompressedIntegers.bits` has them.
  private var parts: [(keys: ObjectKeyList, bits: IntegerBits?)] = []

  /// Gives those that are new.
  mutating func add(_ keys: ObjectKeyList) -> ObjectKeyList {
    var fresh = keys
    if !parts.isEmpty {
      let new = CompressedIntegers()
      for key in keys.numbers where !contains(ObjectKey(key)) { new.append(key) }
      fresh = ObjectKeyList(new)
    }
    var (part, rest) = (fresh, parts[...])
    while let last = rest.last, last.keys.count < 2 * part.count {
      part = Self.joined([last.keys, part])
      rest.removeLast()
    }
    parts = rest + [(part, part.numbers.bits())]
    return fresh
  }

  func contains(_ key: ObjectKey) -> Bool {
    parts.contains { $0.bits?.contains(key.value) ?? $0.keys.numbers.holdsRising(key.value) }
  }

  var keys: ObjectKeyList { parts.count == 1 ? parts[0].keys : Self.joined(parts.map(\.keys)) }

  private static func joined(_ lists: [ObjectKeyList]) -> ObjectKeyList {
    let all = CompressedIntegers()
    for list in lists { all.append(contentsOf: list.numbers) }
    return ObjectKeyList(all)
  }
}

extension Dictionary {
  /// The value for a key, which is `new` from now on where there was none.
  mutating func run(_ key: Key, _ new: @autoclosure () -> Value) -> Value {
    if let value = self[key] { return value }
    let value = new()
    self[key] = value
    return value
  }
}
