// Operators and functions on columns. Layer: Query, Evaluation.

import RealmQueryLanguage

extension ExpressionEvaluator {
  /// Texts one after the other, in one copy; null with null.
  func concatenate(_ operands: [ExpressionNode], _ run: Rows) throws(EngineError) -> ExpressionColumn {
    let columns = try operands.map { operand throws(EngineError) in try evaluate(operand, run) }
    var parts: [ByteString] = []
    parts.reserveCapacity(columns.count)
    return try eachRow(run) { index throws(EngineError) in
      parts.removeAll(keepingCapacity: true)
      for column in columns {
        switch try column.value(index) {
        case .string(let text): parts.append(text)
        case .null: return .null
        case let other: throw EngineError(.constraint, "expected a string, found \(other.kindName)")
        }
      }
      return .string(try context.joined(parts, by: "+"))
    }
  }

  func arithmetic(
    _ first: ExpressionNode, _ rest: [(ArithmeticOperator, ExpressionNode)], _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    var result = try evaluate(first, run)
    for (symbol, operand) in rest {
      let left = result
      let right = try evaluate(operand, run)
      result = try eachRow(run) { index throws(EngineError) in
        let (left, right) = (try left.value(index), try right.value(index))
        if symbol == .add, case .string(let head) = left, case .string(let tail) = right {
          return .string(try context.joined([head, tail], by: "+"))
        }
        return try tolerated(run, index) { () throws(EngineError) in
          try ExpressionArithmetic.apply(symbol, left, right, isLenient: isLenient)
        }
      }
    }
    return result
  }

  /// As the reference engine calculates: a list with each of its elements, and nothing with what has no value.
  func calculated(
    _ first: ExpressionNode, _ rest: [(ArithmeticOperation, ExpressionNode)], _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    var result = try evaluate(first, run)
    for (operation, operand) in rest {
      let left = result
      let right = try evaluate(operand, run)
      guard left.isList || right.isList else {
        result = try eachRow(run) { index throws(EngineError) in
          operation(try left.value(index), try right.value(index))
        }
        continue
      }
      var lists = ListColumn()
      for index in run.rows.indices {
        lists.append(Evaluated(try left.result(index), operation, try right.result(index)))
      }
      result = .lists(lists)
    }
    return result
  }

  /// `&&` (decided by false) or `||` (by true); with null where nothing decides.
  func connect(
    _ operands: [ExpressionNode], _ run: Rows, decidedBy decision: Bool
  ) throws(EngineError) -> ExpressionColumn {
    var values = [Value](repeating: .bool(!decision), count: run.rows.count)
    var open = Array(run.rows.indices)
    for operand in operands where !open.isEmpty {
      let inner = run.selecting(open)
      let column = try evaluate(operand, inner)
      var stillOpen: [Int] = []
      for (position, index) in open.enumerated() {
        switch try ExpressionArithmetic.condition(try column.value(position)) {
        case decision?:
          values[index] = .bool(decision)
          continue
        case nil: values[index] = .null
        default: break
        }
        stillOpen.append(index)
      }
      open = stillOpen
    }
    return .values(values)
  }

  func coalesce(_ operands: [ExpressionNode], _ run: Rows) throws(EngineError) -> ExpressionColumn {
    guard let first = operands.first else { return .repeated(.null, count: run.rows.count) }
    let column = try evaluate(first, run)
    if case .repeated(let value, _) = column, value != .null { return column }
    var gathered = Gathered(column)
    for operand in operands.dropFirst() {
      let open = run.rows.indices.filter { gathered.isNull($0) }
      if open.isEmpty { break }
      try gathered.replace(open, with: try evaluate(operand, run.selecting(open)))
    }
    return gathered.column
  }

  func choose(
    _ branches: [(condition: ExpressionNode, value: ExpressionNode)], _ otherwise: ExpressionNode, _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    var gathered = Gathered(.repeated(.null, count: run.rows.count))
    var open = Array(run.rows.indices)
    for branch in branches where !open.isEmpty {
      let conditions = try evaluate(branch.condition, run.selecting(open))
      var taken: [Int] = []
      var left: [Int] = []
      for (position, index) in open.enumerated() {
        let isTrue = try ExpressionArithmetic.condition(try conditions.value(position)) ?? false
        if isTrue { taken.append(index) } else { left.append(index) }
      }
      if !taken.isEmpty {
        try gathered.replace(taken, with: try evaluate(branch.value, run.selecting(taken)))
      }
      open = left
    }
    if !open.isEmpty { try gathered.replace(open, with: try evaluate(otherwise, run.selecting(open))) }
    return gathered.column
  }

