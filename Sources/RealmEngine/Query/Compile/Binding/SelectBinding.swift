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
      let name = item.alias?.text ?? context.source.text(in: item.value.range)
      columns.append(SelectedColumn(name: name, source: try binder.column(item.value)))
    }
    return columns
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
