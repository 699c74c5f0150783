// The statements that make one schema of another, around those that change objects. Layer: RealmCommands, Differences.
// Where objects are changed too, a property whose type differs is dropped and added, and its values are among those that are
// set: so nothing has to be converted, and nothing is left of a value that the other realm does not have. Without objects the
// values that are there are converted, or the change is refused: nothing else would give them back.

import Migrations
import RealmEngine
import RealmQueryLanguage
import Rendering

/// Statements in three parts.
struct SchemaChangeStatements {
  /// Primary keys that would be in the way.
  private(set) var beforeData = ""
  /// When the objects that go are gone.
  private(set) var forData = ""
  /// Primary keys, when all objects have their values.
  private(set) var afterData = ""

  private let left: SchemaDescription
  private let right: SchemaDescription
  /// The same by name.
  private let leftClasses: [String: ClassDefinition]
  private let rightClasses: [String: ClassDefinition]
  /// Classes that are dropped and made anew.
  private let remade: Set<String>
  /// Whether statements that follow give objects their values.
  private let hasData: Bool

  init(_ changes: [SchemaChange], _ realms: RealmDifference, hasData: Bool) throws(Diagnostic) {
    self.hasData = hasData
    left = realms.left.schemaDescription()
    right = realms.right.schemaDescription()
    (leftClasses, rightClasses) = (left.classesByName, right.classesByName)
    var remade: Set<String> = []
    if hasData { for case .kindChanged(let name, _, _) in changes { remade.insert(name) } }
    self.remade = remade
    guard !changes.isEmpty || left.version != right.version else { return }
    let changes = changes.filter { change in remade.isDisjoint(with: [change.className]) }
    writePrimaryKeys(changes)
    writeDrops(changes)
    try writeKinds(changes, embedded: false)
    writeClasses(changes)
    try writeProperties(changes)
    try writeKinds(changes, embedded: true)
    if left.version != right.version {
      forData += "alter schema version \(right.version.map { "\($0)" } ?? "none");\n"
    }
  }

  private mutating func writePrimaryKeys(_ changes: [SchemaChange]) {
    for case .primaryKeyChanged(let name, let from, let to) in changes {
      if let from {
        beforeData += alter(name, "primary key null")
        // Its index went with it.
        if let (old, new) = pair(name, from), !isReplaced(old, by: new) {
          forData += index(rightClasses[name]?[from]?.index ?? .none, of: from, name)
        }
      }
      if let to, leftClasses[name]?[to]?.index == .fullText {
        beforeData += alter(name, "drop index \(spelledName(to, as: .property))")
      }
      if let to { afterData += alter(name, "primary key \(spelledName(to, as: .property))") }
    }
    for case .typeChanged(let name, let property, let from, let to) in changes
    where leftClasses[name]?.primaryKey == property && rightClasses[name]?.primaryKey == property
      && isReplaced(from, by: to)
    {
      beforeData += alter(name, "primary key null")
      afterData += alter(name, "primary key \(spelledName(property, as: .property))")
    }
  }

  private mutating func writeDrops(_ changes: [SchemaChange]) {
    for case .propertyRemoved(let name, let property) in changes { forData += drop(property.name, of: name) }
    for case .typeChanged(let name, let property, let from, let to) in changes
    where isReplaced(from, by: to) {
      forData += drop(property, of: name)
    }
    for (name, property) in linksToRemade { forData += drop(property.name, of: name) }
    var gone = remade
    for case .classRemoved(let old) in changes { gone.insert(old.name) }
    let removed = left.classes.filter { gone.contains($0.name) }
    for old in removed {
      for property in old.properties where property.type.target.map(gone.contains) ?? false {
        forData += drop(property.name, of: old.name)
      }
    }
    for old in removed { forData += "drop class \(spelledName(old.name, as: .className)) empty;\n" }
  }

  private mutating func writeClasses(_ changes: [SchemaChange]) {
    var made = right.classes.filter { remade.contains($0.name) }
    for case .classAdded(let new) in changes { made.append(new) }
    let text = SchemaDescription(version: nil, classes: made.filter { $0.kind != .table }).statements
    if !made.isEmpty { forData += text }
  }

  /// Classes whose objects become embedded ones, or the other way round.
  private mutating func writeKinds(_ changes: [SchemaChange], embedded: Bool) throws(Diagnostic) {
    guard !hasData else { return }
    for case .kindChanged(let name, let from, let to) in changes where (to == .embedded) == embedded {
      guard from != .asymmetric, to != .asymmetric else {
        throw Self.refusal("class '\(name.visible)' becomes \(to.name)")
      }
      forData += alter(name, embedded ? "embedded" : "object")
    }
  }

