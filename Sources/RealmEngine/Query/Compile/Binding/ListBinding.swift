// Functions that see the elements of a list one by one, and other calls with rules of their own.
// Layer: Query, Compile, Binding.
// Inside of them `it` is the element and `index` its place; everything else is what it is outside.

import RealmQueryLanguage

/// Calls whose arguments are no values that are all computed first.
enum SpecialForm: String, CaseIterable {
  case map, filter, sort, find
  case choice = "switch"
  case rank
  case rowNumber = "row_number"

  /// As its user writes it.
  var usage: String {
    switch self {
    case .map: "map(list, value)"
    case .filter: "filter(list, condition)"
    case .sort: "sort(list, value)"
    case .find: "find(Class, 'property', value)"
    case .choice: "switch(value, case, result, …, otherwise)"
    case .rank: "rank(value, 'desc')"
    case .rowNumber: "row_number(value, 'desc')"
    }
  }

  /// One line for the manual.
  var summary: String {
    switch self {
    case .map: "what value gives for each element, which is called it, and its place index, from 0"
    case .filter: "the elements for which a condition holds: filter(dogs, it.age > 3)"
    case .sort: "the elements in order, or by what value gives for each; reverse(…) turns it round"
    case .find: "the first object of a class whose property has that value, else null"
    case .choice: "the result after the first case equal to value; else the last argument"
    case .rank:
      "the object's place among all of its class in the order of value, from 1; equal values share one"
    case .rowNumber: "the same, but every object has its own number; row_number() follows the object keys"
    }
  }
}

extension ExpressionFunction {
  /// All that can be called.
  package static let names = all.map(\.name) + SpecialForm.allCases.map(\.rawValue)

  /// What the language can do with calls beside the library, for the manual.
  package static let specialForms: [(usage: String, summary: String)] = SpecialForm.allCases.map {
    ($0.usage, $0.summary)
  }
}

extension Binder {
  /// The value that goes by a name of one step, where no property of the object has it.
  func computedName(_ reference: PropertyReference) -> ComputedName? {
    guard !names.isEmpty, reference.path.steps.count == 1, reference.question == nil,
      case .name(let name)? = reference.path.steps.first?.kind, !name.isQuoted,
      isAboutRealm || schema.propertyIndex(named: name.text) == nil
    else { return nil }
    return names[name.text]
  }

  /// Nil for a call of a function of the library.
  func specialValue(of call: FunctionCall, at range: SourceRange) throws(BindingFailure) -> Computed? {
    guard let form = SpecialForm(rawValue: call.name.text) else { return nil }
    let count = call.arguments.count
    let isFitting =
      switch form {
      case .map, .filter: count == 2
      case .sort: count == 1 || count == 2
      case .find: count == 2 || count == 3
      case .choice: count >= 4 && count % 2 == 0
      case .rank: count == 1 || count == 2
      case .rowNumber: count <= 2
      }
    guard isFitting else {
      throw BindingFailure(
        .argument, "\(form.rawValue) does not take \(count) arguments", at: range, hint: "write \(form.usage)"
      )
    }
    switch form {
    case .find: return try found(call.arguments)
    case .choice: return try choice(call.arguments)
    case .rank, .rowNumber: return try ranked(call, form, at: range)
    case .map: return try overList(.map, call.arguments, form)
    case .filter: return try overList(.filter, call.arguments, form)
    case .sort: return try overList(.sort, call.arguments, form)
    }
  }

  private func overList(
    _ function: ListFunction, _ arguments: [Expression], _ form: SpecialForm
  ) throws(BindingFailure) -> Computed {
    let (list, type) = try value(arguments[0])
    guard type.isList || type.isOpen else {
      throw BindingFailure(
        .type, "\(form.rawValue) needs a list here, not \(type.name)", at: arguments[0].range,
        hint: "write \(form.usage)")
    }
    guard arguments.count > 1 else { return (.overList(function, list, body: .element), type) }
    var inner = self
    inner.element = type.isOpen ? .unknown : type.element
    let (body, bodyType) = try inner.value(arguments[1])
    if function == .filter, !bodyType.isOpen, !bodyType.isValue(.bool) {
      throw BindingFailure(
        .type, "expected a condition, found \(bodyType.name)", at: arguments[1].range,
        hint: "compare it with something")
    }
    if bodyType.isList {
      throw BindingFailure(
        .lists, "\(form.rawValue) needs one value for each element, not \(bodyType.name)",
        at: arguments[1].range)
    }
    let result =
      function == .map
      ? ExpressionType(bodyType.kind, isList: true, isOptional: bodyType.isOptional)
      : ExpressionType(type.kind, isList: true, isOptional: type.isOptional)
    return (.overList(function, list, body: body), result)
  }

