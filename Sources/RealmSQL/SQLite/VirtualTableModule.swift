// Tables that SQLite reads by calls into Swift. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

/// Finds the tables of one schema of a connection.
protocol VirtualTableProvider: AnyObject {
  /// The table with this number, which was given to `CREATE VIRTUAL TABLE`.
  func table(_ number: Int) throws(EngineError) -> any VirtualTable
}

/// A table or cursor in the one word that SQLite keeps for it.
private final class Held<Content> {
  let content: Content

  init(_ content: Content) { self.content = content }

  var retained: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(self).toOpaque() }

  static func content(_ object: UnsafeMutableRawPointer?) -> Content? {
    unsafe object.map { unsafe Unmanaged<Held<Content>>.fromOpaque($0).takeUnretainedValue().content }
  }

  static func release(_ object: UnsafeMutableRawPointer?) {
    if let object = unsafe object { unsafe Unmanaged<Held<Content>>.fromOpaque(object).release() }
  }
}

private struct OpenCursor {
  let cursor: any VirtualCursor
  let batch: BatchMemory
  let failure: SQLFailure
}

private typealias HeldTable = Held<any VirtualTable>
private typealias HeldCursor = Held<OpenCursor>
private typealias HeldProvider = Held<any VirtualTableProvider>

extension SQLConnection {
  /// Makes tables with the module `name` those of `provider`.
  func addModule(_ name: String, _ provider: any VirtualTableProvider) throws(SQLError) {
    VirtualTableModule.prepareCalls()
    let code = unsafe sqlite3_create_module_v2(
      handle, name, VirtualTableModule.module, HeldProvider(provider).retained
    ) { unsafe HeldProvider.release($0) }
    if code != SQLITE_OK { throw error(code) }
  }
}

