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
    /// What is refused may be done with fewer objects at a time.
    case tooLarge
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
    let opening: String
    let reason: String
    let file: String?
    let place: String?
    let hint: String?
    let parameter: ParameterHint?

    init(
      _ kind: Kind, opening: String = "", _ reason: String, file: String? = nil, at place: String?,
      hint: String?, parameter: ParameterHint? = nil
    ) {
      self.kind = kind
      self.opening = opening
      self.reason = reason
      self.file = file
      self.place = place
      self.hint = hint
      self.parameter = parameter
    }
  }

  private let detail: Detail

  /// `file`: what the message calls the file that it is about.
  package init(
    _ kind: Kind, _ message: String, naming file: String? = nil, at place: String? = nil, hint: String? = nil
  ) {
    detail = Detail(kind, message, file: file, at: place, hint: hint)
  }

  /// `reason`: the message without the name of the file, with which it begins.
  package init(
    _ kind: Kind, of file: String, _ reason: String, at place: String? = nil, hint: String? = nil
  ) {
    detail = Detail(kind, opening: file + " ", reason, file: file, at: place, hint: hint)
  }

  /// The bytes contradict the format.
  package init(damage reason: String, at place: String? = nil, hint: String? = nil) {
    detail = Detail(.damaged, opening: "the file is damaged: ", reason, at: place, hint: hint)
  }

  /// A statement asks for the value of a parameter.
  package init(_ kind: Kind, _ message: String, parameter: ParameterHint) {
    detail = Detail(kind, message, at: nil, hint: parameter.text, parameter: parameter)
  }

  package var kind: Kind { detail.kind }
  /// One line: what is wrong and why.
  package var message: String { detail.opening + detail.reason }
  /// The message without the name of the file, or the word of its damage, with which it begins.
  package var reason: String { detail.reason }
  /// What the message calls the file that it is about; nil where it does not name it.
  package var file: String? { detail.file }
  /// Where in the file or document, when known.
  package var place: String? { detail.place }
  /// What the user can do.
  package var hint: String? { detail.hint }
  /// The parameter that the hint is about.
  package var parameter: ParameterHint? { detail.parameter }

  private init(_ detail: Detail) { self.detail = detail }

  /// The same error with a more precise place.
  package func located(_ place: String) -> EngineError {
    copy(at: detail.place.map { "\(place), \($0)" } ?? place, hint: hint)
  }

  /// The same error with another hint.
  package func advising(_ hint: String) -> EngineError { copy(at: place, hint: hint) }

  private func copy(at place: String?, hint: String?) -> EngineError {
    EngineError(Detail(kind, opening: detail.opening, reason, file: file, at: place, hint: hint))
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
    EngineError(damage: "expected \(expected()), found \(found())", at: "offset \(offset)")
  }
}
