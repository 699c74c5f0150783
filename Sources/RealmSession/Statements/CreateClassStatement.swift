// `create class Person { … }`. Layer: RealmSession, Statements.

import RealmEngine
package import RealmQueryLanguage

/// A class as a statement declares it, with the text that its places are in.
package struct DeclaredClass {
  package let declaration: ClassDeclaration
  package let source: [UInt8]
}

extension StatementSession {
  /// Makes classes that may link to each other.
  func createClasses(_ classes: [DeclaredClass]) throws -> ChangeCounts {
    guard let first = classes.first else { return ChangeCounts() }
    return try change { transaction in
      let names = Set(classes.map(\.declaration.name.text))
      var operations: [AddClass] = []
      for declared in classes {
        operations.append(try StatementText(declared.source).operation(declared.declaration))
        for property in declared.declaration.properties {
          guard case .object(let target) = property.type.element, !names.contains(target.text) else {
            continue
          }
          do {
            _ = try schema(target, of: declared.source, in: transaction)
          } catch let error as SessionError {
            let isNear = error.hint?.hasPrefix("did you mean") ?? false
            guard !isNear, let word = PropertyType.nearest(to: target.text) else { throw error }
            throw error.suggesting("'\(word)'")
          }
        }
      }
      var schema = try simulatedSchema(of: transaction)
      let existing = schema.classes
      for operation in operations {
        schema.classes[operation.name.value] = SimulatedClass(operation.description)
      }
      // Each in its own text, so that the one at fault gets the caret, and on a schema that does not have it yet.
      for (declared, operation) in zip(classes, operations) {
        schema.classes[operation.name.value] = existing[operation.name.value]
        try check(of: declared.source, on: &schema) { operation.check(&$0) }
      }
      try locating(first.declaration.name, of: first.source) {
        try AddClass.run(operations, operationRun(on: transaction))
      }
      return ChangeCounts(\.created, classes.count)
    }
  }
}

extension StatementText {
  fileprivate func operation(_ declaration: ClassDeclaration) throws -> AddClass {
    let primaryKeys = declaration.properties.filter(\.isPrimaryKey)
    if primaryKeys.count > 1 {
      throw SessionError(
        QueryError(.unsupported, "a class can have only one primary key", at: primaryKeys[1].range),
        in: source)
    }
    var names: Set<ByteString> = []
    var properties: [PropertyDefinition] = []
    for property in declaration.properties {
      guard names.insert(ByteString(property.name.text)).inserted else {
        throw SessionError(
          QueryError(.unsupported, "'\(property.name.text)' is declared twice", at: property.name.range),
          in: source)
      }
      properties.append(
        PropertyDefinition(
          property.name.text, try PropertyType(property.type, of: source),
          index: Property.Index(property.index)))
    }
    return AddClass(
      name: name(declaration.name),
      description: ClassDefinition(
        declaration.name.text, kind: declaration.kind.schemaKind, primaryKey: primaryKeys.first?.name.text,
        properties: properties),
      types: declaration.properties.map { node($0.type.range) })
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

extension Property.Index {
  init(_ word: IndexWord?) {
    switch word {
    case nil: self = .none
    case .general?: self = .general
    case .fulltext?: self = .fullText
    }
  }
}

extension TypeSyntax {
  /// As a schema document spells it.
  var wordAndTarget: (String, target: String?) {
    let (element, target): (String, String?) =
      switch self.element {
      case .value(let word): (word.rawValue, nil)
      case .object(let name): ("object", name.text)
      }
    let optional = isOptional ? element + "?" : element
    return (collection.map { "\($0.rawValue)<\(optional)>" } ?? optional, target)
  }
}

extension PropertyType {
  init(_ syntax: TypeSyntax, of source: [UInt8]) throws(SessionError) {
    let (word, target) = syntax.wordAndTarget
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
