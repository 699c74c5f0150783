// Expressions as text. Layer: Printing.

extension SyntaxPrinter {
  mutating func expression(_ expression: Expression) {
    let level = expression.precedence
    switch expression.kind {
    case .constant(let constant): self.constant(constant)
    case .quantifiedArgument(let quantifier, let reference):
      self.quantifier(quantifier)
      argument(reference)
    case .list(let quantifier, let list):
      self.quantifier(quantifier)
      constantList(list)
    case .property(let quantifier, let reference):
      self.quantifier(quantifier)
      property(reference)
    case .subquery(let subquery): self.subquery(subquery)
    case .shape(let shape): self.shape(shape)
    case .call(let call):
      name(call.name)
      write("(")
      list(call.arguments) { $0.expression($1) }
      write(")")
    case .negative(let operand):
      // Before a digit the sign would become part of the number, and two of them may begin a comment.
      write(operand.startsWithoutSign ? "-" : "- ")
      member(operand, tighterThan: level - 1)
    case .arithmetic(let first, let rest):
      member(first, tighterThan: level)
      for step in rest {
        write(" \(step.symbol.rawValue) ")
        member(step.operand, tighterThan: level)
      }
    case .coalescing(let members): list(members, separator: " ?? ") { $0.member($1, tighterThan: level) }
    case .conditional(let branches, let otherwise):
      for branch in branches {
        member(branch.condition, tighterThan: level)
        write(" ? ")
        self.expression(branch.value)
        write(" : ")
      }
      member(otherwise, tighterThan: level)
    case .truth(let isTrue): write(isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let comparison):
      self.comparison(comparison) { $0.member($1, tighterThan: level) }
    case .not(let operand):
      write("NOT ")
      member(operand, tighterThan: level - 1)
    case .and(let members): list(members, separator: " AND ") { $0.member($1, tighterThan: level) }
    case .or(let members): list(members, separator: " OR ") { $0.member($1, tighterThan: level) }
    }
  }

  private mutating func member(_ expression: Expression, tighterThan level: Int) {
    parenthesized(if: expression.precedence <= level) { $0.expression(expression) }
  }
}

extension Expression {
  /// How tightly it holds together; an operand must hold tighter than its operator.
  fileprivate var precedence: Int {
    switch kind {
    case .conditional: 0
    case .or: 1
    case .and: 2
    case .not: 3
    case .comparison, .truth: 4
    case .coalescing: 5
    case .arithmetic(_, let rest): rest.first?.symbol == .add || rest.first?.symbol == .subtract ? 6 : 7
    case .negative: 8
    case .constant, .quantifiedArgument, .list, .property, .subquery, .shape, .call: 9
    }
  }

  /// Whether a minus sign may touch it.
  fileprivate var startsWithoutSign: Bool {
    switch kind {
    case .property, .call: true
    default: precedence < 8
    }
  }
}
