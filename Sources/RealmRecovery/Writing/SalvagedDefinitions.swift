// The classes of a new realm that takes up what was saved: as they were, but for what has to be null.
// Layer: RealmRecovery, Writing.
// Invariant: whatever a damaged file calls its classes and properties, the engine accepts these definitions.

import RealmEngine

/// Definitions of saved classes, and of those that take up objects which cannot stand in theirs.
package struct SalvagedDefinitions {
  let classes: [ClassDefinition]
  /// For each class the place of its properties in the new one; nil for those that cannot be made.
  let positions: [[Int?]]
  /// Classes for what cannot stand in its own, by the number of that one.
  private(set) var setAside: [(index: Int, definition: ClassDefinition)] = []

  /// By class, the list of properties with unverified values; nil where it has none.
  private(set) var marks: [(name: String, position: Int)?] = []

  private static let mark = "_unverified"

  package init(_ sources: [SalvagedClass], marking: Bool = false) {
    var taken: Set<String> = []
    let names = sources.map { Self.name($0.name, sizeMax: ClassDefinition.nameSizeMax, &taken) }
    var classes: [ClassDefinition] = []
    var positions: [[Int?]] = []
    for (index, source) in sources.enumerated() {
      var definition = ClassDefinition(names[index], kind: source.schema.kind, properties: [])
      var places: [Int?] = []
      var propertyNames: Set<String> = []
      for (number, property) in source.schema.properties.enumerated() {
        let target = Self.target(property, of: source, among: sources, names)
        guard property.type != .object || target != nil else {
          places.append(nil)
          continue
        }
        places.append(definition.properties.count)
        let isKey = number == source.schema.primaryKeyIndex && source.schema.kind == .object
        let name = Self.name(property.name, sizeMax: PropertyDefinition.nameSizeMax, &propertyNames)
        let index =
          PropertyDefinition.canIndex(property.type, property.collection, property.index)
          ? property.index : .none
        definition.properties.append(
          PropertyDefinition(
            name, property.type, collection: property.collection,
            isOptional: property.isOptional || !isKey && source.counts.hasLost(number),
            index: isKey ? .none : index, target: target))
        if isKey, ClassDefinition.canBePrimaryKey(property.type, property.collection) {
          definition.primaryKey = name
        }
      }
      let isMarked = marking && source.counts.allProperties.contains { $0.unverified > 0 }
      marks.append(
        isMarked
          ? (
            Self.name(Self.mark, sizeMax: PropertyDefinition.nameSizeMax, &propertyNames),
            definition.properties.count
          )
          : nil)
      if let mark = marks[index] {
        definition.properties.append(PropertyDefinition(mark.name, .string, collection: .list))
      }
      classes.append(definition)
      positions.append(places)
    }
    self.classes = classes
    self.positions = positions
    for (index, source) in sources.enumerated() where source.counts.needsOwnClass {
      let name = Self.name("Recovered_" + source.name, sizeMax: ClassDefinition.nameSizeMax, &taken)
      setAside.append((index, setAsideDefinition(name, index, source)))
    }
  }

  /// The names of a class's properties in the new one.
  func propertyNames(_ index: Int) -> [String?] {
    positions[index].map { place in place.map { classes[index].properties[$0].name } }
  }

  private func setAsideDefinition(_ name: String, _ index: Int, _ source: SalvagedClass) -> ClassDefinition {
    var definition = ClassDefinition(name, properties: classes[index].properties)
    for number in source.schema.properties.indices {
      guard let place = positions[index][number] else { continue }
      definition.properties[place].index = .none
      if source.counts.hasLostSetAside(number) { definition.properties[place].type.isOptional = true }
    }
    return definition
  }

  /// The class that a link leads to; nil where that is lost.
  private static func target(
    _ property: Property, of source: SalvagedClass, among sources: [SalvagedClass], _ names: [String]
  ) -> String? {
    source.targetName(of: property).flatMap { target in
      sources.firstIndex { $0.schema.tableName == target }.map { names[$0] }
    }
  }

  /// A name that is no longer than it may be and not taken.
  private static func name(_ wanted: String, sizeMax: Int, _ taken: inout Set<String>) -> String {
    var name = wanted.isEmpty ? "unnamed" : wanted
    var number = 1
    while name.utf8.count > sizeMax || taken.contains(name) {
      let suffix = number == 1 && !taken.contains(name) ? "" : "_\(number)"
      var stem = wanted.isEmpty ? "unnamed" : wanted
      while stem.utf8.count + suffix.utf8.count > sizeMax { stem.removeLast() }
      name = stem + suffix
      number += 1
    }
    taken.insert(name)
    return name
  }
}
