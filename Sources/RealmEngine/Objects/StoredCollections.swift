// Writing and taking apart what a property holds besides single values: lists, sets, dictionaries, and collections
// nested in mixed values. Layer: Objects.
// Invariants: sets are sorted and without repetitions, dictionaries sorted by the bytes of their keys; a collection
// inside a list or dictionary has a key of its own, which is never 0.

/// What stands in the file: single values as stored (a link to nothing is still a link) and nested collections.
indirect enum StoredValue {
  case single(Value)
  case list([StoredValue])
  case dictionary([(key: Value, value: StoredValue)])
  /// A collection inside another one, with the number by which apps know it.
  case named(Int64, StoredValue)

  /// Calls `body` with every link in it, as often as it is there.
  func forEachLink(_ body: (ObjectLink) throws(EngineError) -> Void) throws(EngineError) {
    switch self {
    case .single(.link(let link)): try body(link)
    case .single: return
    case .list(let elements): for element in elements { try element.forEachLink(body) }
    case .dictionary(let entries): for entry in entries { try entry.value.forEachLink(body) }
    case .named(_, let collection): try collection.forEachLink(body)
    }
  }

  /// The same without the links that are `gone`: elements of lists go, other values become null.
  func removing(_ gone: (ObjectLink) -> Bool) -> StoredValue {
    switch self {
    case .single(.link(let link)): gone(link) ? .single(.null) : self
    case .single: self
    case .list(let elements):
      .list(
        elements.filter { if case .single(.link(let link)) = $0 { !gone(link) } else { true } }
          .map { $0.removing(gone) })
    case .dictionary(let entries): .dictionary(entries.map { ($0.key, $0.value.removing(gone)) })
    case .named(let name, let collection): .named(name, collection.removing(gone))
    }
  }
}

extension GroupEditor {
  // MARK: Reading

  /// A mixed value with everything nested in it; bytes are copied, so it outlives changes.
  func stored(_ value: Value) throws(EngineError) -> StoredValue {
    try stored(value, depth: 0, TraversalBudget(store.snapshot))
  }

  private func stored(
    _ value: Value, depth: Int, _ budget: TraversalBudget
  ) throws(EngineError) -> StoredValue {
    let nested: NestedCollection
    switch value {
    case .list(let list): nested = list
    case .dictionary(let dictionary): nested = dictionary
    default: return .single(value.owned())
    }
    guard depth < Nesting.collectionsMax else {
      throw EngineError.damaged(
        at: nested.rootOffset, expected: "collections nested at most \(Nesting.collectionsMax) deep",
        found: "more")
    }
    guard let root = Ref(Int64(nested.rootOffset)) else {
      if case .list = value { return .list([]) }
      return .dictionary([])
    }
    if case .list = value { return .list(try storedElements(root, .mixedElements, depth: depth, budget)) }
    return .dictionary(try storedEntries(root, hasIntegerKeys: false, depth: depth, budget))
  }

  /// The elements of a list or set; links stand with their table only where it is stored.
  private func storedElements(
    _ root: Ref, _ layout: LeafLayout, depth: Int, _ budget: TraversalBudget
  ) throws(EngineError) -> [StoredValue] {
    var elements: [StoredValue] = []
    for contents in try store.treeContents(root, layout, budget: budget) {
      switch contents {
      case .mixed(let mixed):
        for element in mixed {
          let value = try stored(element.value, depth: depth + 1, budget)
          let isNamed = value.isCollection && element.collectionKey != 0
          elements.append(isNamed ? .named(element.collectionKey, value) : value)
        }
      case .values(let values): elements += values.map { .single($0.owned()) }
      case .textNumbers: preconditionFailure("no collection is enumerated")
      case .slots(let slots, _):
        for slot in slots {
          guard let ref = Ref(slot) else {
            elements.append(.single(.null))
            continue
          }
          let blob = try store.snapshot.blob(ref)
          elements.append(
            .single(
              layout.type == .string
                ? .string(blob.dropLast(min(1, blob.count)).owned()) : .data(blob.owned())))
        }
      }
    }
    return elements
  }

