// A schema with the names that it gets in one language. Layer: RealmModels, Naming.
// A file does not name the inverse side of links, so an inverse property is named after the link and its class:
// `Person.ownerOfDog` are the dogs whose `owner` is this person. Names of classes differ in more than case, because
// files may be named after them.

import RealmEngine

struct ModelProperty: Sendable {
  let stored: String
  let name: String
  let type: PropertyType
  let index: Property.Index
  let isPrimaryKey: Bool
  /// The class that links lead to.
  var target: String?
  let holdsEmbedded: Bool
  /// What the property's inverse is called in `target`.
  var inverseName: String?
  /// Whether the language has no name for it or its target, and nothing can say what another one stands for.
  let isUnnameable: Bool

  var isRenamed: Bool { name != stored }
  var isIndexed: Bool { index == .general && !isPrimaryKey }
}

/// The objects that link to an object by one property.
struct ModelInverse: Sendable {
  let name: String
  let origin: String
  let property: String
  let storedOrigin: String
  let storedProperty: String
}

struct ModelClass: Sendable {
  let stored: String
  let name: String
  let kind: ClassSchema.Kind
  let properties: [ModelProperty]
  let inverses: [ModelInverse]

  var isRenamed: Bool { name != stored }
  var primaryKey: ModelProperty? { properties.first { $0.isPrimaryKey } }

  /// Those that the code of this one names.
  var otherClasses: [String] {
    Set(properties.filter { !$0.isUnnameable }.compactMap(\.target) + inverses.map(\.origin)).subtracting([
      name
    ]).sorted()
  }
}

/// The classes that code is written for.
struct ModelSchema: Sendable {
  let version: Int64?
  let classes: [ModelClass]
  /// Classes that the language has no name for, where nothing can say what another one stands for.
  let leftOut: [String]

  /// `chosen`: the classes to show; those that they link to are named as if all were.
  init(_ whole: SchemaDescription, _ rules: NameRules, showing chosen: Set<String>? = nil) {
    version = whole.version
    let descriptions = whole.classes.filter { $0.kind != .table }
    var classNames = ModelNames(tellingCases: rules.mapsNothing)
    let names = classNames.take(all: descriptions.map(\.name), rules.className)
    func isLeftOut(_ index: Int) -> Bool { rules.mapsNothing && names[index] != descriptions[index].name }
    let indexes = Dictionary(zip(descriptions.map(\.name), descriptions.indices)) { first, _ in first }
    let targets = descriptions.map { Set($0.properties.compactMap(\.type.target).compactMap { indexes[$0] }) }
    let hidden = rules.hiddenNames(names, linkingTo: targets)
    var propertyNames: [ModelNames] = []
    var properties = descriptions.indices.map { index in
      let description = descriptions[index]
      var taken = ModelNames(tellingCases: true, with: rules.companions)
      let own = taken.take(all: description.properties.map(\.name)) { stored in
        let legal = rules.name(stored)
        return hidden[index].contains(legal) ? legal + "_" : legal
      }
      propertyNames.append(taken)
      return zip(description.properties, own).map { property, name in
        let target = property.type.target.flatMap { indexes[$0] }
        return ModelProperty(
          stored: property.name, name: name, type: property.type,
          index: property.index, isPrimaryKey: property.name == description.primaryKey,
          target: target.map { names[$0] },
          holdsEmbedded: target.map { descriptions[$0].kind == .embedded } ?? false,
          isUnnameable: rules.mapsNothing && name != property.name || target.map(isLeftOut) ?? false)
      }
    }
    var inverses: [[ModelInverse]] = Array(repeating: [], count: descriptions.count)
    for (origin, description) in descriptions.enumerated() where !isLeftOut(origin) {
      for (index, property) in properties[origin].enumerated()
      where property.type.collection != .dictionary
        && (property.type.collection != .set || rules.hasInversesOfSets)
        && (!property.holdsEmbedded || rules.hasInversesOfEmbedding)
        && !property.isUnnameable
      {
        guard let target = property.type.target.flatMap({ indexes[$0] }) else { continue }
        let name = propertyNames[target].take("\(property.name)Of\(names[origin].capitalizedFirst)")
        properties[origin][index].inverseName = name
        inverses[target].append(
          ModelInverse(
            name: name, origin: names[origin], property: property.name, storedOrigin: description.name,
            storedProperty: property.stored))
      }
    }
    let shown = descriptions.indices.filter { chosen?.contains(descriptions[$0].name) ?? true }
    leftOut = shown.filter(isLeftOut).map { descriptions[$0].name }
    classes = shown.filter { !isLeftOut($0) }.map {
      ModelClass(
        stored: descriptions[$0].name, name: names[$0], kind: descriptions[$0].kind,
        properties: properties[$0],
        inverses: descriptions[$0].kind == .object || rules.hasInversesOfEmbedding ? inverses[$0] : [])
    }
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  var uncapitalizedFirst: String { prefix(1).lowercased() + dropFirst() }
}
