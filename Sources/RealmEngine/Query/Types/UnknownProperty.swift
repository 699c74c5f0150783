// The complaint about a name that is no property. Layer: Query, Types.

import ByteText
package import RealmQueryLanguage

/// A name that a class has no property for, and what was probably meant.
struct UnknownProperty {
  let name: Name
  let schema: ClassSchema
  /// Where the classes are that `schema` links to.
  var view: (any SchemaView)?

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
      guard link.isLink, let target = link.target.flatMap({ view?.schema($0) }) else { return false }
      return target.property(named: name.text) != nil
    }
    return link.map { "\($0.name).\(name.text)" }
  }

  private var hint: String? {
    if let remark = view?.remark(onAbsent: name.text, in: schema) { return remark }
    if name.text == schema.name { return "a property is written without its class" }
    switch name.text.lowercased() {
    case "old": return "there is no old value here"
    case "_key", "rowid": return "the key of an object is @key"
    case "count", "length", "size", "isempty":
      return "the number of elements is @count: dogs.@count == 0"
    default: break
    }
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

extension QueryError {
  /// A class has no property of that name.
  package static func unknownProperty(_ name: Name, of schema: ClassSchema) -> QueryError {
    UnknownProperty(name: name, schema: schema).error(.property)
  }
}
