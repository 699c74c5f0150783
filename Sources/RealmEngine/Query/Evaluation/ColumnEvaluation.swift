// What the columns of a result hold for one object, or for many at once. Layer: Query, Evaluation.

extension RowEvaluator {
  /// The cell of `column` for an object of `table`. Cost: the objects on the way are looked up for each call.
  package func cell(
    _ column: SelectedColumn, of table: Table, at position: ObjectPosition
  ) throws(EngineError) -> SelectedCell {
    let row = Row(table: table, position: position)
    switch column.source {
    case .objectKey: return .objectKey(position.key)
    case .property(let hops, let property):
      guard let end = try objects(hops, from: row).first else {
        return .value(.null, hasTypedLinks: false)
      }
      return .stored(property, end.position, of: end.table)
    case .operand(let operand, let hasTypedLinks):
      let result: Evaluated
      do throws(EngineError) {
        result = try evaluate(operand, row).named(operand)
      } catch {
        throw error.located("object \(position.key.value)")
      }
      // What could have had one value and has none is null rather than an empty list.
      if result.values.isEmpty, operand.mayBeSingle { return .value(.null, hasTypedLinks: false) }
      return result.isList
        ? .list(result.values, hasTypedLinks: hasTypedLinks)
        : .value(result.values.first ?? .null, hasTypedLinks: hasTypedLinks)
    }
  }
}

/// A computed column of a result, many objects at a time. Used by one thread.
package final class ColumnEvaluator {
  /// Nil where objects must be taken one by one.
  private var evaluator: ExpressionEvaluator?

  /// Bytes of texts that are made for a block before its objects are taken one by one.
  private static let textsMax = 1 << 22

  /// Nil for columns of another kind, and for those that make something new for each object, which depends on its key.
  package init?(_ column: SelectedColumn, of table: Table, in realm: ReadTransaction) {
    guard case .operand(.computed(let operand), _) = column.source, !operand.isList,
      !operand.node.makesIdentifiers
    else { return nil }
    evaluator = ExpressionEvaluator(operand, of: table, in: RowEvaluator(realm), textsMax: Self.textsMax)
  }

  /// One value an object, as `RowEvaluator.cell` gives it; nil where that must be asked for each of them, because for one of them
  /// there is none, or texts are long.
  package func values(_ block: RowBlock, _ rows: [Int32]) -> [Value]? {
    let column = try? evaluator?.column(block, rows: rows.map(Int.init))
    let values = try? column.map { column in try (0..<column.count).map(column.value) }
    if values == nil { evaluator = nil }
    return values
  }
}

extension Evaluated {
  /// Replaces types by their names, where `operand` asks for these.
  func named(_ operand: BoundOperand) -> Evaluated {
    guard case .path(let path) = operand, path.conversion == .type else { return self }
    let words = values.map { types in
      guard case .int(let types) = types else { return Value.null }
      return TypeNames(rawValue: types).firstWord.map { .string(ByteString($0)) } ?? .null
    }
    return Evaluated(values: words, isList: isList)
  }
}

extension BoundOperand {
  /// Whether some rows give one value that is no list.
  fileprivate var mayBeSingle: Bool {
    guard case .path(let path) = self else { return false }
    return path.shape != .list
  }
}
