// What an alteration does, as the operations that migration files know too. Layer: RealmSession, Statements.
// Invariant: policies and their defaults are those of the operation of the same name.

import RealmEngine
import RealmQueryLanguage

extension ClassAlteration {
  /// The properties that must be there.
  var changedProperties: [Name] {
    switch self {
    case .add, .renameClass, .makeEmbedded, .makeObject: []
    case .drop(let names): names
    case .rename(let name, _, _, _), .require(let name, _), .makeOptional(let name), .changeType(let name, _),
      .addIndex(let name, _), .dropIndex(let name):
      [name]
    case .changePrimaryKey(let name, _): name.map { [$0] } ?? []
    }
  }
}

extension StatementText {
  /// The operations, and the name that complaints are about.
  func operations(
    _ alteration: ClassAlteration, of owner: Located<String>, named className: Name
  ) throws -> ([any Operation], Name) {
    func named(_ property: Name) -> NamedProperty { NamedProperty(owner, name(property)) }
    switch alteration {
    case .add(let declaration):
      let property = name(declaration.name)
      var operations: [any Operation] = [
        AddProperty(
          className: owner, name: property, type: try type(declaration.type),
          index: Property.Index(declaration.index),
          value: declaration.defaultValue.map { .expression(expression($0)) }, missing: nil)
      ]
      if declaration.isPrimaryKey {
        operations.append(ChangePrimaryKey(className: owner, property: property, duplicates: nil))
      }
      return (operations, declaration.name)
    case .drop(let properties):
      return ([DropProperty(className: owner, names: properties.map(name))], properties[0])
    case .rename(let property, let newName, let isOptional, let index):
      let rename = RenameProperty(
        className: owner, from: name(property), to: name(newName), isOptional: isOptional ? true : nil,
        index: index.map(Property.Index.init))
      return ([rename], newName)
    case .require(let property, let nulls):
      return ([MakeRequired(property: named(property), nulls: policy(nulls, at: property))], property)
    case .makeOptional(let property):
      return ([MakeOptional(property: named(property))], property)
    case .changeType(let property, let change):
      let operation = ChangeType(
        property: named(property), type: try type(change.type),
        value: expression(change.value), nulls: change.nulls.map { policy($0, at: property) },
        unparsable: change.unparsable.map { policy($0, at: property) })
      return ([operation], property)
    case .addIndex(let property, let kind):
      return ([AddIndex(property: named(property), index: Property.Index(kind))], property)
    case .dropIndex(let property):
      return ([DropIndex(property: named(property))], property)
    case .renameClass(let newName): return ([RenameClass(from: owner, to: name(newName))], newName)
    case .changePrimaryKey(let property, let duplicates):
      let change = ChangePrimaryKey(
        className: owner, property: property.map(name), duplicates: duplicates.map(policy))
      return ([change], property ?? className)
    case .makeEmbedded(let policy):
      let embedding = MakeEmbedded(
        className: owner, dropsPrimaryKey: policy.primaryKey == .drop,
        deletesOrphans: policy.orphans == .delete, orphanCountMax: policy.orphanCountMax, orphanReport: nil,
        duplicatesShared: policy.shared == .duplicate)
      return ([embedding], className)
    case .makeObject(let declaration):
      var key: (name: Located<String>, type: Located<PropertyType>, value: ExpressionText)?
      if let declaration, let value = declaration.defaultValue {
        key = (name(declaration.name), try type(declaration.type), expression(value))
      }
      return ([MakeObject(className: owner, key: key)], className)
    }
  }

  private func type(_ syntax: TypeSyntax) throws -> Located<PropertyType> {
    Located(try PropertyType(syntax, of: source), node(syntax.range))
  }

  private func policy(_ policy: ValuePolicy, at property: Name) -> Located<NullPolicy> {
    switch policy {
    case .value(let syntax):
      let value = expression(syntax)
      return Located(.value(value), value.node)
    case .word(.keep), .word(.null): return Located(.keep, node(property.range))
    case .word(.delete): return Located(.delete, node(property.range))
    case .word: return Located(.fail, node(property.range))
    }
  }

  private func policy(_ policy: KeptDuplicate) -> DuplicatePolicy {
    let order = policy.order.first.map { first in
      LanguageText(syntax: policy.order, source: source, node: node(first.range))
    }
    return DuplicatePolicy(
      keepsFirst: policy.keepsFirst, order: order, relinks: policy.relinks, merges: [],
      countMax: policy.countMax)
  }
}
