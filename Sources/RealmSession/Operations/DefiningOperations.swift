// Classes that need each other, and values that are computed once. Layer: RealmSession, Operations.

package import RealmEngine
import TextFormats

/// `add_classes: { classes: { Author: { … }, Book: { … } } }`
struct AddClasses: Operation {
  static let spec = OperationSpec(
    word: "add_classes", summary: "adds classes that link to each other",
    fields: [
      FieldSpec(
        "classes", .classes, required: true, "names with classes, as in a schema document: kind, properties …"
      )
    ])

  let classes: [AddClass]

  init?(_ fields: Fields) {
    guard let node = fields["classes"] else { return nil }
    guard let entries = node.entries, !entries.isEmpty else {
      fields.report.error("'classes' of add_classes must be a mapping of names to classes", at: node)
      return nil
    }
    var classes: [AddClass] = []
    for entry in entries {
      do throws(TextFormatError) {
        classes.append(
          AddClass(
            name: Located(key: entry), description: try ClassDefinition(entry),
            types: typeNodes(entry.value["properties"])))
      } catch {
        fields.report.error(error)
      }
    }
    guard classes.count == entries.count else { return nil }
    self.classes = classes
  }

  var subject: String { classes.map(\.subject).joined(separator: ", ") }
  var isAdditive: Bool { true }

  func check(_ checker: inout SchemaChecker) { AddClass.check(classes, &checker) }

  func run(_ run: OperationRun) throws { try AddClass.run(classes, run) }
}

/// Where the types of declared properties stand.
func typeNodes(_ properties: DocumentNode?) -> [DocumentNode] {
  (properties?.entries ?? []).map { $0.value["type"] ?? $0.value }
}

extension SchemaChecker {
  /// Complains of types that are none at this point.
  mutating func requireTypes(_ types: [DocumentNode], of description: ClassDefinition) {
    let known = SimulatedClass(description)
    for (type, property) in zip(types, description.properties) {
      _ = require(Located(property.type, type), in: known)
    }
  }
}

/// `let: { name: expression, … }`
struct LetValues: Operation {
  static let spec = OperationSpec(
    word: "let",
    summary:
      "computes values over the whole realm at this point; later operations use them by name",
    fields: [], takesAnyName: true)

  let values: [(name: Located<String>, value: ExpressionText)]

  init?(_ fields: Fields) {
    guard let entries = fields.node.entries, !entries.isEmpty else {
      fields.report.error("'let' must be a mapping of names to expressions", at: fields.node)
      return nil
    }
    var values: [(name: Located<String>, value: ExpressionText)] = []
    for entry in entries {
      guard let value = fields.report.expression(entry.value) else { return nil }
      values.append((Located(key: entry), value))
    }
    self.values = values
  }

  var subject: String { values.map(\.name.value).joined(separator: ", ") }
  var isAdditive: Bool { true }

  func check(_ checker: inout SchemaChecker) {
    for (name, value) in values { checker.define(name, value) }
  }

  func run(_ run: OperationRun) throws {
    for (name, value) in values { run.environment.names[name.value] = try run.computed(value) }
  }
}

extension OperationRun {
  /// The value of an expression on the whole realm.
  package func computed(_ text: ExpressionText) throws -> ComputedName {
    let realm = try view()
    return try OperationFailure.wrapping(text) { () throws(BindingFailure) in
      let scope = ExpressionScope(.realm(names: environment.names), in: realm)
      let bound = try BoundExpression(text.syntax, source: text.source, in: scope)
      let evaluator = try ExpressionEvaluator(bound, of: nil, in: realm, environment: environment)
      do throws(EngineError) {
        return ComputedName(bound.type, try evaluator.result().value(0).owned())
      } catch {
        throw .engine(error)
      }
    }
  }
}
