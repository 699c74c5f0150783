// `+ - * /` on values. Layer: Query, Operators.
// The wider type wins: int, float, double, decimal. Integers wrap and are divided towards zero; dividing one by zero
// gives null, as does anything with null or with what is no number.

import RealmQueryLanguage

/// The operations that conditions know, on single values as on blocks of them.
package typealias ArithmeticOperation = NumberVector.Operation

extension NumberVector.Operation {
  /// Nil for the remainder, which only computed values know.
  init?(_ symbol: ArithmeticOperator) {
    switch symbol {
    case .add: self = .add
    case .subtract: self = .subtract
    case .multiply: self = .multiply
    case .divide: self = .divide
    case .remainder: return nil
    }
  }

  package func callAsFunction(_ left: Value, _ right: Value) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)): return integer(left, right)
    case (.float(let left), .float(let right)): return .float(binary(left, right))
    case (.float(let left), .int(let right)): return .float(binary(left, Float(right)))
    case (.int(let left), .float(let right)): return .float(binary(Float(left), right))
    case (.decimal, _), (_, .decimal):
      guard let left = left.decimalValue, let right = right.decimalValue else { return .null }
      return .decimal(decimal(left, right))
    default:
      guard let left = left.doubleValue, let right = right.doubleValue else { return .null }
      return .double(binary(left, right))
    }
  }

  private func integer(_ left: Int64, _ right: Int64) -> Value {
    switch self {
    case .add: .int(left &+ right)
    case .subtract: .int(left &- right)
    case .multiply: .int(left &* right)
    case .divide: right == 0 ? .null : .int(left.dividedReportingOverflow(by: right).partialValue)
    }
  }

  private func binary<T: BinaryFloatingPoint>(_ left: T, _ right: T) -> T {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }

  private func decimal(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }
}
