// One value over all objects of a query: `sum expression of …`. Layer: Query.

package import RealmQueryLanguage

/// An aggregate of what an expression gives for the objects of a query.
package struct QueryAggregate: Sendable {
  private let function: Aggregate
  private let operand: BoundOperand
  private let type: ValueType
  private let table: Table

  /// Sums and averages need numbers; of values of any one type there is a least and a greatest.
  package init(
    _ aggregate: Aggregate, of path: Expression, source: [UInt8], over query: BoundQuery,
    in realm: ReadTransaction, arguments: QueryArguments = QueryArguments()
  ) throws(BindingFailure) {
    let context = BindingContext(view: realm, arguments: arguments, source: source)
    let side = try Binder(context: context, schema: query.table.schema).measured(path)
    guard case .value(let type) = side.kind == .unknown ? .mixed : side.kind else {
      throw BindingFailure(
        .aggregate, "\(aggregate.rawValue) needs values; \(context.quoted(path.range)) leads to objects",
        at: path.range,
        hint: "name one of their properties, or write \(context.source.text(in: path.range)).@count")
    }
    guard side.kind.isNumber || type == .mixed || aggregate == .min || aggregate == .max else {
      throw BindingFailure(
        .aggregate, "\(aggregate.rawValue) needs numbers; \(context.quoted(path.range)) is \(type.name)",
        at: path.range)
    }
    function = aggregate
    operand = side.operand
    self.type = type
    table = query.table
  }

  /// Cost: holds the values of all objects.
  package func value(_ executor: QueryExecutor, in realm: ReadTransaction) throws(EngineError) -> Value {
    let evaluator = ReferenceEvaluator(realm)
    var values: [Value] = []
    try executor.forEachObject { position throws(EngineError) in
      values += try contribution(of: position, evaluator)
      return true
    }
    return result(over: values)
  }

  /// What one object adds to the values that the result is of.
  func contribution(
    of position: ObjectPosition, _ evaluator: ReferenceEvaluator
  ) throws(EngineError) -> [Value] {
    try evaluator.evaluate(operand, in: table, at: position).values
  }

  func result(over values: [Value]) -> Value { function.result(over: values, of: type) }
}
