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

  /// The function that makes this type of others, as advice; `ofList`: for each element.
  static func conversion(to wanted: ValueType, ofList: Bool) -> String? {
    wanted.conversionFunction.map { ofList ? "write map(…, \($0)(it))" : "write \($0)(…)" }
  }

  /// The value as the property stores it; nil where it cannot. Links are taken as they are.
  package static func fit(_ value: Value, to type: PropertyType) -> Value? {
    let wanted = type.type
    switch value {
    case .null: return type.isOptional || wanted == .mixed || wanted == .object ? .null : nil
    case _ where wanted == .mixed || value.type == wanted: return value
    // A literal is a double; a property of floats has no other literals.
    case .double(let number) where wanted == .float:
      let single = Float(number)
      return single.isInfinite && number.isFinite ? nil : .float(single)
    default: return value.type.map { widens($0, to: wanted) } == true ? value.widened(to: wanted) : nil
    }
  }
}

extension ValueType {
  /// The function of expressions that makes values of this type of others; nil where there is none.
  package var conversionFunction: String? {
    switch self {
    case .decimal128: "decimal"
    // A double fits a float.
    case .float: "double"
    case .data, .mixed, .object, .typedLink, .backlink: nil
    default: name
    }
  }
}
