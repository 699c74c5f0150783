// What `alter class` can change, and what becomes of values and objects that stand in the way. Layer: StatementSyntax.
// The words of a policy are those of the fields of the migration operation.

/// What `alter class` changes.
package enum ClassAlteration: Hashable, Sendable {
  case add(PropertyDeclaration)
  case drop([Name])
  /// Nil: the property keeps its index.
  case rename(Name, to: Name, isOptional: Bool, index: IndexWord?)
  /// `required nulls …`; `required default …` is `nulls value …`.
  case require(Name, nulls: ValuePolicy)
  case makeOptional(Name)
  /// `alter age to string value string(old)`
  case changeType(Name, TypeChange)
  case addIndex(Name, IndexWord)
  case dropIndex(Name)
  case renameClass(to: Name)
  /// `primary key null` takes it away.
  case changePrimaryKey(Name?, duplicates: KeptDuplicate?)
  case makeEmbedded(EmbeddingPolicy)
  /// With the primary key that the objects get, whose `default` gives its values.
  case makeObject(primaryKey: PropertyDeclaration?)
}

/// A policy that is a word alone.
package enum PolicyWord: String, Hashable, Sendable {
  case fail, keep, null, delete, nullify, duplicate, drop
}

/// What becomes of values that a property cannot hold.
package enum ValuePolicy: Hashable, Sendable {
  case word(PolicyWord)
  /// What stands in for them.
  case value(Expression)
}

package struct TypeChange: Hashable, Sendable {
  package let type: TypeSyntax
  package let value: Expression
  package let nulls: ValuePolicy?
  package let unparsable: ValuePolicy?
}

/// What becomes of objects that share a value of a primary key to be.
package struct KeptDuplicate: Hashable, Sendable {
  package let keepsFirst: Bool
  /// By object key where there are none.
  package let order: [SortKey]
  package let relinks: Bool
  package let countMax: Int?
}

/// What stands in the way of making objects parts of others.
package struct EmbeddingPolicy: Hashable, Sendable {
  package let primaryKey: PolicyWord
  package let orphans: PolicyWord
  package let orphanCountMax: Int?
  package let shared: PolicyWord
}
