// The columns of a result, looked up. Layer: Query, Compile, Binding.

package import RealmQueryLanguage

extension SelectedColumn {
  /// Binds `items`, parsed from `source`, to the objects of `table`.
  package static func bind(
    _ items: [SelectItem], source: [UInt8], of table: Table, in realm: ReadTransaction,
    arguments: QueryArguments = QueryArguments()
  ) throws(BindingFailure) -> [SelectedColumn] {
    let context = BindingContext(view: realm, arguments: arguments, source: source)
    let binder = Binder(context: context, schema: table.schema)
    var columns: [SelectedColumn] = []
    for item in items {
      columns.append(SelectedColumn(name: item.name(in: source), source: try binder.column(item.value)))
    }
    return columns
  }
}

extension SelectItem {
  /// The name of its column: that behind `as`, those of a path without the marks around them, or what was written.
  func name(in source: [UInt8]) -> String {
    if let alias { return alias.text }
    if case .property(nil, let reference) = value.kind, reference.question == nil {
      let names = reference.path.steps.map {
        if case .name(let name) = $0.kind { name.text } else { nil as String? }
      }
      if names.allSatisfy({ $0 != nil }) { return names.compactMap(\.self).joined(separator: ".") }
    }
    return source.text(in: range)
  }
}

extension Binder {
  fileprivate func column(_ value: Expression) throws(BindingFailure) -> SelectedColumn.Source {
    if case .property(nil, let reference) = value.kind, reference.question == nil,
      constantWord(reference) == nil
    {
      let walk = try walk(try expanded(reference).path)
      if let property = walk.storedProperty { return .property(walk.hops, property) }
    }
    let side = try measured(value)
    if side.path?.isObjectKey ?? false { return .objectKey }
    let hasTypedLinks = if case .link = side.kind { true } else { false }
    return .operand(side.operand, hasTypedLinks: hasTypedLinks)
  }

  /// What an expression gives for each object, where it may be anything: paths are read as they are, all else is
  /// computed, and an error where it cannot be.
  func measured(_ value: Expression) throws(BindingFailure) -> BoundSide {
    if !isStrict {
      var strict = self
      strict.isStrict = true
      return try strict.measured(value)
    }
    switch value.kind {
    case .property(nil, let reference):
      if case .bound(let side) = try bind(reference, nil, at: value.range) {
        let type = side.computedType
        if let name = typeName(side, type) { return name }
        return type == side.type
          ? side : BoundSide(operand: .computed(computed(side)), type: type, range: side.range)
      }
    case .subquery(let subquery): return try bind(subquery, at: value.range)
    default: break
    }
    switch try computed(value, isLenient: false) {
    case .bound(let side): return side
    case .constant(let term):
      let constant = term.plainValue ?? .null
      return BoundSide(operand: .constant(constant), type: ExpressionType(of: constant), range: value.range)
    case .list, .region: throw BindingFailure(.expectation, "expected a value", at: value.range)
    }
  }
}

extension Binder {
  /// `@type` of a single value is what `type(…)` gives; nil for all else.
  private func typeName(_ side: BoundSide, _ type: ExpressionType) -> BoundSide? {
    guard type.kind == .typeNames, !type.isList, let path = side.path,
      let function = ExpressionFunction.named("type")
    else { return nil }
    let value = BoundPath(hops: path.hops, end: path.end, steps: path.steps, quantifier: path.quantifier)
    let named = ComputedOperand(
      node: .call(function, [.operand(.path(value), isList: false)]), table: schema.tableKey, isList: false,
      now: context.now, isLenient: false)
    return BoundSide(
      operand: .computed(named), type: .value(.string, isOptional: true), range: side.range)
  }

  /// A side as a value of its own.
  func computed(_ side: BoundSide) -> ComputedOperand {
    if case .computed(let operand) = side.operand { return operand }
    return ComputedOperand(
      node: .operand(side.operand, isList: side.computedType.isList), table: schema.tableKey,
      isList: side.computedType.isList, now: context.now, isLenient: false)
  }
}

extension PathWalk {
  /// The property that the path leads to with to-one links alone, whatever it holds.
  fileprivate var storedProperty: Property? {
    guard hops.allSatisfy(\.isToOne), steps.isEmpty else { return nil }
    switch place {
    case .value(let property), .elements(let property, _, isChosen: false), .dictionary(let property),
      .link(.toOne(let property, _)), .link(.elements(let property, _, .all)),
      .link(.entries(let property, _)):
      return property
    default: return nil
    }
  }
}
