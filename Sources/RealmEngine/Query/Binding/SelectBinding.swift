// The columns of a result, looked up. Layer: Query.

package import RealmQueryLanguage

extension SelectedColumn {
  /// Binds `items`, parsed from `source`, to the objects of `table`.
  package static func bind(
    _ items: [SelectItem], source: [UInt8], of table: Table, in realm: ReadTransaction
  ) throws(BindingFailure) -> [SelectedColumn] {
    let context = BindingContext(realm: realm, arguments: QueryArguments(), source: source)
    let binder = QueryBinder(context: context, table: table, variable: nil)
    var columns: [SelectedColumn] = []
    for item in items {
      let (range, source) =
        switch item.kind {
        case .objectKey: (item.range, Source.objectKey)
        case .property(let reference): (reference.range, try binder.column(reference))
        }
      columns.append(SelectedColumn(name: item.alias?.text ?? context.source.text(in: range), source: source))
    }
    return columns
  }
}

extension QueryBinder {
  fileprivate func column(_ reference: PropertyReference) throws(BindingFailure) -> SelectedColumn.Source {
    if reference.question == nil {
      let walk = try walk(try expanded(reference).path)
      if let property = walk.storedProperty { return .property(walk.hops, property) }
    }
    switch try bind(reference, nil, at: reference.range) {
    case .bound(let side):
      let hasTypedLinks = if case .link = side.type { true } else { false }
      return .operand(side.operand, hasTypedLinks: hasTypedLinks)
    case .constant, .list, .region:
      throw BindingFailure(
        .property, "\(context.quoted(reference.range)) is no property of '\(table.schema.name)'",
        at: reference.range)
    }
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
