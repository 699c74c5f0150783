// What tells two schemas apart. Layer: Migrations, Schema.

package import RealmEngine

/// One change from a schema to another.
package enum SchemaChange: Sendable {
  case classAdded(ClassDefinition)
  case classRemoved(ClassDefinition)
  case kindChanged(className: String, from: ClassSchema.Kind, to: ClassSchema.Kind)
  case primaryKeyChanged(className: String, from: String?, to: String?)
  case propertyAdded(className: String, PropertyDefinition)
  case propertyRemoved(className: String, PropertyDefinition)
  case typeChanged(className: String, name: String, from: PropertyType, to: PropertyType)
  case indexChanged(className: String, name: String, from: Property.Index, to: Property.Index)

  /// `+`, `-` or `~`, what, and how.
  package var text: String { words.visible }

  private var words: String {
    switch self {
    case .classAdded(let added): "+ \(added.kind == .object ? "" : "\(added.kind.name) ")class \(added.name)"
    case .classRemoved(let removed): "- class \(removed.name)"
    case .kindChanged(let name, let from, let to): "~ class \(name): \(from.name) → \(to.name)"
    case .primaryKeyChanged(let name, let from, let to):
      "~ class \(name): primary key \(from ?? "none") → \(to ?? "none")"
    case .propertyAdded(let name, let property):
      "+ \(name).\(property.name): \(property.type.word)\(Self.suffix(property.index))"
    case .propertyRemoved(let name, let property): "- \(name).\(property.name): \(property.type.word)"
    case .typeChanged(let name, let property, let from, let to):
      "~ \(name).\(property): \(from.word) → \(to.word)"
    case .indexChanged(let name, let property, let from, let to):
      "~ \(name).\(property): index \(Self.word(from)) → \(Self.word(to))"
    }
  }

  private static func word(_ index: Property.Index) -> String {
    switch index {
    case .none: "none"
    case .general: "general"
    case .fullText: "fulltext"
    }
  }

  private static func suffix(_ index: Property.Index) -> String {
    index == .none ? "" : " (index \(word(index)))"
  }
}

extension SchemaDescription {
  /// The changes that make `other` of this schema: classes by name, properties in stored order. What a new or removed
  /// class has is not listed on its own.
  package func changes(to other: SchemaDescription) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    let (oldClasses, newClasses) = (classesByName, other.classesByName)
    let names = Set(oldClasses.keys).union(newClasses.keys)
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      switch (oldClasses[name], newClasses[name]) {
      case (nil, let new?): changes.append(.classAdded(new))
      case (let old?, nil): changes.append(.classRemoved(old))
      case (let old?, let new?): changes += old.changes(to: new)
      case (nil, nil): break
      }
    }
    return changes
  }
}

extension ClassDefinition {
  fileprivate func changes(to other: ClassDefinition) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    if kind != other.kind { changes.append(.kindChanged(className: name, from: kind, to: other.kind)) }
    if primaryKey != other.primaryKey {
      changes.append(.primaryKeyChanged(className: name, from: primaryKey, to: other.primaryKey))
    }
    let newNames = Set(other.properties.map(\.name))
    let oldProperties = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
    for property in properties where !newNames.contains(property.name) {
      changes.append(.propertyRemoved(className: name, property))
    }
    for new in other.properties {
      guard let old = oldProperties[new.name] else {
        changes.append(.propertyAdded(className: name, new))
        continue
      }
      if old.type != new.type {
        changes.append(.typeChanged(className: name, name: new.name, from: old.type, to: new.type))
      }
      let isKey = new.name == primaryKey || new.name == other.primaryKey
      if old.index != new.index, !isKey {
        changes.append(.indexChanged(className: name, name: new.name, from: old.index, to: new.index))
      }
    }
    return changes
  }
}