  private func storedEntries(
    _ root: Ref, hasIntegerKeys: Bool, depth: Int, _ budget: TraversalBudget
  ) throws(EngineError) -> [(key: Value, value: StoredValue)] {
    let node = try store.snapshot.refsNode(root)
    try budget.charge(node)
    guard let keysRoot = try node.ref(0), let valuesRoot = try node.ref(1) else { return [] }
    let layout: LeafLayout = hasIntegerKeys ? .integerKeys : .textKeys
    let keys = try storedElements(keysRoot, layout, depth: depth, budget)
    let values = try storedElements(valuesRoot, .mixedElements, depth: depth, budget)
    guard keys.count == values.count else {
      throw EngineError.damaged(
        at: root.offset, expected: "as many values as the \(keys.count) keys", found: "\(values.count)")
    }
    var entries: [(key: Value, value: StoredValue)] = []
    for (key, value) in zip(keys, values) {
      guard case .single(let key) = key else { continue }
      entries.append((key, value))
    }
    return entries
  }

  /// What a collection property holds at `root`.
  func stored(_ root: Ref, _ property: Property) throws(EngineError) -> StoredValue {
    let budget = TraversalBudget(store.snapshot)
    if property.collection == .dictionary {
      return .dictionary(try storedEntries(root, hasIntegerKeys: property.hasIntegerKeys, depth: 0, budget))
    }
    let elements = try storedElements(root, property.elementLayout, depth: 0, budget)
    guard property.type == .object, let target = property.target else { return .list(elements) }
    return .list(
      elements.map {
        guard case .single(.int(let key)) = $0 else { return $0 }
        return .single(.link(ObjectLink(table: target, key: ObjectKey(key))))
      })
  }

  // MARK: Writing

  /// A mixed value for a leaf; nested collections are written.
  func write(_ value: StoredValue) throws(EngineError) -> Value {
    switch value {
    case .single(let single): return single
    case .named(_, let collection): return try write(collection)
    case .list(let elements):
      if elements.isEmpty { return .list(NestedCollection(rootOffset: 0)) }
      return .list(NestedCollection(rootOffset: try writeMixedTree(elements).offset))
    case .dictionary(let entries):
      if entries.isEmpty { return .dictionary(NestedCollection(rootOffset: 0)) }
      return .dictionary(
        NestedCollection(rootOffset: try writeDictionary(entries, hasIntegerKeys: false).offset))
    }
  }

  private func writeMixedTree(_ elements: [StoredValue]) throws(EngineError) -> Ref {
    var mixed: [MixedElement] = []
    let taken = Set(elements.compactMap(\.name))
    var nextKey: Int64 = 1
    for element in elements {
      let value = try write(element)
      switch element {
      case .single: mixed.append(MixedElement(value: value))
      case .named(let name, _): mixed.append(MixedElement(value: value, collectionKey: name))
      case .list, .dictionary:
        while taken.contains(nextKey) { nextKey += 1 }
        mixed.append(MixedElement(value: value, collectionKey: nextKey))
        nextKey += 1
      }
    }
    return try store.makeTree(.mixedElements, .mixed(mixed))
  }

  private func writeDictionary(
    _ entries: [(key: Value, value: StoredValue)], hasIntegerKeys: Bool
  ) throws(EngineError) -> Ref {
    let sorted = entries.sorted { $0.key.storedOrder($1.key) < 0 }
    let layout: LeafLayout = hasIntegerKeys ? .integerKeys : .textKeys
    let keys = try store.makeTree(layout, .values(sorted.map(\.key)))
    let values = try writeMixedTree(sorted.map(\.value))
    return try store.makeSlots([Int64(keys.offset), Int64(values.offset)])
  }

