// HAVING: a condition on the columns of a result, which are made the properties of a class in memory, so that it may be
// all that a condition on objects may be. Layer: Query, Aggregation.

import RealmQueryLanguage

extension AggregateQuery {
  private static let className = "groups"
  /// The class of what links lead to, of which only the keys are here.
  fileprivate static let linkedName = "objects"

  /// Throws where the condition does not fit the columns.
  func checkCondition(in realm: ReadTransaction) throws(BindingFailure) {
    guard condition != nil else { return }
    let made = try BindingFailure.wrapping { () throws(EngineError) in try withRows(0) { _ in [] } }
    _ = try bound(made.table, made.realm)
  }

  /// Those of `count` rows that meet the condition; `row` gives the values of one.
  func kept(_ count: Int, _ row: (Int) throws(EngineError) -> [Value]) throws(EngineError) -> [Int] {
    let made = try withRows(count, row)
    let (realm, table) = (made.realm, made.table)
    defer { withExtendedLifetime(made.memory) {} }
    do throws(BindingFailure) {
      let query = try bound(table, realm)
      let keys = try BindingFailure.wrapping { () throws(EngineError) in
        try QueryExecutor(query, in: realm).keys()
      }
      return keys.map { Int($0.value) }
    } catch {
      switch error {
      case .engine(let error): throw error
      case .query(let error): throw EngineError(.badQuery, error.message)
      }
    }
  }

  private func bound(_ table: Table, _ realm: ReadTransaction) throws(BindingFailure) -> BoundQuery {
    guard let condition else { preconditionFailure("there is a condition") }
    return try BoundQuery(
      Predicate(condition: condition, orderings: []), source: source, of: table, in: realm,
      arguments: arguments)
  }

  /// Groups as objects.
  private struct Made {
    let memory: WritableDatabase
    let realm: ReadTransaction
    let table: Table
  }

  /// A realm in memory with these rows as objects, whose keys are the numbers of the rows.
  private func withRows(
    _ count: Int, _ row: (Int) throws(EngineError) -> [Value]
  ) throws(EngineError) -> Made {
    let memory = try WritableDatabase.inMemory()
    let write = try memory.begin()
    var names: Set<String> = []
    let shown = columns.indices.filter { names.insert(columns[$0].name).inserted }
    try write.addClasses([
      ClassDefinition(Self.linkedName, properties: []),
      ClassDefinition(
        Self.className,
        properties: shown.map {
          let type = columns[$0].propertyType
          return PropertyDefinition(
            columns[$0].propertyName, type, isOptional: true,
            target: type == .object ? Self.linkedName : nil)
        }),
    ])
    guard let key = try write.schema(named: Self.className)?.tableKey,
      let linkedKey = try write.schema(named: Self.linkedName)?.tableKey
    else {
      preconditionFailure("classes that were added are there")
    }
    var linked = LinkedOnes(table: linkedKey)
    let load = try write.beginLoad()
    let table = try load.table(key)
    for number in 0..<count {
      let values = try row(number)
      try table.beginObject(key: ObjectKey(Int64(number)))
      for (place, column) in shown.enumerated() {
        try table.put(place, columns[column].storable(values[column], &linked))
      }
      try table.endObject()
    }
    let objects = try load.table(linkedKey)
    for number in 0..<linked.count {
      try objects.beginObject(key: ObjectKey(Int64(number)))
      try objects.endObject()
    }
    try load.finish()
    try memory.commit(write)
    let realm = memory.database.transaction
    guard let found = realm.table(key) else { preconditionFailure("a class that was added is there") }
    return Made(memory: memory, realm: realm, table: found)
  }
}

/// The objects that links of groups lead to, numbered as they come: links that are equal stay equal.
private struct LinkedOnes {
  let table: TableKey
  private var numbers: [ObjectLink: Int64] = [:]

  init(table: TableKey) { self.table = table }

  var count: Int { numbers.count }

  mutating func link(for link: ObjectLink) -> ObjectLink {
    let next = Int64(numbers.count)
    let number = numbers[link] ?? next
    if number == next { numbers[link] = next }
    return ObjectLink(table: table, key: ObjectKey(number))
  }
}

extension AggregateQuery.Column {
  /// A property may not be called by more than 63 bytes.
  fileprivate var propertyName: String {
    name.utf8.count <= 63 ? name : String(decoding: name.utf8.prefix(63), as: UTF8.self)
  }

  fileprivate var propertyType: ValueType {
    if type.isList { return .mixed }
    return switch type.kind {
    case .value(let type): type
    case .link: .object
    default: .mixed
    }
  }

  /// Of what leads elsewhere or stands elsewhere, that it is there and what it is.
  fileprivate func storable(_ value: Value, _ linked: inout LinkedOnes) -> NewValue {
    switch value {
    case .link(let link): .single(.link(linked.link(for: link)))
    case .list: .list([])
    case .dictionary: .dictionary([])
    case .float(let number) where propertyType == .double: .single(.double(Double(number)))
    default: .single(value)
    }
  }
}
