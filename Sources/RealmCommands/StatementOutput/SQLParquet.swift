// The rows of a statement of SQL as a file of Parquet. Layer: RealmCommands, StatementOutput.

import Arguments
import Parquet
import RealmEngine
import RealmParquet
import RealmSQL
import Rendering

extension Invocation {
  /// Whether the name of the output asks for Parquet, and no mode for something else.
  var namesParquetFile: Bool {
    guard let output = arguments.word(.output), !output.isDash, arguments.text(.mode) == nil else {
      return false
    }
    return FilePath(output.bytes).displayName.lowercased().hasSuffix(".parquet")
  }

  func writeParquet(
    _ statement: SQLStatement, on session: SQLSession, to out: inout OutputBuffer
  ) throws {
    let columns = 0..<statement.columnCount
    let fields = columns.map { ParquetField(statement.columnName($0), .leaf(.text)) }
    warn(of: fields.renamings(in: "result"))
    var writing = ResultWriting(
      fields.distinct.map(\.name), columns.map { ParquetType(declared: statement.declaredType($0)) })
    var rows = SQLRows(statement, of: session)
    while try rows.next() {
      try writing.add(columns.map { Value(rows.value($0)) }) { bytes throws(EngineError) in
        try out.append(whole: bytes)
      }
    }
    try writing.finish { bytes throws(EngineError) in try out.append(whole: bytes) }
    warn(ofParquet: writing.losses, inSQL: true)
  }
}

extension ParquetType {
  /// Nil where values tell it: SQLite lets a column of its own hold values of any type.
  fileprivate init?(declared word: String?) {
    switch word.flatMap(SQLType.init) {
    case .integer: self = .int64
    case .boolean: self = .bool
    case .real: self = .double
    case .text, .decimal: self = .text
    case .blob: self = .bytes
    case .date: self = .timestamp(isNanoseconds: false)
    case .any, nil: return nil
    }
  }
}
