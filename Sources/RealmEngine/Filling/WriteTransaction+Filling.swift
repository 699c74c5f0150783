// Giving properties computed values, for all objects of a class or for some. Layer: Filling.
// Of many objects single values and collections of values are written leaf by leaf as they are computed, embedded objects made so,
// and links set together afterwards. Object by object go those of few, mixed values, collections of links, and what stands inside of
// a property.
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
  /// values that a property cannot hold; then nothing has changed. Cost: one change an object, or for many objects a leaf a
  /// block and property and the indexes anew; what holds none of them is not looked at.
  package func fill(
    _ className: String, _ changes: [PropertyChange], keys: ObjectKeyList? = nil,
    environment: ExpressionEnvironment
  ) throws(BindingFailure) -> FillReport {
    let realm = try BindingFailure.wrapping { () throws(EngineError) in try view() }
    guard let table = realm.classTable(className) else {
      throw .engine(EngineError(.unknownClass, "there is no class \(className)"))
    }
    var sources: [ValueSource] = []
    for change in changes {
      sources.append(
        try ValueSource(change, of: table, computedFor: table, in: realm, of: group, environment))
    }
    guard !sources.isEmpty else { return FillReport() }
    return try BindingFailure.wrapping { () throws(EngineError) in try fill(table, sources, keys) }
  }

  private func fill(
    _ table: Table, _ sources: [ValueSource], _ keys: ObjectKeyList?
  ) throws(EngineError) -> FillReport {
    let tableKey = table.schema.tableKey
    let editor = try group.table(tableKey)
    var columns: [(source: ValueSource, new: ColumnReplacement)] = []
    var links: [(source: ValueSource, slots: CompressedIntegers)] = []
    let linkOwners = CompressedIntegers()
    let embedded = EmbeddedFilling(of: editor, in: group)
    var each: [(source: ValueSource, values: [NewValue])] = []
    let isFew = keys.map { $0.count <= table.count / Self.fewObjectsShare } ?? false
    for source in sources {
      if isFew {
        each.append((source, []))
      } else if source.isPlain || source.isPlainCollection {
        columns.append((source, try ColumnReplacement(source.property.columnKey, of: editor, in: group)))
      } else if try isLink(source) {
        links.append((source, CompressedIntegers()))
      } else if try !embedded.take(source) {
        each.append((source, []))
      }
    }
    var report = FillReport()
    var found: [ObjectKey] = []
    // All is computed, and written where it is not yet seen, before the first object changes.
    func compute() throws(EngineError) {
      try keys.forEachBlock(of: table) { block, rows throws(EngineError) in
        if rows.isEmpty { return }
        for index in columns.indices {
          let source = columns[index].source
          try source.write(to: &columns[index].new, block, rows, &report)
        }
        if !links.isEmpty { linkOwners.append(contentsOf: rows.lazy.map { block.key($0).value }) }
        for (source, slots) in links {
          try slots.append(contentsOf: self.slots(source, block, rows, of: table, &report))
        }
        if !embedded.isEmpty { try embedded.add(block, rows, &report) }
        if !each.isEmpty { for row in rows { found.append(block.key(row)) } }
        for index in each.indices {
          var values = [NewValue](repeating: .null, count: rows.count)
          try each[index].source.computeAny(block, rows, &report) { position, value in
            values[position] = value
          }
          each[index].values += values
        }
        report.touchedCount += rows.count
      }
    }
    // What a table of texts has got cannot be taken back.
    if columns.contains(where: \.new.growsTexts) {
      try change { () throws(EngineError) in try compute() }
    } else {
      do throws(EngineError) {
        try prepare { () throws(EngineError) in try compute() }
      } catch {
        embedded.giveUp()
        throw error
      }
    }
    if !embedded.isEmpty { try change { () throws(EngineError) in try embedded.finish() } }
    if !columns.isEmpty {
      try change { () throws(EngineError) in try group.replaceLeaves(editor, columns.map(\.new), keys) }
    }
    for (source, slots) in links {
      try setLinks(tableKey, source.property, of: linkOwners, slots: slots)
    }
    for (index, key) in found.enumerated() {
      let link = ObjectLink(table: tableKey, key: key)
      try update(
        link,
        each.filter(\.source.inner.isEmpty).map { ($0.source.property.name, $0.values[index]) })
      for (source, values) in each where !source.inner.isEmpty {
        try set(source.property, source.inner, of: link, values[index])
      }
    }
    return report
  }

  /// Whether a source gives links that are set in all objects at once.
  private func isLink(_ source: ValueSource) throws(EngineError) -> Bool {
    guard source.isSingleLink, let target = source.property.target else { return false }
    return try !group.table(target).isEmbedded
  }

  /// Links as they stand in a leaf.
  private func slots(
    _ source: ValueSource, _ block: RowBlock, _ rows: [Int], of table: Table, _ report: inout FillReport
  ) throws(EngineError) -> [Int64] {
    var slots = [Int64](repeating: 0, count: rows.count)
    try source.compute(block, rows, &report) { position, value throws(EngineError) in
      guard value != .null else { return }
      guard case .link(let link) = value, link.table == source.property.target, link.key.value >= 0 else {
        try group.check(.single(value), for: source.property, in: table.schema)
        return try source.refuse(value, block, rows[position])
      }
      slots[position] = link.key.value + 1
    }
    return slots
  }

  /// Objects up to this share of all are changed one by one.
  private static let fewObjectsShare = 64
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
