// Lists element by element, and objects found by a value. Layer: Query.

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
  /// All elements of all rows are computed in one run.
  func apply(
    _ function: ListFunction, _ list: ExpressionNode, _ body: ExpressionNode, _ run: Run
  ) throws(EngineError) -> ExpressionColumn {
    let lists = try evaluate(list, run)
    var rows: [Int] = []
    var positions: [Int] = []
    var elements: [ListElement] = []
    var counts: [Int?] = []
    for index in run.rows.indices {
      let values = try lists.list(index)
      counts.append(values?.count)
      for (place, value) in (values ?? []).enumerated() {
        rows.append(run.rows[index])
        positions.append(run.position(index))
        elements.append(ListElement(value: value, index: place))
      }
    }
    let inner = Run(block: run.block, rows: rows, positions: positions, elements: elements)
    let column = try evaluate(body, inner)
    var results: [[Value]?] = []
    var start = 0
    for count in counts {
      guard let count else {
        results.append(nil)
        continue
      }
      var computed: [Value] = []
      computed.reserveCapacity(count)
      for position in start..<start + count { computed.append(try column.value(position)) }
      results.append(try function.result(of: elements[start..<start + count].map(\.value), computed))
      start += count
    }
    return .lists(results)
  }

  /// What a path gives for each object that an element links to.
  func evaluate(
    _ operand: BoundOperand, isList: Bool, ofElementsIn key: TableKey, _ run: Run
  ) throws(EngineError) -> ExpressionColumn {
    var lists: [[Value]?] = []
    for element in run.elements {
      guard let place = try rowEvaluator.position(of: element.value, in: key) else {
        lists.append(isList ? [] : nil)
        continue
      }
      lists.append(
        try rowEvaluator.evaluate(operand, in: place.table, at: place.position).named(operand).values)
    }
    return isList ? .lists(lists) : .values(lists.map { $0?.first ?? .null })
  }
}

extension ReferenceEvaluator {
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

/// Finds objects by the value of a property: through its index, else by a table of all values, made once.
final class ValueLookup {
  /// A property of a class.
  struct Place: Hashable {
    let table: TableKey
    let column: ColumnKey
  }

  private let property: Property
  private let table: Table
  private let type: PropertyType
  private let isIndexed: Bool
  /// The first object of each value; with an index of those that were asked for.
  private var keys: [Value: ObjectKey?] = [:]

  /// Cost: with an index none, else every value of the property.
  init(_ property: Property, in table: Table) throws(EngineError) {
    self.property = property
    self.table = table
    type = PropertyType(property.type, isOptional: true)
    isIndexed = table.hasSearchIndex(property)
    if isIndexed { return }
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        let value = try leaf.value(row, in: table.snapshot)
        if value != .null, keys[value] == nil { keys[value.owned()] = block.key(row) }
      }
    }
  }

  /// The first object with that value, by object key. Null is nobody's value.
  func key(of value: Value) throws(EngineError) -> ObjectKey? {
    guard value != .null, let wanted = ValueFitting.fit(value, to: type) else { return nil }
    if let known = keys[wanted] { return known }
    guard isIndexed else { return nil }
    // Texts of what is asked for end with the block.
    let found = try table.firstKey(of: wanted, by: property)
    keys[wanted.owned()] = .some(found)
    return found
  }
}
