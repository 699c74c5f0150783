// Giving properties computed values, for all objects of a class or for some. Layer: Migration.
// Of many objects single values, links and collections of values are written leaf by leaf. Object by object go those of few,
// mixed values, and collections and embedded objects that have links at the other end.
// Invariant: every value is computed from the objects as they were before, whatever else is set with it.

/// A property, and what it gets.
package struct PropertyChange: Sendable {
  /// Of the property, or the way into what it holds: `address.city`, a key of a dictionary.
  package let name: String
  package let value: ValueForm<BoundExpression>
  /// What becomes of values that do not convert.
  package let unparsable: ConversionPolicy
  /// What messages call the property instead of `Person.age`.
  let place: String?

  package init(
    _ name: String, _ expression: BoundExpression, unparsable: ConversionPolicy = .fail, place: String? = nil
  ) {
    self.init(name, form: .expression(expression), unparsable: unparsable, place: place)
  }

  package init(
    _ name: String, form: ValueForm<BoundExpression>, unparsable: ConversionPolicy = .fail,
    place: String? = nil
  ) {
    self.name = name
    self.value = form
    self.unparsable = unparsable
    self.place = place
  }
}

/// What becomes of values that do not convert.
package enum ConversionPolicy: Sendable {
  case fail, null
  /// Another expression, for the objects in question.
  case replace(BoundExpression)
}

/// What a change of many values came to.
package struct FillReport: Sendable, Hashable {
  package var touchedCount = 0
  package var nullCount = 0
  /// Values that did not convert.
  package var failureCount = 0

  package init() {}
}

extension WriteTransaction {
  /// Sets properties to what their expressions give. `keys` nil: of all objects. Throws `.constraint`, naming the object, for
  /// values that a property cannot hold. Cost: one change an object, or for many objects a leaf a block and property and the
  /// indexes anew; what holds none of them is not looked at.
  package func fill(
    _ className: String, _ changes: [PropertyChange], keys: ObjectKeyList? = nil,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) -> FillReport {
    let realm = try engine { () throws(EngineError) in try view() }
    guard let table = realm.classTable(className) else {
      throw .engine(EngineError(.unknownClass, "there is no class \(className)"))
    }
    var sources: [ValueSource] = []
    for change in changes {
      sources.append(try ValueSource(change, of: table, computedFor: table, in: realm, environment))
    }
    guard !sources.isEmpty else { return FillReport() }
    let isFew = keys.map { $0.count <= table.count / Self.fewObjectsShare } ?? false
    return try engine { () throws(EngineError) in
      var report = FillReport()
      let each = sources.filter { isFew || !$0.isPlain }
      let columns = sources.filter { !isFew && $0.isPlain }
      // What is not computed on the block that is being rewritten is computed before the first object changes.
      var found: [ObjectKey] = []
      var values = [[NewValue]](repeating: [], count: each.count)
      var remembered = columns.map { $0.readsOnlyOwnValues ? nil : [Value]() as [Value]? }
      if !each.isEmpty || remembered.contains(where: { $0 != nil }) {
        try keys.forEachBlock(of: table) { block, rows throws(EngineError) in
          if !each.isEmpty { for row in rows { found.append(block.key(row)) } }
          for (index, source) in each.enumerated() {
            let start = values[index].count
            values[index] += repeatElement(.null, count: rows.count)
            try source.computeAny(block, rows, &report) { position, value in
              values[index][start + position] = value
            }
          }
          for (index, source) in columns.enumerated() where remembered[index] != nil {
            let start = remembered[index]?.count ?? 0
            remembered[index]? += repeatElement(.null, count: rows.count)
            try source.compute(block, rows, &report) { position, value in
              remembered[index]?[start + position] = value.owned()
            }
          }
        }
      }
      if !columns.isEmpty {
        var next = 0
        try rewrite(table.schema.tableKey, columns.map(\.property.name), keys: keys) {
          block, rows, values throws(EngineError) in
          for (index, source) in columns.enumerated() {
            if let remembered = remembered[index] {
              for (position, row) in rows.enumerated() { values[index][row] = remembered[next + position] }
            } else {
              try source.compute(block, rows, &report) { position, value in
                values[index][rows[position]] = value
              }
            }
          }
          next += rows.count
          report.touchedCount += rows.count
        }
      }
      let rest =
        isFew ? Array(each.indices) : try setTogether(table.schema.tableKey, found, each, values)
      for (index, key) in found.enumerated() where !rest.isEmpty {
        let link = ObjectLink(table: table.schema.tableKey, key: key)
        try update(
          link,
          rest.filter { each[$0].inner.isEmpty }.map { (each[$0].property.name, values[$0][index]) })
        for place in rest where !each[place].inner.isEmpty {
          try set(each[place].property, each[place].inner, of: link, values[place][index])
        }
      }
      report.touchedCount = max(report.touchedCount, found.count)
      return report
    }
  }

  /// Sets what can be set in all objects at once. Gives the places of the sources that are left.
  private func setTogether(
    _ key: TableKey, _ owners: [ObjectKey], _ sources: [ValueSource], _ values: [[NewValue]]
  ) throws(EngineError) -> [Int] {
    var left: [Int] = []
    var collections: [(property: Property, values: [NewValue])] = []
    for (place, source) in sources.enumerated() {
      let property = source.property
      if !source.inner.isEmpty || property.index != .none {
        left.append(place)
      } else if property.collection != nil, !GroupEditor.mayLink(property) {
        collections.append((property, values[place]))
      } else if let links = try links(values[place], of: property) {
        try setLinks(key, property, zip(owners, links).map { (owner: $0, target: $1) })
      } else {
        left.append(place)
      }
    }
    try setCollections(key, owners, collections)
    return left
  }

  /// The objects that a property is to link to; nil where it holds something else, or owns them.
  private func links(_ values: [NewValue], of property: Property) throws(EngineError) -> [ObjectKey?]? {
    guard property.type == .object, property.collection == nil, let target = property.target,
      try !group.table(target).isEmbedded
    else { return nil }
    var keys: [ObjectKey?] = []
    for value in values {
      switch value {
      case .single(.null): keys.append(nil)
      case .single(.link(let link)) where link.table == target && link.key.value >= 0: keys.append(link.key)
      default: return nil
      }
    }
    return keys
  }

  /// Objects up to this share of all are changed one by one.
  private static let fewObjectsShare = 64

  func engine<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(BindingFailure) -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      throw .engine(error)
    }
  }
}

extension ObjectKeyList? {
  /// Visits the blocks that hold objects of the list; nil: all blocks.
  func forEachBlock(
    of table: Table, _ body: (RowBlock, [Int]) throws(EngineError) -> Void
  ) throws(EngineError) {
    if let keys = self { return try keys.forEachBlock(of: table, body) }
    var cursor = table.blocks()
    while let block = try cursor.next() { try body(block, Array(0..<block.count)) }
  }
}

extension ReadTransaction {
  /// The type of a property by names.
  package func type(of property: Property) -> PropertyType {
    PropertyType(
      property.type, collection: property.collection, isOptional: property.isOptional,
      target: property.target.flatMap { table($0)?.schema.name })
  }
}
