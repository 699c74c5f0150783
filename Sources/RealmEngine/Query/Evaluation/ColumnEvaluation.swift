// What the columns of a result hold for one object. Layer: Query.

extension ReferenceEvaluator {
  /// The cell of `column` for an object of `table`. Cost: the objects on the way are looked up for each call.
  package func cell(
    _ column: SelectedColumn, of table: Table, at position: ObjectPosition
  ) throws(EngineError) -> SelectedCell {
    let row = Row(table: table, position: position)
    switch column.source {
    case .objectKey: return .objectKey(position.key)
    case .calculated(let values): return .value(values[position.key] ?? .null, hasTypedLinks: false)
    case .property(let hops, let property):
      guard let end = try objects(hops, from: row).first else {
        return .value(.null, hasTypedLinks: false)
      }
      return .stored(property, end.position, of: end.table)
    case .operand(let operand, let hasTypedLinks):
      var result = try evaluate(operand, row)
      if case .path(let path) = operand, path.conversion == .type {
        result.values = result.values.map(Self.typeName)
      }
      // What could have had one value and has none is null rather than an empty list.
      if result.values.isEmpty, operand.mayBeSingle { return .value(.null, hasTypedLinks: false) }
      return result.isList
        ? .list(result.values, hasTypedLinks: hasTypedLinks)
        : .value(result.values.first ?? .null, hasTypedLinks: hasTypedLinks)
    }
  }

  private static func typeName(_ types: Value) -> Value {
    guard case .int(let types) = types else { return .null }
    return TypeNames(rawValue: types).firstWord.map { .string(ByteString($0)) } ?? .null
  }
}

extension BoundOperand {
  /// Whether some rows give one value that is no list.
  fileprivate var mayBeSingle: Bool {
    guard case .path(let path) = self else { return false }
    return path.shape != .list
  }
}
