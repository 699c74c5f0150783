// What a path gives for a row: hops to objects, then values, then steps into them. Layer: Query, Evaluation.

/// What an operand gives for a row.
package struct Evaluated: Sendable {
  package var values: [Value]
  /// Whether it counts as a list, whatever the number of values. What is no list has exactly one value.
  package var isList: Bool

  static func single(_ value: Value) -> Evaluated { Evaluated(values: [value], isList: false) }
  static func list(_ values: [Value]) -> Evaluated { Evaluated(values: values, isList: true) }
}

extension ExpressionColumn {
  func result(_ index: Int) throws(EngineError) -> Evaluated {
    switch self {
    case .repeatedList(let values, _): .list(values)
    case .lists(let lists) where lists.isList(index): .list(Array(lists.values[lists.range(index)]))
    case .repeated, .values, .lists: .single(try value(index))
    }
  }
}

extension RowEvaluator {
  /// The objects at the end of `hops`, with multiplicity. Links to objects that are not there lead nowhere.
  func objects(_ hops: [Hop], from row: Row) throws(EngineError) -> [Row] {
    var rows = [row]
    for hop in hops {
      var next: [Row] = []
      for row in rows {
        // A few links to many make more objects than there is time for.
        try Interruption.check()
        guard let table = realm.table(hop.target) else { continue }
        for key in try targets(hop, from: row) {
          if let position = try table.find(key) { next.append(Row(table: table, position: position)) }
        }
      }
      rows = next
    }
    return rows
  }

  private func targets(_ hop: Hop, from row: Row) throws(EngineError) -> [ObjectKey] {
    switch hop {
    case .toOne(let property, _): [try row.value(property)].linkKeys
    case .elements(let property, _, let choice): try row.elements(property, choice).linkKeys
    case .entries(let property, _): try row.entries(property).map(\.value).linkKeys
    case .entry(let property, _, let key): [try row.entry(property, key)].linkKeys
    case .incoming(let column, _, _): try row.origins(column)
    }
  }

  func evaluate(_ path: BoundPath, _ row: Row) throws(EngineError) -> Evaluated {
    var result = try end(of: path, row)
    if !path.steps.isEmpty { result = try follow(path.steps, from: result, shape: path.shape) }
    switch path.conversion {
    case nil: break
    case .size?:
      result.values = try result.values.map { value throws(EngineError) in
        try realm.snapshot.size(of: value).map { .int(Int64($0)) } ?? .null
      }
    case .type?: result.values = result.values.map { .int(TypeNames(of: $0).rawValue) }
    case .length?: result.values = result.values.compactMap(Self.length)
    }
    return result
  }

  private func end(of path: BoundPath, _ row: Row) throws(EngineError) -> Evaluated {
    let rows = try objects(path.hops, from: row)
    let isUnary = path.hops.allSatisfy(\.isToOne)
    switch path.end {
    case .object: return gather(rows.map { .link($0.link) }, isUnary, absent: .null)
    case .objectKey: return gather(rows.map { .int($0.position.key.value) }, isUnary, absent: .null)
    case .value(let property):
      var values = try rows.map { row throws(EngineError) in try row.value(property) }
      // Among several, a link that leads nowhere counts for nothing.
      if property.isLink, !isUnary { values.removeAll { $0 == .null } }
      return gather(values, isUnary, absent: .null)
    case .elements(let property, let choice):
      return .list(try flatMap(rows) { row throws(EngineError) in try row.elements(property, choice) })
    case .dictionaryValues(let property):
      return .list(
        try flatMap(rows) { row throws(EngineError) in try row.entries(property).map(\.value) })
    case .dictionaryKeys(let property):
      return .list(try flatMap(rows) { row throws(EngineError) in try row.entries(property).map(\.key) })
    case .dictionaryValue(let property, let key):
      let values = try rows.map { row throws(EngineError) in try row.entry(property, key) }
      return gather(values, isUnary, absent: nil)
    case .elementCount(let property):
      let counts = try rows.map { row throws(EngineError) in Value.int(Int64(try count(property, row))) }
      return gather(counts, isUnary, absent: .int(0))
    case .linkCount(let hop):
      let counts = try rows.map { row throws(EngineError) in
        // Behind a link the reference engine counts all entries of a dictionary, those that are null too.
        if case .entries(let property, _) = hop, !path.hops.isEmpty {
          return Value.int(Int64(try row.entries(property).count))
        }
        return Value.int(Int64(try targets(hop, from: row).count))
      }
      return path.hops.isEmpty ? gather(counts, true, absent: .int(0)) : .list(counts)
    case .incomingCount: return .single(.int(Int64(try incomingCount(rows))))
    }
  }

