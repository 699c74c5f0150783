// A property where a condition is due: unknown, or with what it can be compared with. Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  func bareOperand(
    _ reference: PropertyReference, _ quantifier: Quantifier?, at range: SourceRange
  ) -> BindingFailure {
    do throws(BindingFailure) {
      let comparison =
        switch try bind(reference, quantifier, at: range) {
        case .constant(let term): Self.condition(of: term)
        case .bound(let side): Self.comparison(side, context.source.text(in: range))
        case .list, .region: nil as String?
        }
      return BindingFailure(
        .bareOperand, "\(context.quoted(range)) is not a condition", at: range,
        hint: comparison.map { "write \($0)" } ?? "compare it with something")
    } catch {
      return error
    }
  }

  private static func condition(of term: ConstantTerm) -> String? {
    guard case .literal(.bool(let value)) = term.kind else { return nil }
    return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
  }

  private static func comparison(_ side: BoundSide, _ path: String) -> String? {
    if side.isList, side.quantifier == nil, side.kind.isLink || side.isPrimitiveCollection {
      return "\(path).@count > 0"
    }
    if side.kind.isNumber { return "\(path) > 0" }
    return switch side.kind {
    case .unknown: nil
    case .value(.bool): "\(path) == true"
    case .value(.string): "\(path) == 'text'"
    case .value(.date): "\(path) >= 2020-12-31"
    case .typeNames: "\(path) == 'string'"
    case .null, .value, .link: "\(path) != null"
    }
  }
}