  func call(
    _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    if function.name == "count", case .allObjects(let key)? = arguments.first {
      return .repeated(.int(Int64(realm?.table(key)?.count ?? 0)), count: run.rows.count)
    }
    if arguments.count == 1, case .allValues(let operand, let key) = arguments[0],
      let aggregate = Aggregate(rawValue: function.name),
      let result = try self.aggregate(aggregate, operand, of: key)
    {
      return .repeated(result, count: run.rows.count)
    }
    if case .ofList = function.form(argumentCount: arguments.count) {
      return try inParts(run) { part throws(EngineError) in try results(function, arguments, part) }
    }
    return try results(function, arguments, run)
  }

  /// Single values, of fewer rows at a time where the lists that they are made of have too many elements together.
  private func inParts(
    _ run: Rows, _ body: (Rows) throws(EngineError) -> ExpressionColumn
  ) throws(EngineError) -> ExpressionColumn {
    do throws(EngineError) {
      return try body(run)
    } catch {
      let count = run.rows.count
      guard error.kind == .tooLarge, count > 1 else { throw error }
      var values: [Value] = []
      values.reserveCapacity(count)
      for half in [0..<count / 2, count / 2..<count] {
        let part = try inParts(run.selecting(Array(half)), body)
        for index in 0..<half.count { values.append(try part.value(index)) }
      }
      return .values(values)
    }
  }

  private func results(
    _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ run: Rows
  ) throws(EngineError) -> ExpressionColumn {
    let columns = try arguments.map { argument throws(EngineError) in try evaluate(argument, run) }
    return try function.results(of: columns, count: run.rows.count, context) { [self] index in
      if toleratesFailures { noteFailure(run, index) }
      return toleratesFailures
    } eachRow: { body throws(EngineError) in
      try eachRow(run) { index throws(EngineError) in
        try checked { () throws(EngineError) in try body(index) }
      }
    }
  }
}

extension Evaluated {
  fileprivate init(_ left: Evaluated, _ operation: ArithmeticOperation, _ right: Evaluated) {
    isList = left.isList || right.isList
    values =
      if right.isList {
        left.values.first.map { value in right.values.map { operation(value, $0) } } ?? []
      } else {
        left.values.map { operation($0, right.values[0]) }
      }
  }
}

extension ListColumn {
  /// Adds a list, or the one value.
  mutating func append(_ result: Evaluated) {
    if result.isList { append(result.values) } else { append(single: result.values[0]) }
  }
}

/// Results that come together from several branches.
private struct Gathered {
  private(set) var column: ExpressionColumn

  init(_ column: ExpressionColumn) { self.column = column }

  func isNull(_ index: Int) -> Bool {
    switch column {
    case .repeated(let value, _): value == .null
    case .values(let values): values[index] == .null
    case .repeatedList: false
    case .lists(let lists): lists.isNull(index)
    }
  }

  mutating func replace(_ indexes: [Int], with part: ExpressionColumn) throws(EngineError) {
    if indexes.count == column.count {
      column = part
      return
    }
    switch part {
    case .lists, .repeatedList: column = .lists(try lists(with: part, at: indexes))
    case .repeated(let value, _):
      var all = values
      for index in indexes { all[index] = value }
      column = .values(all)
    case .values(let values):
      var all = self.values
      for (position, index) in indexes.enumerated() { all[index] = values[position] }
      column = .values(all)
    }
  }

  /// The lists so far with those of `part` in the places of some; what is no list has become null.
  private func lists(
    with part: ExpressionColumn, at indexes: [Int]
  ) throws(EngineError) -> ListColumn {
    func append(
      _ index: Int, of column: ExpressionColumn, to all: inout ListColumn
    ) throws(EngineError) {
      switch column {
      case .repeatedList(let list, _):
        try all.checkRoom(for: list.count)
        all.append(list)
      case .lists(let lists):
        if let list = lists[index] { all.append(list) } else { all.appendNull() }
      case .repeated, .values: all.appendNull()
      }
    }
    var all = ListColumn()
    var next = 0
    for index in 0..<column.count {
      if next < indexes.count, indexes[next] == index {
        try append(next, of: part, to: &all)
        next += 1
      } else {
        try append(index, of: column, to: &all)
      }
    }
    return all
  }

  private var values: [Value] {
    switch column {
    case .values(let values): values
    case .repeated(let value, let count): Array(repeating: value, count: count)
    case .lists, .repeatedList: Array(repeating: .null, count: column.count)
    }
  }
}
