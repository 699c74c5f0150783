// `alter class Person …` and `drop class Person`: the operations that migration files know too. Layer: RealmSession, Statements.

import ByteText
import RealmEngine
import RealmQueryLanguage

extension StatementSession {
  func alterClass(
    _ name: Name, _ alteration: ClassAlteration, of source: [UInt8]
  ) throws -> ChangeCounts {
    try change { transaction in
      let schema = try schema(name, of: source, in: transaction)
      for property in alteration.changedProperties {
        _ = try SessionError.binding(source) { () throws(BindingFailure) in try schema.property(property) }
      }
      let text = StatementText(source)
      let (operations, subject) = try text.operations(alteration, of: text.name(name), named: name)
      var counts = ChangeCounts(altered: schema.tableKey)
      let tally = ObjectTally(of: try transaction.view())
      try run(operations, at: subject, of: source, in: transaction)
      counts += tally.changes(to: try transaction.view())
      return counts
    }
  }

  /// `isEmpty`: nothing is asked, because a class with objects is left alone.
  func dropClass(
    _ name: Name, linked: PolicyWord, isEmpty: Bool, of source: [UInt8]
  ) throws -> ChangeCounts {
    try changeIfConfirmed { transaction in
      let schema = try schema(name, of: source, in: transaction)
      let count = try transaction.count(schema.tableKey)
      let objects = counted(count, "object")
      if isEmpty, count > 0 {
        throw SessionError(
          .constraint(message: "\(schema.name) is not empty, it has \(objects)")
        ).located(at: name.range, in: source)
      }
      if !isEmpty {
        try requireConfirmation(
          "drop class \(schema.name) with its \(objects) in \(realm.path.displayName)",
          orSay: "nothing was dropped")
      }
      let drop = DropClass(className: StatementText(source).name(name), nullifies: linked == .nullify)
      var counts = ChangeCounts(\.dropped, 1)
      let tally = ObjectTally(of: try transaction.view())
      try run([drop], at: name, of: source, in: transaction)
      counts += tally.changes(to: try transaction.view())
      return counts
    }
  }

  /// Nil: none, as if it had never been set.
  func setSchemaVersion(_ version: Int64?) throws -> ChangeCounts {
    try change { transaction in
      let old = try transaction.view().schemaVersion
      try transaction.setSchemaVersion(version)
      return ChangeCounts(schemaVersion: old, to: version)
    }
  }

  /// Runs operations as migrations do, each checked on the schema as it is; a refusal gets its place in the statement.
  private func run(
    _ operations: [any Operation], at subject: Name, of source: [UInt8], in transaction: WriteTransaction
  ) throws {
    try locating(subject, of: source) {
      for operation in operations {
        try check(of: source, in: transaction) { operation.check(&$0) }
        try operation.run(operationRun(on: transaction))
      }
    }
  }

  /// Checks operations as those of a migration on the schema of the file.
  func check(
    of source: [UInt8], in transaction: WriteTransaction, _ body: (inout SchemaChecker) -> Void
  ) throws {
    var schema = try simulatedSchema(of: transaction)
    try check(of: source, on: &schema, body)
  }

  /// The schema as it is now.
  func simulatedSchema(of transaction: WriteTransaction) throws -> SimulatedSchema {
    SimulatedSchema(try transaction.view().schemaDescription(allTables: true))
  }

  /// The same on a schema, which then is as operations leave it.
  func check(
    of source: [UInt8], on schema: inout SimulatedSchema, _ body: (inout SchemaChecker) -> Void
  ) throws {
    var checker = SchemaChecker(
      schema, ProblemReport(DocumentSource(name: "", bytes: source)), as: .statement)
    // The checker has the only one, so that a change copies nothing.
    schema = SimulatedSchema()
    body(&checker)
    schema = checker.schema
    for problem in checker.report.problems {
      guard problem.severity == .error else {
        host.warn(problem.message)
        continue
      }
      let error = EngineError(.constraint, problem.message, hint: problem.hint)
      let range = SourceRange(offset: problem.location.offset, length: problem.length)
      throw SessionError(.refused(error), hint: problem.hint, file: realm.path).located(at: range, in: source)
    }
  }
}
