// Predicates, comparisons and clauses as text. Layer: Printing.

extension SyntaxPrinter {
  mutating func predicate(_ predicate: Predicate) {
    expression(predicate.condition)
    for clause in predicate.orderings { ordering(clause) }
  }

  mutating func comparison(_ comparison: Comparison, _ side: (inout SyntaxPrinter, Expression) -> Void) {
    side(&self, comparison.left)
    write(" \(comparison.symbol.rawValue)")
    if !comparison.options.isEmpty {
      write("[")
      if comparison.options.contains(.caseInsensitive) { write("c") }
      if comparison.options.contains(.diacriticInsensitive) { write("d") }
      write("]")
    }
    write(" ")
    side(&self, comparison.right)
  }

  mutating func quantifier(_ quantifier: Quantifier?) {
    switch quantifier {
    case .any: write("ANY ")
    case .all: write("ALL ")
    case .noneOf: write("NONE ")
    case nil: break
    }
  }

  mutating func subquery(_ subquery: Subquery) {
    write("SUBQUERY(")
    path(subquery.collection)
    write(", ")
    name(subquery.variable)
    write(", ")
    expression(subquery.condition)
    write(").@count")
  }

  fileprivate mutating func ordering(_ ordering: Ordering) {
    switch ordering.kind {
    case .sort(let keys):
      write(" SORT(")
      list(keys) { printer, key in
        printer.expression(key.value)
        printer.write(key.isAscending ? " ASC" : " DESC")
      }
    case .distinct(let values):
      write(" DISTINCT(")
      list(values) { $0.expression($1) }
    case .limit(let count):
      write(" LIMIT(")
      rowCount(count)
    case .offset(let count):
      write(" OFFSET(")
      rowCount(count)
    }
    write(")")
  }

  private mutating func rowCount(_ count: RowCount) {
    switch count {
    case .number(let number): write("\(number)")
    case .argument(let reference): argument(reference)
    }
  }
}