private enum VirtualTableModule {
  nonisolated(unsafe) static let module: UnsafeMutablePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    var calls = sqlite3_module()
    calls.iVersion = 1
    unsafe calls.xCreate = { unsafe connect($0, $1, $2, $3, $4, $5) }
    unsafe calls.xConnect = { unsafe connect($0, $1, $2, $3, $4, $5) }
    unsafe calls.xDisconnect = { unsafe disconnect($0) }
    unsafe calls.xDestroy = { unsafe disconnect($0) }
    unsafe calls.xBestIndex = { unsafe bestIndex($0, $1) }
    unsafe calls.xOpen = { unsafe open($0, $1) }
    unsafe calls.xClose = { unsafe close($0) }
    unsafe calls.xFilter = sql_cursor_filter
    unsafe calls.xNext = sql_cursor_next
    unsafe calls.xEof = sql_cursor_eof
    unsafe calls.xColumn = sql_cursor_column
    unsafe calls.xRowid = { unsafe rowNumber($0, $1) }
    unsafe module.initialize(to: calls)
    return unsafe module
  }()

  /// What C calls for batches.
  static func prepareCalls() {
    unsafe sql_set_calls(
      { unsafe VirtualTableModule.filter($0, $1, $2, $3) },
      { base in
        guard let open = unsafe HeldCursor.content(base?.pointee.object) else { return SQLITE_MISUSE }
        return open.failure.code { () throws(EngineError) in try open.cursor.refill() }
      },
      { base, column in
        guard let open = unsafe HeldCursor.content(base?.pointee.object) else { return SQLITE_MISUSE }
        return open.failure.code { () throws(EngineError) in try open.cursor.read(Int(column)) }
      })
  }

  private static func connect(
    _ database: OpaquePointer?, _ provider: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) -> Int32 {
    guard let provider = unsafe HeldProvider.content(provider), count >= 4,
      let number = unsafe arguments?[3].flatMap({ unsafe Int(String(cString: $0)) })
    else { return SQLITE_MISUSE }
    do throws(EngineError) {
      let table = try provider.table(number)
      let code = unsafe sqlite3_declare_vtab(database, table.definition)
      guard code == SQLITE_OK else { return code }
      let memory = UnsafeMutablePointer<sql_table>.allocate(capacity: 1)
      unsafe memory.initialize(to: sql_table())
      unsafe memory.pointee.object = HeldTable(table).retained
      unsafe result?.pointee = unsafe UnsafeMutableRawPointer(memory).assumingMemoryBound(
        to: sqlite3_vtab.self)
      return SQLITE_OK
    } catch {
      unsafe message?.pointee = sql_copied_text(error.message)
      return SQLITE_ERROR
    }
  }

  private static func disconnect(_ base: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    guard let base = unsafe base else { return SQLITE_OK }
    let memory = unsafe memory(of: base)
    if let idle = unsafe memory.pointee.idle { unsafe end(idle) }
    unsafe HeldTable.release(memory.pointee.object)
    unsafe memory.deallocate()
    return SQLITE_OK
  }

  private static func memory(
    of base: UnsafeMutablePointer<sqlite3_vtab>
  ) -> UnsafeMutablePointer<sql_table> {
    unsafe UnsafeMutableRawPointer(base).assumingMemoryBound(to: sql_table.self)
  }

  private static func table(_ base: UnsafeMutablePointer<sqlite3_vtab>?) -> (any VirtualTable)? {
    unsafe base.flatMap { unsafe HeldTable.content(memory(of: $0).pointee.object) }
  }

  private static func open(
    _ base: UnsafeMutablePointer<sqlite3_vtab>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
  ) -> Int32 {
    guard let base = unsafe base, let table = unsafe table(base) else { return SQLITE_MISUSE }
    let tableMemory = unsafe self.memory(of: base)
    if let idle = unsafe tableMemory.pointee.idle {
      unsafe tableMemory.pointee.idle = nil
      unsafe result?.pointee = unsafe UnsafeMutableRawPointer(idle).assumingMemoryBound(
        to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    let memory = UnsafeMutablePointer<sql_cursor>.allocate(capacity: 1)
    unsafe memory.initialize(to: sql_cursor())
    let batch = unsafe BatchMemory(memory, columnCount: table.columnCount)
    let cursor = OpenCursor(cursor: table.makeCursor(batch), batch: batch, failure: table.failure)
    unsafe memory.pointee.object = HeldCursor(cursor).retained
    unsafe result?.pointee = unsafe UnsafeMutableRawPointer(memory).assumingMemoryBound(
      to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  private static func memory(
    _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<sql_cursor>? {
    unsafe base.map { unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: sql_cursor.self) }
  }

  private static func close(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    guard let memory = unsafe memory(base) else { return SQLITE_OK }
    if let base = unsafe memory.pointee.base.pVtab {
      let table = unsafe self.memory(of: base)
      if unsafe table.pointee.idle == nil {
        unsafe table.pointee.idle = memory
        return SQLITE_OK
      }
    }
    unsafe end(memory)
    return SQLITE_OK
  }

  private static func end(_ memory: UnsafeMutablePointer<sql_cursor>) {
    unsafe HeldCursor.release(memory.pointee.object)
    unsafe memory.deallocate()
  }

  private static func filter(
    _ memory: UnsafeMutablePointer<sql_cursor>?, _ plan: Int32, _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard let open = unsafe HeldCursor.content(memory?.pointee.object) else { return SQLITE_MISUSE }
    var arguments: [PlanArgument] = []
    for index in 0..<Int(count) {
      guard let value = unsafe values?[index] else { return SQLITE_MISUSE }
      arguments.append(unsafe argument(value))
    }
    return open.failure.code { () throws(EngineError) in try open.cursor.begin(plan, arguments) }
  }

  /// All values of a list where the plan asked for them.
  private static func argument(_ value: OpaquePointer) -> PlanArgument {
    var element: OpaquePointer?
    var code = unsafe sqlite3_vtab_in_first(value, &element)
    guard code == SQLITE_OK || code == SQLITE_DONE else { return .one(unsafe SQLValue(value)) }
    var list: [SQLValue] = []
    while code == SQLITE_OK, let one = unsafe element {
      list.append(unsafe SQLValue(one).owned)
      code = unsafe sqlite3_vtab_in_next(value, &element)
    }
    return .list(list)
  }

  private static func rowNumber(
    _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ result: UnsafeMutablePointer<Int64>?
  ) -> Int32 {
    guard let memory = unsafe memory(base), let open = unsafe HeldCursor.content(memory.pointee.object)
    else { return SQLITE_MISUSE }
    let row = Int(unsafe memory.pointee.row)
    return open.failure.code { () throws(EngineError) in
      unsafe result?.pointee = try open.cursor.rowNumber(row)
    }
  }

  private static func bestIndex(
    _ base: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
  ) -> Int32 {
    guard let table = unsafe table(base), let info = unsafe info else { return SQLITE_MISUSE }
    guard let answer = table.plan(unsafe PlanRequest(info)) else { return SQLITE_CONSTRAINT }
    for (number, use) in answer.uses.enumerated() {
      unsafe info.pointee.aConstraintUsage[use.constraint].argvIndex = Int32(number + 1)
      unsafe info.pointee.aConstraintUsage[use.constraint].omit = use.isExact ? 1 : 0
      if use.takesList { unsafe sqlite3_vtab_in(info, Int32(use.constraint), 1) }
    }
    unsafe info.pointee.idxNum = answer.number
    unsafe info.pointee.idxStr = sql_copied_text(answer.description)
    unsafe info.pointee.needToFreeIdxStr = 1
    unsafe info.pointee.orderByConsumed = answer.isOrdered ? 1 : 0
    unsafe info.pointee.estimatedCost = answer.cost
    unsafe info.pointee.estimatedRows = answer.rowCount
    if answer.isUnique { unsafe info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE }
    return SQLITE_OK
  }
}

extension PlanRequest {
  fileprivate init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
    var constraints: [Constraint] = []
    let count = unsafe Int(info.pointee.nConstraint)
    for index in 0..<count {
      let constraint = unsafe info.pointee.aConstraint[index]
      let isUsable = constraint.usable != 0
      var constant: OpaquePointer?
      let isKnown = unsafe sqlite3_vtab_rhs_value(info, Int32(index), &constant) == SQLITE_OK
      let comparison = SQLComparison(constraint.op)
      let comparesBytes =
        unsafe sqlite3_vtab_collation(info, Int32(index)).map { unsafe String(cString: $0) == "BINARY" }
        ?? true
      let canBeList = unsafe isUsable && comparison == .equal && sqlite3_vtab_in(info, Int32(index), -1) != 0
      constraints.append(
        Constraint(
          column: Int(constraint.iColumn), comparison: comparison, isUsable: isUsable,
          isList: canBeList,
          constant: isKnown ? unsafe constant.map { unsafe SQLValue($0).owned } : nil,
          comparesBytes: comparesBytes))
    }
    var orderings: [Ordering] = []
    // Where rows are only to differ, SQLite makes nothing of their order.
    let orderingCount = unsafe sqlite3_vtab_distinct(info) == 2 ? 0 : Int(info.pointee.nOrderBy)
    for index in 0..<orderingCount {
      let ordering = unsafe info.pointee.aOrderBy[index]
      orderings.append(Ordering(column: Int(ordering.iColumn), isDescending: ordering.desc != 0))
    }
    self.init(
      constraints: constraints, orderings: orderings,
      showsOrder: unsafe [0, 3].contains(sqlite3_vtab_distinct(info)),
      usedColumns: unsafe info.pointee.colUsed)
  }
}

extension SQLValue {
  /// Text and data are borrowed.
  init(_ value: OpaquePointer) {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(unsafe sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(unsafe sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = unsafe UnsafeRawPointer(sqlite3_value_text(value))
      self = .text(unsafe ByteString(start, count: sqlite3_value_bytes(value)))
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(value)
      self = .blob(unsafe ByteString(start, count: sqlite3_value_bytes(value)))
    default: self = .null
    }
  }
}

extension ByteString {
  /// Borrows; of nothing an empty one.
  @unsafe init(_ start: UnsafeRawPointer?, count: Int32) {
    if let start = unsafe start, count > 0 {
      unsafe self.init(borrowing: RawBytes(start: start, count: Int(count)))
    } else {
      self.init(copying: [UInt8]())
    }
  }
}
