// The one error of the engine: what went wrong, where, and what to do about it.
// Layer: beside all folders; every folder may throw it. One word in size, so that typed throws cost nothing
// on the paths that succeed.

package import ByteText

/// Everything the engine can refuse, in the user's terms.
package struct EngineError: Error, Sendable {
  /// What kind of failure it is; the program's exit status follows from it alone.
  package enum Kind: Sendable, Equatable {
    /// The file is no realm at all.
    case notARealm
    /// A realm whose bytes contradict the format.
    case damaged
    case keyMissing
    case keyMalformed
    case keyWrong
    /// Written by a newer engine than this one knows.
    case formatTooNew
    /// Cannot be done before the file is upgraded.
    case upgradeNeeded
    /// In use by another process.
    case busy
    /// The file changed or shrank while it was read.
    case changedWhileRead
    /// What was decided on was changed before it could be done; deciding anew helps.
    case outdated
    case unknownClass
    case unknownProperty
    /// A query, statement or expression was refused.
    case badQuery
    /// A schema, import or migration document was refused.
    case badDocument
    /// A value does not fit the property, a limit is exceeded, a key is taken.
    case constraint
    /// The file is read only, synced, or its state forbids the change.
    case refused
    case notFound
    case permission
    case alreadyExists
    case diskFull
    /// A result could not be written.
    case outputFailed
    /// Stopped by the user.
    case cancelled
    case other
  }

  private final class Detail: Sendable {
    let kind: Kind
    let message: String
    let place: String?
    let hint: String?
    let parameter: ParameterHint?

    init(kind: Kind, message: String, place: String?, hint: String?, parameter: ParameterHint? = nil) {
      self.kind = kind
      self.message = message
      self.place = place
      self.hint = hint
      self.parameter = parameter
    }
  }

  private let detail: Detail

  package init(_ kind: Kind, _ message: String, at place: String? = nil, hint: String? = nil) {
    detail = Detail(kind: kind, message: message, place: place, hint: hint)
  }

  /// A statement asks for the value of a parameter.
  package init(_ kind: Kind, _ message: String, parameter: ParameterHint) {
    detail = Detail(kind: kind, message: message, place: nil, hint: parameter.text, parameter: parameter)
  }

  package var kind: Kind { detail.kind }
  /// One line: what is wrong and why.
  package var message: String { detail.message }
  /// Where in the file or document, when known.
  package var place: String? { detail.place }
  /// What the user can do.
  package var hint: String? { detail.hint }
  /// The parameter that the hint is about.
  package var parameter: ParameterHint? { detail.parameter }

  /// The same error with a more precise place.
  package func located(_ place: String) -> EngineError {
    EngineError(kind, message, at: detail.place.map { "\(place), \($0)" } ?? place, hint: hint)
  }
}

extension EngineError {
  /// What to do where damage is found before the first change.
  package static let damageHint = "nothing was changed; `check` names all damage, `recover` saves the rest"

  /// The bytes at `offset` contradict the format.
  @inline(never)
  package static func damaged(
    at offset: Int, expected: @autoclosure () -> String, found: @autoclosure () -> String
  ) -> EngineError {
    EngineError(
      .damaged, "the file is damaged: expected \(expected()), found \(found())", at: "offset \(offset)")
  }
}
