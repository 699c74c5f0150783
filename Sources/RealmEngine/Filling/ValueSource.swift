// Values for one property, computed block by block. Layer: Filling.

/// Computes what a property gets, for objects of its own class or of another.
struct ValueSource {
  let property: Property
  /// Behind the property: the way into an embedded object, or a key of a dictionary.
  let inner: [String]
  /// Whether single values are written, to which nothing else is tied.
  let isPlain: Bool
  /// Replaces collection leaves block by block.
  let isPlainCollection: Bool
  /// Whether one link an object is written.
  let isSingleLink: Bool
  private let form: ValueForm<ExpressionEvaluator>
  private let fallback: ExpressionEvaluator?
  private let type: PropertyType
  private let place: String
  private let realm: ReadTransaction
  private let group: GroupEditor

  /// `owner`: the class whose property is set. `table`: the class whose objects the values are computed for. `realm`: what
  /// `group` looks like now.
  init(
    _ change: PropertyChange, of owner: Table, computedFor table: Table, in realm: ReadTransaction,
    of group: GroupEditor, _ environment: ExpressionEnvironment
  ) throws(BindingFailure) {
    let (property, inner, target) = try owner.target(of: change, in: realm)
    self.property = property
    self.inner = inner
    self.realm = realm
    self.group = group
    type = target
    place = change.place ?? "\(owner.schema.name).\(change.name)"
    let isWhole = inner.isEmpty && change.value.expression != nil
    isPlain =
      isWhole && property.collection == nil && !GroupEditor.mayLink(property)
      && property.columnKey != owner.schema.primaryKey?.columnKey
    isPlainCollection =
      isWhole && (property.collection == .list || property.collection == .set)
      && !GroupEditor.mayLink(property) && property.index == .none
    isSingleLink = isWhole && property.collection == nil && property.type == .object
    form = try change.value.map { expression throws(BindingFailure) in
      try ExpressionEvaluator(expression, of: table, in: realm, environment: environment)
    }
    var fallback: ExpressionEvaluator?
    if case .replace(let expression) = change.unparsable {
      fallback = try ExpressionEvaluator(expression, of: table, in: realm, environment: environment)
    }
    self.fallback = fallback
    if case .fail = change.unparsable { return }
    for evaluator in form.leaves { evaluator.toleratesFailures = true }
  }

  /// Hands out single values that fit the property, each with its position among the rows.
  func compute(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport,
    _ body: (Int, Value) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard !rows.isEmpty, let evaluator = form.expression else { return }
    let column = try located { () throws(EngineError) in try evaluator.column(block, rows: rows) }
    var failed = evaluator.failedRows
    report.failureCount += failed.count
    for (index, row) in rows.enumerated() where fallback == nil || !failed.contains(index) {
      let result = try column.value(index)
      var value = ValueFitting.fit(result, to: type)
      if value == nil, evaluator.toleratesFailures, result != .null {
        report.failureCount += 1
        failed.insert(index)
        if fallback != nil { continue }
        value = ValueFitting.fit(.null, to: type)
      }
      guard let value else { throw misfit(result, type, block, row) }
      if case .null = value { report.nullCount += 1 }
      try body(index, value)
    }
    if let fallback, !failed.isEmpty {
      let rest = failed.sorted()
      let column = try located { () throws(EngineError) in
        try fallback.column(block, rows: rest.map { rows[$0] })
      }
      for (index, position) in rest.enumerated() {
        let value = try fitted(try column.value(index), type, block, rows[position])
        if value == .null { report.nullCount += 1 }
        try body(position, value)
      }
    }
  }

  /// Makes the leaf of a block, of single values or of lists.
  func write(
    to column: inout ColumnReplacement, _ block: RowBlock, _ rows: [Int], _ report: inout FillReport
  ) throws(EngineError) {
    if isPlain {
      var values = [Value](repeating: .null, count: rows.count)
      try compute(block, rows, &report) { position, value in values[position] = value }
      return try column.append(values, at: rows, of: block)
    }
    guard let evaluator = form.expression else { preconditionFailure("one expression gives the lists") }
    let lists = try located { () throws(EngineError) in
      let lists = try evaluator.column(block, rows: rows).allLists()
      var values: [Value] = []
      values.reserveCapacity(lists.values.count)
      for (index, row) in rows.enumerated() {
        for value in lists[index] ?? [] { values.append(try fitted(value, type.element, block, row)) }
      }
      return lists.mapped(to: values)
    }
    report.failureCount += evaluator.failedRows.count
    try column.append(lists.values, at: rows, of: block) { lists.range($0) }
  }

