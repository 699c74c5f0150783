// The names of collections inside mixed values: numbers, by which an app that has one of them open finds it again.
// Layer: Objects.
// Invariant: what is written in the place of a collection keeps the names of the collections that stay in it, and gives others
// names that none had, so that no app takes one for another.

extension StoredValue {
  /// Takes over the names of collections that `former` holds in the same place.
  func continuing(_ former: StoredValue) -> StoredValue {
    switch (self, former.withoutName) {
    case (.list(let elements), .list(let former)):
      return .list(Self.named(elements, from: former, Self.places(of: elements, in: former)))
    case (.dictionary(let entries), .dictionary(let former)):
      var places: [Value: Int] = [:]
      for (index, entry) in former.enumerated() { places[entry.key] = index }
      let values = Self.named(
        entries.map(\.value), from: former.map(\.value), entries.map { places[$0.key] })
      return .dictionary(zip(entries, values).map { ($0.key, $1) })
    default: return self
    }
  }

  /// `places`: of each element, where it stood formerly; nil for a new one.
  private static func named(
    _ elements: [StoredValue], from former: [StoredValue], _ places: [Int?]
  ) -> [StoredValue] {
    var taken = Set(former.compactMap(\.name))
    return zip(elements, places).map { element, place in
      guard element.isCollection else { return element }
      if let place, let name = former[place].name, former[place].isKind(of: element) {
        return .named(name, element.continuing(former[place]))
      }
      var name: Int64
      repeat { name = randomName(among: elements.count) } while !taken.insert(name).inserted
      return .named(name, element)
    }
  }

  /// As small as engines make them, and with as much room.
  private static func randomName(among count: Int) -> Int64 {
    let limit: Int64 = count < 16 ? 1 << 7 : count < 1 << 12 ? 1 << 15 : 1 << 31
    let name = Int64.random(in: 1..<2 * limit)
    return name < limit ? name : limit - name - 1
  }

  /// Where elements of a list stood before it was written anew.
  private static func places(of elements: [StoredValue], in former: [StoredValue]) -> [Int?] {
    var places = [Int?](repeating: nil, count: elements.count)
    var start = 0
    while start < min(elements.count, former.count), elements[start].isSame(as: former[start]) {
      places[start] = start
      start += 1
    }
    var (end, formerEnd) = (elements.count, former.count)
    while end > start, formerEnd > start, elements[end - 1].isSame(as: former[formerEnd - 1]) {
      (end, formerEnd) = (end - 1, formerEnd - 1)
      places[end] = formerEnd
    }
    if end == formerEnd {
      for index in start..<end { places[index] = index }
      return places
    }
    var next = start
    for index in start..<end where elements[index].isCollection {
      guard let found = (next..<formerEnd).first(where: { elements[index].isSame(as: former[$0]) }) else {
        continue
      }
      places[index] = found
      next = found + 1
    }
    return places
  }

  // MARK: What it is

  var name: Int64? { if case .named(let name, _) = self { name } else { nil } }

  private var withoutName: StoredValue { if case .named(_, let value) = self { value } else { self } }

  var isCollection: Bool { if case .single = withoutName { false } else { true } }

  private func isKind(of other: StoredValue) -> Bool {
    switch (withoutName, other.withoutName) {
    case (.list, .list), (.dictionary, .dictionary): true
    default: false
    }
  }

  /// Whether both hold the same, whatever it is called.
  private func isSame(as other: StoredValue) -> Bool {
    switch (withoutName, other.withoutName) {
    case (.single(let value), .single(let other)): return value == other
    case (.list(let elements), .list(let others)):
      return elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
    case (.dictionary(let entries), .dictionary(let others)):
      guard entries.count == others.count else { return false }
      var values: [Value: StoredValue] = [:]
      for entry in others { values[entry.key] = entry.value }
      return entries.allSatisfy { values[$0.key]?.isSame(as: $0.value) ?? false }
    default: return false
    }
  }
}
