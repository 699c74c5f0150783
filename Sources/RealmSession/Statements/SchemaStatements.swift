// `alter class Person …` and `drop class Person`: the operations that migration files know too. Layer: RealmSession, Statements.

import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  func alterClass(
    _ name: Name, _ alteration: ClassAlteration, of source: [UInt8]
  ) throws -> ChangeCounts {
    try change { transaction in
      let schema = try schema(name, of: source, in: transaction)
      if let property = alteration.changedProperty {
        _ = try SessionError.binding(source) { () throws(BindingFailure) in try schema.property(property) }
      }
      let text = StatementText(source)
      let (operations, subject) = try text.operations(alteration, of: text.name(name))
      try run(operations, at: subject, of: source, in: transaction)
      return ChangeCounts(\.altered, 1)
    }
  }

  func dropClass(_ name: Name, of source: [UInt8]) throws -> ChangeCounts {
    try changeIfConfirmed { transaction in
      let schema = try schema(name, of: source, in: transaction)
      let count = try transaction.count(schema.tableKey)
      let objects = count == 1 ? "its 1 object" : "its \(count) objects"
      try requireConfirmation(
        "drop class \(schema.name) with \(objects) in \(realm.path.displayName)", orSay: "nothing was dropped"
      )
      let drop = DropClass(className: StatementText(source).name(name), nullifies: false)
      try run([drop], at: name, of: source, in: transaction)
      var counts = ChangeCounts(\.dropped, 1)
      counts.deleted = count
      return counts
    } ?? ChangeCounts()
  }

  /// Runs operations as migrations do; a refusal gets its place in the statement.
  private func run(
    _ operations: [any Operation], at subject: Name, of source: [UInt8], in transaction: WriteTransaction
  ) throws {
    try locating(subject, of: source) {
      for operation in operations { try operation.run(operationRun(on: transaction)) }
    }
  }
}

extension ClassAlteration {
  /// The property that must be there.
  fileprivate var changedProperty: Name? {
    switch self {
    case .add, .renameClass: nil
    case .drop(let name), .rename(let name, _), .require(let name, _), .makeOptional(let name),
      .addIndex(let name, _), .dropIndex(let name), .changePrimaryKey(let name):
      name
    }
  }
}

extension StatementText {
  /// What an alteration does, and the name that complaints are about.
  fileprivate func operations(
    _ alteration: ClassAlteration, of owner: Located<String>
  ) throws -> ([any Operation], Name) {
    switch alteration {
    case .add(let declaration):
      let type = try PropertyType(declaration.type, of: source)
      let property = name(declaration.name)
      var operations: [any Operation] = [
        AddProperty(
          className: owner, name: property, type: Located(type, property.node),
          index: Property.Index(declaration.index),
          value: declaration.defaultValue.map { .expression(expression($0)) }, missing: nil)
      ]
      if declaration.isPrimaryKey {
        operations.append(ChangePrimaryKey(className: owner, property: property, duplicates: nil))
      }
      return (operations, declaration.name)
    case .drop(let property):
      return ([DropProperty(className: owner, names: [name(property)])], property)
    case .rename(let property, let newName):
      let rename = RenameProperty(
        className: owner, from: name(property), to: name(newName), isOptional: nil, index: nil)
      return ([rename], newName)
    case .require(let property, let value):
      let located = name(property)
      let nulls = Located(value.map { .value(expression($0)) } ?? NullPolicy.fail, located.node)
      return ([MakeRequired(className: owner, property: located, nulls: nulls)], property)
    case .makeOptional(let property):
      return ([MakeOptional(className: owner, property: name(property))], property)
    case .addIndex(let property, let kind):
      let index = AddIndex(className: owner, property: name(property), index: Property.Index(kind))
      return ([index], property)
    case .dropIndex(let property):
      return ([DropIndex(className: owner, property: name(property))], property)
    case .renameClass(let newName): return ([RenameClass(from: owner, to: name(newName))], newName)
    case .changePrimaryKey(let property):
      let change = ChangePrimaryKey(className: owner, property: name(property), duplicates: nil)
      return ([change], property)
    }
  }
}
