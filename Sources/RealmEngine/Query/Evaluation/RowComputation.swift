// Computed values of one object, operator by operator: the judge of `ExpressionEvaluator`, which takes columns.
// Layer: Query.

import RealmQueryLanguage

/// Computes for one object.
struct RowComputation {
  /// Nil where nothing is asked of an object.
  private let object: (evaluator: RowEvaluator, row: Row)?
  private let context: EvaluationContext
  private let isLenient: Bool
  /// What `it` and `index` are.
  private var element = ListElement(value: .null, index: 0)

  init(_ evaluator: RowEvaluator, _ operand: ComputedOperand, _ row: Row) {
    object = (evaluator, row)
    isLenient = operand.isLenient
    context = EvaluationContext(keepingTexts: operand.environment(from: row.position.key))
  }

  /// For what is the same for all objects.
  init(now: Timestamp) {
    object = nil
    isLenient = false
    context = EvaluationContext(keepingTexts: ExpressionEnvironment(now: now, seed: 0))
  }

  func value(_ node: ExpressionNode) throws(EngineError) -> Evaluated {
    switch node {
    case .constant(let value): return .single(value)
    case .constants(let values): return .list(values)
    case .operand(let operand, let isList):
      guard let (evaluator, row) = object else { return .single(.null) }
      let result = try evaluator.evaluate(operand, row).named(operand)
      return isList ? .list(result.values) : .single(result.values.first ?? .null)
    case .condition(let condition):
      guard let (evaluator, row) = object else { return .single(.null) }
      return .single(.bool(try evaluator.matches(condition, row)))
    case .allObjects, .allValues: preconditionFailure("no query is about a whole realm")
    case .not(let operand): return .single(try flag(operand).map { .bool(!$0) } ?? .null)
    case .negative(let operand):
      let value = try single(operand)
      return .single(try checked { () throws(EngineError) in try ExpressionArithmetic.negative(value) })
    case .concatenation(let operands):
      var text: [ByteString] = []
      for operand in operands {
        switch try single(operand) {
        case .string(let part): text.append(part)
        case .null: return .single(.null)
        case let other: throw EngineError(.constraint, "expected a string, found \(other.kindName)")
        }
      }
      return .single(.string(try context.joined(text, by: "+")))
    case .arithmetic(let first, let rest):
      var result = try single(first)
      for (symbol, operand) in rest { result = try apply(symbol, result, try single(operand)) }
      return .single(result)
    case .comparison(let left, let symbol, let right):
      let (left, right) = (try single(left), try single(right))
      return .single(
        try checked { () throws(EngineError) in try ExpressionArithmetic.compare(left, symbol, right) })
    case .and(let operands): return .single(try connect(operands, decidedBy: false))
    case .or(let operands): return .single(try connect(operands, decidedBy: true))
    case .coalescing(let operands):
      var result = Evaluated.single(.null)
      for operand in operands where !result.isList && result.values[0] == .null {
        result = try value(operand)
      }
      return result
    case .conditional(let branches, let otherwise):
      for (condition, result) in branches where try flag(condition) ?? false { return try value(result) }
      return try value(otherwise)
    case .call(let function, let arguments): return try call(function, arguments)
    case .widened(let operand, let type):
      let result = try value(operand)
      return Evaluated(values: result.values.map { $0.widened(to: type) }, isList: result.isList)
    case .element: return .single(element.value)
    case .elementIndex: return .single(.int(Int64(element.index)))
    case .ofElement(let operand, let isList, let key):
      guard let evaluator = object?.evaluator,
        let place = try evaluator.position(of: element.value, in: key)
      else { return isList ? .list([]) : .single(.null) }
      let result = try evaluator.evaluate(operand, in: place.table, at: place.position).named(operand)
      return isList ? .list(result.values) : .single(result.values.first ?? .null)
    case .overList(let function, let list, let body): return try apply(function, list, body)
    case .relation(let left, let relation, let right):
      return .single(.bool(relation.holds(try single(left), try single(right))))
    case .found(let property, let key, let value):
      guard let table = object?.evaluator.realm.table(key) else { return .single(.null) }
      let found = try ValueLookup(property, in: table).key(of: try single(value))
      return .single(found.map { .link(ObjectLink(table: key, key: $0)) } ?? .null)
    case .ranked: preconditionFailure("no query asks for ranks")
    }
  }

  private func apply(
    _ function: ListFunction, _ list: ExpressionNode, _ body: ExpressionNode
  ) throws(EngineError) -> Evaluated {
    let elements = try value(list)
    guard elements.isList else { return .single(.null) }
    var results: [Value] = []
    for (index, value) in elements.values.enumerated() {
      var inner = self
      inner.element = ListElement(value: value, index: index)
      results.append(try inner.single(body))
    }
    return .list(try function.result(of: elements.values, results))
  }

  private func single(_ node: ExpressionNode) throws(EngineError) -> Value {
    let result = try value(node)
    guard !result.isList else { throw EngineError(.constraint, "several values where one is needed") }
    return result.values.first ?? .null
  }

  private func flag(_ node: ExpressionNode) throws(EngineError) -> Bool? {
    try ExpressionArithmetic.condition(try single(node))
  }

  private func checked(_ body: () throws(EngineError) -> Value) throws(EngineError) -> Value {
    try isLenient ? ExpressionArithmetic.leniently(body) : body()
  }

  private func apply(
    _ symbol: ArithmeticOperator, _ left: Value, _ right: Value
  ) throws(EngineError) -> Value {
    if symbol == .add, case .string(let head) = left, case .string(let tail) = right {
      return .string(try context.joined([head, tail], by: "+"))
    }
    return try ExpressionArithmetic.apply(symbol, left, right, isLenient: isLenient)
  }

  private func connect(
    _ operands: [ExpressionNode], decidedBy decision: Bool
  ) throws(EngineError) -> Value {
    var result = Value.bool(!decision)
    for operand in operands {
      let flag = try flag(operand)
      if flag == decision { return .bool(decision) }
      if flag == nil { result = .null }
    }
    return result
  }

  private func call(
    _ function: ExpressionFunction, _ arguments: [ExpressionNode]
  ) throws(EngineError) -> Evaluated {
    var columns: [ExpressionColumn] = []
    for argument in arguments {
      let result = try value(argument)
      columns.append(
        result.isList
          ? .repeatedList(result.values, count: 1) : .repeated(result.values.first ?? .null, count: 1))
    }
    let column = try function.results(of: columns, count: 1, context) { _ in
      false
    } eachRow: { body throws(EngineError) in
      .values([try checked { () throws(EngineError) in try body(0) }])
    }
    guard column.isList else { return .single(try column.value(0)) }
    return try column.array(0).map(Evaluated.list) ?? .single(.null)
  }
}

/// Values that can be told before any object is looked at.
enum ConstantFolding {
  /// Nil where there is none, or an error that may never come up.
  static func value(of node: ExpressionNode, now: Timestamp) -> Value? {
    do throws(EngineError) {
      let result = try RowComputation(now: now).value(node)
      return result.isList ? nil : result.values.first
    } catch {
      return nil
    }
  }

  /// The error that comes up whenever it is computed; nil where none does.
  static func refusal(of node: ExpressionNode, now: Timestamp) -> EngineError? {
    do throws(EngineError) {
      _ = try RowComputation(now: now).value(node)
      return nil
    } catch {
      return error
    }
  }
}