  /// `rank(value)` and `row_number(value)`, which look at all objects and so are for giving values.
  private func ranked(
    _ call: FunctionCall, _ form: SpecialForm, at range: SourceRange
  ) throws(BindingFailure) -> Computed {
    guard let number = context.rankingCount, !isAboutRealm, element == nil else {
      throw BindingFailure(
        .expectation, "\(form.rawValue) is only for values that objects are given", at: range,
        hint: "it works in set, in updates and migrations")
    }
    context.rankingCount = number + 1
    if call.arguments.count == 2 {
      guard case .constant(let constant) = call.arguments[1].kind,
        case .literal(.string(let bytes)) = constant.kind,
        ["asc", "desc"].contains(String(decoding: bytes, as: UTF8.self).lowercased())
      else {
        throw BindingFailure(.expectation, "expected 'asc' or 'desc'", at: call.arguments[1].range)
      }
      return try ranked(call, form, number, isDescending: bytes.count == 4)
    }
    return try ranked(call, form, number, isDescending: false)
  }

  private func ranked(
    _ call: FunctionCall, _ form: SpecialForm, _ number: Int, isDescending: Bool
  ) throws(BindingFailure) -> Computed {
    let ranking = Ranking(number: number, sharesRanks: form == .rank, isDescending: isDescending)
    guard let argument = call.arguments.first else { return (.ranked(ranking, by: nil), .value(.int)) }
    let (value, type) = try value(argument)
    if type.isList {
      throw BindingFailure(.lists, "\(form.rawValue) needs a single value", at: argument.range)
    }
    return (.ranked(ranking, by: value), .value(.int))
  }

  /// `it`, a path from it, or `index`; nil for anything else.
  func elementValue(_ reference: PropertyReference) throws(BindingFailure) -> Computed? {
    guard let element, let step = reference.path.steps.first, case .name(let name) = step.kind,
      !name.isQuoted, name.text == "it" || name.text == "index"
    else { return nil }
    let rest = reference.path.steps.dropFirst()
    if name.text == "index" { return rest.isEmpty ? (.elementIndex, .value(.int)) : nil }
    guard let next = rest.first else {
      if let question = reference.question {
        throw BindingFailure(.operation, "there is no such property or function here", at: question.range)
      }
      return (.element, element)
    }
    if element.isOpen { return (.constant(.null), .unknown) }
    guard case .link(let target?) = element.kind else {
      throw BindingFailure(
        .property, "it is \(element.name) here, which has no properties", at: next.range)
    }
    let side = try bind(reference, from: next, of: view.schema(target.table) ?? .unknown)
    let type = side.computedType
    return (.ofElement(side.operand, isList: type.isList, of: target.table), type)
  }

  /// A comparison of single values, of which one may be the element.
  func elementRelation(_ comparison: Comparison, at range: SourceRange) throws(BindingFailure) -> Computed {
    switch comparison.symbol {
    case .in, .between, .text, .geoWithin:
      throw BindingFailure(
        .operation, "\(comparison.symbol.rawValue) cannot be asked of the elements of a list",
        at: comparison.symbolRange, hint: "compare single values")
    default: break
    }
    let (left, leftType) = try value(comparison.left)
    let (right, rightType) = try value(comparison.right)
    for (type, operand) in [(leftType, comparison.left), (rightType, comparison.right)]
    where type.isList || !(type.kind.isText || type.kind == .null) {
      throw BindingFailure(
        .type, "\(comparison.symbol.rawValue) needs a string here, not \(type.name)", at: operand.range)
    }
    let relation = ComparisonTest(comparison.symbol.relationKind, folding: comparison.options.folding)
    return (.relation(left, relation, right), .value(.bool))
  }

