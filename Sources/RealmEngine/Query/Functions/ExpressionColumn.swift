// What an expression gives for a run of objects. Layer: Query, Functions.

/// One result an object. Texts in it may end with the evaluator's next block.
package enum ExpressionColumn {
  /// The same value for all.
  case repeated(Value, count: Int)
  case values([Value])
  /// The same list for all.
  case repeatedList([Value], count: Int)
  case lists(ListColumn)

  package var count: Int {
    switch self {
    case .repeated(_, let count), .repeatedList(_, let count): count
    case .values(let values): values.count
    case .lists(let lists): lists.count
    }
  }

  /// The single value at `index`. Throws where there is a list.
  package func value(_ index: Int) throws(EngineError) -> Value {
    switch self {
    case .repeated(let value, _): return value
    case .values(let values): return values[index]
    case .lists(let lists) where !lists.isList(index): return lists[index]?.first ?? .null
    case .lists, .repeatedList: throw EngineError(.constraint, "several values where one is needed")
    }
  }

  /// The list at `index`; nil for null. Throws where there is a single value.
  package func list(_ index: Int) throws(EngineError) -> ArraySlice<Value>? {
    switch self {
    case .repeatedList(let values, _): return values[...]
    case .lists(let lists): return lists[index]
    case .repeated, .values:
      guard try value(index) == .null else {
        throw EngineError(.constraint, "one value where a list is needed")
      }
      return nil
    }
  }

  /// The same as an array, which is no copy where all have the same.
  func array(_ index: Int) throws(EngineError) -> [Value]? {
    if case .repeatedList(let values, _) = self { return values }
    return try list(index).map(Array.init)
  }

  /// All lists. Throws where there is a single value.
  func allLists() throws(EngineError) -> ListColumn {
    if case .lists(let lists) = self { return lists }
    var lists = ListColumn()
    for index in 0..<count {
      if let list = try list(index) {
        try lists.checkRoom(for: list.count)
        lists.append(list)
      } else {
        lists.appendNull()
      }
    }
    return lists
  }

  /// Widens narrower numbers to `type`.
  func widened(to type: ValueType) -> ExpressionColumn {
    switch self {
    case .repeated(let value, let count): .repeated(value.widened(to: type), count: count)
    case .values(let values): .values(values.map { $0.widened(to: type) })
    case .repeatedList(let values, let count):
      .repeatedList(values.map { $0.widened(to: type) }, count: count)
    case .lists(let lists): .lists(lists.mapped(to: lists.values.map { $0.widened(to: type) }))
    }
  }

  package var isList: Bool {
    switch self {
    case .repeated, .values: false
    case .repeatedList, .lists: true
    }
  }
}

/// Lists one after the other, with all their values in one array.
package struct ListColumn {
  package private(set) var values: [Value] = []
  /// Where each list ends; the complement of it for null, or one value, in place of a list.
  private var ends: [Int] = []

  package var count: Int { ends.count }

  private func end(_ index: Int) -> Int { ends[index] < 0 ? ~ends[index] : ends[index] }

  /// Where the values of a list are; of a null there are none.
  package func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : end(index - 1))..<end(index) }

  package func isNull(_ index: Int) -> Bool { !isList(index) && range(index).isEmpty }

  func isList(_ index: Int) -> Bool { ends[index] >= 0 }

  package subscript(index: Int) -> ArraySlice<Value>? { isNull(index) ? nil : values[range(index)] }

  /// Throws where `count` more values would be too many. Asked before values are made, not of those that are read.
  func checkRoom(for count: Int) throws(EngineError) {
    try ComputedSize.check(elementCount: values.count + count)
  }

  /// Adds a value to the list that has begun.
  mutating func append(_ value: Value) { values.append(value) }

  mutating func endList() { ends.append(values.count) }

  mutating func append(_ list: some Sequence<Value>) {
    values.append(contentsOf: list)
    endList()
  }

  mutating func append(single value: Value) {
    values.append(value)
    ends.append(~values.count)
  }

  mutating func appendNull() { ends.append(~values.count) }

  /// As many lists, each as long, of other values.
  func mapped(to values: [Value]) -> ListColumn {
    precondition(values.count == self.values.count)
    var mapped = self
    mapped.values = values
    return mapped
  }
}
