// Numbers of all types as one kind of value. Layer: Values.

extension Value {
  package var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }

  package var isNaN: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }

  /// The number as a decimal, of as many digits as a binary fraction carries; nil for what is no number.
  package var decimalValue: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value)
    case .float(let value): Decimal128(rounding: value)
    case .double(let value): Decimal128(rounding: value)
    case .decimal(let value): value
    default: nil
    }
  }

  /// The number as a double; nil for what is none.
  package var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.doubleValue
    default: nil
    }
  }

  /// A number as one of a wider type; anything else as it is.
  package func widened(to type: ValueType) -> Value {
    switch (self, type) {
    case (.int(let value), .float): .float(Float(value))
    case (.int, .double), (.float, .double): doubleValue.map(Value.double) ?? self
    case (_, .decimal128): decimalValue.map(Value.decimal) ?? self
    default: self
    }
  }
}

extension ValueType {
  /// Whether there are values that no digits spell: infinities, and what is no number.
  package var isFloating: Bool { self == .float || self == .double }

  package var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }
}
