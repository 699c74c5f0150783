// Names, types, expressions and predicates of a step, checked against the schema at that point.
// Layer: RealmSession, Schema.

import ByteText
package import RealmEngine
import RealmQueryLanguage
import TextFormats

/// How operations are written, for hints that say what to write.
package enum OperationForm: Sendable {
  case document, statement
}

/// The schema between two operations, and where to complain.
package struct SchemaChecker {
  package var schema: SimulatedSchema
  package let report: ProblemReport
  /// Values that were computed before this point.
  package private(set) var names: [String: ComputedName] = [:]
  /// A document is for whatever file may come; a statement is run on the one that is there.
  let form: OperationForm

  package init(_ schema: SimulatedSchema, _ report: ProblemReport, as form: OperationForm = .document) {
    self.schema = schema
    self.report = report
    self.form = form
  }

  /// What to write instead.
  func hint(document: String, statement: String) -> String { form == .document ? document : statement }

  // MARK: Names

  /// The class, or a complaint that there is none.
  package mutating func requireClass(_ name: Located<String>) -> SimulatedClass? {
    if let found = schema.require(name.value) { return found }
    let names = schema.classes.keys.sorted()
    report.error(
      "there is no class '\(name.value)' at this point", at: name.node,
      hint: schema.absent.contains(name.value) ? "an earlier operation dropped or renamed it" : nil,
      suggestion: EditDistance.nearest(to: name.value, among: names))
    return nil
  }

  /// A class that may not be there yet.
  func requireNewClass(_ name: Located<String>) -> Bool {
    guard name.value.utf8.count <= Self.classNameSizeMax else {
      report.error(
        "the class name '\(name.value)' is longer than \(Self.classNameSizeMax) bytes", at: name.node)
      return false
    }
    guard schema.classes[name.value] == nil else {
      report.error("class '\(name.value)' already exists", at: name.node)
      return false
    }
    return true
  }

  private static let classNameSizeMax = 57
  private static let propertyNameSizeMax = 63

  /// The property of a class; nil after a complaint, `.some(nil)` where it is taken to be there.
  func requireProperty(_ name: Located<String>, of known: SimulatedClass) -> PropertyDefinition?? {
    if let property = known.property(name.value) { return .some(property) }
    guard known.isComplete || known.absent.contains(name.value) else { return .some(nil) }
    report.error(
      "'\(known.name)' has no property '\(name.value)' at this point", at: name.node,
      hint: known.absent.contains(name.value) ? "an earlier operation dropped or renamed it" : nil,
      suggestion: EditDistance.nearest(to: name.value, among: known.properties.map(\.name)))
    return nil
  }

  func requireNewProperty(_ name: Located<String>, of known: SimulatedClass) -> Bool {
    guard name.value.utf8.count <= Self.propertyNameSizeMax else {
      report.error(
        "the property name '\(name.value)' is longer than \(Self.propertyNameSizeMax) bytes", at: name.node)
      return false
    }
    guard known.property(name.value) == nil else {
      report.error("'\(known.name)' already has a property '\(name.value)'", at: name.node)
      return false
    }
    return true
  }

  /// A type whose class, if it names one, exists.
  mutating func require(_ type: Located<PropertyType>, in known: SimulatedClass) -> Bool {
    guard let target = type.value.target else { return true }
    guard schema.require(target) == nil else {
      switch (schema.classes[target]?.kind, type.value.collection) {
      case (.embedded, .set):
        report.error("a set cannot hold objects of the embedded class '\(target)'", at: type.node)
      case (.asymmetric, _):
        report.error("'\(target)' is asymmetric: nothing can link to its objects", at: type.node)
      default: return true
      }
      return false
    }
    report.error(
      "'\(type.node.text ?? target)' is neither a type nor a link to a class", at: type.node,
      suggestion: EditDistance.nearest(to: target, among: schema.classes.keys.sorted())
        ?? PropertyType.nearest(to: target))
    return false
  }

  // MARK: Expressions and predicates

  /// Checks a predicate on the objects of a class, as far as the schema is known.
  package func check(_ text: PredicateText, of className: String) {
    do throws(BindingFailure) {
      try BoundQuery.check(text.syntax, source: text.source, of: className, in: schema.view, names: names)
    } catch {
      report.error(error, in: text.source, at: text.node)
    }
  }

  /// Checks in which order objects are to be.
  func check(_ order: LanguageText<[RealmQueryLanguage.SortKey]>, of className: String) {
    do throws(BindingFailure) {
      try BoundQuery.check(order.syntax, source: order.source, of: className, in: schema.view)
    } catch {
      report.error(error, in: order.source, at: order.node)
    }
  }

  /// Checks a value for a property of a class. `old`: the property whose present value that word means.
  func check(
    _ text: ExpressionText, of className: String, old: String? = nil, for target: PropertyType?,
    named place: String
  ) {
    let scope = ExpressionScope(.object(className: className, old: old, names: names), in: schema.view)
    guard let bound = bind(text, scope), let target else { return }
    if let (message, hint) = bound.type.misfit(for: target) {
      report.error("\(place): \(message)", at: text.node, hint: hint)
    } else if bound.type.mayMissValue(for: target) {
      report.warn(
        "\(place) is required, but this value may be null", at: text.node,
        hint: "give a default for null: … ?? value")
    }
  }

  /// Checks that a value that stands in for null can do so.
  func checkStandIn(
    _ standIn: ExpressionText, for value: ExpressionText, of className: String, old: String?
  ) {
    let scope = ExpressionScope(.object(className: className, old: old, names: names), in: schema.view)
    guard let given = try? BoundExpression(value.syntax, source: value.source, in: scope),
      let other = try? BoundExpression(standIn.syntax, source: standIn.source, in: scope),
      !given.type.goes(with: other.type)
    else { return }
    report.error("\(other.type.name) cannot be a default for \(given.type.name)", at: standIn.node)
  }

  /// Checks a value that is computed once. Gives its type.
  @discardableResult
  func checkComputed(
    _ value: ExpressionText, for target: PropertyType?, named place: String
  ) -> ExpressionType? {
    guard let bound = bind(value, ExpressionScope(.realm(names: names), in: schema.view)) else { return nil }
    if bound.type.isList {
      report.error(
        "\(place) holds one value, this is \(bound.type.name)", at: value.node,
        hint: "take one of them: first(…), or count(…)")
    } else if let target, let (message, hint) = bound.type.misfit(for: target) {
      report.error("\(place): \(message)", at: value.node, hint: hint)
    } else if let refusal = bound.constantRefusal {
      report.error(refusal.message, at: value.node, hint: refusal.hint)
    }
    return bound.type
  }

  /// Checks a value that is computed once, and gives it a name from here on.
  package mutating func define(_ name: Located<String>, _ value: ExpressionText) {
    let type = checkComputed(value, for: nil, named: "'\(name.value)'")
    if names[name.value] != nil {
      report.error("value '\(name.value)' already exists", at: name.node)
    }
    names[name.value] = ComputedName(type ?? .unknown)
  }

  /// Nil after a complaint, and at a statement, whose values are bound once, with its arguments, when it runs.
  @discardableResult
  package func bind(_ text: ExpressionText, _ scope: ExpressionScope) -> BoundExpression? {
    if form == .statement { return nil }
    do throws(BindingFailure) {
      return try BoundExpression(text.syntax, source: text.source, in: scope)
    } catch {
      report.error(error, in: text.source, at: text.node)
      return nil
    }
  }
}
