// Objects that an assignment names by their keys: `owner = 42`, `dogs += @3`. Layer: RealmSession, Statements.
// What a property of links is given is looked up before anything is changed; an object that is not there is an error.

import RealmEngine
import RealmQueryLanguage

/// The class that links of a property lead to.
struct LinkAssignment {
  let target: Table
  let text: StatementText
  let arguments: QueryArguments

  /// Nil for properties that hold no links to objects with keys of their own.
  init?(
    _ property: Property, in realm: ReadTransaction, _ text: StatementText, _ arguments: QueryArguments
  ) {
    guard property.isLink, let target = property.target.flatMap({ realm.table($0) }),
      target.schema.kind != .embedded
    else { return nil }
    (self.target, self.text, self.arguments) = (target, text, arguments)
  }

  /// The same value with links in the place of keys.
  func value(_ expression: RealmQueryLanguage.Expression) throws -> RealmQueryLanguage.Expression {
    typealias Expression = RealmQueryLanguage.Expression
    switch expression.kind {
    case .constant(let constant):
      return Expression(.constant(try link(constant)), range: expression.range)
    case .list(nil, let list):
      let elements = try list.elements.map(link)
      return Expression(
        .list(nil, ConstantList(elements: elements, range: list.range)), range: expression.range)
    case .coalescing(let operands):
      return Expression(.coalescing(try operands.map(value)), range: expression.range)
    case .conditional(let branches, let otherwise):
      let linking = try branches.map {
        ConditionalBranch(condition: $0.condition, value: try value($0.value))
      }
      return Expression(.conditional(linking, otherwise: try value(otherwise)), range: expression.range)
    default: return expression
    }
  }

  private func link(_ constant: Constant) throws -> Constant {
    var named = constant
    if case .argument(let reference) = constant.kind {
      let literal = try SessionError.binding(text.source) { () throws(BindingFailure) in
        try arguments.constant(reference, at: constant.range)
      }
      named = Constant(.literal(literal), range: constant.range)
    }
    switch named.kind {
    case .literal(.null), .literal(.typedObjectKey), .object, .argument: return constant
    case .literal:
      let key = try text.object(
        named, of: target.schema,
        { value throws(EngineError) in
          try target.find(primaryKey: value)?.key
        }, { key throws(EngineError) in key.value < 0 ? false : try target.find(key) != nil },
        orElse: .constraint)
      let table = Int64(target.schema.tableKey.value)
      return Constant(.literal(.typedObjectKey(table: table, key: key.value)), range: constant.range)
    }
  }
}
