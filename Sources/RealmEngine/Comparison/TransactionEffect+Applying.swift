// Doing what a transaction did once more, on a later version. Layer: Comparison.
// What goes is erased first, then what comes is made without its links, and then all links and changed values are set: objects
// may link to each other, and a primary key may pass from one object to another.

extension TransactionEffect {
  /// Changes `transaction`, in which nothing was changed yet. `base`: the version that it begins with; `before`: another
  /// transaction on that, in which nothing is changed. Throws `.refused` where an object has changed since; then, and after any
  /// other error, the transaction must be rolled back.
  package func apply(
    to transaction: WriteTransaction, from base: ReadTransaction, read before: WriteTransaction
  ) throws(EngineError) {
    let side = EffectSide(base, before)
    let leaving = Set(objects.lazy.filter { $0.new == nil }.map(\.link))
    for effect in objects { try effect.checkUnchanged(in: side, classes[effect.link.table], leaving) }
    try transaction.erase(Array(leaving))
    for effect in objects where effect.old == nil {
      _ = try transaction.create(
        effect.link.table, key: effect.link.key,
        try effect.newValues(in: transaction) { !GroupEditor.mayLink($0) })
    }
    for effect in objects where effect.new != nil {
      let isNew = effect.old == nil
      try transaction.update(
        effect.link, try effect.newValues(in: transaction) { !isNew || GroupEditor.mayLink($0) })
    }
    try requireNothingElse(in: transaction, side, before)
  }

  /// Links that were made since would be lost with the object that they lead to.
  private func requireNothingElse(
    in transaction: WriteTransaction, _ side: EffectSide, _ before: WriteTransaction
  ) throws(EngineError) {
    let done: TransactionEffect
    do throws(Refusal) {
      done = try TransactionEffect(from: side.realm, read: before, to: transaction)
    } catch {
      switch error {
      case .engine(let error): throw error
      case .cannotBeUndone(let reason): throw EngineError(.refused, reason)
      }
    }
    let known = Set(objects.map(\.link))
    if let other = done.objects.first(where: { !known.contains($0.link) }) {
      throw side.refusal("\(side.name(of: other.link)) links to it since")
    }
  }
}

extension ObjectEffect {
  /// Throws where the object is not what it was before the effect. `leaving`: whose object keys others may get.
  fileprivate func checkUnchanged(
    in side: EffectSide, _ known: ClassSchema?, _ leaving: Set<ObjectLink>
  ) throws(EngineError) {
    guard let table = side.realm.table(link.table), let known, table.schema.name == known.name else {
      throw side.refusal("its class is gone")
    }
    let isThere = try table.find(link.key) != nil
    guard let old else {
      if isThere, !leaving.contains(link) { throw side.refusal("\(side.name(of: link)) is there again") }
      return try checkProperties(new ?? [], table, known, side)
    }
    guard isThere else { throw side.refusal("\(side.name(of: link)) was deleted since") }
    if new == nil { try checkProperties(old, table, known, side) }
    for (column, value) in old.lazy.map({ ($0.column, $0.value) }) {
      guard let property = table.schema.properties.first(where: { $0.columnKey == column }),
        known.properties.contains(where: { $0.columnKey == column && $0.name == property.name }),
        try side.value(property, of: link).isSame(as: value)
      else { throw side.refusal("\(side.name(of: link)) has changed since") }
    }
  }

  /// Throws where the class has other properties than those of a whole object.
  private func checkProperties(
    _ values: [PropertyValue], _ table: Table, _ known: ClassSchema, _ side: EffectSide
  ) throws(EngineError) {
    guard values.map(\.column) == table.schema.properties.map(\.columnKey),
      table.schema.properties.map(\.name) == known.properties.map(\.name)
    else {
      throw side.refusal("the class \(table.schema.name) has changed since")
    }
  }

  fileprivate func newValues(
    in transaction: WriteTransaction, where isWanted: (Property) -> Bool
  ) throws(EngineError) -> [(property: String, value: NewValue)] {
    let schema = try transaction.schema(link.table)
    var values: [(property: String, value: NewValue)] = []
    for value in new ?? [] {
      guard let property = schema.properties.first(where: { $0.columnKey == value.column }),
        isWanted(property)
      else { continue }
      values.append((property.name, value.value))
    }
    return values
  }
}

extension EffectSide {
  fileprivate func name(of link: ObjectLink) -> String {
    "\(realm.table(link.table)?.schema.name ?? "an object") @\(link.key.value)"
  }

  fileprivate func refusal(_ reason: String) -> EngineError { EngineError(.refused, reason) }
}
