// `create class Person { … }`. Layer: RealmSession, Statements.

package import RealmEngine
package import RealmQueryLanguage

/// A class as a statement declares it, with the text that its places are in.
package struct DeclaredClass {
  package let declaration: ClassDeclaration
  package let source: [UInt8]
}

extension StatementSession {
  /// Makes classes that may link to each other.
  package func createClasses(_ classes: [DeclaredClass]) throws {
    try change { transaction in
      let names = Set(classes.map(\.declaration.name.text))
      var definitions: [ClassDefinition] = []
      for declared in classes {
        let definition = try ClassDefinition(declared.declaration, of: declared.source)
        for property in declared.declaration.properties {
          guard case .object(let target) = property.type.element, !names.contains(target.text) else {
            continue
          }
          _ = try schema(target, of: declared.source, in: transaction)
        }
        definitions.append(definition)
      }
      guard let first = classes.first else { return }
      // The names of the classes themselves are looked at here, so that the first at fault gets the caret.
      for declared in classes where try transaction.schema(named: declared.declaration.name.text) != nil {
        throw SessionError(
          .constraint(message: "there is a class '\(declared.declaration.name.text)' already")
        ).located(at: declared.declaration.name.range, in: declared.source)
      }
      try locating(first.declaration.name, of: first.source) { () throws(EngineError) in
        try transaction.addClasses(definitions)
      }
    }
  }

  /// Runs a change of the schema; a refusal gets its place in the statement.
  func locating<Result>(
    _ name: Name, of source: [UInt8], _ body: () throws(EngineError) -> Result
  ) throws -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      throw SessionError(.engine(error), hint: error.hint, file: realm.path).located(
        at: name.range, in: source)
    }
  }
}

extension ClassDefinition {
  fileprivate init(_ declaration: ClassDeclaration, of source: [UInt8]) throws {
    let primaryKeys = declaration.properties.filter(\.isPrimaryKey)
    if primaryKeys.count > 1 {
      throw SessionError(
        QueryError(.unsupported, "a class has one primary key", at: primaryKeys[1].range), in: source)
    }
    var properties: [PropertyDefinition] = []
    for property in declaration.properties {
      if properties.contains(where: { $0.name == property.name.text }) {
        throw SessionError(
          QueryError(.unsupported, "'\(property.name.text)' is declared twice", at: property.name.range),
          in: source)
      }
      properties.append(try PropertyDefinition(property, of: source))
    }
    self.init(
      declaration.name.text, kind: declaration.kind.schemaKind, primaryKey: primaryKeys.first?.name.text,
      properties: properties)
  }
}

extension ClassDeclaration.Kind {
  fileprivate var schemaKind: ClassSchema.Kind {
    switch self {
    case .object: .object
    case .embedded: .embedded
    case .asymmetric: .asymmetric
    }
  }
}

extension PropertyDefinition {
  /// The property that a statement declares.
  init(_ declaration: PropertyDeclaration, of source: [UInt8]) throws {
    let type = try PropertyType(declaration.type, of: source)
    let index: Property.Index =
      switch declaration.index {
      case nil: .none
      case .general?: .general
      case .fulltext?: .fullText
      }
    self.init(
      declaration.name.text, type.type, collection: type.collection, isOptional: type.isOptional,
      index: index,
      target: type.target)
  }
}

extension PropertyType {
  fileprivate init(_ syntax: TypeSyntax, of source: [UInt8]) throws(SessionError) {
    let (element, target): (String, String?) =
      switch syntax.element {
      case .value(let word): (word.rawValue, nil)
      case .object(let name): ("object", name.text)
      }
    let optional = syntax.isOptional ? element + "?" : element
    let word = syntax.collection.map { "\($0.rawValue)<\(optional)>" } ?? optional
    do throws(Refusal) {
      try self.init(word: word, target: target)
    } catch {
      let message =
        switch error {
        case .malformed: "there is no type '\(source.text(in: syntax.range))'"
        case .optionalLink: "a list or set of links holds no null"
        case .optionalCollection: "a collection is never null"
        }
      throw SessionError(QueryError(.typeName, message, at: syntax.range), in: source)
    }
  }
}
