// The complaint about a name that is no property. Layer: Query.

import ByteText
package import RealmQueryLanguage

/// A name that a class has no property for, and what was probably meant.
struct UnknownProperty {
  let name: Name
  let schema: ClassSchema
  /// Where the classes are that `schema` links to.
  var realm: ReadTransaction?

  var failure: BindingFailure { failure(.property) }

  func failure(_ code: QueryError.Code) -> BindingFailure { .query(error(code)) }

  func error(_ code: QueryError.Code) -> QueryError {
    let names = schema.properties.map(\.name)
    return QueryError(
      code, "unknown property '\(name.text)' on class '\(schema.name)'", at: name.range, hint: hint,
      suggestion: EditDistance.nearest(to: name.text, among: names) ?? pathAcrossLink)
  }

  /// Where a class that is linked to has the property: `address.city`.
  private var pathAcrossLink: String? {
    let link = schema.properties.first { link in
      guard link.isLink, let target = link.target.flatMap({ realm?.table($0) }) else { return false }
      return target.schema.property(named: name.text) != nil
    }
    return link.map { "\($0.name).\(name.text)" }
  }

  private var hint: String? {
    if name.text.hasPrefix("$") { return "only the variable of the innermost SUBQUERY is known here" }
    // A minus sign without a blank before it is part of the name.
    if let dash = name.text.firstIndex(of: "-") {
      let left = String(name.text[..<dash])
      let right = name.text[name.text.index(after: dash)...]
      if schema.property(named: left) != nil { return "write \(left) - \(right)" }
    }
    return nil
  }
}

extension ReadTransaction {
  /// The table of the class that users call `name`.
  package func classTable(_ name: String) -> Table? { table(named: name) }

  /// A class whose name is much like `name`.
  package func nearestClassName(to name: String) -> String? {
    EditDistance.nearest(to: name, among: classes().map(\.schema.name))
  }
}

extension QueryError {
  /// A class has no property of that name.
  package static func unknownProperty(_ name: Name, of schema: ClassSchema) -> QueryError {
    UnknownProperty(name: name, schema: schema).error(.property)
  }
}
