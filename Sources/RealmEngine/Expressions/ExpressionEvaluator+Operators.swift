// Operators and functions on columns. Layer: Expressions.

import RealmQueryLanguage

extension ExpressionEvaluator {
  /// Texts one after the other, in one copy; null with null.
  func concatenate(_ operands: [ExpressionNode], _ run: Run) throws(EngineError) -> ExpressionColumn {
    var columns: [ExpressionColumn] = []
    for operand in operands { columns.append(try evaluate(operand, run)) }
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
      return .string(try context.joined(parts))
    }
  }

  func arithmetic(
    _ first: ExpressionNode, _ rest: [(ArithmeticOperator, ExpressionNode, SourceRange)], _ run: Run
  ) throws(EngineError) -> ExpressionColumn {
    var result = try evaluate(first, run)
    for (symbol, operand, _) in rest {
      let left = result
      let right = try evaluate(operand, run)
      result = try eachRow(run) { index throws(EngineError) in
        let (left, right) = (try left.value(index), try right.value(index))
        if symbol == .add, case .string(let head) = left, case .string(let tail) = right {
          return .string(try context.joined([head, tail]))
        }
        return try ExpressionArithmetic.apply(symbol, left, right)
      }
    }
    return result
  }

  /// `&&` (decided by false) or `||` (by true); with null where nothing decides.
  func connect(
    _ operands: [ExpressionNode], _ run: Run, decidedBy decision: Bool
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

  func coalesce(_ operands: [ExpressionNode], _ run: Run) throws(EngineError) -> ExpressionColumn {
    guard let first = operands.first else { return .repeated(.null, count: run.rows.count) }
    let column = try evaluate(first, run)
    if case .repeated(let value, _) = column, value != .null { return column }
    var gathered = Gathered(column)
    for operand in operands.dropFirst() {
      let open = run.rows.indices.filter { gathered.isNull($0) }
      if open.isEmpty { break }
      gathered.replace(open, with: try evaluate(operand, run.selecting(open)))
    }
    return gathered.column
  }

  func choose(
    _ branches: [(condition: ExpressionNode, value: ExpressionNode)], _ otherwise: ExpressionNode, _ run: Run
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
      if !taken.isEmpty { gathered.replace(taken, with: try evaluate(branch.value, run.selecting(taken))) }
      open = left
    }
    if !open.isEmpty { gathered.replace(open, with: try evaluate(otherwise, run.selecting(open))) }
    return gathered.column
  }

  // MARK: Functions

  func call(
    _ function: ExpressionFunction, _ arguments: [ExpressionNode], _ run: Run
  ) throws(EngineError) -> ExpressionColumn {
    if function.name == "count", case .allObjects(let name)? = arguments.first {
      return .repeated(.int(Int64(objectCount(name))), count: run.rows.count)
    }
    var columns: [ExpressionColumn] = []
    for argument in arguments { columns.append(try evaluate(argument, run)) }
    let body = arguments.isEmpty ? function.body : function.alternative ?? function.body
    switch body {
    case .generates(let make):
      return try eachRow(run) { _ throws(EngineError) in try make(context) }
    case .conversion(let type, let convert):
      return try eachRow(run) { index throws(EngineError) in
        let value = try columns[0].value(index)
        if value == .null { return .null }
        if let converted = try convert(value, context) { return converted }
        guard toleratesFailures else {
          throw EngineError(.constraint, "\(try shown(value)) does not convert to \(type)")
        }
        noteFailure(run, index)
        return .null
      }
    case .values(let compute):
      return try eachRow(run) { index throws(EngineError) in
        try singles(columns, index).map { values throws(EngineError) in try compute(values, context) }
          ?? .null
      }
    case .makesList(let compute):
      var lists: [[Value]?] = []
      for index in run.rows.indices {
        let values = try singles(columns, index)
        lists.append(try values.map { values throws(EngineError) in try compute(values, context) })
      }
      return .lists(lists)
    case .ofList(let compute):
      return try eachRow(run) { index throws(EngineError) in
        if function.isVariadic, !columns[0].isList || columns.count > 1 {
          var values: [Value] = []
          for column in columns { values.append(try column.value(index)) }
          return try compute(values, [], context)
        }
        guard let list = try columns[0].list(index),
          let rest = try singles(Array(columns.dropFirst()), index)
        else { return .null }
        return try compute(list, rest, context)
      }
    }
  }

  /// Nil where one of them is null.
  private func singles(_ columns: [ExpressionColumn], _ index: Int) throws(EngineError) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      let value = try column.value(index)
      if value == .null { return nil }
      values.append(value)
    }
    return values
  }

  private static let shownSizeMax = 40

  private func shown(_ value: Value) throws(EngineError) -> String {
    guard let text = try ExpressionFunction.textForm(value, context)?.textBytes?.text else {
      return value.kindName
    }
    let isString = value.textBytes != nil
    let short = text.count > Self.shownSizeMax ? text.prefix(Self.shownSizeMax) + "…" : text[...]
    return isString ? "'\(short)'" : "\(short)"
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
    case .lists(let lists): lists[index] == nil
    }
  }

  mutating func replace(_ indexes: [Int], with part: ExpressionColumn) {
    if indexes.count == column.count {
      column = part
      return
    }
    switch part {
    case .lists(let lists):
      var all: [[Value]?] =
        if case .lists(let old) = column { old } else { Array(repeating: nil, count: column.count) }
      for (position, index) in indexes.enumerated() { all[index] = lists[position] }
      column = .lists(all)
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

  private var values: [Value] {
    switch column {
    case .values(let values): values
    case .repeated(let value, let count): Array(repeating: value, count: count)
    case .lists(let lists): Array(repeating: .null, count: lists.count)
    }
  }
}
