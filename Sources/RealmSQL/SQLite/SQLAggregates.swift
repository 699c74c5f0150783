// Aggregates of SQL that Swift answers. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

/// What an aggregate keeps of the rows of a group.
protocol SQLAccumulator: AnyObject {
  /// Bytes that it takes, where they grow with the rows.
  var size: Int { get }
  func add(_ arguments: [SQLFunctionArgument]) throws(EngineError)
  func result() throws(EngineError) -> SQLValue
}

/// What an aggregate is.
final class SQLAggregate {
  let function: SQLFunction
  let begin: () -> any SQLAccumulator

  init(
    _ name: String, _ argumentCount: Int, _ failure: SQLFailure, takesTexts: Bool = false,
    _ begin: @escaping () -> any SQLAccumulator
  ) {
    function = SQLFunction(name, argumentCount, failure, takesTexts: takesTexts) { _ throws(EngineError) in
      .null
    }
    self.begin = begin
  }
}

/// The accumulator of one group, in the memory that SQLite keeps for it.
private final class SQLGroup {
  let accumulator: any SQLAccumulator

  init(_ accumulator: any SQLAccumulator) { self.accumulator = accumulator }
}

extension SQLConnection {
  func add(_ aggregate: SQLAggregate) throws(SQLError) {
    let code = unsafe sqlite3_create_function_v2(
      handle, aggregate.function.name, Int32(aggregate.function.argumentCount), SQLFunction.flags,
      Unmanaged.passRetained(aggregate).toOpaque(), nil,
      { unsafe SQLConnection.step($0, $1, $2) }, { unsafe SQLConnection.finish($0) },
      { if let aggregate = unsafe $0 { unsafe Unmanaged<SQLAggregate>.fromOpaque(aggregate).release() } })
    if code != SQLITE_OK { throw error(code) }
  }

  private typealias GroupMemory = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  private static func aggregate(_ context: OpaquePointer?) -> SQLAggregate? {
    unsafe sqlite3_user_data(context).map {
      unsafe Unmanaged<SQLAggregate>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private static func step(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let aggregate = unsafe aggregate(context),
      let memory = unsafe sqlite3_aggregate_context(
        context, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))?
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    else { return unsafe sqlite3_result_error_nomem(context) }
    if unsafe memory.pointee == nil {
      unsafe memory.pointee = Unmanaged.passRetained(SQLGroup(aggregate.begin())).toOpaque()
    }
    guard let group = unsafe memory.pointee else { return }
    let accumulator = unsafe Unmanaged<SQLGroup>.fromOpaque(group).takeUnretainedValue().accumulator
    do throws(EngineError) {
      try accumulator.add(unsafe aggregate.function.arguments(count, values))
    } catch {
      aggregate.function.failure.error = error
      return unsafe sqlite3_result_error(context, error.message, -1)
    }
    let limit = sqlite3_hard_heap_limit64(-1)
    if accumulator.size > 0, limit > 0, sqlite3_memory_used() + Int64(accumulator.size) > limit {
      unsafe sqlite3_result_error_nomem(context)
    }
  }

  /// Called for each group that was begun, also where the statement ends before.
  private static func finish(_ context: OpaquePointer?) {
    guard let aggregate = unsafe aggregate(context) else { return }
    let memory = unsafe sqlite3_aggregate_context(context, 0)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let group = unsafe memory?.pointee.map { unsafe Unmanaged<SQLGroup>.fromOpaque($0) }
    unsafe memory?.pointee = nil
    defer { unsafe group?.release() }
    let accumulator = unsafe group?.takeUnretainedValue().accumulator ?? aggregate.begin()
    unsafe aggregate.function.give(to: context) { () throws(EngineError) in try accumulator.result() }
  }
}
