// Functions on lists. Layer: Expressions. Nulls in a list count for `count`, `first` and `last`, and for nothing else.

extension ExpressionFunction {
  static let listFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "first(list)", "its first element, null of an empty one", [.list], gives: { $0[0].element.optional() },
      .ofList { elements, _, _ in elements.first ?? .null }),
    ExpressionFunction(
      "last(list)", "its last element, null of an empty one", [.list], gives: { $0[0].element.optional() },
      .ofList { elements, _, _ in elements.last ?? .null }),
    ExpressionFunction(
      "count(list)", "how many elements it has; of a class: how many objects", [.list],
      gives: { _ in .value(.int) },
      .ofList { elements, _, _ in .int(Int64(elements.count)) }),
    ExpressionFunction(
      "sum(list)", "of its numbers; 0 of none", [.list], gives: { $0[0].element.optional(false) },
      .ofList { elements, _, _ throws(EngineError) in
        var sum = Value.int(0)
        for element in elements where element != .null {
          sum = try ExpressionArithmetic.apply(.add, sum, element)
        }
        return sum
      }),
    extreme("min(list)", "the least element; of several values: min(a, b, …)") { $0 < 0 },
    extreme("max(list)", "the greatest element; of several values: max(a, b, …)") { $0 > 0 },
  ]

  private static func extreme(
    _ usage: String, _ summary: String, _ isBetter: @escaping @Sendable (Int) -> Bool
  ) -> ExpressionFunction {
    ExpressionFunction(
      usage, summary, [.list], isVariadic: true,
      gives: { types in
        guard types.count > 1 else { return types[0].element.optional() }
        return types.dropFirst().reduce(types[0]) { $0.joined(with: $1) ?? .unknown }
      },
      .ofList { elements, _, _ throws(EngineError) in
        var best = Value.null
        for element in elements where element != .null {
          guard best != .null else {
            best = element
            continue
          }
          guard let order = element.compareOrderingNaN(to: best) else {
            throw EngineError(
              .constraint, "\(element.kindName) and \(best.kindName) have no order among them")
          }
          if isBetter(order) { best = element }
        }
        return best
      })
  }
}
