// Calls of functions. Layer: Query, Compile, Binding.

import ByteText
import RealmQueryLanguage

extension Binder {
  /// For names that are no functions here.
  private static let hints = [
    "coalesce": firstHint, "ifnull": firstHint, "nvl": firstHint,
    "oid": "an object id has 24 hexadecimal digits: oid(507f1f77bcf86cd799439011)",
  ]
  private static let firstHint = "write nick ?? name for the first that is not null"

  /// `Person(40)`
  private func objectHint(_ call: FunctionCall) -> String? {
    guard case .known(let schema) = view.schema(named: call.name.text), let key = call.arguments.first else {
      return nil
    }
    return "write obj('\(schema.name)', \(context.source.text(in: key.range)))"
  }

  func value(of call: FunctionCall, at range: SourceRange) throws(BindingFailure) -> Computed {
    if let special = try specialValue(of: call, at: range) { return special }
    guard let function = ExpressionFunction.named(call.name.text) else {
      throw BindingFailure(
        .operation, "there is no function '\(call.name.text)'", at: call.name.range,
        hint: objectHint(call) ?? Self.hints[call.name.text.lowercased()],
        suggestion: EditDistance.nearest(to: call.name.text, among: ExpressionFunction.names))
    }
    guard function.accepts(argumentCount: call.arguments.count) else {
      throw BindingFailure(
        .argument, "\(function.name) does not take \(call.arguments.count) arguments", at: range,
        hint: "write \(function.usage)")
    }
    var nodes: [ExpressionNode] = []
    var types: [ExpressionType] = []
    for (index, argument) in call.arguments.enumerated() {
      let (node, type) = try value(argument)
      let parameter = function.parameter(index, of: call.arguments.count)
      guard parameter.accepts(type) else {
        let isMeantForAll = parameter == .list && AggregateFunction(rawValue: function.name) != nil
        let value = context.source.text(in: argument.range)
        func rewritten(with other: String) -> String {
          var words = call.arguments.map { context.source.text(in: $0.range) }
          words[index] = other
          return "\(function.name)(\(words.joined(separator: ", ")))"
        }
        let isMeantForElements = type.isList && parameter.accepts(type.element)
        throw BindingFailure(
          .type, "\(function.name) needs \(parameter.description) here, not \(type.name)", at: argument.range,
          hint: isMeantForAll
            ? "over all objects: \(function.name) \(value) of \(schema.name)"
            : isMeantForElements
              ? "write map(\(value), \(rewritten(with: "it"))) for each element, or \(rewritten(with: "first(\(value))")) for one"
              : "write \(function.usage)")
      }
      nodes.append(node)
      types.append(type)
    }
    if let fault = function.fault?(nodes.map(\.constantValue), types) {
      throw BindingFailure(.argument, fault, at: range, hint: "write \(function.usage)")
    }
    return widened(.call(function, nodes), function.resultType(types), of: function.typesGiven(types))
  }
}
