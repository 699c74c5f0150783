// Values on their way into a new realm: links to classes there, owned objects, collections around lost leaves.
// Layer: RealmRecovery, Salvage. Invariant: what comes out fits the property; what does not is lost.

import RealmEngine

extension SalvageReader {
  /// The value of `place` at `index` of a leaf. `isUnverified`: what leads to it is on a page whose check fails.
  func value(
    _ leaf: Leaf, _ index: Int, _ place: ValuePlace, isUnverified: Bool, depth: Int
  ) throws(EngineError) -> SalvagedValue {
    var result = SalvagedValue()
    // An embedded object is read in the midst of the value that owns it.
    let image = place.version.snapshot.image
    let isOwnerInDoubt = image.takeDoubt()
    // A list or dictionary of mixed values is the outermost of what is nested in it.
    result.nesting = place.property.collection == nil ? 0 : 1
    let snapshot = place.version.snapshot
    let mark = place.version.budget.remaining
    try place.version.log.reading(place.name) { () throws(EngineError) in
      guard place.property.collection != nil else {
        try place.version.requireOwnPages(leaf, index)
        let value = try leaf.salvagedValue(index, in: snapshot, target: place.property.target)
        result.value = try element(value, place, &result, depth: depth)
        return
      }
      guard case .collections(let roots) = leaf else {
        throw EngineError(damage: "a leaf of values where collections stand")
      }
      guard let root = try roots.root(index) else {
        result.value = Self.empty(place.property)
        return
      }
      result.value = try collection(root, place, &result, depth: depth)
    }
    if let value = result.value, !Self.fits(value, place.wanted) { result.value = nil }
    result.isUnverified = (image.takeDoubt() || isUnverified) && result.value != nil
    if isOwnerInDoubt || result.isUnverified { image.giveDoubtBack() }
    if result.value == nil || result.isPart { place.version.allowance.forgive(since: mark) }
    return result
  }

  private static func empty(_ property: Property) -> NewValue {
    switch property.collection {
    case .dictionary: .dictionary([])
    case .set: .set([])
    default: .list([])
    }
  }

  // MARK: Elements

  /// One value or element; nil where it is lost. A link that leads nowhere becomes null and is counted.
  private func element(
    _ value: Value, _ place: ValuePlace, _ result: inout SalvagedValue, depth: Int
  ) throws(EngineError) -> NewValue? {
    switch value {
    case .link(let link):
      guard let target = try self.link(link, place, depth: depth) else {
        result.linkCount += 1
        return .null
      }
      return target
    case .list(let collection), .dictionary(let collection):
      guard result.nesting < Nesting.collectionsMax else { return nil }
      result.nesting += 1
      defer { result.nesting -= 1 }
      guard let root = Ref(Int64(collection.rootOffset)) else {
        if case .list = value { return .list([]) }
        return .dictionary([])
      }
      if case .list = value { return try nestedList(root, place, &result, depth: depth) }
      return try dictionaryOfTrees(root, .textKeys, place, &result, depth: depth)
    case .string(let bytes), .data(let bytes):
      if place.property.texts == nil || bytes.count > Self.sharedSizeMax {
        try place.version.budget.charge(bytes.count, at: 0)
      }
      return Self.fits(value) ? .single(value) : nil
    default: return Self.fits(value) ? .single(value) : nil
    }
  }

  /// Texts of an enumerated column stand once and count for many rows.
  private static let sharedSizeMax = 1024

  private func link(_ link: ObjectLink, _ place: ValuePlace, depth: Int) throws(EngineError) -> NewValue? {
    guard link.key.value >= 0, let index = classIndex(of: link.table, in: place.version) else { return nil }
    classes[index].noteMissing(link.key.value)
    if classes[index].isEmbedded {
      guard place.wanted.type == .object else { return nil }
      return try embedded(link.key.value, index, place, depth: depth)
    }
    // Engines of formats 22 and 23 left links in dictionaries when their objects were deleted: nothing is lost there.
    let isStale = place.property.collection == .dictionary && classes[index].isComplete
    guard isStale || classes[index].find(link.key.value) != nil else { return nil }
    return .single(.link(ObjectLink(table: targets[index], key: link.key)))
  }

  // MARK: Collections

  private func collection(
    _ root: Ref, _ place: ValuePlace, _ result: inout SalvagedValue, depth: Int
  ) throws(EngineError) -> NewValue? {
    let property = place.property
    if property.collection == .dictionary {
      return try dictionary(root, place, &result, depth: depth)
    }
    var elements: [NewValue] = []
    let layout = property.elementLayout
    try forEachElement(root, layout, target: property.target, place, &result) {
      (_, value, result) throws(EngineError) in
      // A link to an object that does not exist (yet) is no element.
      if property.isLink, value == .null { return }
      let linkCount = result.linkCount
      guard let element = try self.element(value, place, &result, depth: depth) else {
        result.isPart = true
        return
      }
      if property.isLink, result.linkCount > linkCount { return }
      if !property.isOptional, property.type != .mixed, case .single(.null) = element {
        result.isPart = true
        return
      }
      elements.append(element)
    }
    return property.collection == .set ? .set(elements) : .list(elements)
  }