  /// Throws because of a value that is not what the property takes.
  func refuse(_ value: Value, _ block: RowBlock, _ row: Int) throws(EngineError) {
    throw misfit(value, type, block, row)
  }

  /// Hands out values of any kind that fit the property.
  func computeAny(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport,
    _ body: (Int, NewValue) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard !rows.isEmpty else { return }
    if form.expression != nil, type.collection == nil {
      return try compute(block, rows, &report) { position, value throws(EngineError) in
        try body(position, try group.settable(value))
      }
    }
    let values = try located { () throws(EngineError) in
      try newValues(form, type, ComputedRows(block: block, rows: rows), &report)
    }
    for (index, value) in values.enumerated() { try body(index, value) }
  }

  // MARK: Columns

  /// Values of any kind that fit the property, until the next call or change.
  func column(
    _ block: RowBlock, _ rows: [Int], _ report: inout FillReport
  ) throws(EngineError) -> NewColumn {
    if type.collection == nil, let evaluator = form.expression {
      return try column(evaluator, type, block, rows, &report) { column throws(EngineError) in
        try located(column)
      }
    }
    return try located { () throws(EngineError) in try column(form, type, block, rows, &report) }
  }

  private func column(
    _ form: ValueForm<ExpressionEvaluator>, _ type: PropertyType, _ block: RowBlock, _ rows: [Int],
    _ report: inout FillReport
  ) throws(EngineError) -> NewColumn {
    switch form {
    case .expression(let evaluator) where type.collection == nil:
      return try column(evaluator, type, block, rows, &report) { column throws(EngineError) in try column() }
    case .object(let entries) where type.collection == nil && type.type == .object:
      var columns: [NamedColumn] = []
      for entry in entries {
        let column = try column(entry.value, entryType(entry.name, of: type), block, rows, &report)
        columns.append(NamedColumn(property: entry.name, column: column))
      }
      return .embedded(columns)
    default: return .any(try newValues(form, type, ComputedRows(block: block, rows: rows), &report))
    }
  }

