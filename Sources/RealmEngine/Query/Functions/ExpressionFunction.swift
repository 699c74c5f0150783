// The functions of expressions: what they take, give and do. Layer: Query, Functions.
// Invariant: all but `now`, `uuid`, `objectId` and `fail` give the same result for the same arguments. A null among the
// arguments of a function on single values gives null.

/// One function of the library.
package struct ExpressionFunction: Sendable {
  /// What an argument may be.
  enum Parameter: Sendable {
    case anything, text, number, date, textOrDate, whole, list, either

    var description: String {
      switch self {
      case .anything: "a value"
      case .text: "a string"
      case .number: "a number"
      case .date: "a date"
      case .textOrDate: "a string or a date"
      case .whole: "an int"
      case .list: "a list"
      case .either: "a value or a list"
      }
    }

    func accepts(_ type: ExpressionType) -> Bool {
      if type.isOpen { return true }
      if self == .either { return true }
      if self == .list { return type.isList }
      if type.isList { return false }
      if type.kind == .null { return true }
      switch self {
      case .anything, .either: return true
      case .text: return type.isValue(.string)
      case .number: return type.isNumber
      case .date: return type.isValue(.date)
      case .textOrDate: return type.isValue(.string) || type.isValue(.date)
      case .whole: return type.isValue(.int)
      case .list: return true
      }
    }
  }

  enum Body: Sendable {
    /// Of a value, and of those that say how, none of which is null; nil where the value does not convert.
    case conversion(to: String, @Sendable ([Value], EvaluationContext) throws(EngineError) -> Value?)
    /// Of single values, none of which is null.
    case values(@Sendable ([Value], EvaluationContext) throws(EngineError) -> Value)
    /// A list made of single values.
    case makesList(@Sendable ([Value], inout ListColumn) throws(EngineError) -> Void)
    /// A list made of another.
    case changesList(@Sendable ([Value]) -> [Value])
    /// A list of single values and of the elements of lists, nulls left out.
    case gathers
    /// The list, and behind it single values and the elements of lists.
    case appends
    /// The list without elements that equal one of the single values, or one of the elements of lists.
    case removes
    /// Of the elements of a list, and of the single values behind it.
    case ofList(@Sendable ([Value], [Value], EvaluationContext) throws(EngineError) -> Value)
    /// A value made anew for each object.
    case generates(@Sendable (EvaluationContext) throws(EngineError) -> Value)
  }

  package let name: String
  /// As its user writes it: `substring(text, start, count)`.
  package let usage: String
  /// One line for the manual.
  package let summary: String
  let required: [Parameter]
  let optional: [Parameter]
  /// Whether the last parameter may stand any number of times.
  let isVariadic: Bool
  let resultType: @Sendable ([ExpressionType]) -> ExpressionType
  let body: Body
  /// What it does where it is called in another way, as `uuid()` and `uuid(text)`.
  let alternative: Body?
  /// What is wrong with arguments, of which those that are the same for all objects are known; nil where nothing is.
  let fault: (@Sendable ([Value?], [ExpressionType]) -> String?)?

  init(
    _ usage: String, _ summary: String, _ required: [Parameter], optional: [Parameter] = [],
    isVariadic: Bool = false, gives resultType: @escaping @Sendable ([ExpressionType]) -> ExpressionType,
    alternative: Body? = nil, fault: (@Sendable ([Value?], [ExpressionType]) -> String?)? = nil,
    _ body: Body
  ) {
    name = String(usage.prefix { $0 != "(" })
    self.usage = usage
    self.summary = summary
    self.required = required
    self.optional = optional
    self.isVariadic = isVariadic
    self.resultType = resultType
    self.body = body
    self.alternative = alternative
    self.fault = fault
  }

  /// What it does with so many arguments.
  func form(argumentCount count: Int) -> Body { count == 0 ? body : alternative ?? body }

  /// The types of what it may give, where these are not that of the result: it gives some of its arguments or of their
  /// elements, and the sum of nothing is an int.
  func typesGiven(_ arguments: [ExpressionType]) -> [ExpressionType] {
    switch body {
    case .gathers, .appends: arguments
    case .ofList: isVariadic ? arguments : name == "sum" ? [.value(.int)] : []
    default: []
    }
  }

  func accepts(argumentCount count: Int) -> Bool {
    count >= required.count && (isVariadic || count <= required.count + optional.count)
  }

  /// What the argument at `index` of `count` may be.
  func parameter(_ index: Int, of count: Int) -> Parameter {
    // `min` and `max` take a list, or several values.
    if isVariadic, required == [.list], count > 1 { return .anything }
    let all = required + optional
    return all[min(index, all.count - 1)]
  }

  /// The library, in the order of the manual.
  package static let all: [ExpressionFunction] =
    textFunctions + conversionFunctions + dateFunctions + numberFunctions + listFunctions + otherFunctions

  /// Their names differ, which a test holds.
  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  static func named(_ name: String) -> ExpressionFunction? { byName[name] }
}

extension ExpressionFunction {
  /// A result of a fixed type, null where an argument is.
  static func gives(_ type: ValueType) -> @Sendable ([ExpressionType]) -> ExpressionType {
    { arguments in .value(type, isOptional: arguments.contains { $0.isOptional && !$0.isOpen }) }
  }
}
