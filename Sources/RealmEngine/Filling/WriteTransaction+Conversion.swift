// A property of another type in the place of the old one. Layer: Filling.
// The new column is filled beside the old one, which then goes; name, position, index and primary key stay.

extension WriteTransaction {
  /// Bears the name while the old column is still there: no property of a class can be called so.
  private static let temporaryName = "\u{1}converted"

  /// Gives a property another type, each value being what `expression` makes of the object. Throws as `fill` does, and
  /// `.constraint` where the values of a primary key repeat afterwards.
  package func convert(
    _ className: String, _ name: String, to type: PropertyType, with expression: BoundExpression,
    unparsable: ConversionPolicy = .fail, environment: ExpressionEnvironment
  ) throws(BindingFailure) -> FillReport {
    let schema: ClassSchema
    let old: Property
    do throws(EngineError) {
      guard let found = try self.schema(named: className), let property = found.property(named: name) else {
        throw EngineError(.unknownProperty, "there is no property \(className).\(name)")
      }
      schema = found
      old = property
      try addProperty(className, PropertyDefinition(Self.temporaryName, type))
    } catch {
      throw .engine(error)
    }
    let change = PropertyChange(
      Self.temporaryName, expression, unparsable: unparsable, place: "\(className).\(name)")
    let report = try fill(className, [change], environment: environment)
    do throws(EngineError) {
      let isPrimaryKey = schema.primaryKey?.columnKey == old.columnKey
      try removeProperty(className, name)
      try renameProperty(className, Self.temporaryName, to: name)
      try moveProperty(className, name, to: old.specIndex)
      if isPrimaryKey { try setConvertedKey(className, name) }
      if old.index != .none, !isPrimaryKey,
        PropertyDefinition.canIndex(type.type, type.collection, old.index)
      {
        try setIndex(className, name, old.index)
      }
      return report
    } catch {
      throw .engine(error)
    }
  }

  private func setConvertedKey(_ className: String, _ name: String) throws(EngineError) {
    do throws(EngineError) {
      try setPrimaryKey(className, name)
    } catch {
      throw error.advising(
        error.hint ?? "the new values of a primary key have to differ from each other")
    }
  }

  /// Puts a property at another place among those of its class.
  package func moveProperty(_ className: String, _ name: String, to index: Int) throws(EngineError) {
    guard let table = try group.table(named: ClassSchema.tablePrefix + className),
      let property = table.schema.property(named: name)
    else { throw EngineError(.unknownProperty, "there is no property \(className).\(name)") }
    try change { () throws(EngineError) in
      table.editColumns { columns in
        let column = columns.remove(at: property.specIndex)
        columns.insert(column, at: min(max(0, index), columns.count))
      }
    }
  }
}