  private func nestedList(
    _ root: Ref, _ place: ValuePlace, _ result: inout SalvagedValue, depth: Int
  ) throws(EngineError) -> NewValue? {
    var elements: [NewValue] = []
    try forEachElement(root, .mixedElements, target: nil, place, &result) {
      (_, value, result) throws(EngineError) in
      if let element = try self.element(value, place, &result, depth: depth) {
        elements.append(element)
      } else {
        result.isPart = true
      }
    }
    return .list(elements)
  }

  private func dictionary(
    _ root: Ref, _ place: ValuePlace, _ result: inout SalvagedValue, depth: Int
  ) throws(EngineError) -> NewValue? {
    let property = place.property
    let snapshot = place.version.snapshot
    let keys: LeafLayout = property.hasIntegerKeys ? .integerKeys : .textKeys
    // The two layouts tell themselves apart: two trees, or a cluster of keys and at least two columns.
    let node = try snapshot.refsNode(root)
    if !node.isInner, node.count == 2 {
      return try dictionaryOfTrees(root, keys, place, &result, depth: depth)
    }
    var entries: [(key: ByteString, value: NewValue)] = []
    var known: Set<ByteString> = []
    let found = try snapshot.clusterEntries(
      root, keys, target: property.target, budget: place.version.budget)
    for entry in found {
      guard case .string(let key) = entry.key, known.insert(key).inserted,
        let value = try element(entry.value, place, &result, depth: depth), isOfType(value, place)
      else {
        result.isPart = true
        continue
      }
      entries.append((key, value))
    }
    return .dictionary(entries)
  }

  private func dictionaryOfTrees(
    _ root: Ref, _ layout: LeafLayout, _ place: ValuePlace, _ result: inout SalvagedValue, depth: Int
  ) throws(EngineError) -> NewValue? {
    let node = try place.version.snapshot.refsNode(root)
    guard let keyRoot = try node.ref(0), let valueRoot = try node.ref(1) else { return .dictionary([]) }
    var keys: [Int: ByteString] = [:]
    try forEachElement(keyRoot, layout, target: nil, place, &result) { (index, value, result) in
      if case .string(let key) = value { keys[index] = key } else { result.isPart = true }
    }
    var entries: [(key: ByteString, value: NewValue)] = []
    var known: Set<ByteString> = []
    let target = place.property.collection == .dictionary ? place.property.target : nil
    try forEachElement(valueRoot, .mixedElements, target: target, place, &result) {
      (index, value, result) throws(EngineError) in
      guard let key = keys.removeValue(forKey: index), known.insert(key).inserted,
        let value = try self.element(value, place, &result, depth: depth),
        place.property.collection != .dictionary || isOfType(value, place)
      else {
        result.isPart = true
        return
      }
      entries.append((key, value))
    }
    if !keys.isEmpty { result.isPart = true }
    return .dictionary(entries)
  }

  /// Calls `body` with the position and value of every element that can be read.
  private func forEachElement(
    _ root: Ref, _ layout: LeafLayout, target: TableKey?, _ place: ValuePlace, _ result: inout SalvagedValue,
    _ body: (Int, Value, inout SalvagedValue) throws(EngineError) -> Void
  ) throws(EngineError) {
    let snapshot = place.version.snapshot
    var walk = ElementSalvage(
      snapshot, layout, place: place.name, budget: place.version.budget, log: place.version.log)
    try walk.visit(root) { (first, leaf) throws(EngineError) in
      for index in 0..<leaf.count {
        let value = try place.version.log.reading(place.name) { () throws(EngineError) in
          if case .links(let links) = leaf, let key = links[index], key.value < 0 { return Value.null }
          return try leaf.salvagedValue(index, in: snapshot, target: target)
        }
        if let value { try body(first + index, value, &result) } else { result.isPart = true }
      }
    }
    if walk.hasLost { result.isPart = true }
  }

  // MARK: Limits

  /// Whether an entry is one of a dictionary of the property's type: its leaves may hold any.
  private func isOfType(_ value: NewValue, _ place: ValuePlace) -> Bool {
    let type = place.property.type
    guard type != .mixed else { return true }
    switch value {
    case .single(.null): return type == .object || place.property.isOptional
    case .single(.link(let link)):
      let target = place.property.target.flatMap { classIndex(of: $0, in: place.version) }
      return type == .object && target.map { targets[$0] } == link.table
    case .single(let single): return single.type == type
    case .embedded: return type == .object
    default: return false
    }
  }

  /// Whether a value breaks no limit of the format.
  private static func fits(_ value: Value) -> Bool {
    switch value {
    case .date(let date): date.isStorable
    case .string(let text): text.count <= TextLimits.textSizeMax
    case .data(let data): data.count <= TextLimits.dataSizeMax
    default: true
    }
  }

  /// Whether a value can stand in the property; null only where the property says so.
  private static func fits(_ value: NewValue, _ property: Property) -> Bool {
    guard property.collection == nil, case .single(.null) = value else { return true }
    return property.isOptional || property.type == .mixed || property.type == .object
  }
}