  /// One value for one object, a list for several. `absent` stands for the value of an object that is not there;
  /// nil: no value.
  private func gather(_ values: [Value], _ isUnary: Bool, absent: Value?) -> Evaluated {
    guard isUnary else { return .list(values) }
    if let value = values.first { return .single(value) }
    return absent.map(Evaluated.single) ?? .list([])
  }

  private func count(_ property: Property, _ row: Row) throws(EngineError) -> Int {
    property.collection == .dictionary
      ? try row.entries(property).count : try row.elements(property, .all).count
  }

  private func incomingCount(_ rows: [Row]) throws(EngineError) -> Int {
    var count = 0
    for row in rows {
      for column in row.table.schema.backlinks { count += try row.origins(column).count }
    }
    return count
  }
}

extension RowEvaluator {
  /// The values that steps into mixed values lead to. A value that a step does not apply to leads nowhere.
  private func follow(
    _ steps: [ValueStep], from start: Evaluated, shape: BoundPath.Shape
  ) throws(EngineError) -> Evaluated {
    var values = start.values
    var isList = shape == .list
    for step in steps {
      var next: [Value] = []
      for value in values {
        let result = try apply(step, to: value)
        next += result.values
        isList = isList || result.isList
      }
      values = next
    }
    return isList || values.count != 1 ? .list(values) : .single(values[0])
  }

  private func apply(_ step: ValueStep, to value: Value) throws(EngineError) -> Evaluated {
    switch (step, value) {
    case (.key(let key), .dictionary(let dictionary)):
      return .single(try realm.snapshot.entries(ofNested: dictionary).value(forKey: key))
    case (.key(let key), .link(let link)): return try property(named: key, of: link)
    case (.element(.all), .dictionary(let dictionary)):
      return .list(try realm.snapshot.entries(ofNested: dictionary).map(\.value))
    case (.keys, .dictionary(let dictionary)):
      return .list(try realm.snapshot.entries(ofNested: dictionary).map(\.key))
    case (.element(let choice), .list(let list)):
      var picker = ElementPicker(choice)
      try realm.snapshot.forEachElement(ofNested: list) { picker.take($0) }
      return choice == .all ? .list(picker.values) : Evaluated(values: picker.values, isList: false)
    default: return Evaluated(values: [], isList: false)
    }
  }

  private func property(named name: ByteString, of link: ObjectLink) throws(EngineError) -> Evaluated {
    guard let table = realm.table(link.table), let property = table.schema.property(named: name.text),
      let position = try table.find(link.key)
    else { return Evaluated(values: [], isList: false) }
    let row = Row(table: table, position: position)
    switch property.collection {
    case nil: return .single(try row.value(property))
    case .list?, .set?: return .list(try row.elements(property, .all))
    case .dictionary?: return .list(try row.entries(property).map(\.value))
    }
  }

  /// Nil for what has no length; a null text has length 0.
  private static func length(_ value: Value) -> Value? {
    switch value {
    case .string(let text): .int(Int64(text.count))
    case .data(let data): .int(Int64(data.count))
    case .null: .int(0)
    default: nil
    }
  }
}

extension [Value] {
  fileprivate var linkKeys: [ObjectKey] {
    compactMap { value in
      guard case .link(let link) = value else { return nil }
      return link.key
    }
  }
}

private func flatMap<Element>(
  _ elements: [Element], _ transform: (Element) throws(EngineError) -> [Value]
) throws(EngineError) -> [Value] {
  try elements.map(transform).flatMap(\.self)
}
