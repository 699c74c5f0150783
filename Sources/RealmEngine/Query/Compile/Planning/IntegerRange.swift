// Comparisons of whole numbers with constants of any numeric type, as ranges of integers.
// Layer: Query, Compile, Planning.

extension IntegerRange {
  /// The integers that compare with `constant` as `comparison` says; nil where no range says that exactly.
  init?(_ comparison: ComparisonOperator, _ constant: Value) {
    switch constant {
    case .int(let value): self.init(comparison, floor: value, ceiling: value)
    case .double(let value): self.init(comparison, value)
    case .float(let value): self.init(comparison, Double(value))
    case .decimal(let value):
      guard let whole = value.exactInt64 else { return nil }
      self.init(comparison, floor: whole, ceiling: whole)
    default: return nil
    }
  }

  /// `floor` is the greatest integer up to the constant, `ceiling` the least from it on.
  private init(_ comparison: ComparisonOperator, floor: Int64, ceiling: Int64) {
    let isWhole = floor == ceiling
    switch comparison {
    case .equal: self = isWhole ? .equal(floor) : .none
    case .notEqual: self = isWhole ? IntegerRange.equal(floor).negated : .all
    case .less: self = ceiling == .min ? .none : IntegerRange(low: .min, high: ceiling - 1)
    case .lessOrEqual: self.init(low: .min, high: floor)
    case .greater: self = floor == .max ? .none : IntegerRange(low: floor + 1, high: .max)
    case .greaterOrEqual: self.init(low: ceiling, high: .max)
    }
  }

  private init(_ comparison: ComparisonOperator, _ constant: Double) {
    let limit = 9_223_372_036_854_775_808.0
    guard !constant.isNaN else {
      self = comparison == .notEqual ? .all : .none
      return
    }
    guard constant >= -limit else {
      self = [.greater, .greaterOrEqual, .notEqual].contains(comparison) ? .all : .none
      return
    }
    guard constant < limit else {
      self = [.less, .lessOrEqual, .notEqual].contains(comparison) ? .all : .none
      return
    }
    self.init(comparison, floor: Int64(constant.rounded(.down)), ceiling: Int64(constant.rounded(.up)))
  }
}
