// Checks steps one after the other on the schema that each finds. Layer: Migrations, Chain.

package import RealmEngine
import RealmQueryLanguage
package import RealmSession
import TextFormats

/// The schemas around one step.
package struct StepSchemas: Sendable {
  package let before: SchemaDescription?
  package let after: SchemaDescription?
}

package enum ChainChecker {
  /// Checks a step and makes its changes in `schema`.
  package static func check(
    _ step: MigrationFile, _ schema: inout SimulatedSchema, _ report: ProblemReport
  ) -> StepSchemas {
    let before = schema.description
    var checker = SchemaChecker(schema, report)
    if let expected = step.fingerprint, let before, let found = try? before.fingerprint(),
      found != expected.value
    {
      report.error(
        "the schema has another fingerprint before this step: \(found)", at: expected.node,
        hint: "the schema drifted; compare it with `diff --schema`")
    }
    for (name, value) in step.lets { checker.define(name, value) }
    for assertion in step.before { check(assertion, &checker) }
    for entry in step.operations { entry.operation.check(&checker) }
    if let target = step.target { derive(step, target, &checker) }
    for assertion in step.after { check(assertion, &checker) }
    schema = checker.schema
    return StepSchemas(before: before, after: schema.description)
  }

  private static func derive(
    _ step: MigrationFile, _ target: Located<SchemaDescription>, _ checker: inout SchemaChecker
  ) {
    if let version = target.value.version, version != step.to {
      checker.report.error(
        "the schema says version \(version), and the step leads to \(step.to)", at: target.node)
    }
    if let schema = checker.schema.description {
      let derived = DerivedChanges(
        from: schema, to: target.value, removed: Set(step.removed.map(\.value)))
      for (message, hint) in derived.refusals { checker.report.error(message, at: target.node, hint: hint) }
    }
    checker.schema = SimulatedSchema(target.value)
  }

  private static func check(
    _ assertion: Assertion, _ checker: inout SchemaChecker
  ) {
    switch assertion {
    case .expression(let text):
      let bound = checker.bind(text, ExpressionScope(.realm(names: checker.names), in: checker.schema.view))
      if let bound, bound.type.name != "bool", bound.type.name != "mixed" {
        checker.report.error("an assertion is true or false, this is \(bound.type.name)", at: text.node)
      }
    case .count(let className, let condition, _, _, _, _):
      guard checker.requireClass(className) != nil else { return }
      if let condition { checker.check(condition, of: className.value) }
    }
  }
}
