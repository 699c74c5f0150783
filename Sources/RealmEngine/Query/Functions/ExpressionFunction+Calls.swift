// Calling a function for many rows, or for one. Layer: Query.

extension ExpressionFunction {
  /// One result for each of `count` rows. `isTolerated`: whether what does not convert becomes null; told once for each
  /// such row. `eachRow` collects the results of single rows, and says in errors which row it was.
  func results(
    of columns: [ExpressionColumn], count: Int, _ context: EvaluationContext,
    isTolerated: @escaping (Int) -> Bool,
    eachRow: ((Int) throws(EngineError) -> Value) throws(EngineError) -> ExpressionColumn
  ) throws(EngineError) -> ExpressionColumn {
    switch form(argumentCount: columns.count) {
    case .generates(let make): return try eachRow { _ throws(EngineError) in try make(context) }
    case .conversion(let type, let convert):
      return try eachRow { index throws(EngineError) in
        guard let values = try Self.singles(columns, index) else { return .null }
        if let converted = try convert(values, context) { return converted }
        guard isTolerated(index) else {
          throw EngineError(.constraint, "\(try Self.shown(values[0], context)) does not convert to \(type)")
        }
        return .null
      }
    case .values(let compute):
      return try eachRow { index throws(EngineError) in
        try Self.singles(columns, index).map { values throws(EngineError) in try compute(values, context) }
          ?? .null
      }
    case .makesList(let compute):
      var lists: [[Value]?] = []
      for index in 0..<count {
        let values = try Self.singles(columns, index)
        lists.append(try values.map { values throws(EngineError) in try compute(values, context) })
      }
      return .lists(lists)
    case .changesList(let change):
      var lists: [[Value]?] = []
      for index in 0..<count { lists.append(try columns[0].list(index).map(change)) }
      return .lists(lists)
    case .gathers:
      var lists: [[Value]?] = []
      for index in 0..<count {
        var values: [Value] = []
        for column in columns {
          values += column.isList ? try column.list(index) ?? [] : [try column.value(index)]
        }
        lists.append(values.filter { $0 != .null })
      }
      return .lists(lists)
    case .ofList(let compute):
      return try eachRow { index throws(EngineError) in
        if isVariadic, !columns[0].isList || columns.count > 1 {
          var values: [Value] = []
          for column in columns { values.append(try column.value(index)) }
          return try compute(values, [], context)
        }
        guard let list = try columns[0].list(index),
          let rest = try Self.singles(Array(columns.dropFirst()), index)
        else { return .null }
        return try compute(list, rest, context)
      }
    }
  }

  /// Nil where one of them is null.
  private static func singles(_ columns: [ExpressionColumn], _ index: Int) throws(EngineError) -> [Value]? {
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

  private static func shown(_ value: Value, _ context: EvaluationContext) throws(EngineError) -> String {
    guard let text = try textForm(value, context)?.textBytes?.text else { return value.kindName }
    let isString = value.textBytes != nil
    let short = text.count > shownSizeMax ? text.prefix(shownSizeMax) + "…" : text[...]
    return isString ? "'\(short)'" : "\(short)"
  }
}
