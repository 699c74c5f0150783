// Functions on lists. Layer: Query, Functions. The aggregates among them are those of conditions and statements.
// Nulls in a list count for `count`, `first` and `last`, and for nothing else.

import RealmQueryLanguage

extension ExpressionFunction {
  static let listFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "first(list)", "its first element, null of an empty one", [.list], gives: { $0[0].element.optional() },
      .ofList { elements, _, _ in elements.first ?? .null }),
    ExpressionFunction(
      "last(list)", "its last element, null of an empty one", [.list], gives: { $0[0].element.optional() },
      .ofList { elements, _, _ in elements.last ?? .null }),
    ExpressionFunction(
      "count(list)", "how many elements it has; in assertions and 'let' of migrations also of a class",
      [.list],
      gives: { _ in .value(.int) },
      .ofList { elements, _, _ in .int(Int64(elements.count)) }),
    ExpressionFunction(
      "sum(list)", "of its numbers; 0 of none", [.list],
      gives: { $0[0].kind == .value(.float) ? .value(.double) : $0[0].element.optional(false) },
      fault: noNumbers,
      .ofList { elements, _, _ throws(EngineError) in try Aggregate.sum.checkedResult(over: elements) }),
    ExpressionFunction(
      "avg(list)", "of its numbers; null of none", [.list],
      gives: {
        $0[0].kind == .value(.decimal128) ? $0[0].element.optional() : .value(.double, isOptional: true)
      }, fault: noNumbers,
      .ofList { elements, _, _ throws(EngineError) in try Aggregate.avg.checkedResult(over: elements) }),
    ExpressionFunction(
      "list(value, …)", "a list of the values; lists among them give their elements, nulls are left out",
      [.either], isVariadic: true, gives: { ExpressionType(joinedList($0).kind, isList: true) }, .gathers),
    ExpressionFunction(
      "append(list, value, …)", "the list followed by the values; of lists among them their elements",
      [.list, .either], isVariadic: true, gives: joinedList, .appends),
    ExpressionFunction(
      "without(list, value, …)", "the list without elements that equal a value, or an element of a list",
      [.list, .either], isVariadic: true, gives: { $0[0] }, .removes),
    ExpressionFunction(
      "distinct(list)", "each distinct element once, in order of first occurrence", [.list], gives: { $0[0] },
      .changesList { elements in
        var seen: Set<Value> = []
        return elements.filter { seen.insert($0).inserted }
      }),
    ExpressionFunction(
      "reverse(list)", "the elements from the last to the first", [.list], gives: { $0[0] },
      .changesList { $0.reversed() }),
    extreme("min(list)", "the least element; of several values: min(a, b, …)", .min),
    extreme("max(list)", "the greatest element; of several values: max(a, b, …)", .max),
  ]

  /// A list of all that some values and lists hold.
  private static let joinedList: @Sendable ([ExpressionType]) -> ExpressionType = { types in
    let element = types.dropFirst().reduce(types[0].element) { $0.joined(with: $1.element) ?? .unknown }
    return ExpressionType(element.kind, isList: true, isOptional: element.isOptional)
  }

  /// What is known to hold no numbers has no sum. Among mixed values those that are none are passed over.
  private static let noNumbers: @Sendable ([Value?], [ExpressionType]) -> String? = { _, types in
    types[0].isOpen || types[0].kind.isNumber || types[0].kind == .null
      ? nil : "there are no numbers in a \(types[0].name)"
  }

  private static func extreme(
    _ usage: String, _ summary: String, _ aggregate: Aggregate
  ) -> ExpressionFunction {
    ExpressionFunction(
      usage, summary, [.list], isVariadic: true,
      gives: { types in
        guard types.count > 1 else { return types[0].element.optional() }
        return types.dropFirst().reduce(types[0]) { $0.joined(with: $1) ?? .unknown }
      },
      .ofList { elements, _, _ throws(EngineError) in try aggregate.checkedResult(over: elements) })
  }
}
