// Calling a function for many rows, or for one. Layer: Query, Functions.

extension ExpressionFunction {
  /// One result for each of `count` rows. `isTolerated`: whether what does not convert becomes null; told once for each
  /// such row. `eachRow` collects the results of single rows, and says in errors which row it was.
  func results(
    of columns: [ExpressionColumn], count: Int, _ context: EvaluationContext,
    isTolerated: @escaping (Int) -> Bool,
    eachRow: ((Int) throws(EngineError) -> Value) throws(EngineError) -> ExpressionColumn
  ) throws(EngineError) -> ExpressionColumn {
    // One array for all rows.
    var arguments: [Value] = []
    switch form(argumentCount: columns.count) {
    case .generates(let make): return try eachRow { _ throws(EngineError) in try make(context) }
    case .conversion(let type, let convert):
      return try eachRow { index throws(EngineError) in
        guard try Self.take(columns, index, into: &arguments) else { return .null }
        if let converted = try convert(arguments, context) { return converted }
        guard isTolerated(index) else {
          throw EngineError(
            .constraint, "\(try Self.shown(arguments[0], context)) does not convert to \(type)")
        }
        return .null
      }
    case .values(let compute):
      return try eachRow { index throws(EngineError) in
        try Self.take(columns, index, into: &arguments) ? try compute(arguments, context) : .null
      }
    case .makesList(let compute):
      var lists = ListColumn()
      for index in 0..<count {
        guard try Self.take(columns, index, into: &arguments) else {
          lists.appendNull()
          continue
        }
        try compute(arguments, &lists)
        lists.endList()
      }
      return .lists(lists)
    case .changesList(let change):
      var lists = ListColumn()
      for index in 0..<count {
        if let list = try columns[0].array(index) {
          if case .repeatedList = columns[0] { try lists.checkRoom(for: list.count) }
          lists.append(change(list))
        } else {
          lists.appendNull()
        }
      }
      return .lists(lists)
    case .gathers:
      var lists = ListColumn()
      for index in 0..<count {
        for column in columns {
          let values = column.isList ? try column.list(index) ?? [] : [try column.value(index)]
          try lists.checkRoom(for: values.count)
          for value in values where value != .null { lists.append(value) }
        }
        lists.endList()
      }
      return .lists(lists)
    case .appends, .removes:
      var lists = ListColumn()
      for index in 0..<count {
        var list = try columns[0].array(index) ?? []
        var others: [Value] = []
        for column in columns.dropFirst() {
          if column.isList {
            others += try column.array(index) ?? []
          } else {
            others.append(try column.value(index))
          }
        }
        if case .appends = body { list += others } else { list.removeAll { others.contains($0) } }
        try lists.checkRoom(for: list.count)
        lists.append(list)
      }
      return .lists(lists)
    case .ofList(let compute):
      return try eachRow { index throws(EngineError) in
        if isVariadic, !columns[0].isList || columns.count > 1 {
          let values = try columns.map { column throws(EngineError) in try column.value(index) }
          return try compute(values, [], context)
        }
        guard let list = try columns[0].array(index),
          try Self.take(columns.dropFirst(), index, into: &arguments)
        else { return .null }
        return try compute(list, arguments, context)
      }
    }
  }

  /// Puts the values of a row into `values`; false where one of them is null.
  private static func take(
    _ columns: some Sequence<ExpressionColumn>, _ index: Int, into values: inout [Value]
  ) throws(EngineError) -> Bool {
    var place = 0
    for column in columns {
      let value = try column.value(index)
      if case .null = value { return false }
      // As many as for the row before.
      if place < values.count { values[place] = value } else { values.append(value) }
      place += 1
    }
    return true
  }

  private static let shownSizeMax = 40

  private static func shown(_ value: Value, _ context: EvaluationContext) throws(EngineError) -> String {
    guard let text = try textForm(value, context)?.textBytes?.text else { return value.kindName }
    let isString = value.textBytes != nil
    let short = text.count > shownSizeMax ? text.prefix(shownSizeMax) + "…" : text[...]
    return isString ? "'\(short)'" : "\(short)"
  }
}
