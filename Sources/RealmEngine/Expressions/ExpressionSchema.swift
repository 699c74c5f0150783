// What names mean in an expression. Layer: Expressions.
// A schema may be known in part only: migration files are checked without the file they will change.

/// What is known of a name.
package enum NameLookup<Found: Sendable>: Sendable {
  case known(Found)
  /// There is no such thing; the names there are.
  case absent(among: [String])
  /// It may be there or not.
  case unknown
}

/// Classes and properties by name.
package protocol ExpressionSchema: Sendable {
  func property(_ name: String, of className: String) -> NameLookup<PropertyType>
  func hasClass(_ name: String) -> NameLookup<Void>
}

extension SchemaDescription: ExpressionSchema {
  package func property(_ name: String, of className: String) -> NameLookup<PropertyType> {
    guard let description = classes.first(where: { $0.name == className }) else { return .unknown }
    if let property = description.properties.first(where: { $0.name == name }) {
      return .known(property.type)
    }
    return .absent(among: description.properties.map(\.name))
  }

  package func hasClass(_ name: String) -> NameLookup<Void> {
    classes.contains { $0.name == name } ? .known(()) : .absent(among: classes.map(\.name))
  }
}

/// The names that an expression may use.
package struct ExpressionScope: Sendable {
  package enum Subject: Sendable {
    /// An object of a class; `old` is the property whose present value that word means.
    case object(className: String, old: String?)
    /// The whole realm: a name is a class, or a value computed before.
    case realm(names: [String: ExpressionType])
  }

  let schema: any ExpressionSchema
  let subject: Subject
  /// The values for `$0`, `$1` …
  let arguments: QueryArguments

  package init(
    _ subject: Subject, in schema: any ExpressionSchema, arguments: QueryArguments = QueryArguments()
  ) {
    self.subject = subject
    self.schema = schema
    self.arguments = arguments
  }
}
