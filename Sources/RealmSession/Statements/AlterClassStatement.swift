// `alter class Person …`: the migration operations of the same name. Layer: RealmSession, Statements.

import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  func alterClass(_ name: Name, _ alteration: ClassAlteration, of source: [UInt8]) throws {
    try change { transaction in
      let schema = try schema(name, of: source, in: transaction)
      switch alteration {
      case .add(let declaration): try add(declaration, to: schema, of: source, in: transaction)
      case .drop(let property):
        try require(property, in: schema, of: source)
        try locating(property, of: source) { () throws(EngineError) in
          try transaction.removeProperty(schema.name, property.text)
        }
      case .rename(let property, let newName):
        try require(property, in: schema, of: source)
        try locating(newName, of: source) { () throws(EngineError) in
          try transaction.renameProperty(schema.name, property.text, to: newName.text)
        }
      case .require(let property, let value):
        try require(property, value, of: schema, of: source, in: transaction)
      case .makeOptional(let property):
        try require(property, in: schema, of: source)
        try locating(property, of: source) { () throws(EngineError) in
          try transaction.setOptional(schema.name, property.text, true)
        }
      case .addIndex(let property, let kind):
        try require(property, in: schema, of: source)
        try locating(property, of: source) { () throws(EngineError) in
          try transaction.setIndex(schema.name, property.text, kind == .fulltext ? .fullText : .general)
        }
      case .dropIndex(let property):
        try require(property, in: schema, of: source)
        try locating(property, of: source) { () throws(EngineError) in
          try transaction.setIndex(schema.name, property.text, .none)
        }
      case .renameClass(let newName):
        try locating(newName, of: source) { () throws(EngineError) in
          try transaction.renameClass(schema.name, to: newName.text)
        }
      case .changePrimaryKey(let property):
        try require(property, in: schema, of: source)
        try locating(property, of: source) { () throws(EngineError) in
          try transaction.setPrimaryKey(schema.name, property.text)
        }
      }
    }
  }

  /// Throws, with the nearest name, where there is no such property.
  private func require(_ name: Name, in schema: ClassSchema, of source: [UInt8]) throws {
    _ = try SessionError.binding(source) { () throws(BindingFailure) in try schema.property(name) }
  }

  private func add(
    _ declaration: PropertyDeclaration, to schema: ClassSchema, of source: [UInt8],
    in transaction: WriteTransaction
  ) throws {
    let definition = try PropertyDefinition(declaration, of: source)
    try locating(declaration.name, of: source) { () throws(EngineError) in
      try transaction.addProperty(schema.name, definition)
    }
    if let value = declaration.defaultValue {
      try fill(declaration.name, of: schema.name, with: value, keys: nil, of: source, in: transaction)
    }
    guard declaration.isPrimaryKey else { return }
    try locating(declaration.name, of: source) { () throws(EngineError) in
      try transaction.setPrimaryKey(schema.name, definition.name)
    }
  }

  /// Nulls become what `value` gives for their objects.
  private func require(
    _ name: Name, _ value: Expression?, of schema: ClassSchema, of source: [UInt8],
    in transaction: WriteTransaction
  ) throws {
    let property = try SessionError.binding(source) { () throws(BindingFailure) in try schema.property(name) }
    if let value {
      guard property.collection == nil else {
        throw SessionError(
          QueryError(
            .unsupported, "elements of a \(property.collection?.name ?? "") get no default", at: value.range),
          in: source)
      }
      let nulls = try transaction.nulls(of: property, schema.tableKey)
      if !nulls.isEmpty {
        try fill(name, of: schema.name, with: value, keys: ObjectKeyList(nulls), of: source, in: transaction)
      }
    }
    try locating(name, of: source) { () throws(EngineError) in
      try transaction.setOptional(schema.name, name.text, false)
    }
  }

  private func fill(
    _ name: Name, of className: String, with value: Expression, keys: ObjectKeyList?,
    of source: [UInt8],
    in transaction: WriteTransaction
  ) throws {
    let realm = try transaction.view()
    let environment = ExpressionEnvironment(now: SystemClock.now, seed: .random(in: .min ... .max))
    try SessionError.binding(source) { () throws(BindingFailure) in
      guard let property = realm.classTable(className)?.schema.property(named: name.text) else { return }
      let scope = ExpressionScope(
        .object(className: className, old: name.text), in: realm,
        arguments: settings.arguments)
      let expression = try BoundExpression(value, source: source, in: scope)
      if let misfit = expression.type.misfit(for: realm.type(of: property)) {
        throw .query(QueryError(.type, misfit.message, at: value.range, hint: misfit.hint))
      }
      _ = try transaction.fill(className, name.text, with: expression, keys: keys, environment: environment)
    }
  }
}

extension WriteTransaction {
  /// The objects in which a property with single values is null.
  fileprivate func nulls(of property: Property, _ key: TableKey) throws(EngineError) -> [ObjectKey] {
    var nulls: [ObjectKey] = []
    let realm = try view()
    guard let table = realm.table(key) else { return nulls }
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count where try leaf.value(row, in: table.snapshot) == .null {
        nulls.append(block.key(row))
      }
    }
    return nulls
  }
}