  /// Writes what a collection property is to hold; nil for nothing.
  func writeCollection(_ value: StoredValue, _ property: Property) throws(EngineError) -> Ref? {
    switch value {
    case .dictionary(let entries):
      if entries.isEmpty { return nil }
      return try writeDictionary(entries, hasIntegerKeys: property.hasIntegerKeys)
    case .list(let elements):
      if elements.isEmpty { return nil }
      if property.type == .mixed, property.collection == .list { return try writeMixedTree(elements) }
      var values: [Value] = []
      for element in elements { values.append(try write(element)) }
      if property.collection == .set { values = Self.setOrder(values, property.type) }
      let root = try store.makeTree(
        property.elementLayout,
        property.type == .mixed ? .mixed(values.map { MixedElement(value: $0) }) : .values(values))
      return try markUnresolved(root, values, property)
    case .named(_, let collection): return try writeCollection(collection, property)
    case .single(let single): throw property.elementLayout.mismatch(single)
    }
  }

  /// Writes the elements of a list or set of values that are neither mixed nor links; nil for none.
  func writeElements(_ values: ArraySlice<Value>, _ property: Property) throws(EngineError) -> Ref? {
    if values.isEmpty { return nil }
    let order = property.collection == .set ? Self.setOrder(Array(values), property.type)[...] : values
    return try store.makeTree(property.elementLayout, order)
  }

  /// Sorted, each once. Floating numbers with a NaN among them have no order, and keep the one they come in: but for those
  /// before the first NaN, among which engines search.
  static func setOrder(_ values: [Value], _ type: ValueType) -> [Value] {
    let order = sorted(values)
    guard type == .float || type == .double, let first = values.firstIndex(where: \.isNaN) else {
      return order
    }
    let numbers = values.filter { !$0.isNaN }
    return sorted(numbers).count == numbers.count ? sorted(Array(values[..<first])) + values[first...] : order
  }

  private static func sorted(_ values: [Value]) -> [Value] {
    var sorted: [Value] = []
    for value in values.sorted(by: { $0.storedOrder($1) < 0 })
    where sorted.last.map({ $0.storedOrder(value) != 0 }) ?? true {
      sorted.append(value)
    }
    return sorted
  }

  /// The root of a list of links says whether some lead to objects that do not exist.
  private func markUnresolved(_ root: Ref, _ values: [Value], _ property: Property) throws(EngineError) -> Ref
  {
    guard property.type == .object else { return root }
    let isUnresolved = values.contains { if case .link(let link) = $0 { link.key.value < 0 } else { false } }
    return isUnresolved ? try store.setContextFlag(root, true) : root
  }

  /// The stored form of a checked new value without embedded objects.
  func stored(_ value: NewValue) -> StoredValue {
    Self.stored(value) { if case .single(let single) = $0 { single } else { .null } }
  }

  /// The stored form of a checked new value, with what `single` gives for single values and embedded objects.
  static func stored<Failure: Error>(
    _ value: NewValue, _ single: (NewValue) throws(Failure) -> Value
  ) throws(Failure) -> StoredValue {
    switch value {
    case .single, .embedded: return .single(try single(value))
    case .list(let elements), .set(let elements):
      var list: [StoredValue] = []
      for element in elements { list.append(try stored(element, single)) }
      return .list(list)
    case .dictionary(let entries):
      // The last of several equal keys counts, as in a JSON object.
      var dictionary: [(key: Value, value: StoredValue)] = []
      for entry in lastOfEachKey(entries) {
        dictionary.append((.string(entry.key), try stored(entry.value, single)))
      }
      return .dictionary(dictionary)
    }
  }

  private static func lastOfEachKey(
    _ entries: [(key: ByteString, value: NewValue)]
  ) -> [(key: ByteString, value: NewValue)] {
    var last: [ByteString: Int] = [:]
    for (index, entry) in entries.enumerated() { last[entry.key] = index }
    if last.count == entries.count { return entries }
    return entries.enumerated().filter { last[$1.key] == $0 }.map(\.element)
  }
}