  private mutating func writeProperties(_ changes: [SchemaChange]) throws(Diagnostic) {
    for case .typeChanged(let name, let property, let from, let to) in changes {
      let word = spelledName(property, as: .property)
      if isReplaced(from, by: to) {
        if let new = rightClasses[name]?[property] { forData += add(new, to: name) }
        continue
      }
      let change: String
      switch TypeConversion(from: from, to: to) {
      case .makesOptional: change = "optional"
      case .makesRequired: change = hasData ? "required default \(to.defaultWord)" : "required"
      case .computes(let value): change = "to \(to.statementWord) value \(value)"
      case .unknown:
        throw Self.refusal("'\(name).\(property)' becomes \(to.word), from \(from.word)")
      }
      forData += alter(name, "alter \(word) \(change)")
    }
    for (name, property) in linksToRemade {
      if let new = rightClasses[name]?[property.name] { forData += add(new, to: name) }
    }
    for case .propertyAdded(let name, let property) in changes { forData += add(property, to: name) }
    for case .indexChanged(let name, let property, let from, let to) in changes {
      // One that was dropped with its property, or added with it, is there already.
      guard let (old, new) = pair(name, property), !isReplaced(old, by: new) else { continue }
      if PropertyDefinition.canIndex(new.type, new.collection, from), from != .none {
        forData += alter(name, "drop index \(spelledName(property, as: .property))")
      }
      forData += index(to, of: property, name)
    }
  }

  /// Properties of classes that stay, which lead to classes that are made anew.
  private var linksToRemade: [(String, PropertyDefinition)] {
    left.classes.filter { rightClasses[$0.name]?.kind == $0.kind }.flatMap { old in
      old.properties.filter { property in
        guard let target = property.type.target, remade.contains(target),
          let new = rightClasses[old.name]?[property.name]
        else { return false }
        return property.type.keepsColumn(as: new.type)
      }.map { (old.name, $0) }
    }
  }

  private func pair(_ name: String, _ property: String) -> (PropertyType, PropertyType)? {
    guard let old = leftClasses[name]?[property]?.type, let new = rightClasses[name]?[property]?.type else {
      return nil
    }
    return (old, new)
  }

  /// Whether a property is dropped and added with the other type.
  private func isReplaced(_ old: PropertyType, by new: PropertyType) -> Bool {
    hasData && !old.keepsColumn(as: new)
  }

  private static func refusal(_ change: String) -> Diagnostic {
    Diagnostic(
      .refused, code: "constraint", "\(change), and no statement keeps what it holds".visible,
      hint: "'realm-cli migrate new --from-diff NAME A B' writes a migration to fill in")
  }

  private func alter(_ name: String, _ what: String) -> String {
    "alter class \(spelledName(name, as: .className)) \(what);\n"
  }

  private func index(_ index: Property.Index, of property: String, _ name: String) -> String {
    guard index != .none else { return "" }
    let word = spelledName(property, as: .property)
    return alter(name, "add index \(word)" + (index == .fullText ? " fulltext" : ""))
  }

  private func drop(_ property: String, of name: String) -> String {
    alter(name, "drop \(spelledName(property, as: .property))")
  }

  private func add(_ property: PropertyDefinition, to name: String) -> String {
    // The index of a primary key comes with it.
    let isKey = rightClasses[name]?.primaryKey == property.name
    let index =
      isKey ? "" : property.index == .fullText ? " fulltext" : property.index == .general ? " indexed" : ""
    let value = property.type.needsValue ? " default \(property.type.defaultWord)" : ""
    return alter(
      name, "add \(spelledName(property.name, as: .property)): \(property.type.statementWord)\(index)\(value)"
    )
  }
}

extension SchemaChange {
  /// The class that it is about.
  var className: String {
    switch self {
    case .classAdded(let description), .classRemoved(let description): description.name
    case .kindChanged(let name, _, _), .primaryKeyChanged(let name, _, _), .propertyAdded(let name, _),
      .propertyRemoved(let name, _), .typeChanged(let name, _, _, _), .indexChanged(let name, _, _, _):
      name
    }
  }

  /// The property that it is about.
  var propertyName: String? {
    switch self {
    case .propertyAdded(_, let property), .propertyRemoved(_, let property): property.name
    case .typeChanged(_, let name, _, _), .indexChanged(_, let name, _, _): name
    case .classAdded, .classRemoved, .kindChanged, .primaryKeyChanged: nil
    }
  }
}

extension ClassDefinition {
  fileprivate subscript(property: String) -> PropertyDefinition? { properties.first { $0.name == property } }
}

extension PropertyType {
  /// Whether one column becomes the other without losing what it holds.
  fileprivate func keepsColumn(as other: PropertyType) -> Bool {
    type == other.type && collection == other.collection && target == other.target
      && (isOptional == other.isOptional || collection == nil)
  }

  private static let defaultWords: [ValueType: String] = [
    .bool: "false", .string: "''", .data: "binary('')", .date: "T0:0",
    .objectID: "oid(000000000000000000000000)", .uuid: "uuid(00000000-0000-0000-0000-000000000000)",
  ]

  /// What a property has that nothing was given, as an expression.
  fileprivate var defaultWord: String { Self.defaultWords[type] ?? "0" }
}
