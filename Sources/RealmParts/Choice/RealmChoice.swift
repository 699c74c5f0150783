// A part of a realm as somebody asks for it, and the realm that comes of it. Layer: Choice.
// Invariant: the file that is read stays as it is; what is left of it in the new one is what was chosen, what comes along, and the
// classes, which stay all so that the app opens it.

package import RealmEngine
package import RealmQueryLanguage

/// Some objects of a class.
package struct ChosenClass: Sendable {
  package let className: String
  /// Nil: all of them.
  package let condition: Predicate?
  /// The text that the condition stands in.
  package let source: [UInt8]

  package init(_ className: String, _ condition: Predicate? = nil, in source: [UInt8] = []) {
    self.className = className
    self.condition = condition
    self.source = source
  }
}

/// How many of the objects that were asked for.
package enum SampleSize: Sendable {
  case count(Int)
  case percent(Double)

  func count(of all: Int) -> Int {
    switch self {
    case .count(let count): min(count, all)
    case .percent(let percent): min(all, Int((Double(all) * percent / 100).rounded(.up)))
    }
  }
}

/// What is to be in the new file.
package struct RealmChoice: Sendable {
  /// Empty: all classes but embedded ones.
  package var roots: [ChosenClass] = []
  /// What conditions name as `$0` or `$name`.
  package var arguments = QueryArguments()
  package var sample: SampleSize?
  package var seed: UInt64 = 0
  package var following = LinkFollowing.links
  package var masked = MaskedProperties.none

  package init() {}

  private var choosesObjects: Bool { !roots.isEmpty || sample != nil || following != .links }

  /// The objects that a root stands for. Throws what is wrong with it.
  package func query(of root: ChosenClass, in realm: ReadTransaction) throws(BindingFailure) -> BoundQuery {
    guard let table = realm.table(named: root.className) else {
      throw .engine(EngineError(.unknownClass, "there is no class '\(root.className)'"))
    }
    guard table.schema.kind != .embedded else {
      throw .engine(
        EngineError(
          .refused, "\(root.className) is embedded: its objects come with their owners",
          hint: "choose the class that owns them"))
    }
    guard let condition = root.condition else { return Self.all(of: table) }
    return try BoundQuery(
      condition, source: root.source, of: table, in: realm, arguments: arguments)
  }

  private static func all(of table: Table) -> BoundQuery {
    BoundQuery(table: table, predicate: .constant(true), orderings: [])
  }

  /// The realm as it is to be, without its history, made in memory beside its file. `masks`: needed where properties are masked.
  package func realm(from database: Database, masks: Masks?) throws(EngineError) -> ReadTransaction {
    let transaction = try database.beginInMemory(history: .drop)
    try transaction.removeAllButObjects()
    if choosesObjects { try keepChosen(of: transaction) }
    // Some files record links of objects that are gone, most of them of older formats.
    if choosesObjects || database.file.format < FileFormat.newest { _ = try transaction.repairLinks() }
    if let masks {
      let schemas = try transaction.view().classes().map(\.schema)
      var hidden: [TableKey] = []
      for (schema, names) in try masked.names(in: schemas) where !names.isEmpty {
        if let key = schema.primaryKey, names.contains(key.name) { hidden.append(schema.tableKey) }
        try transaction.replaceValues(of: schema.tableKey, names, by: masks)
      }
      // An object's key may tell its primary key.
      try transaction.renumberObjects(of: hidden)
    }
    return try transaction.finished()
  }

  private func keepChosen(of transaction: WriteTransaction) throws(EngineError) {
    let realm = try transaction.view()
    var queries: [BoundQuery] = []
    do throws(BindingFailure) {
      for root in roots { queries.append(try query(of: root, in: realm)) }
    } catch {
      if case .engine(let error) = error { throw error }
      throw EngineError(
        .outdated, "the classes were changed by another process meanwhile", hint: "try again")
    }
    if roots.isEmpty { queries = realm.classes().filter { $0.schema.kind != .embedded }.map(Self.all) }
    var chosen: [TableKey: ObjectKeyList] = [:]
    for query in queries {
      let keys = try QueryExecutor(query, in: realm).keyList()
      chosen[query.table.schema.tableKey] = sampled(keys, of: query.table.schema.name)
    }
    try transaction.keep(chosen, following: following)
  }

  /// As many of the objects as are asked for, each as likely as another.
  private func sampled(_ keys: ObjectKeyList, of className: String) -> ObjectKeyList {
    guard let sample else { return keys }
    var wanted = sample.count(of: keys.count)
    var numbers = SeededNumbers(seed: seed, className)
    var taken: [ObjectKey] = []
    for index in 0..<keys.count where wanted > 0 && numbers.below(keys.count - index) < wanted {
      taken += keys[index..<index + 1]
      wanted -= 1
    }
    return ObjectKeyList(taken)
  }
}
