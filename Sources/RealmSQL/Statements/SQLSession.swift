// A connection that sees realms as tables, and SQLite files beside them. Layer: RealmSQL, Statements.

import ByteText
package import RealmEngine

/// Something whose tables statements see.
package struct SQLSource {
  package enum Content {
    case realm(ReadTransaction)
    /// The path of a file of SQLite.
    case sqlite([UInt8])
  }

  /// What stands before the dot in `old.Person`; nil: the tables have no other name.
  package let name: String?
  package let content: Content

  package init(name: String?, _ content: Content) {
    self.name = name
    self.content = content
  }
}

/// Reads realms by statements of SQL.
package final class SQLSession {
  private let connection: SQLConnection
  private let failure = SQLFailure()
  private let limits: SQLLimits
  private let realms: [SQLRealm]
  /// Once a statement has been tried whose groups the query engine may make.
  private var groups: SQLGroups?
  /// Of the first realm, which is `main`.
  package let schema: SQLSchema
  /// Of all realms.
  package var tables: [SQLTable] { realms.flatMap(\.schema.tables) }

  /// What stands before the dot of tables.
  package let databaseNames: [String]

  /// Whether large orders and groups would go to files without a name if only the limits let them.
  package let lacksFiles: Bool

  /// Whether statements may take so little memory that hardly any of them runs.
  package var lacksMemory: Bool { limits.memory ?? .max < Self.memoryMin }

  private static let memoryMin = 2 << 20

  /// Files beside the first one, as SQLite is built everywhere.
  package static let attachedMax = 10

  /// The tables of the first realm are found without a name before them. `pushesDown`: see `SQLRealm`.
  /// `mayUseFiles`: whether large orders and groups may go to files without a name. `only`: the one text that is prepared,
  /// so that tables of which it has no word need not be made.
  package init(
    _ sources: [SQLSource], _ limits: SQLLimits = SQLLimits(), pushesDown: Bool = true,
    mayUseFiles: Bool = true, only text: ArraySlice<UInt8>? = nil
  ) throws {
    self.limits = limits
    databaseNames = sources.compactMap(\.name)
    lacksFiles = mayUseFiles && limits.temporaryFiles == 0
    connection = try SQLConnection(nil, temporaryFiles: limits.temporaryFiles)
    let isInFiles = mayUseFiles && limits.temporaryFiles > 0
    // What SQLite sorts at once is as large as its cache: a small one is sorted quickest.
    try connection.execute("PRAGMA temp_store=\(isInFiles ? "FILE" : "MEMORY")")
    guard sources.count(where: { $0.name != nil }) <= Self.attachedMax else {
      throw EngineError(.constraint, "SQLite knows at most \(Self.attachedMax) files in one statement")
    }
    let names = text.flatMap { TableMentions($0) }
    var realms: [(name: String?, realm: SQLRealm)] = []
    for (number, source) in sources.enumerated() {
      switch source.content {
      case .sqlite(let path): try connection.attach(path, as: source.name ?? "")
      case .realm(let transaction):
        let realm = SQLRealm(transaction, failure, pushesDown: pushesDown)
        let module = "realm_\(number)"
        try connection.addModule(module, realm)
        if realms.isEmpty { try Self.create(realm, module, in: "main", names, connection) }
        realms.append((source.name, realm))
        if let name = source.name {
          try connection.attachMemory(as: name)
          try Self.create(realm, module, in: name, names, connection)
        }
      }
    }
    guard let first = realms.first else { throw EngineError(.other, "there is no realm to read") }
    self.realms = realms.map(\.realm)
    schema = first.realm.schema
    try connection.addRealmFunctions(RealmFunctions(realms.map { ($0.name, $0.realm.transaction) }), failure)
    try connection.addCommonFunctions(failure)
    connection.cage(limits)
  }

  /// Tables that SQLite cannot have are left out; a statement that asks for one is told.
  private static func create(
    _ realm: SQLRealm, _ module: String, in schema: String, _ mentions: TableMentions?,
    _ connection: SQLConnection
  ) throws(SQLError) {
    let schema = SQLText.quoted(name: schema)
    for (number, table) in realm.schema.tables.enumerated()
    where table.refusal == nil && mentions?.mayMean(table.name) ?? true {
      try connection.execute(
        "CREATE VIRTUAL TABLE \(schema).\(SQLText.quoted(name: table.name)) USING \(module)(\(number))")
    }
  }

  /// What statements can call; empty where SQLite does not tell.
  package var functionNames: [String] {
    do throws(SQLError) {
      let statement = try connection.prepare("SELECT DISTINCT name FROM pragma_function_list ORDER BY name")
      var names: [String] = []
      while try statement.step() {
        let name = statement.value(0).words
        if !name.hasPrefix(SQLConnection.groupFunctionPrefix) { names.append(name) }
      }
      return names
    } catch {
      return []
    }
  }

  /// Prepares the first statement of `text` and gives it its values; nil for blanks and comments. `length`: bytes of it.
  package func prepare(
    _ text: [UInt8], _ parameters: SQLParameters
  ) throws -> (statement: SQLStatement?, length: Int) {
    let traps = PlanTraps(text)
    for realm in realms { (realm.traps, realm.joinsByText, realm.orderedDecimals) = (traps, false, []) }
    var prepared = try naming { () throws(SQLError) in try connection.prepare(text) }
    if let statement = prepared.statement, realms.contains(where: \.joinsByText),
      connection.comparesBytesOnly(statement.text)
    {
      // Then SQLite need not compare again what the engine has found by a text.
      for realm in realms { realm.comparesTextsOnly = true }
      defer { for realm in realms { realm.comparesTextsOnly = false } }
      prepared = try naming { () throws(SQLError) in try connection.prepare(text) }
    }
    if let statement = prepared.statement {
      try check(statement)
      try parameters.bind(to: statement)
      statement.grouped = grouped(statement, parameters)
    }
    return prepared
  }

  /// Columns of decimals whose order counts in the statement that was prepared last: SQL knows them as texts.
  package var orderedDecimals: [String] { realms.flatMap(\.orderedDecimals).sorted() }

  /// Nil where SQLite makes the groups of a statement, or it has none.
  private func grouped(
    _ statement: SQLStatement, _ parameters: SQLParameters
  ) -> (statement: SQLStatement, loop: GroupedLoop)? {
    let renamed = SQLConnection.renamingAggregates(Array(statement.text.utf8))
    guard realms.contains(where: \.pushesDown), renamed != nil || statement.isDistinct || statement.mayGroup,
      statement.columnCount > 1 || connection.countedLoop(of: statement.text) == nil,
      (try? addGroups()) != nil
    else { return nil }
    // Different values of columns need no functions of ours, and SQLite's own may follow.
    for text in [Array(statement.text.utf8), renamed].compactMap(\.self) {
      guard let other = try? connection.prepare(text).statement,
        let loop = connection.groupedLoop(of: other.text), (try? parameters.bind(to: other)) != nil
      else { continue }
      return (other, loop)
    }
    return nil
  }

  private func addGroups() throws(SQLError) {
    guard groups == nil else { return }
    let answers = SQLGroups()
    try connection.addGroupFunctions(answers, failure)
    groups = answers
  }

  private func check(_ statement: SQLStatement) throws {
    // What gives no columns reads nothing.
    guard statement.columnCount > 0 else {
      throw SQLError(code: SQLError.notAllowed, message: "the statement has no result")
    }
    if statement.text.lowercased().holds(RealmFunctions.typeName),
      connection.losesSubtypes(of: RealmFunctions.typeName, in: statement.text)
    {
      throw EngineError(
        .badQuery,
        "\(RealmFunctions.typeName) does not know the type of what SQLite has sorted, grouped or kept",
        hint:
          "take the type before: with t as materialized (select \(RealmFunctions.typeName)(x) as type from CLASS) select type, count(*) from t group by type"
      )
    }
  }

  /// Goes to the next row; false at the end.
  package func step(_ statement: SQLStatement) throws -> Bool {
    let hasRow = try naming { () throws(SQLError) in try statement.step() }
    if !hasRow { try connection.checkUnchanged() }
    return hasRow
  }

  /// Says what ended a statement where SQLite does not know it.
  private func naming<Result>(_ body: () throws(SQLError) -> Result) throws -> Result {
    failure.error = nil
    do throws(SQLError) {
      return try body()
    } catch {
      if let cause = failure.error, cause.kind != .cancelled { throw cause }
      if connection.lacksSpace {
        throw EngineError(
          .other, "the statement needs more than \(limits.temporaryFiles >> 20) MB of temporary files",
          hint: "--temp-files SIZE allows more")
      }
      guard error.primaryCode == SQLError.interrupted else { throw refusal(error) }
      try checkEnd()
      throw error
    }
  }

  /// Runs `body`, in which the engine's work ends in time as SQLite's does.
  package func limited<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try connection.cageEnd?.stopping(body) ?? body()
    } catch let error as EngineError where error.kind == .cancelled {
      try checkEnd()
      throw error
    }
  }

  package static let timeout = SQLError(
    code: SQLError.interrupted, message: "the statement took longer than --timeout allows")

  /// Throws where the user or the limit of time ends what runs.
  func checkEnd() throws {
    try Interruption.check()
    guard let end = limits.endNanoseconds, SystemClock.nanoseconds >= end else { return }
    throw Self.timeout
  }

  // MARK: Cursors

  /// Begins a statement whose groups the query engine makes; nil where it cannot, and SQLite is to make them.
  func beginGroups(_ statement: SQLStatement) throws -> Bool? {
    guard let (renamed, loop) = statement.grouped, let groups else { return nil }
    renamed.reset()
    begin(renamed)
    groups.calculations = loop.calculations
    for realm in realms { realm.groups = (loop, groups) }
    defer { for realm in realms { realm.groups = nil } }
    do {
      return try step(renamed)
    } catch {
      renamed.reset()
      try checkEnd()
      return nil
    }
  }

  /// A statement begins.
  func begin(_ statement: SQLStatement) {
    let loop = statement.columnCount == 1 ? connection.countedLoop(of: statement.text) : nil
    let distinctColumns = statement.isDistinct ? connection.distinctColumns(of: statement.text) : nil
    for realm in realms {
      realm.begunCursor = nil
      realm.count = loop.map { .wanted($0) } ?? .unwanted
      realm.distinctColumns = distinctColumns
    }
  }

  /// What SQLite's count is in truth: the query engine has counted rows that SQLite did not see.
  var countedRows: SQLValue? {
    for realm in realms { if case .counted(let count) = realm.count { return .integer(Int64(count)) } }
    return nil
  }

  /// The only cursor of a statement that was begun, and the columns that are all that the statement makes of its rows.
  func loop(of statement: SQLStatement) -> (cursor: RealmTableCursor, columns: [Int])? {
    let cursors = realms.compactMap(\.begunCursor)
    guard cursors.count == 1, !cursors[0].isKeyed,
      let columns = connection.loopColumns(of: statement.text, areDistinct: cursors[0].isDistinct)
    else { return nil }
    return (cursors[0], columns)
  }

  /// A table that is too wide is unknown to SQLite.
  private func refusal(_ error: SQLError) -> any Error {
    for table in schema.tables where error.missingTable == table.name {
      if let refusal = table.refusal { return refusal }
    }
    return error
  }
}

/// Which tables a text can be about, known before any table is made: to make those of many classes takes longer than most
/// statements.
private struct TableMentions {
  private let text: String
  /// In longer texts a search for each name would take longer than to make its table.
  private static let lengthMax = 4096

  /// Nil for a text that can ask for tables without saying their names.
  init?(_ source: ArraySlice<UInt8>) {
    guard source.count <= Self.lengthMax else { return nil }
    text = String(decoding: source, as: UTF8.self).lowercased()
    if text.holds("sqlite_") || text.holds("pragma") { return nil }
  }

  /// Whether the text may name this table. Quotes in a name are spelled in more than one way.
  func mayMean(_ name: String) -> Bool {
    name.contains { "\"`'".contains($0) } || text.holds(name.lowercased())
  }
}
