// Why a query could not be bound. Layer: Query, Types.

package import RealmQueryLanguage

/// What stops a query before any object is looked at.
package enum BindingFailure: Error, Sendable {
  /// The query does not fit the schema or its arguments.
  case query(QueryError)
  /// The file could not be read where a name had to be looked up.
  case engine(EngineError)

  init(
    _ code: QueryError.Code, _ message: String, at range: SourceRange, hint: String? = nil,
    suggestion: String? = nil
  ) {
    self = .query(QueryError(code, message, at: range, hint: hint, suggestion: suggestion))
  }

  /// What `body` gives, where only the file can fail it.
  static func wrapping<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(BindingFailure) -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      throw .engine(error)
    }
  }
}
