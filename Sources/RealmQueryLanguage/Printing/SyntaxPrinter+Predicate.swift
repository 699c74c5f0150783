// Conditions, operands and orderings as text. Layer: Printing.

extension SyntaxPrinter {
  mutating func predicate(_ predicate: Predicate) {
    condition(predicate.condition)
    for clause in predicate.orderings { ordering(clause) }
  }

  private mutating func condition(_ condition: Condition) {
    switch condition.kind {
    case .constant(let value): write(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .comparison(let comparison): self.comparison(comparison)
    case .not(let inner):
      write("NOT ")
      parenthesized(if: inner.isConjunction || inner.isDisjunction) { $0.condition(inner) }
    case .and(let members):
      list(members, separator: " AND ") { printer, member in
        printer.parenthesized(if: member.isConjunction || member.isDisjunction) { $0.condition(member) }
      }
    case .or(let members):
      list(members, separator: " OR ") { printer, member in
        printer.parenthesized(if: member.isDisjunction) { $0.condition(member) }
      }
    }
  }

  private mutating func comparison(_ comparison: Comparison) {
    operand(comparison.left)
    write(" \(comparison.symbol.rawValue)")
    if !comparison.options.isEmpty {
      write("[")
      if comparison.options.contains(.caseInsensitive) { write("c") }
      if comparison.options.contains(.diacriticInsensitive) { write("d") }
      write("]")
    }
    write(" ")
    operand(comparison.right)
  }

  private mutating func operand(_ operand: Operand) {
    switch operand.kind {
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
    case .arithmetic(let first, let rest):
      let isSum = rest.isSum
      factor(first, inSum: isSum)
      for step in rest {
        write(" \(step.symbol.rawValue) ")
        factor(step.operand, inSum: isSum)
      }
    case .shape(let shape): self.shape(shape)
    }
  }

  /// An operand of a chain; a product may stand in a sum as it is.
  private mutating func factor(_ operand: Operand, inSum: Bool) {
    guard case .arithmetic(_, let rest) = operand.kind else { return self.operand(operand) }
    parenthesized(if: !inSum || rest.isSum) { $0.operand(operand) }
  }

  private mutating func quantifier(_ quantifier: Quantifier?) {
    switch quantifier {
    case .any: write("ANY ")
    case .all: write("ALL ")
    case .noneOf: write("NONE ")
    case nil: break
    }
  }

  private mutating func subquery(_ subquery: Subquery) {
    write("SUBQUERY(")
    path(subquery.collection)
    write(", ")
    name(subquery.variable)
    write(", ")
    condition(subquery.condition)
    write(").@count")
  }

  private mutating func ordering(_ ordering: Ordering) {
    switch ordering.kind {
    case .sort(let keys):
      write(" SORT(")
      list(keys) { printer, key in
        printer.path(key.path)
        printer.write(key.isAscending ? " ASC" : " DESC")
      }
    case .distinct(let paths):
      write(" DISTINCT(")
      list(paths) { $0.path($1) }
    case .limit(let count): write(" LIMIT(\(count)")
    case .limitArgument(let reference):
      write(" LIMIT(")
      argument(reference)
    }
    write(")")
  }
}

extension SyntaxPrinter {
  private mutating func shape(_ shape: GeoShape) {
    switch shape.kind {
    case .box(let corner, let opposite):
      write("geoBox(")
      list([corner, opposite]) { $0.point($1) }
    case .circle(let center, let radius):
      write("geoCircle(")
      point(center)
      write(", ")
      number(radius)
    case .polygon(let rings):
      write("geoPolygon(")
      list(rings) { printer, ring in
        printer.write("{")
        printer.list(ring.points) { $0.point($1) }
        printer.write("}")
      }
    }
    write(")")
  }

  private mutating func point(_ point: GeoPoint) {
    write("[")
    list([point.longitude, point.latitude] + (point.altitude.map { [$0] } ?? [])) { $0.number($1) }
    write("]")
  }

  private mutating func number(_ number: GeoNumber) {
    switch number.kind {
    case .number(let value): write("\(value)")
    case .argument(let reference): argument(reference)
    }
  }
}

extension Condition {
  fileprivate var isConjunction: Bool {
    if case .and = kind { return true }
    return false
  }

  fileprivate var isDisjunction: Bool {
    if case .or = kind { return true }
    return false
  }
}

extension [ArithmeticStep<Operand>] {
  /// Whether the chain is of `+` and `-`; all its operators have one precedence.
  fileprivate var isSum: Bool { first?.symbol == .add || first?.symbol == .subtract }
}
