// Lists element by element. Layer: Query, Evaluation.

/// An element of a list, and its place.
struct ListElement: Sendable {
  let value: Value
  let index: Int
}

extension ListFunction {
  /// What becomes of the elements, given what was computed for each.
  func result(of elements: [Value], _ computed: [Value]) throws(EngineError) -> [Value] {
    switch self {
    case .map: return computed
    case .filter:
      var kept: [Value] = []
      for (element, result) in zip(elements, computed)
      where try ExpressionArithmetic.condition(result) ?? false { kept.append(element) }
      return kept
    case .sort:
      // Equal ones keep their order.
      return elements.indices.sorted { left, right in
        let order = computed[left].storedOrder(computed[right])
        return order != 0 ? order < 0 : left < right
      }.map { elements[$0] }
    }
  }
}

extension ExpressionEvaluator {
  /// Elements that are computed in one run, whichever rows they are of: what is read anew for each of them is not there for
  /// all of them at once.
  private static let elementRunMax = 256

  /// A run has elements of many rows.
  func apply(
    _ function: ListFunction, _ list: ExpressionNode, _ body: ExpressionNode, _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    let lists = try evaluate(list, run)
    // The values of a class, which are there already for one row.
    if case .repeatedList(let values, let count) = lists, count > 1 {
      try ComputedSize.check(elementCount: values.count * count)
    }
    var rows: [Int] = []
    var positions: [Int] = []
    var elements: [ListElement] = []
    var computed: [Value] = []
    func computeRun() throws(EngineError) {
      try Interruption.check()
      let inner = Rows(block: run.block, rows: rows, positions: positions, elements: elements)
      let column = try evaluate(body, inner)
      for position in elements.indices { computed.append(try column.value(position)) }
      rows.removeAll(keepingCapacity: true)
      positions.removeAll(keepingCapacity: true)
      elements.removeAll(keepingCapacity: true)
    }
    for index in run.rows.indices {
      for (place, value) in (try lists.list(index) ?? []).enumerated() {
        rows.append(run.rows[index])
        positions.append(run.position(index))
        elements.append(ListElement(value: value, index: place))
        if elements.count == Self.elementRunMax { try computeRun() }
      }
    }
    if !elements.isEmpty { try computeRun() }
    if function == .map, case .lists(let lists) = lists { return .lists(lists.mapped(to: computed)) }
    var results = ListColumn()
    var start = 0
    for index in run.rows.indices {
      guard let list = try lists.array(index) else {
        results.appendNull()
        continue
      }
      results.append(try function.result(of: list, Array(computed[start..<start + list.count])))
      start += list.count
    }
    return .lists(results)
  }

  /// What a path gives for each object that an element links to.
  func evaluate(
    _ operand: BoundOperand, isList: Bool, ofElementsIn key: TableKey, _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    var results: [Evaluated?] = []
    var count = 0
    for element in run.elements {
      guard let rowEvaluator, let place = try rowEvaluator.position(of: element.value, in: key) else {
        results.append(isList ? .list([]) : nil)
        continue
      }
      let result = try rowEvaluator.evaluate(operand, in: place.table, at: place.position).named(operand)
      count += result.values.count
      try ComputedSize.check(elementCount: count)
      results.append(result)
    }
    return Self.column(of: results, areLists: isList)
  }
}

extension RowEvaluator {
  /// Where the object of a class is that a value links to; nil where it is no such link.
  func position(
    of value: Value, in key: TableKey
  ) throws(EngineError) -> (table: Table, position: ObjectPosition)? {
    guard case .link(let link) = value, link.table == key, let table = realm.table(key),
      let position = try table.find(link.key)
    else { return nil }
    return (table, position)
  }
}
