// The rows of one result as a file of SQLite with one table. Layer: RealmSQL, Exporting.
// Rows come as the statements that mode sql writes, so that whatever can be shown can be saved.

package import ByteText
package import RealmEngine
package import Rendering

/// A file of SQLite in the making, private to this process.
package final class ResultFile {
  /// How rows for it are written.
  package let render: RenderSpec
  private let connection: SQLConnection

  /// What messages call it.
  private static let name = "the file of SQLite"

  /// The file at `path`, which is empty, gets a table of this name.
  package init(_ path: FilePath, table: String) throws(EngineError) {
    var render = RenderSpec(.sql)
    var names = SQLNames()
    render.table = ResultTable(name: names.take(table)) { table, columns in
      var names = SQLNames()
      let columns = (columns.isEmpty ? [""] : columns).map { SQLText.quoted(name: names.take($0)) }
      return "CREATE TABLE \(SQLText.quoted(name: table))(\(columns.joined(separator: ", ")))"
    }
    self.render = render
    connection = try Self.named { () throws(SQLError) in try SQLConnection(writing: path) }
  }

  /// Runs whole statements.
  package func run(_ statements: borrowing ByteBuffer) throws(EngineError) {
    let text = statements.text
    try Self.named { () throws(SQLError) in try connection.execute(text) }
  }

  /// All rows are there.
  package func finish() throws(EngineError) {
    try Self.named { () throws(SQLError) in try connection.execute("COMMIT") }
  }

  private static func named<Result>(
    _ body: () throws(SQLError) -> Result
  ) throws(EngineError) -> Result {
    do throws(SQLError) { return try body() } catch { throw EngineError(error, file: name) }
  }
}

extension SQLConnection {
  /// SQLite keeps at most so much of a file in memory.
  static let cacheSizeKiB = 32 << 10

  /// Begins the one transaction that fills an empty file, which nobody else sees.
  convenience init(writing path: FilePath) throws(SQLError) {
    try self.init(path.bytes, .readWrite)
    try execute(
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
        + "PRAGMA cache_size=-\(Self.cacheSizeKiB); BEGIN EXCLUSIVE")
  }
}
