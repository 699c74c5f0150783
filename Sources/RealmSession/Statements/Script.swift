// Several statements in a row, from arguments or a file, parsed but not run. Layer: RealmSession, Statements.

package import RealmQueryLanguage

/// Statements, parsed.
package struct Script {
  package struct Step {
    package let source: [UInt8]
    /// Which of the script's sources it is.
    package let sourceIndex: Int
    package let range: SourceRange
    package let statement: Result<Statement, QueryError>

    /// The class that the statement makes.
    package var declaredClass: DeclaredClass? {
      guard case .success(let statement) = statement, case .createClass(let declaration) = statement.kind
      else {
        return nil
      }
      return DeclaredClass(declaration: declaration, source: source)
    }

    package var isInsert: Bool {
      guard case .success(let statement) = statement, case .insert = statement.kind else { return false }
      return true
    }

    fileprivate var beginsTransaction: Bool {
      if case .success(let statement) = statement, case .begin = statement.kind { return true }
      return isCommand([".begin"])
    }

    package var endsTransaction: Bool {
      if case .success(let statement) = statement {
        if case .commit = statement.kind { return true }
        if case .rollback = statement.kind { return true }
      }
      return isCommand([".commit", ".rollback"])
    }

    fileprivate func isCommand(_ names: [String]) -> Bool {
      guard case .success(let statement) = statement, case .shell(let command) = statement.kind else {
        return false
      }
      return names.contains(String(decoding: command.name.kind, as: UTF8.self))
    }
  }

  package let steps: [Step]

  /// The statements that remove objects or classes without naming each of them.
  package var removals: [Step] {
    steps.filter { step in
      guard case .success(let statement) = step.statement else { return false }
      return switch statement.kind {
      case .delete, .dropClass(_, _, isEmpty: false): true
      default: false
      }
    }
  }

  /// Each source ends its last statement.
  package init(_ sources: [[UInt8]]) {
    var steps: [Step] = []
    for (index, source) in sources.enumerated() {
      var scanner = StatementScanner()
      while case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
        let statement = Result { () throws(QueryError) in try Statement(parsing: source, in: range) }
        steps.append(Step(source: source, sourceIndex: index, range: range, statement: statement))
      }
    }
    self.steps = steps
  }

  /// The steps, each alone, but classes that are made one after the other together: they may link to each other. Objects may too,
  /// where an error in one of them ends the script.
  package func batches(joiningInserts joinsInserts: Bool) -> [ArraySlice<Step>] {
    var batches: [ArraySlice<Step>] = []
    var start = 0
    while start < steps.count {
      let hasClass = steps[start].declaredClass != nil
      let following = steps[start...].dropFirst().prefix { step in
        hasClass ? step.declaredClass != nil : joinsInserts && steps[start].isInsert && step.isInsert
      }
      let end = following.endIndex
      batches.append(steps[start..<end])
      start = end
    }
    return batches
  }

  /// Whether it says itself where transactions begin and end.
  package var hasTransactions: Bool { steps.contains { $0.beginsTransaction || $0.endsTransaction } }

  /// Whether it takes changes back that were committed.
  package var undoes: Bool { steps.contains { $0.isCommand([".undo", ".redo"]) } }
}