  /// Single values. `evaluating` runs what computes them.
  private func column(
    _ evaluator: ExpressionEvaluator, _ type: PropertyType, _ block: RowBlock, _ rows: [Int],
    _ report: inout FillReport,
    evaluating: (() throws(EngineError) -> ExpressionColumn) throws(EngineError) -> ExpressionColumn
  ) throws(EngineError) -> NewColumn {
    if let property = evaluator.directProperty, property.isCopied(to: type) {
      return .leaf(try block.leaf(property), rows: rows)
    }
    let results = try evaluating { () throws(EngineError) in try evaluator.column(block, rows: rows) }
    report.failureCount += evaluator.failedRows.count
    if case .repeated(let value, _) = results, let first = rows.first {
      let fitted = try fitted(value, type, block, first)
      if !fitted.isCollection { return .repeated(fitted.owned()) }
    }
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      values.append(try fitted(try results.value(index), type, block, row))
    }
    guard type.type == .mixed else { return .values(values) }
    guard values.contains(where: \.isCollection) else { return .values(values.map { $0.owned() }) }
    let owned = try values.map { value throws(EngineError) in try group.settable(value) }
    return .any(owned)
  }

  /// The type of a property of the embedded class `type`.
  private func entryType(_ name: String, of type: PropertyType) throws(EngineError) -> PropertyType {
    guard let target = type.target.flatMap({ realm.classTable($0) }),
      let property = target.schema.property(named: name)
    else {
      throw EngineError(.unknownProperty, "\(type.target ?? type.word) has no property '\(name)'")
    }
    return realm.type(of: property)
  }

  // MARK: Forms

  /// The rows that a form is computed for, and in lists the elements.
  private struct ComputedRows {
    let block: RowBlock
    let rows: [Int]
    var elements: [ListElement] = []
  }

  private func newValues(
    _ form: ValueForm<ExpressionEvaluator>, _ type: PropertyType, _ run: ComputedRows,
    _ report: inout FillReport
  ) throws(EngineError) -> [NewValue] {
    switch form {
    case .expression(let evaluator): return try newValues(evaluator, type, run, &report)
    case .object(let entries): return try objects(entries, type, run, &report)
    case .list(let items):
      var columns: [[NewValue]] = []
      for item in items { columns.append(try newValues(item, type.element, run, &report)) }
      return run.rows.indices.map { index in type.collected(columns.map { $0[index] }) }
    case .forEach(let list, let value):
      let lists = try list.column(run.block, rows: run.rows, elements: run.elements)
      var inner: (rows: [Int], elements: [ListElement]) = ([], [])
      var counts: [Int] = []
      for (index, row) in run.rows.enumerated() {
        let elements = try lists.list(index) ?? []
        // A list inside of another may be the same for each of its elements.
        if !run.elements.isEmpty {
          try ComputedSize.check(elementCount: inner.elements.count + elements.count)
        }
        counts.append(elements.count)
        for (place, element) in elements.enumerated() {
          inner.rows.append(row)
          inner.elements.append(ListElement(value: element.owned(), index: place))
        }
      }
      let values = try newValues(
        value, type.element, ComputedRows(block: run.block, rows: inner.rows, elements: inner.elements),
        &report)
      var start = 0
      return counts.map { count in
        defer { start += count }
        return type.collected(Array(values[start..<start + count]))
      }
    }
  }

  private func newValues(
    _ evaluator: ExpressionEvaluator, _ type: PropertyType, _ run: ComputedRows, _ report: inout FillReport
  ) throws(EngineError) -> [NewValue] {
    let column = try evaluator.column(run.block, rows: run.rows, elements: run.elements)
    report.failureCount += evaluator.failedRows.count
    var values: [NewValue] = []
    values.reserveCapacity(run.rows.count)
    for (index, row) in run.rows.enumerated() {
      guard type.collection != nil else {
        values.append(try group.settable(try fitted(try column.value(index), type, run.block, row)))
        continue
      }
      var elements: [NewValue] = []
      for value in try column.list(index) ?? [] {
        elements.append(try group.settable(try fitted(value, type.element, run.block, row)))
      }
      values.append(type.collected(elements))
    }
    return values
  }

  /// Dictionaries, or embedded objects.
  private func objects(
    _ entries: [(name: String, value: ValueForm<ExpressionEvaluator>)], _ type: PropertyType,
    _ run: ComputedRows, _ report: inout FillReport
  ) throws(EngineError) -> [NewValue] {
    let isDictionary = type.collection == .dictionary || type.type == .mixed
    var columns: [(name: String, values: [NewValue])] = []
    for entry in entries {
      let entryType = isDictionary ? type.element : try entryType(entry.name, of: type)
      columns.append((entry.name, try newValues(entry.value, entryType, run, &report)))
    }
    return run.rows.indices.map { index in
      isDictionary
        ? .dictionary(columns.map { (ByteString($0.name), $0.values[index]) })
        : .embedded(columns.map { ($0.name, $0.values[index]) })
    }
  }

  // MARK: Fitting

  private func fitted(
    _ value: Value, _ type: PropertyType, _ block: RowBlock, _ row: Int
  ) throws(EngineError) -> Value {
    if let value = ValueFitting.fit(value, to: type) { return value }
    throw misfit(value, type, block, row)
  }

  private func misfit(_ value: Value, _ type: PropertyType, _ block: RowBlock, _ row: Int) -> EngineError {
    let reason =
      if case .double(let number) = value, type.type == .float { "; \(number) is too large for it" } else {
        " and cannot hold \(value.kindName)"
      }
    return EngineError(
      .constraint, "\(place) is \(type.word)\(reason)",
      at: "object \(block.key(row).value)",
      hint: value == .null ? "give a default for null: … ?? value" : nil)
  }

  private func located<Result>(_ body: () throws(EngineError) -> Result) throws(EngineError) -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      throw error.located(place)
    }
  }
}

extension PropertyType {
  fileprivate func collected(_ elements: [NewValue]) -> NewValue {
    collection == .set ? .set(elements) : .list(elements)
  }
}

extension Property {
  /// Whether its values, which are neither links nor mixed, are values of a type as they stand.
  fileprivate func isCopied(to other: PropertyType) -> Bool {
    collection == nil && !GroupEditor.mayLink(self) && type == other.type && (other.isOptional || !isOptional)
  }
}

extension Table {
  /// The property that a change sets, the way from it into what it holds, and the type at the end of that.
  fileprivate func target(
    of change: PropertyChange, in realm: ReadTransaction
  ) throws(BindingFailure) -> (Property, inner: [String], PropertyType) {
    if let property = schema.property(named: change.name) { return (property, [], realm.type(of: property)) }
    let steps = change.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var schema = schema
    var rest = steps[...]
    while let step = rest.popFirst(), let property = schema.property(named: step) {
      var type = realm.type(of: property)
      if type.collection == .dictionary, rest.popFirst() != nil { type = type.element }
      if rest.isEmpty {
        guard let first = self.schema.property(named: steps[0]) else { break }
        return (first, Array(steps.dropFirst()), type)
      }
      guard type.collection == nil, let target = type.target.flatMap({ realm.classTable($0) }),
        target.schema.kind == .embedded
      else { break }
      schema = target.schema
    }
    throw .engine(EngineError(.unknownProperty, "there is no property \(self.schema.name).\(change.name)"))
  }
}
