// One migration file: where it leads from and to, what must hold, what is done. Layer: Migrations, Documents.

import RealmEngine
import RealmQueryLanguage
package import RealmSession
import TextFormats

/// What must hold before or after a step.
enum Assertion: Sendable {
  /// An expression on the whole realm that must be true.
  case expression(ExpressionText)
  /// How many objects of a class meet a condition.
  case count(
    className: Located<String>, condition: PredicateText?, least: Int, most: Int?, message: String?,
    node: DocumentNode)
}

/// A migration file, read.
package struct MigrationFile: Sendable {
  package let source: DocumentSource
  package let from: Int64
  package let to: Int64
  package let name: String
  /// The fingerprint that the schema must have before.
  let fingerprint: Located<String>?
  let lets: [(name: Located<String>, value: ExpressionText)]
  let before: [Assertion]
  package let operations: [OperationEntry]
  /// The schema that the step must lead to.
  let target: Located<SchemaDescription>?
  /// What may be missing from it: `Class` or `Class.property`.
  let removed: [Located<String>]
  let after: [Assertion]

  /// The fingerprint that a file's schema must have, where the step names one.
  package var expectedFingerprint: String? { fingerprint?.value }

  private static let fields = [
    FieldSpec("realm_migration", .count, required: true, "1, the version of this format"),
    FieldSpec("from", .count, required: true, "the schema version it starts at"),
    FieldSpec("to", .count, required: true, "the schema version it leads to"),
    FieldSpec("name", .text, "what it does, in a few words"),
    FieldSpec("before", .text, "what must hold before"), FieldSpec("up", .text, "the operations, in order"),
    FieldSpec("schema", .text, "the schema that it leads to"),
    FieldSpec("removed", .names, "what may be missing from that schema"),
    FieldSpec("after", .text, "what must hold after"),
  ]

  /// Reads a file; nil after complaints. `load` gives the content of a file that is named beside it.
  package init?(_ report: ProblemReport, load: (String) -> DocumentSource?) {
    source = report.source
    let bytes = report.source.bytes
    let document: DocumentNode
    do throws(TextFormatError) {
      document = try DocumentNode.yamlOrJSON(bytes.span)
    } catch {
      report.error(error)
      return nil
    }
    guard let fields = Fields(document, Self.fields, of: "a migration", report) else { return nil }
    if let form = fields["realm_migration"], form.integer != 1 {
      report.error("realm_migration must be 1, the version of this format", at: form)
      return nil
    }
    guard let from = fields.count("from"), let to = fields.count("to") else { return nil }
    if to <= from, let node = fields["to"] {
      report.error("'to' (\(to)) must be above 'from' (\(from))", at: node)
    }
    self.from = Int64(from)
    self.to = Int64(to)
    name = fields["name"]?.text ?? ""
    guard fields.has("up") || fields.has("schema") else {
      report.error("a migration needs 'up' or 'schema'", at: document)
      return nil
    }
    let before = Self.before(fields)
    (fingerprint, lets, self.before) = (before.fingerprint, before.lets, before.assertions)
    operations = Self.operations(fields["up"], report)
    if let node = fields["schema"] { target = Self.schema(node, report, load) } else { target = nil }
    removed = fields.names("removed") ?? []
    if fields.has("removed"), !fields.has("schema"), let node = fields["removed"] {
      report.error(
        "'removed' belongs to 'schema', which is missing", at: node, hint: "write drop_property in 'up'")
    }
    after = Self.after(fields)
    if report.hasErrors { return nil }
  }

  private static func operations(_ node: DocumentNode?, _ report: ProblemReport) -> [OperationEntry] {
    guard let node else { return [] }
    guard let items = node.items else {
      report.error("'up' must be a list of operations", at: node)
      return []
    }
    return items.compactMap { OperationEntry($0, report) }
  }

  private static let beforeFields = [
    FieldSpec("schema", .text, "the fingerprint of the schema"),
    FieldSpec("let", .assignments, "values for later"),
    FieldSpec("assert", .text, "what must hold"),
  ]

  private static func before(
    _ fields: Fields
  ) -> (
    fingerprint: Located<String>?, lets: [(name: Located<String>, value: ExpressionText)],
    assertions: [Assertion]
  ) {
    guard let node = fields["before"], let inner = Fields(node, beforeFields, of: "'before'", fields.report)
    else { return (nil, [], []) }
    let fingerprint = inner.name("schema")
    if let fingerprint, !fingerprint.value.hasPrefix("sha256:") {
      fields.report.error("a fingerprint begins with sha256:", at: fingerprint.node)
    }
    var lets: [(name: Located<String>, value: ExpressionText)] = []
    if let node = inner["let"], node.entries == nil {
      fields.report.error("'let' must be a mapping of names to expressions", at: node)
    }
    for entry in inner["let"]?.entries ?? [] {
      if let value = fields.report.expression(entry.value) { lets.append((Located(key: entry), value)) }
    }
    return (fingerprint, lets, assertions(inner["assert"], fields.report))
  }

  private static func after(_ fields: Fields) -> [Assertion] {
    guard let node = fields["after"],
      let inner = Fields(
        node, [FieldSpec("assert", .text, required: true, "a list")], of: "'after'", fields.report)
    else { return [] }
    return assertions(inner["assert"], fields.report)
  }

  private static let assertionFields = [
    FieldSpec.className, .condition, FieldSpec("min", .count, "the minimum number"),
    FieldSpec("max", .count, "the maximum number"), FieldSpec("count", .count, "the exact number"),
    FieldSpec("message", .text, "what to say when it does not hold"),
  ]

  private static func assertions(_ node: DocumentNode?, _ report: ProblemReport) -> [Assertion] {
    guard let node else { return [] }
    guard let items = node.items else {
      report.error("'assert' must be a list", at: node)
      return []
    }
    return items.compactMap { item in
      guard item.entries != nil else { return report.expression(item).map { .expression($0) } }
      guard let fields = Fields(item, assertionFields, of: "an assertion", report),
        let className = fields.name("class")
      else { return nil }
      let exact = fields.count("count")
      let (least, most) = (exact ?? fields.count("min") ?? 0, exact ?? fields.count("max"))
      if exact == nil, !fields.has("min"), most == nil {
        report.error("an assertion needs 'min', 'max' or 'count'", at: item)
        return nil
      }
      guard let condition = fields.optional("where", fields.predicate) else { return nil }
      return .count(
        className: className, condition: condition, least: least, most: most,
        message: fields["message"]?.text, node: item)
    }
  }

  /// The schema, written in place or in a file of its own.
  private static func schema(
    _ node: DocumentNode, _ report: ProblemReport, _ load: (String) -> DocumentSource?
  ) -> Located<SchemaDescription>? {
    do throws(TextFormatError) {
      guard let path = node.text else { return Located(try SchemaDescription(document: node), node) }
      guard let source = load(path) else {
        report.error("the schema file '\(path)' cannot be read", at: node)
        return nil
      }
      do throws(TextFormatError) {
        return Located(try SchemaDescription(text: source.bytes), node)
      } catch {
        report.error(
          "\(source.name):\(error.location.line):\(error.location.column): \(error.message)", at: node,
          hint: error.hint)
        return nil
      }
    } catch {
      report.error(error)
      return nil
    }
  }
}
