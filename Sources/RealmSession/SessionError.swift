// What goes wrong while a realm is open, as a value: cause, file, place in a text. Whoever tells the user words it.
// Layer: RealmSession.

import ByteText
package import RealmEngine
package import RealmQueryLanguage

/// Why a session refuses something.
package struct SessionError: Error, Sendable {
  package enum Cause: Sendable {
    case engine(EngineError)
    /// A change of the schema that would lose data or break a rule.
    case refused(EngineError)
    case query(QueryError)
    /// A statement asks for what there is not or what cannot be; the code stays the same between versions.
    case statement(code: String, message: String)
    /// What the statement asks for would break a rule of the data.
    case constraint(code: String = "constraint", message: String)
    /// The session may not change the realm.
    case readOnly(FilePath)
    /// The user was asked and said no.
    case declined(message: String)
  }

  /// A place in the text of statements, or of a part of one.
  package struct Place: Sendable {
    package let source: [UInt8]
    package let range: SourceRange
  }

  package let cause: Cause
  package private(set) var hint: String?
  package private(set) var file: FilePath?
  package private(set) var place: Place?

  package init(_ cause: Cause, hint: String? = nil, file: FilePath? = nil, at place: Place? = nil) {
    self.cause = cause
    self.hint = hint
    self.file = file
    self.place = place
  }

  /// A complaint about a text of the query language.
  package init(_ error: QueryError, in source: [UInt8]) {
    self.init(.query(error), hint: error.hint, at: Place(source: source, range: error.range))
  }

  /// Names the file in an error that does not know it; errors of whoever reads through a session stay what they are.
  package static func naming(_ file: FilePath, in error: any Error) -> any Error {
    switch error {
    case let error as EngineError: return SessionError(.engine(error), hint: error.hint, file: file)
    case var error as SessionError:
      error.file = error.file ?? file
      return error
    default: return error
    }
  }

  /// Adds the place in the text that it is about.
  package func located(at range: SourceRange, in source: [UInt8]) -> SessionError {
    SessionError(cause, hint: hint, file: file, at: Place(source: source, range: range))
  }

  /// The same, saying more about what to do or what was done.
  func addingHint(_ text: String) -> SessionError {
    SessionError(cause, hint: hint.map { "\($0); \(text)" } ?? text, file: file, at: place)
  }

  /// Gives a suggestion in place of a hint.
  func suggesting(_ text: String) -> SessionError {
    SessionError(cause, hint: "did you mean \(text)?", file: file, at: place)
  }

  /// There is no such class; the nearest one there is, or all of a few, as a hint.
  package static func unknownClass(
    _ name: String, among names: [String], orSay remedy: String? = nil
  ) -> SessionError {
    let nearest = EditDistance.nearest(to: name, among: names)
    let hint =
      if let nearest {
        "did you mean '\(nearest)'?" + (remedy.map { " \($0)" } ?? "")
      } else if let remedy {
        remedy
      } else if names.isEmpty {
        "the file has no classes"
      } else {
        "its classes: " + names.prefix(namesShownMax).joined(separator: ", ")
          + (names.count > namesShownMax ? ", …" : "")
      }
    return SessionError(
      .statement(code: unknownClassCode, message: "there is no class '\(name)'"), hint: hint)
  }

  package static let unknownClassCode = "unknown-class"

  private static let namesShownMax = 20

  /// Runs what looks names of `source` up.
  package static func binding<Result>(
    _ source: [UInt8], _ body: () throws(BindingFailure) -> Result
  ) throws -> Result {
    do throws(BindingFailure) {
      return try body()
    } catch {
      switch error {
      case .query(let error): throw SessionError(error, in: source)
      case .engine(let error): throw error
      }
    }
  }
}

extension ReadTransaction {
  /// The class of that name, with `allTables` a table too.
  package func requiredClass(_ name: String, allTables: Bool) throws(SessionError) -> Table {
    if let table = table(named: name, allTables: allTables) { return table }
    throw .unknownClass(
      name, among: classes(allTables: allTables).map(\.schema.name).sorted(), orSay: adviceOnSideTable(name))
  }

  /// For what is a table only in SQL, which holds the elements of a list, set or dictionary; nil for other names.
  package func adviceOnSideTable(_ name: String) -> String? {
    for table in classes() where name.hasPrefix("\(table.schema.name)_") {
      let rest = name.dropFirst(table.schema.name.count + 1)
      guard let property = table.schema.properties.first(where: { $0.name == rest && $0.collection != nil })
      else { continue }
      let value = property.collection == .dictionary ? "{\"KEY\": VALUE, …}" : "[VALUE, …]"
      return
        "\(name) is a table only in SQL; to change \(rest): update \(table.schema.name) where CONDITION set \(rest) = \(value)"
    }
    return nil
  }
}
