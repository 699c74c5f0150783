// What becomes of values that nobody has. Layer: RealmSession, Schema.

import RealmEngine

/// What becomes of a value that `find` finds no object for.
enum MissingPolicy: String, Sendable {
  case null, error, create

  /// `.some(nil)`: not said. Nil after a complaint.
  static func read(_ fields: Fields) -> Located<MissingPolicy>?? {
    guard let node = fields["missing"] else { return .some(nil) }
    guard let policy = fields.word("missing", among: ["create", "null", "error"]).flatMap(MissingPolicy.init)
    else { return nil }
    return .some(Located(policy, node))
  }
}

extension FieldSpec {
  static let missing = FieldSpec(
    "missing", .oneOf(["create", "null", "error"]),
    "where find(…) finds nothing: null (the default), error, or create an object with that value")
}
