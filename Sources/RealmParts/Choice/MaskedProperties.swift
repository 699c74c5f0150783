// Which properties are masked: `Person.name`, `*.phone`, `Person.*`, or all that hold values. Layer: Choice.

import ByteText
package import RealmEngine

/// Patterns of properties.
package struct MaskedProperties: Sendable {
  private struct Pattern: Sendable {
    let text: String
    /// Nil for any.
    let className: String?
    let property: String?

    func holds(_ schema: ClassSchema) -> Bool { className.map { $0 == schema.name } ?? true }

    func holds(_ property: Property) -> Bool { self.property.map { $0 == property.name } ?? true }
  }

  private let patterns: [Pattern]

  package static let all = MaskedProperties([Pattern(text: "*.*", className: nil, property: nil)])
  package static let none = MaskedProperties([])

  package var isEmpty: Bool { patterns.isEmpty }

  private init(_ patterns: [Pattern]) { self.patterns = patterns }

  /// Reads `Person.name, *.phone`. Throws `.badDocument` for what is no pattern.
  package init(parsing text: String) throws(EngineError) {
    var patterns: [Pattern] = []
    for part in text.names(separatedBy: ",") {
      let pattern = part.drop { $0 == " " }
      let end = pattern.lastIndex { $0 != " " }.map(pattern.index(after:)) ?? pattern.startIndex
      let words = String(pattern[..<end]).names(separatedBy: ".")
      guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else {
        throw EngineError(
          .badDocument, "'\(pattern[..<end])' is not a property to mask",
          hint: "write CLASS.PROPERTY; * stands for all classes or all properties: Person.name, *.phone")
      }
      patterns.append(
        Pattern(
          text: String(pattern[..<end]), className: words[0] == "*" ? nil : words[0].withoutBackquotes,
          property: words[1] == "*" ? nil : words[1].withoutBackquotes))
    }
    self.init(patterns)
  }

  /// The names of the properties of each class, those of embedded ones too. Throws for patterns that mean nothing here.
  package func names(in schemas: [ClassSchema]) throws(EngineError) -> [(
    schema: ClassSchema, names: Set<String>
  )] {
    for pattern in patterns {
      let classes = schemas.filter(pattern.holds)
      if let name = pattern.className, classes.isEmpty {
        throw EngineError(
          .unknownClass, "there is no class '\(name)' to mask",
          hint: EditDistance.suggestion(for: name, among: schemas.map(\.name)))
      }
      let properties = classes.flatMap(\.properties).filter(pattern.holds)
      if let name = pattern.property, properties.isEmpty {
        throw EngineError(
          .unknownProperty,
          pattern.className.map { "\($0) has no property '\(name)' to mask" }
            ?? "no class has a property '\(name)' to mask",
          hint: EditDistance.suggestion(for: name, among: classes.flatMap(\.properties).map(\.name)))
      }
      guard pattern.property == nil || properties.contains(where: Self.canMask) else {
        let owned = properties.first.flatMap { Self.embedded($0, in: schemas) }
        throw EngineError(
          .refused, "\(pattern.text) " + (owned.map { "holds \($0.name)" } ?? "is a link, which has no mask"),
          hint: owned.map { "mask the properties of that class: --mask '\($0.name).*'" }
            ?? "objects are identified by their primary keys and properties; mask these")
      }
    }
    return schemas.map { schema in
      let wanted = patterns.filter { $0.holds(schema) }
      let names = schema.properties.filter { property in
        Self.canMask(property) && wanted.contains { $0.holds(property) }
      }
      return (schema, Set(names.map(\.name)))
    }
  }

  /// Embedded classes of which nothing is masked though they belong to objects of whose properties all are.
  package func spared(in schemas: [ClassSchema]) throws(EngineError) -> [String] {
    let masked = try names(in: schemas)
    let whole = masked.filter { part in patterns.contains { $0.property == nil && $0.holds(part.schema) } }
    let owned = whole.flatMap(\.schema.properties).compactMap { Self.embedded($0, in: schemas)?.name }
    let untouched = Set(masked.filter(\.names.isEmpty).map(\.schema.name))
    return schemas.map(\.name).filter { owned.contains($0) && untouched.contains($0) }
  }

  /// The embedded class that a property holds objects of.
  private static func embedded(_ property: Property, in schemas: [ClassSchema]) -> ClassSchema? {
    schemas.first { $0.tableKey == property.target && $0.kind == .embedded }
  }

  /// Links have none; of dictionaries of links the keys do.
  private static func canMask(_ property: Property) -> Bool {
    property.type != .object && property.type != .typedLink || property.collection == .dictionary
  }
}
