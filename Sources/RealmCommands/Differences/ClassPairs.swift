// Which classes and properties of two realms belong together. Layer: RealmCommands, Differences.

import RealmEngine
import Rendering

/// What `diff` is asked to leave out and how it is to match objects.
struct DifferenceScope {
  /// Nil: all classes.
  var classNames: [String]?
  /// `Person.updatedAt`, `*.cache`
  var ignored: [(className: String?, property: String)] = []
  /// `--match content`
  var matchesContent = false
  /// Properties whose type differs begin anew: what statements make of them.
  var replacesChangedTypes = false

  func includes(_ name: String) -> Bool { classNames?.contains(name) ?? true }

  func ignores(_ className: String, _ property: String) -> Bool {
    ignored.contains { ($0.className ?? className) == className && $0.property == property }
  }
}

/// The classes of two realms.
struct ClassPairs {
  /// In both, embedded ones too, by name.
  private(set) var common: [ComparedClass] = []
  /// Classes of objects that one side has.
  private(set) var onlyLeft: [Table] = []
  private(set) var onlyRight: [Table] = []

  init(_ left: ReadTransaction, _ right: ReadTransaction, _ scope: DifferenceScope) {
    for table in right.classes().sorted(by: {
      $0.schema.name.utf8.lexicographicallyPrecedes($1.schema.name.utf8)
    }) {
      guard let old = left.table(named: table.schema.name), old.schema.kind == table.schema.kind else {
        if scope.includes(table.schema.name), table.schema.kind != .embedded { onlyRight.append(table) }
        continue
      }
      common.append(Self.pair(old, table, left, right, scope))
    }
    onlyLeft = left.classes().filter { table in
      scope.includes(table.schema.name) && table.schema.kind != .embedded
        && right.table(named: table.schema.name)?.schema.kind != table.schema.kind
    }.sorted { $0.schema.name.utf8.lexicographicallyPrecedes($1.schema.name.utf8) }
  }

  private static func pair(
    _ old: Table, _ new: Table, _ left: ReadTransaction, _ right: ReadTransaction, _ scope: DifferenceScope
  ) -> ComparedClass {
    let name = new.schema.name
    var properties: [ComparedProperty] = []
    for property in new.schema.properties where !scope.ignores(name, property.name) {
      let before = old.schema.property(named: property.name)
      let isReplaced =
        scope.replacesChangedTypes
        && before.map { !$0.keepsValues(as: property, left, right) } ?? false
      properties.append(ComparedProperty(left: isReplaced ? nil : before, right: property))
    }
    let (oldKey, newKey) = (old.schema.primaryKey, new.schema.primaryKey)
    let hasIdentity = oldKey != nil && oldKey?.name == newKey?.name && oldKey?.type == newKey?.type
    return ComparedClass(left: old, right: new, properties: properties, hasIdentity: hasIdentity)
  }

  /// How objects are written to be compared.
  func forms(_ scope: DifferenceScope) -> (left: ObjectForm, right: ObjectForm) {
    var (left, right) = naming(scope)
    for compared in common where compared.right.schema.kind == .embedded {
      var (leftTexts, rightTexts): ([String: [UInt8]?], [String: [UInt8]?]) = ([:], [:])
      for property in compared.properties {
        // A text of nil stands for none that is left out.
        let absent = property.left == nil ? ValueFormat.defaultText(of: property.right) : nil
        rightTexts.updateValue(absent, forKey: property.right.name)
        if property.left != nil { leftTexts.updateValue(nil, forKey: property.right.name) }
      }
      left.properties[compared.left.schema.tableKey] = leftTexts
      right.properties[compared.right.schema.tableKey] = rightTexts
    }
    return (left, right)
  }

  /// How objects are named that are shown.
  func naming(_ scope: DifferenceScope) -> (left: ObjectForm, right: ObjectForm) {
    var (left, right) = (ObjectForm(), ObjectForm())
    for compared in common {
      let naming: ObjectForm.Naming? =
        compared.hasIdentity ? .primaryKey : scope.matchesContent ? .className : nil
      left.naming[compared.left.schema.tableKey] = naming
      right.naming[compared.right.schema.tableKey] = naming
    }
    return (left, right)
  }
}

extension Property {
  /// Whether a column becomes another one without losing what it holds.
  fileprivate func keepsValues(
    as other: Property, _ left: ReadTransaction, _ right: ReadTransaction
  ) -> Bool {
    let (before, after) = (
      target.flatMap { left.table($0)?.schema }, other.target.flatMap { right.table($0)?.schema }
    )
    return type == other.type && collection == other.collection
      && (isOptional == other.isOptional || collection == nil)
      && before?.name == after?.name && before?.kind == after?.kind
  }
}
