// The names that statements can use, as completion needs them. Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// The classes of the open realm by name.
struct SchemaNames {
  let classes: [ClassDefinition]
  private let byName: [String: ClassDefinition]

  init(_ schema: SchemaDescription) {
    classes = schema.classes
    byName = Dictionary(schema.classes.map { ($0.name, $0) }) { first, _ in first }
  }

  subscript(name: String) -> ClassDefinition? { byName[name] }

  /// Classes with properties that lead to `className`, with these properties.
  func origins(of className: String) -> [(name: String, properties: [PropertyDefinition])] {
    classes.compactMap { origin in
      let links = origin.properties.filter { $0.type.target == className }
      return links.isEmpty ? nil : (origin.name, links)
    }
  }

  /// `Person.dogs`: the properties that lead to a class, as statements take them.
  func linkNames(to className: String) -> [String] {
    origins(of: className).flatMap { origin in
      origin.properties.map {
        "\(spelledName(origin.name, as: .property)).\(spelledName($0.name, as: .property))"
      }
    }
  }
}

extension SchemaNames {
  /// `-- linked to by Person.dogs`; nothing for a class that no link leads to.
  func originsRemark(of className: String) -> String {
    let links = linkNames(to: className)
    guard !links.isEmpty else { return "" }
    return "-- \(spelledName(className, as: .className)) is linked to by \(links.joined(separator: ", "))\n"
  }
}

/// The words that statements are made of.
extension StatementWords {
  /// Those that statements begin with, with the word that always follows.
  static let offered = beginnings.map { ["create", "alter", "drop"].contains($0) ? "\($0) class" : $0 }
  static let aggregates = Set(AggregateFunction.allCases.map(\.rawValue))
  static let types = [
    "int", "bool", "string", "data", "date", "float", "double", "decimal128", "objectId", "uuid", "mixed",
    "list<", "set<", "dictionary<",
  ]
}
