// Values computed for objects of one class that objects of another get, and values that come from several objects.
// Layer: Filling. Nothing is changed here.

package import RealmQueryLanguage

/// How one value comes from those of several objects.
package enum ValueMerge: Sendable {
  /// The first or the last that is not null.
  case first, last
  /// Of all that are not null; null where there are none.
  case aggregate(Aggregate)
  /// The elements of all collections, each once.
  case union
}

extension WriteTransaction {
  /// What properties of the class `owner` get, computed for objects of `source`: for each of these in the order of keys one
  /// value a change.
  package func values(
    _ changes: [PropertyChange], of owner: String, for keys: ObjectKeyList?, of source: String,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) -> (keys: [ObjectKey], values: [[NewValue]]) {
    var found: [ObjectKey] = []
    var all: [[NewValue]] = []
    try forEachBlock(changes, of: owner, for: keys, of: source, environment) { block, rows, values in
      for row in rows { found.append(block.key(row)) }
      all += values
    }
    return (found, all)
  }

  /// Computes the same for what comes of computing it alone: what `find` looks for in vain.
  package func search(
    _ changes: [PropertyChange], of owner: String, for keys: ObjectKeyList?, of source: String,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) {
    try forEachBlock(changes, of: owner, for: keys, of: source, environment) { _, _, _ in }
  }

  private func forEachBlock(
    _ changes: [PropertyChange], of owner: String, for keys: ObjectKeyList?, of source: String,
    _ environment: ExpressionEnvironment, _ body: (RowBlock, [Int], [[NewValue]]) -> Void
  ) throws(BindingFailure) {
    let realm = try BindingFailure.wrapping { () throws(EngineError) in try view() }
    guard let table = realm.classTable(source), let target = realm.classTable(owner) else {
      throw .engine(EngineError(.unknownClass, "there is no class \(source) or \(owner)"))
    }
    var sources: [ValueSource] = []
    for change in changes {
      sources.append(
        try ValueSource(change, of: target, computedFor: table, in: realm, of: group, environment))
    }
    try BindingFailure.wrapping { () throws(EngineError) in
      var report = FillReport()
      try keys.forEachBlock(of: table) { block, rows throws(EngineError) in
        var values = [[NewValue]](
          repeating: [NewValue](repeating: .null, count: sources.count), count: rows.count)
        for (index, source) in sources.enumerated() {
          try source.computeAny(block, rows, &report) { position, value in values[position][index] = value }
        }
        body(block, rows, values)
      }
    }
  }

  /// Whether values may be computed piece by piece while objects are made in between: they depend on nothing else.
  package func readOwnValuesOnly(
    _ changes: [PropertyChange], of source: String
  ) throws(BindingFailure) -> Bool {
    let realm = try BindingFailure.wrapping { () throws(EngineError) in try view() }
    guard let table = realm.classTable(source) else { return false }
    for change in changes {
      for leaf in change.value.leaves where try !leaf.resolved(of: table.schema, in: realm).readsOnlyOwnValues
      {
        return false
      }
    }
    return true
  }

  /// What objects of a class hold, as copies of them can be given it, in the order of `keys`; embedded objects are copied too.
  /// Cost: a leaf a block and property of single values; an object at a time for others.
  package func copiedValues(
    of keys: [ObjectKey], in tableKey: TableKey, _ names: Set<String>
  ) throws(EngineError) -> [[(property: String, value: NewValue)]] {
    try checkSound()
    let editor = try group.table(tableKey)
    guard let table = try view().table(tableKey) else { return [] }
    let properties = table.schema.properties.filter { names.contains($0.name) }
    var copies: [[(property: String, value: NewValue)]] = []
    copies.reserveCapacity(keys.count)
    try ObjectKeyList(keys).forEachBlock(of: table) { block, rows throws(EngineError) in
      let start = copies.count
      copies += repeatElement([], count: rows.count)
      for property in properties {
        guard property.collection == nil, !GroupEditor.mayLink(property) else {
          for (position, row) in rows.enumerated() {
            let value = try group.copiedValue(of: block.key(row), editor, property)
            copies[start + position].append((property.name, value))
          }
          continue
        }
        let leaf = try block.leaf(property)
        for (position, row) in rows.enumerated() {
          let value = try leaf.value(row, in: table.snapshot)
          copies[start + position].append((property.name, .single(value.owned())))
        }
      }
    }
    return copies
  }

  /// The values of properties that come from all of `objects`, which are in order.
  package func merged(
    _ objects: [ObjectLink], _ merges: [(property: String, merge: ValueMerge)]
  ) throws(EngineError) -> [(property: String, value: NewValue)] {
    try checkSound()
    guard let first = objects.first else { return [] }
    let table = try group.table(first.table)
    var results: [(property: String, value: NewValue)] = []
    for (name, merge) in merges {
      guard let property = table.schema.property(named: name) else {
        throw EngineError(.unknownProperty, "\(table.schema.name) has no property \(name)")
      }
      var values: [NewValue] = []
      for object in objects { values.append(try group.copiedValue(of: object.key, table, property)) }
      results.append((name, try merge.result(values, property)))
    }
    return results
  }

  /// Adds a link to a property of an object: to a list or set, or in the place of the one that was there.
  package func addLink(
    _ link: ObjectLink, to owner: ObjectLink, _ name: String
  ) throws(EngineError) {
    let table = try group.table(owner.table)
    guard let property = table.schema.property(named: name) else {
      throw EngineError(.unknownProperty, "\(table.schema.name) has no property \(name)")
    }
    guard property.collection != nil else { return try update(owner, [(name, .single(.link(link)))]) }
    let added = NewValue.single(.link(link))
    switch try group.storedValue(table, property, owner.key) {
    case .list(let elements): try update(owner, [(name, .list(elements + [added]))])
    case .set(let elements): try update(owner, [(name, .set(elements + [added]))])
    default:
      throw EngineError(.constraint, "\(table.schema.name).\(name) takes no more links")
    }
  }
}

extension ValueMerge {
  fileprivate func result(_ values: [NewValue], _ property: Property) throws(EngineError) -> NewValue {
    switch self {
    case .first: return values.first { !$0.isNull } ?? .null
    case .last: return values.last { !$0.isNull } ?? .null
    case .union:
      var elements: [NewValue] = []
      var seen: Set<Value> = []
      for case .list(let list) in values.map(\.asList) {
        for element in list {
          if case .single(let value) = element, !seen.insert(value).inserted { continue }
          elements.append(element)
        }
      }
      return property.collection == .set ? .set(elements) : .list(elements)
    case .aggregate(let aggregate):
      var singles: [Value] = []
      for case .single(let value) in values where value != .null { singles.append(value) }
      if singles.isEmpty { return .null }
      let result = try aggregate.checkedResult(over: singles)
      let type = PropertyType(property.type, isOptional: property.isOptional)
      guard let fitted = ValueFitting.fit(result, to: type) else {
        throw EngineError(.constraint, "\(property.name) cannot hold \(result.kindName)")
      }
      return .single(fitted)
    }
  }
}

extension NewValue {
  fileprivate var isNull: Bool { if case .single(.null) = self { true } else { false } }

  fileprivate var asList: NewValue {
    if case .set(let elements) = self { .list(elements) } else { self }
  }
}
