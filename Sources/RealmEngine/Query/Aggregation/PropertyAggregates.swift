// Calculations over single properties, for those who have properties and no statement. Layer: Query, Aggregation.

package import RealmQueryLanguage

extension AggregateQuery {
  /// Counts the different values of a property with single values.
  package init(countingValuesOf property: Property, of table: Table) {
    self.init([Column(.count, of: property, isDistinct: true)], keyCount: 0, of: table)
  }

  /// Calculations over properties with single values, nil for the objects themselves, in groups of equal `keys`.
  package init(_ calculations: [(AggregateFunction, Property?)], by keys: [Property], of table: Table) {
    let columns = keys.map { Column(key: $0) } + calculations.map { Column($0, of: $1) }
    self.init(columns, keyCount: keys.count, of: table)
  }

  private init(_ columns: [Column], keyCount: Int, of table: Table) {
    self.columns = columns
    self.keyCount = keyCount
    condition = nil
    orderings = []
    self.table = table
    source = []
    arguments = QueryArguments()
    now = Timestamp(seconds: 0, nanoseconds: 0)
  }
}

extension AggregateQuery.Column {
  fileprivate init(key property: Property) {
    self.init(
      name: property.name, content: .key(property.operand), type: property.expressionType, shortName: nil)
  }

  fileprivate init(_ function: AggregateFunction, of property: Property?, isDistinct: Bool = false) {
    let type = property?.expressionType ?? .value(.int)
    let calculation = AggregateQuery.Calculation(
      function: function, isDistinct: isDistinct, quantile: nil, operand: property?.operand,
      operandType: type)
    self.init(
      name: function.rawValue, content: .calculation(calculation), type: function.resultType(of: type),
      shortName: nil)
  }
}

extension Property {
  fileprivate var operand: BoundOperand { .path(BoundPath(end: .value(self))) }
  fileprivate var expressionType: ExpressionType { .value(type, isOptional: isOptional) }
}
