// Does with a realm what the reading commands do, and keeps nothing: for files that are broken on purpose.

import ByteText
import FirstAid
package import RealmEngine
import RealmQueryLanguage
import Rendering
import TextFormats

/// How far one pass over a file came.
package struct ExerciseOutcome: Sendable {
  /// Nil where even that was refused.
  package var report: InspectionReport?
  /// Why the file could not be read to its end; nil when it could.
  package var refusal: EngineError?
  package var objectCount = 0
  /// How many predicates were asked.
  package var questionCount = 0
}

package enum Exercise {
  /// Opens the realm, prints all of it to nowhere, asks each class some questions, and inspects the whole file.
  package static func run(_ bytes: [UInt8], key: EncryptionKey? = nil) -> ExerciseOutcome {
    var outcome = ExerciseOutcome()
    let path = FilePath("mutant")
    do throws(EngineError) {
      let file = try RealmFile(stream: bytes, path: path, key: key)
      let report = try FileInspection.inspect(file, perKindMax: 3)
      outcome.report = report
      try tell(report)
      let database = try Database(file)
      for table in database.transaction.classes(allTables: true) { outcome.objectCount += table.count }
      var out = OutputBuffer { _ throws(EngineError) in }
      try DumpWriter(database.transaction, allTables: true).write(to: &out)
      try out.flush()
      try describe(database.transaction)
      try measure(database.transaction)
      try ask(database.transaction, &outcome.questionCount)
      try summarize(database.transaction)
      try calculate(database.transaction, turn: turn(bytes))
      try readTables(database.transaction, turn: turn(bytes))
      copyUpgraded(database)
    } catch {
      outcome.refusal = error
    }
    return outcome
  }

  /// What `doctor` says of the file, with a recovery where it is damaged.
  package static func diagnose(_ bytes: [UInt8], key: EncryptionKey?) throws(EngineError) {
    guard let content = MemoryImage.holding(bytes) else { return }
    let named = key.map { Examination.NamedKey($0, words: [], isForAll: true) }
    let examination = Examination(key: named, isDeep: false)
    _ = Verdict(try examination.facts(of: content, path: FilePath("mutant")))
  }

  /// A number that is another one for most mutants.
  private static func turn(_ bytes: [UInt8]) -> Int {
    stride(from: 0, to: bytes.count, by: 61).reduce(bytes.count) { ($0 &* 31 &+ Int(bytes[$1])) & 0xFFFF }
  }

  /// What `check` says.
  private static func tell(_ report: InspectionReport) throws(EngineError) {
    var out = OutputBuffer { _ throws(EngineError) in }
    out.text.append(text: InspectionReportWriter.text(report))
    out.text.append(json: .mapping(InspectionReportWriter.entries(report)))
    try out.flush()
  }

  /// What `schema` prints.
  private static func describe(_ realm: ReadTransaction) throws(EngineError) {
    let schema = realm.schemaDescription(allTables: true)
    _ = try schema.fingerprint()
    _ = (schema.statements, schema.mermaid, schema.graphviz)
    var text = ByteBuffer()
    text.append(yaml: schema.document)
  }

  /// What `info --sizes` tells.
  private static func measure(_ realm: ReadTransaction) throws(EngineError) {
    _ = try realm.spaceUse()
    let budget = TraversalBudget(realm.snapshot)
    for table in realm.classes(allTables: true) { _ = try realm.size(of: table, budget: budget) }
  }

  /// What `upgrade` writes, to nowhere. It may be refused for other reasons than damage.
  private static func copyUpgraded(_ database: Database) {
    do throws(EngineError) {
      let upgrade = try database.beginInMemory(upgrading: true)
      defer { withExtendedLifetime(upgrade) {} }
      _ = try CompactCopy.measure(try upgrade.finished(), key: nil, history: .forCopy)
    } catch {
      return
    }
  }

  // MARK: Questions

  /// Groups the objects of each class by each property.
  private static func summarize(_ realm: ReadTransaction) throws(EngineError) {
    for table in realm.classes() where table.schema.kind != .asymmetric {
      let all = BoundQuery(table: table, predicate: .constant(true), orderings: [])
      for property in table.schema.properties.prefix(24) {
        _ = try PropertySummary(property, of: all, in: realm, memoryLimit: 1 << 20)
      }
    }
  }

  private static func ask(_ realm: ReadTransaction, _ count: inout Int) throws(EngineError) {
    for table in realm.classes() where table.schema.kind != .asymmetric {
      for property in table.schema.properties.prefix(24) {
        guard let name = name(property) else { continue }
        for question in questions(name, property, in: realm) where try ask(question, of: table, in: realm) {
          count += 1
        }
      }
    }
  }

  /// As predicates write it; nil for names that no predicate can say.
  private static func name(_ property: Property) -> String? {
    let name = property.name.replacing(" ", with: "\\ ")
    let isName = (try? PropertyReference(parsing: Array(name.utf8))) != nil
    return isName ? name : nil
  }

  /// Predicates that reach the property's leaves in different ways: kernels, row by row, through the index.
  private static func questions(_ name: String, _ property: Property, in realm: ReadTransaction) -> [String] {
    let behind = behind(name, property, in: realm)
    if property.collection == .dictionary {
      return [
        "\(name).@count > 1", "\(name)['color'] == 'blue'", "ALL \(name).@values != 7",
        "ANY \(name).@keys == 'a'", "\(name)['a'].@type == 'int'",
      ]
    }
    if property.collection != nil {
      return ["\(name).@count > 1", "ANY \(name) != nil", "\(name)[0] != nil AND \(name)[LAST] == nil"]
        + behind
    }
    return comparisons(name, property) + behind + [
      "TRUEPREDICATE SORT(\(name) DESC) LIMIT(3)", "TRUEPREDICATE DISTINCT(\(name))",
    ]
  }

  /// Predicates on what links lead to.
  private static func behind(_ name: String, _ property: Property, in realm: ReadTransaction) -> [String] {
    guard property.isLink, let target = property.target.flatMap(realm.table) else { return [] }
    return target.schema.properties.filter { $0.collection == nil }.prefix(2).flatMap { value -> [String] in
      guard let last = Self.name(value) else { return [] }
      let path = "\(name).\(last)"
      if property.collection != nil { return ["\(name).@max.\(last) > 1"] }
      return [
        "TRUEPREDICATE SORT(\(path) ASC) LIMIT(3)", "\(path) == \(path)", "\(path) != nil",
        "\(path) + 1 > \(path)",
      ]
    }
  }

  private static func comparisons(_ name: String, _ property: Property) -> [String] {
    switch property.type {
    case .int: return ["\(name) > 3 AND \(name) != 70000", "\(name) == 7", "\(name) IN {1, 2, 300}"]
    case .bool: return ["\(name) == true"]
    case .string:
      return property.index == .fullText
        ? ["\(name) TEXT 'lazy fox*'", "\(name) ENDSWITH[c] 'a'"]
        : ["\(name) CONTAINS[c] 'a' OR \(name) == 'Ada'", "\(name) LIKE '*e*'"]
    case .date: return ["\(name) > T0:0"]
    case .float, .double, .decimal128: return ["\(name) < 1.5", "\(name) == nil"]
    case .object: return ["\(name) != nil AND \(name).@links.@count > 0"]
    case .mixed: return ["\(name) == 1 OR \(name).@type == 'string'"]
    default: return ["\(name) != nil"]
    }
  }

  /// A question that does not fit the schema is passed over: false. What the bytes refuse is not.
  private static func ask(
    _ text: String, of table: Table, in realm: ReadTransaction
  ) throws(EngineError) -> Bool {
    let source = Array(text.utf8)
    guard let predicate = try? Predicate(parsing: source) else { return false }
    let query: BoundQuery
    do throws(BindingFailure) {
      query = try BoundQuery(
        predicate, source: source, of: table, in: realm, arguments: QueryArguments())
    } catch {
      if case .engine(let error) = error { throw error }
      return false
    }
    _ = try QueryExecutor(query, in: realm).keys()
    return true
  }
}
