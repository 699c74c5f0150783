// What is asked about many objects at once, with every name looked up: `count, avg age by city`.
// Layer: Query, Aggregation.

package import RealmQueryLanguage

/// Calculations over the objects of a query, for all of them together or for each group of equal ones.
package struct AggregateQuery: Sendable {
  /// A column of the result: a value that tells groups apart, or a calculation.
  package struct Column: Sendable {
    package let name: String
    let content: Content
    /// Of its values.
    let type: ExpressionType
    /// Of a key: whether objects have several, and are in the group of each.
    var isUnnested = false
    /// What the whole column is called where only one calculation has this name: `avg` for `avg age`.
    let shortName: String?

    enum Content: Sendable {
      case key(BoundOperand)
      case calculation(Calculation)
    }
  }

  /// One calculation.
  struct Calculation: Sendable {
    let function: AggregateFunction
    let isDistinct: Bool
    /// The part of values that are at most the one that is wanted; nil where none such is.
    let quantile: Double?
    /// Nil: the objects themselves.
    let operand: BoundOperand?
    /// Of the operand.
    let operandType: ExpressionType
  }

  /// The values that tell groups apart come first.
  package let columns: [Column]
  let keyCount: Int
  let condition: Expression?
  let orderings: [GroupOrdering]
  let table: Table
  let source: [UInt8]
  let arguments: QueryArguments
  let now: Timestamp

  /// Whether the result is one value and no row of named columns.
  package var isSingleValue: Bool { keyCount == 0 && columns.count == 1 }

  var calculations: [Calculation] {
    columns.dropFirst(keyCount).compactMap {
      if case .calculation(let calculation) = $0.content { calculation } else { nil }
    }
  }

  /// Binds what was parsed from `source` to the objects of `table`.
  package init(
    _ items: [AggregateItem], by groups: Grouping?, source: [UInt8], of table: Table,
    in realm: ReadTransaction, arguments: QueryArguments = QueryArguments()
  ) throws(BindingFailure) {
    let context = BindingContext(view: realm, arguments: arguments, source: source)
    let binder = Binder(context: context, schema: table.schema)
    var columns: [Column] = []
    for item in groups?.items ?? [] { columns.append(try binder.groupKey(item)) }
    keyCount = columns.count
    for item in items { columns.append(try binder.calculation(item)) }
    self.columns = columns
    self.table = table
    self.source = source
    self.arguments = arguments
    now = context.now
    condition = groups?.condition
    orderings = try GroupOrdering.bind(groups?.orderings ?? [], columns, source, arguments)
    try checkCondition(in: realm)
  }
}

extension Binder {
  fileprivate func groupKey(_ item: SelectItem) throws(BindingFailure) -> AggregateQuery.Column {
    let side = try measured(item.value)
    guard side.type.kind != .typeNames else {
      throw BindingFailure(.type, "@type of several values groups nothing", at: side.range)
    }
    return AggregateQuery.Column(
      name: item.name(in: context.source), content: .key(side.operand),
      type: side.isList ? side.type.element : side.type, isUnnested: side.isList, shortName: nil)
  }

  fileprivate func calculation(_ item: AggregateItem) throws(BindingFailure) -> AggregateQuery.Column {
    let name = item.name(in: context.source)
    guard let operand = item.operand else {
      let counted = AggregateQuery.Calculation(
        function: .count, isDistinct: false, quantile: nil, operand: nil, operandType: .value(.int))
      return AggregateQuery.Column(
        name: name, content: .calculation(counted), type: .value(.int), shortName: nil)
    }
    let side = try measured(operand)
    try check(item.function, side, at: operand.range)
    let calculation = AggregateQuery.Calculation(
      function: item.function, isDistinct: item.isDistinct,
      quantile: item.function == .median ? 0.5 : item.percent.map { $0 / 100 }, operand: side.operand,
      operandType: side.type)
    return AggregateQuery.Column(
      name: name, content: .calculation(calculation), type: item.function.resultType(of: side.type),
      shortName: item.alias == nil ? item.function.rawValue : nil)
  }

  /// Sums and averages need numbers; of values of any one type there is a least and a greatest.
  private func check(
    _ function: AggregateFunction, _ side: BoundSide, at range: SourceRange
  ) throws(BindingFailure) {
    if function == .count || side.type.isOpen || side.kind == .null { return }
    guard case .value(let type) = side.kind else {
      throw BindingFailure(
        .aggregate, "\(function.rawValue) needs values; \(context.quoted(range)) leads to objects", at: range,
        hint: "name one of their properties, or write \(context.source.text(in: range)).@count")
    }
    guard side.kind.isNumber || type == .mixed || function == .min || function == .max else {
      throw BindingFailure(
        .aggregate, "\(function.rawValue) needs numbers; \(context.quoted(range)) is \(type.name)", at: range)
    }
  }
}

extension AggregateFunction {
  func resultType(of type: ExpressionType) -> ExpressionType {
    switch self {
    case .count: .value(.int)
    case .min, .max: type.element.optional()
    case .sum: type.kind == .value(.float) ? .value(.double, isOptional: true) : type.element.optional()
    case .avg, .median, .percentile, .stddev:
      type.kind == .value(.decimal128) || type.isOpen
        ? type.element.optional() : .value(.double, isOptional: true)
    }
  }
}

/// SORT, LIMIT and OFFSET of groups.
enum GroupOrdering: Sendable {
  struct Key: Sendable {
    let column: Int
    let isAscending: Bool
  }

  case sort([Key])
  case limit(Int)
  case offset(Int)

  fileprivate static func bind(
    _ orderings: [Ordering], _ columns: [AggregateQuery.Column], _ source: [UInt8],
    _ arguments: QueryArguments
  ) throws(BindingFailure) -> [GroupOrdering] {
    var bound: [GroupOrdering] = []
    for ordering in orderings.withOffsetsFirst {
      switch ordering.kind {
      case .sort(let keys):
        var sort: [Key] = []
        for key in keys {
          let column = try columns.index(named: source.text(in: key.value.range), at: key.value.range)
          sort.append(Key(column: column, isAscending: key.isAscending))
        }
        bound.append(.sort(sort))
      case .distinct: throw BindingFailure(.sorting, "groups are distinct already", at: ordering.range)
      case .limit(let count): bound.append(.limit(try arguments.count(count, at: ordering.range)))
      case .offset(let count): bound.append(.offset(try arguments.count(count, at: ordering.range)))
      }
    }
    return bound
  }
}

extension [AggregateQuery.Column] {
  /// The column that is meant by its name as it was written, or by the word before it.
  func index(named text: String, at range: SourceRange) throws(BindingFailure) -> Int {
    if let index = firstIndex(where: { $0.name == text }) { return index }
    let unquoted = text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
    if unquoted, let index = firstIndex(where: { $0.name == text.dropFirst().dropLast() }) { return index }
    let short = indices.filter { self[$0].shortName == text }
    if short.count == 1 { return short[0] }
    let names = map { "'\($0.name)'" }.joined(separator: ", ")
    throw BindingFailure(.sorting, "groups have no '\(text)'", at: range, hint: "they have \(names)")
  }
}
