// What can be typed at the prompt or written in a script. Layer: StatementSyntax.

/// One statement.
package typealias Statement = SyntaxNode<StatementKind>

package indirect enum StatementKind: Hashable, Sendable {
  /// `Person where … select a, b`; no items mean all properties.
  case select(Selection, [SelectItem])
  /// `count Person where … by city`, `count, avg age of Person`
  case aggregate(Aggregation)
  /// `summarize Person where …`
  case summarize(Selection)
  /// `insert` or `upsert`
  case insert(Insertion)
  case update(Selection, [Assignment])
  case delete(Selection)
  /// `delete Person 7, @12`
  case deleteKeys(Name, [Constant])
  case begin
  case commit
  case rollback
  case createClass(ClassDeclaration)
  case alterClass(Name, ClassAlteration)
  /// `linked nullify` takes links to it away; with `empty` a class that has objects is left alone.
  case dropClass(Name, linked: PolicyWord, isEmpty: Bool)
  /// `alter schema version 3`; nil for `none`.
  case setSchemaVersion(Int64?)
  /// Never of another `explain` or of a shell command.
  case explain(Statement)
  case shell(ShellCommand)
  /// A statement of SQL, which is all of the statement's text.
  case sql
}

/// Objects of a class.
package struct Selection: Hashable, Sendable {
  package let className: Name
  /// Nil for all objects in the order of their keys.
  package let predicate: Predicate?
  /// Of the one object that is meant: its primary key, or its object key as `@7`.
  package let key: Constant?
  package let range: SourceRange
}

/// Columns that are calculated over the objects of a class.
package struct Aggregation: Hashable, Sendable {
  /// At least one.
  package let items: [AggregateItem]
  package let selection: Selection
  /// Nil: over all of them together.
  package let groups: Grouping?

  /// Whether it is only asked how many objects there are.
  package var isPlainCount: Bool { groups == nil && items.count == 1 && items[0].isCountOfObjects }
}

/// JSON documents for a class. They are not parsed here; only their ends are known.
package struct Insertion: Hashable, Sendable {
  package let className: Name
  /// Objects or arrays, at least one; none where there are rows.
  package let documents: [InsertedDocument]
  package let rows: InsertedRows?
  package let isUpsert: Bool
}

/// `(a, b) values (1, 2), (3, 4)`
package struct InsertedRows: Hashable, Sendable {
  /// Empty: all properties in stored order.
  package let names: [Name]
  package let rows: [Row]

  package struct Row: Hashable, Sendable {
    package let values: [Cell]
    package let range: SourceRange
  }

  package struct Cell: Hashable, Sendable {
    /// Nil for a JSON object or array.
    package let constant: Constant?
    package let range: SourceRange
  }
}

/// A JSON document, and the object key that stands before it: `@7 { … }`.
package struct InsertedDocument: Hashable, Sendable {
  /// Only of a document that is one object.
  package let key: ObjectKeySyntax?
  package let range: SourceRange

  package init(_ range: SourceRange, key: ObjectKeySyntax? = nil) {
    self.key = key
    self.range = range
  }
}

/// The number of an object in its class.
package typealias ObjectKeySyntax = SyntaxNode<Int64>

/// `create class Person { … }`
package struct ClassDeclaration: Hashable, Sendable {
  package let name: Name
  package let kind: Kind
  package let properties: [PropertyDeclaration]

  package enum Kind: String, Hashable, Sendable {
    case object, embedded, asymmetric
  }
}

/// `nick: string? indexed`
package struct PropertyDeclaration: Hashable, Sendable {
  package let name: Name
  package let type: TypeSyntax
  package let isPrimaryKey: Bool
  package let index: IndexWord?
  /// The value that existing objects get; only where a property is added to a class.
  package let defaultValue: Expression?
  package let range: SourceRange
}

package enum IndexWord: String, Hashable, Sendable {
  case general, fulltext
}

/// `.mode json`, `\d Person`
package struct ShellCommand: Hashable, Sendable {
  /// With its dot or backslash.
  package let name: ShellWord
  package let arguments: [ShellWord]
  /// Everything behind the name as it was typed, without blanks around it.
  package let rest: SourceRange
}

/// A word of a command line, without its quotes. Bytes, because it may be a path.
package typealias ShellWord = SyntaxNode<[UInt8]>

/// The words that statements begin with.
package enum StatementWords {
  /// In the order in which they are offered.
  package static let beginnings =
    AggregateFunction.allCases.map(\.rawValue) + [
      "summarize", "insert", "upsert", "update", "delete", "begin", "commit", "rollback", "create", "alter",
      "rename", "drop", "explain",
    ] + SQLWords.beginnings

  /// What a class at the beginning of a statement could be taken for.
  static let reserved = Set(beginnings)
}