  /// `find(Class, 'property', value)`, or by the primary key: `find(Class, value)`.
  private func found(_ arguments: [Expression]) throws(BindingFailure) -> Computed {
    guard case .property(nil, let reference) = arguments[0].kind, reference.question == nil,
      reference.path.steps.count == 1, case .name(let className)? = reference.path.steps.first?.kind
    else {
      throw BindingFailure(
        .expectation, "expected the name of a class", at: arguments[0].range,
        hint: "write \(SpecialForm.find.usage)")
    }
    let (key, keyType) = try value(arguments[arguments.count - 1])
    switch view.schema(named: className.text) {
    case .absent:
      throw BindingFailure(
        .classLookup, "there is no class '\(className.text)'", at: className.range,
        suggestion: view.nearestClassName(to: className.text))
    case .unknown:
      note(try searchedName(arguments)?.text, of: className.text)
      return (.constant(.null), .unknown)
    case .known(let schema):
      let link = LinkedClass(table: schema.tableKey, name: schema.name)
      let type = ExpressionType(.link(link), isOptional: true)
      let property = try searched(arguments, schema)
      if let property {
        note(property.name, of: schema.name)
      } else {
        note(try searchedName(arguments)?.text, of: schema.name)
      }
      guard let property else { return (.constant(.null), type) }
      let wanted = view.type(of: property)
      guard property.collection == nil, !wanted.isLink else {
        throw BindingFailure(
          .type, "objects cannot be found by \(schema.name).\(property.name), which is not a single value",
          at: arguments[arguments.count - 2].range)
      }
      guard !keyType.isList, keyType.kind.isComparable(to: wanted) else {
        throw BindingFailure(
          .type, "\(schema.name).\(property.name) is \(wanted.name), not \(keyType.name)",
          at: arguments[arguments.count - 1].range)
      }
      return (.found(by: property, in: schema.tableKey, key), type)
    }
  }

  private func note(_ property: String?, of className: String) {
    context.searches.append(SearchedProperty(className: className, property: property ?? ""))
  }

  /// Nil where the class may have the property, which is not known yet.
  private func searched(
    _ arguments: [Expression], _ schema: ClassSchema
  ) throws(BindingFailure) -> Property? {
    guard let name = try searchedName(arguments) else {
      if let property = schema.primaryKey { return property }
      if view.mayHave("", in: schema) { return nil }
      throw BindingFailure(
        .argument, "\(schema.name) has no primary key to find objects by", at: arguments[0].range,
        hint: "write \(SpecialForm.find.usage)")
    }
    if let property = schema.property(named: name.text) { return property }
    if view.mayHave(name.text, in: schema) { return nil }
    throw .query(.unknownProperty(name, of: schema))
  }

  /// Nil where objects are found by their primary key.
  private func searchedName(_ arguments: [Expression]) throws(BindingFailure) -> Name? {
    guard arguments.count == 3 else { return nil }
    guard case .constant(let constant) = arguments[1].kind, case .literal(.string(let bytes)) = constant.kind
    else {
      throw BindingFailure(
        .expectation, "expected the name of a property in quotes", at: arguments[1].range,
        hint: "write \(SpecialForm.find.usage)")
    }
    return Name(String(decoding: bytes, as: UTF8.self), isQuoted: true, range: arguments[1].range)
  }

  /// `switch(value, case, result, …, otherwise)`: a chain of conditions.
  private func choice(_ arguments: [Expression]) throws(BindingFailure) -> Computed {
    var branches: [ConditionalBranch] = []
    var index = 1
    while index + 1 < arguments.count {
      let comparison = Comparison(
        left: arguments[0], symbol: .equal, symbolRange: arguments[index].range, options: [],
        right: arguments[index])
      branches.append(
        ConditionalBranch(
          condition: Expression(.comparison(comparison), range: arguments[index].range),
          value: arguments[index + 1]))
      index += 2
    }
    let kind = ExpressionKind.conditional(branches, otherwise: arguments[arguments.count - 1])
    return try value(Expression(kind, range: arguments[0].range))
  }
}
