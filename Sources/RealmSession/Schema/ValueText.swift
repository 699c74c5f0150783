// Values in a document: an expression, or a mapping or list of them. Layer: RealmSession, Schema.

package import RealmEngine
package import TextFormats

/// What a property gets, as it is written.
package typealias ValueText = ValueForm<ExpressionText>

/// A property of `set`, and what it gets.
package typealias Assigned = (name: Located<String>, value: ValueText)

extension ProblemReport {
  private static let eachFields = ["for_each", "value"]

  /// Nil after a complaint.
  package func value(_ node: DocumentNode) -> ValueText? {
    switch node.content {
    case .scalar: return expression(node).map { .expression($0) }
    case .sequence(let items):
      var values: [ValueText] = []
      for item in items {
        guard let value = value(item) else { return nil }
        values.append(value)
      }
      return .list(values)
    case .mapping(let entries):
      if Set(entries.map(\.key)) == Set(Self.eachFields), let list = node["for_each"],
        let inner = node["value"]
      {
        guard let list = expression(list), let value = value(inner) else { return nil }
        return .forEach(list, value)
      }
      var values: [(name: String, value: ValueText)] = []
      for entry in entries {
        guard let value = value(entry.value) else { return nil }
        values.append((entry.key, value))
      }
      return .object(values)
    }
  }

  /// The entries of a mapping of properties to values; nil after a complaint.
  func assignments(_ node: DocumentNode, of what: String) -> [Assigned]? {
    guard let entries = node.entries, !entries.isEmpty else {
      error("'set' of \(what) needs a mapping of properties to values", at: node)
      return nil
    }
    var assignments: [Assigned] = []
    for entry in entries {
      guard let value = value(entry.value) else { return nil }
      assignments.append((Located(key: entry), value))
    }
    return assignments
  }
}

extension Fields {
  package func value(_ field: String) -> ValueText? { self[field].flatMap { report.value($0) } }
}

extension ValueText {
  /// What a complaint about the whole is marked at.
  var firstText: ExpressionText? { leaves.first }
}
