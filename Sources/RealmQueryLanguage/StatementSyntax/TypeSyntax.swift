// The types of properties as the schema language writes them: `int`, `string?`, `list<Dog>`. Layer: StatementSyntax.

/// A type as it was written; whether it exists and makes sense is the schema's business.
package struct TypeSyntax: Hashable, Sendable {
  package let collection: CollectionWord?
  package let element: Element
  /// Whether `?` stands behind the element.
  package let isOptional: Bool
  package let range: SourceRange

  package enum Element: Hashable, Sendable {
    case value(TypeWord)
    /// A link to objects of a class.
    case object(Name)
  }
}

package enum TypeWord: String, Hashable, Sendable, CaseIterable {
  case int, bool, string, data, date, float, double, decimal128, objectId, uuid, mixed
}

package enum CollectionWord: String, Hashable, Sendable, CaseIterable {
  case list, set, dictionary
}

extension TypeSyntax {
  /// Parses one type, such as `list<string?>`.
  package init(parsing source: [UInt8]) throws(QueryError) {
    var parser = try Parser(source: source, mode: .expression, flavor: .statement, subject: "type")
    self = try parser.type()
    if parser.current.kind != .end { throw parser.unexpected("end of type") }
  }
}

extension Parser {
  mutating func type() throws(QueryError) -> TypeSyntax {
    let start = current
    let word = try declaredName("a type such as int, string? or list<Dog>")
    guard let collection = CollectionWord(rawValue: word.text), current.kind == .less else {
      let isOptional = take(.question)
      if current.kind == .doubleQuestion || current.kind == .question { throw unexpected("one '?'") }
      return TypeSyntax(
        collection: nil, element: element(word), isOptional: isOptional, range: range(from: start.range))
    }
    let opener = advance()
    let element = element(try declaredName("the type of the elements"))
    let isOptional = take(.question)
    if current.kind == .less { throw unexpected("'>'", hint: "collections cannot be nested; use mixed") }
    guard take(.greater) else {
      throw current.kind == .end ? unclosed(opener, by: ">") : unexpected("'>'")
    }
    if current.kind == .question {
      throw unexpected(
        "no '?'", hint: "a \(collection.rawValue) is never null; write \(collection.rawValue)<T?>")
    }
    return TypeSyntax(
      collection: collection, element: element, isOptional: isOptional, range: range(from: start.range))
  }

  private func element(_ word: Name) -> TypeSyntax.Element {
    let typeWord = word.isQuoted ? nil : TypeWord(rawValue: word.text)
    return typeWord.map { .value($0) } ?? .object(word)
  }

  /// A declared name, or one in double quotes, as SQL writes it.
  mutating func nameOfSQL(_ wanted: String) throws(QueryError) -> Name {
    isNameOfSQL(current) ? takeNameOfSQL() : try declaredName(wanted)
  }

  /// The name of a class, a property or a type where nothing else can stand; keywords are names here.
  mutating func declaredName(_ wanted: String) throws(QueryError) -> Name {
    guard current.kind == .word else {
      let isSpelledAsWord = current.kind.isLiteral && source[current.range.offset].isIdentifierStart
      let hint =
        isSpelledAsWord
        ? "write \(spelledName(source.text(in: current.range), as: .property)) for a name" : nil
      throw unexpected(wanted, hint: hint)
    }
    return takeName()
  }
}
