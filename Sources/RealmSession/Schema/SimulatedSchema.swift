// A schema as migrations change it, without any file. Layer: RealmSession, Schema.
// It may be known in part: of a chain that begins with a schema nobody wrote down, only what steps say is known.

package import RealmEngine

/// What is known of the primary key of a class.
enum PrimaryKeyKnowledge: Sendable, Equatable {
  case unknown, none
  case property(String)
}

/// A class while steps change it.
package struct SimulatedClass: Sendable {
  var name: String
  /// Nil: not known.
  var kind: ClassSchema.Kind?
  var primaryKey: PrimaryKeyKnowledge
  var properties: [PropertyDefinition]
  /// Names that were dropped or renamed.
  var absent: Set<String> = []
  /// Whether there are no other properties.
  var isComplete: Bool

  /// A class of which nothing but its name is known.
  init(_ name: String) {
    (self.name, primaryKey, properties, isComplete) = (name, .unknown, [], false)
  }

  /// A class that is known in full.
  init(_ definition: ClassDefinition) {
    (name, kind, properties, isComplete) = (definition.name, definition.kind, definition.properties, true)
    primaryKey = definition.primaryKey.map { .property($0) } ?? .none
  }

  /// As far as it is known.
  var definition: ClassDefinition {
    var key: String?
    if case .property(let name) = primaryKey { key = name }
    return ClassDefinition(name, kind: kind ?? .object, primaryKey: key, properties: properties)
  }

  func property(_ name: String) -> PropertyDefinition? { properties.first { $0.name == name } }
}

/// Classes while steps change them.
package struct SimulatedSchema: Sendable {
  var classes: [String: SimulatedClass] = [:]
  var absent: Set<String> = []
  /// Whether there are no other classes.
  package private(set) var isComplete: Bool

  /// Nothing is known.
  package init() { isComplete = false }

  package init(_ description: SchemaDescription) {
    isComplete = true
    for described in description.classes {
      classes[described.name] = SimulatedClass(described)
    }
  }

  /// The schema by names; nil where it is not known in full.
  package var description: SchemaDescription? {
    guard isComplete, classes.values.allSatisfy(\.isComplete) else { return nil }
    return knownDescription
  }

  /// What is known of it, without links to classes that are not.
  var knownDescription: SchemaDescription {
    SchemaDescription(
      version: nil,
      classes: classes.values.map { known in
        var definition = known.definition
        definition.properties.removeAll { $0.type.target.map { classes[$0] == nil } ?? false }
        if !definition.properties.contains(where: { $0.name == definition.primaryKey }) {
          definition.primaryKey = nil
        }
        return definition
      })
  }

  /// The class, which is taken to be there where nothing speaks against it; nil where it is not.
  mutating func require(_ name: String) -> SimulatedClass? {
    if let known = classes[name] { return known }
    guard !isComplete, !absent.contains(name) else { return nil }
    let assumed = SimulatedClass(name)
    classes[name] = assumed
    return assumed
  }
}

extension SimulatedSchema {
  /// What names are looked up in, as far as it is known.
  package var view: DescribedSchema {
    DescribedSchema(
      classes.values.sorted { $0.name < $1.name }.map { known in
        DescribedClass(known.definition, isComplete: known.isComplete, dropped: known.absent)
      }, isComplete: isComplete, dropped: absent)
  }
}
