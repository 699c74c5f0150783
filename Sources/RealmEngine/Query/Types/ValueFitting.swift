// Values as a property stores them: numbers widen, nothing else changes its type on its own. Layer: Query, Types.

/// Fits computed values to properties.
package enum ValueFitting {
  /// Whether values of `type` become ones of `wanted` without being asked; floats may lose digits.
  static func widens(_ type: ValueType, to wanted: ValueType) -> Bool {
    switch (type, wanted) {
    case (.int, .float), (.int, .double), (.int, .decimal128), (.float, .double), (.double, .float): true
    default: false
    }
  }

  /// The function that makes one type of another, as advice.
  static func conversion(to wanted: ValueType, from type: ValueType) -> String? {
    // A double fits a float.
    let made = wanted == .float ? .double : wanted
    return made.conversionFunction.map { "write \($0)(…)" }
  }

  /// The value as the property stores it; nil where it cannot. Links are taken as they are.
  package static func fit(_ value: Value, to type: PropertyType) -> Value? {
    switch (value, type.type) {
    case (.null, .mixed), (.null, .object): return .null
    case (.null, _): return type.isOptional ? .null : nil
    case (_, .mixed): return value
    case (_, let wanted) where value.type == wanted: return value
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .float): return .float(Float(number))
    case (.int(let number), .decimal128): return .decimal(Decimal128(number))
    case (.float(let number), .double): return .double(Double(number))
    // A literal is a double; a property of floats has no other literals.
    case (.double(let number), .float): return .float(Float(number))
    default: return nil
    }
  }
}

extension ValueType {
  /// The function of expressions that makes values of this type of others; nil where there is none.
  package var conversionFunction: String? {
    switch self {
    case .decimal128: "decimal"
    case .data, .float, .mixed, .object, .typedLink, .backlink: nil
    default: name
    }
  }
}
