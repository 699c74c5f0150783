// Value expressions as text. Layer: Printing.

extension SyntaxPrinter {
  mutating func expression(_ expression: ValueExpression) {
    let level = expression.precedence
    switch expression.kind {
    case .constant(let constant): self.constant(constant)
    case .list(let list): constantList(list)
    case .property(let reference): property(reference)
    case .call(let call):
      name(call.name)
      write("(")
      list(call.arguments) { $0.expression($1) }
      write(")")
    case .not(let operand):
      write("!")
      unaryOperand(operand)
    case .negative(let operand):
      // Before a digit the sign would become part of the number, and two of them may begin a comment.
      write(operand.startsWithoutSign ? "-" : "- ")
      unaryOperand(operand)
    case .arithmetic(let first, let rest):
      member(first, tighterThan: level)
      for step in rest {
        write(" \(step.symbol.rawValue) ")
        member(step.operand, tighterThan: level)
      }
    case .comparison(let left, let symbol, let right):
      member(left, tighterThan: level)
      write(" \(symbol.rawValue) ")
      member(right, tighterThan: level)
    case .and(let members): list(members, separator: " && ") { $0.member($1, tighterThan: level) }
    case .or(let members): list(members, separator: " || ") { $0.member($1, tighterThan: level) }
    case .coalescing(let members): list(members, separator: " ?? ") { $0.member($1, tighterThan: level) }
    case .conditional(let branches, let otherwise):
      for branch in branches {
        member(branch.condition, tighterThan: level)
        write(" ? ")
        self.expression(branch.value)
        write(" : ")
      }
      member(otherwise, tighterThan: level)
    }
  }

  private mutating func unaryOperand(_ operand: ValueExpression) {
    parenthesized(if: operand.precedence < ValueExpression.unaryPrecedence) { $0.expression(operand) }
  }

  private mutating func member(_ expression: ValueExpression, tighterThan level: Int) {
    parenthesized(if: expression.precedence <= level) { $0.expression(expression) }
  }
}

extension ValueExpression {
  /// How tightly it holds together; an operand must hold tighter than its operator.
  fileprivate var precedence: Int {
    switch kind {
    case .conditional: 0
    case .or: 1
    case .and: 2
    case .comparison: 3
    case .coalescing: 4
    case .arithmetic(_, let rest): rest.first?.symbol == .add || rest.first?.symbol == .subtract ? 5 : 6
    case .not, .negative: Self.unaryPrecedence
    case .constant, .list, .property, .call: 8
    }
  }

  fileprivate static var unaryPrecedence: Int { 7 }

  /// Whether a minus sign may touch it.
  fileprivate var startsWithoutSign: Bool {
    switch kind {
    case .property, .call: true
    default: precedence < Self.unaryPrecedence
    }
  }
}
