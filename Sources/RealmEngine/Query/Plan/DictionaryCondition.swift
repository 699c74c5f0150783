// Conditions on what dictionaries hold, in the form in which they run. Layer: Query.

/// What the entries of a dictionary are asked for.
package struct DictionaryCondition: Sendable {
  enum Part: Sendable {
    /// The value under a key, which is null where there is none.
    case value(key: ByteString, MixedTest)
    /// Some value.
    case anyValue(MixedTest)
    case anyKey(PropertyCondition.Test)
  }

  let property: Property
  let part: Part
  /// Whether an entry is looked for that fails the test.
  let isNegated: Bool

  init(_ property: Property, _ part: Part, isNegated: Bool = false) {
    self.property = property
    self.part = part
    self.isNegated = isNegated
  }
}
