// The words that statements begin with. Layer: StatementSyntax.

package enum StatementWords {
  /// In the order in which they are offered.
  package static let beginnings =
    AggregateFunction.allCases.map(\.rawValue) + [
      "summarize", "insert", "upsert", "update", "delete", "begin", "commit", "rollback", "create", "alter",
      "rename", "drop", "explain",
    ]

  /// What a class at the beginning of a statement could be taken for: `select` there is told of as a mistake.
  static let reserved = Set(beginnings + ["select"])
}
