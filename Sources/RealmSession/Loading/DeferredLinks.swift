// Values that wait for objects, in the order in which they are written. Layer: RealmSession, Loading.
// Invariants: what comes of a value when it is written stands in its place; objects that are there stay, so each name is waited
// for once.

import RealmEngine

/// Values that wait until all objects are there that they link to.
struct DeferredLinks {
  /// What an object is known by.
  private enum Name: Hashable {
    case primaryKey(TableKey, Value)
    case objectKey(ObjectLink)
  }

  private struct Entry {
    /// Nil when it was taken.
    var value: LateValue?
    let source: Int
    /// The one in whose place it stands; nil for the first, which all stand in.
    let outer: Int?
    let depth: Int
    /// Those that stand in its place.
    var parts = 0..<0
    /// How many of its links lead to what is not there.
    var missingCount = 0
  }

  private let transaction: WriteTransaction
  private var entries = [Entry(value: nil, source: 0, outer: nil, depth: 0)]
  /// Those that miss an object, as often as they name it.
  private var waiting: [Name: [Int]] = [:]
  /// Keys that objects may get of themselves.
  private var waitingKeys: Set<ObjectLink> = []
  private var ready: [Int] = []
  /// No value waits before this one.
  private var firstOpen = 0

  init(_ transaction: WriteTransaction) { self.transaction = transaction }

  /// Adds what came of an entry when it was written; without one, all that waits at first.
  mutating func add(_ values: [(value: LateValue, source: Int)], inPlaceOf outer: Int = 0) throws {
    let start = entries.count
    for (value, source) in values {
      let index = entries.count
      var entry = Entry(value: value, source: source, outer: outer, depth: entries[outer].depth + 1)
      var names: [Name] = []
      Self.collect(value.value, isMaking: false, into: &names)
      for name in names where try !isThere(name) {
        waiting[name, default: []].append(index)
        if case .objectKey(let link) = name { waitingKeys.insert(link) }
        entry.missingCount += 1
      }
      if entry.missingCount == 0 { ready.append(index) }
      entries.append(entry)
    }
    entries[outer].parts = start..<entries.count
  }

  /// The entries that are ready by now, in order. Where none is and nothing else comes, the first one, which says what it misses
  /// unless it makes that itself; none at the end.
  mutating func nextRound(isLast: Bool) -> [Int] {
    guard !ready.isEmpty else { return isLast ? first().map { [$0] } ?? [] : [] }
    let round = ready.sorted { isBefore($0, $1) }
    ready = []
    return round
  }

  mutating func take(_ index: Int) -> (value: LateValue, source: Int)? {
    guard let value = entries[index].value else { return nil }
    entries[index].value = nil
    return (value, entries[index].source)
  }

  /// What still waits.
  var rest: [(value: LateValue, source: Int)] {
    entries.compactMap { entry in entry.value.map { ($0, entry.source) } }
  }

  /// Notes the objects that were made when a value was written.
  mutating func noteObjects(of value: LateValue) throws {
    var names: [Name] = []
    Self.collect(value.value, isMaking: true, into: &names)
    for name in names { try wake(name) }
  }

  /// Notes that objects were made, whose keys nobody knew before.
  mutating func noteKeys() throws {
    for link in waitingKeys { try wake(.objectKey(link)) }
  }

  private mutating func wake(_ name: Name) throws {
    guard waiting[name] != nil, try isThere(name), let woken = waiting.removeValue(forKey: name) else {
      return
    }
    if case .objectKey(let link) = name { waitingKeys.remove(link) }
    for index in woken {
      entries[index].missingCount -= 1
      if entries[index].missingCount == 0, entries[index].value != nil { ready.append(index) }
    }
  }

  private func isThere(_ name: Name) throws -> Bool {
    switch name {
    case .primaryKey(let table, let key): try transaction.find(table, primaryKey: key) != nil
    case .objectKey(let link): try link.key.value >= 0 && transaction.hasObject(link)
    }
  }

  /// The objects that a value links to. `isMaking`: and those that it makes, with all that they link to.
  private static func collect(_ value: EditValue, isMaking: Bool, into names: inout [Name]) {
    switch value {
    case .single: return
    case .list(let elements), .set(let elements):
      for element in elements { collect(element, isMaking: isMaking, into: &names) }
    case .dictionary(let entries):
      for entry in entries { collect(entry.value, isMaking: isMaking, into: &names) }
    case .embedded(let edit):
      for (_, value) in edit.values { collect(value, isMaking: isMaking, into: &names) }
    case .object(let edit):
      guard isMaking else { return }
      if let key = edit.primaryKey { names.append(.primaryKey(edit.schema.tableKey, key)) }
      for (_, value) in edit.values { collect(value, isMaking: true, into: &names) }
    case .primaryKey(let key, let schema, _): names.append(.primaryKey(schema.tableKey, key))
    case .objectKey(let link, _, _): names.append(.objectKey(link))
    }
  }

  // MARK: Order

  /// The first entry that waits.
  private mutating func first() -> Int? {
    while entries[firstOpen].value == nil {
      guard let index = next(after: firstOpen) else { return nil }
      firstOpen = index
    }
    return firstOpen
  }

  private func next(after index: Int) -> Int? {
    if let part = entries[index].parts.first { return part }
    var index = index
    while let outer = entries[index].outer {
      if index + 1 < entries[outer].parts.upperBound { return index + 1 }
      index = outer
    }
    return nil
  }

  /// Whether one of two that wait stands before the other.
  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    var (left, right) = (one, other)
    while entries[left].depth > entries[right].depth, let outer = entries[left].outer { left = outer }
    while entries[right].depth > entries[left].depth, let outer = entries[right].outer { right = outer }
    while entries[left].outer != entries[right].outer, let outer = entries[left].outer,
      let otherOuter = entries[right].outer
    {
      (left, right) = (outer, otherOuter)
    }
    return left < right
  }
}
