// What of two versions of a class is compared. Layer: Comparison.

/// A property of a class, and what it was before.
package struct ComparedProperty: Sendable {
  /// Nil where the property was not there before: then its values are compared with those that a new property has.
  package let left: Property?
  package let right: Property

  package init(left: Property?, right: Property) {
    self.left = left
    self.right = right
  }

  /// Whether equal bytes are equal values.
  var isSameLayout: Bool {
    guard let left else { return false }
    return left.type == right.type && left.collection == right.collection
      && left.isOptional == right.isOptional && left.hasIntegerKeys == right.hasIntegerKeys
      && left.texts == nil && right.texts == nil
  }
}

/// A class that two realms have.
package struct ComparedClass: Sendable {
  package let left: Table
  package let right: Table
  package let properties: [ComparedProperty]
  /// Whether the primary key tells which objects are the same, and not their object keys.
  package let hasIdentity: Bool

  package init(left: Table, right: Table, properties: [ComparedProperty], hasIdentity: Bool) {
    self.left = left
    self.right = right
    self.properties = properties
    self.hasIdentity = hasIdentity
  }

  package var name: String { right.schema.name }

  /// The property that tells which objects are the same.
  var identity: ComparedProperty? {
    guard hasIdentity, let left = left.schema.primaryKey, let right = right.schema.primaryKey else {
      return nil
    }
    return ComparedProperty(left: left, right: right)
  }
}
