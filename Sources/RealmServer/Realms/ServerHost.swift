// What the server asks of the program around it. Layer: RealmServer, Realms.

package import RealmEngine
package import RealmSession
package import Rendering
package import TextFormats

/// Opens realms as the command line says, and words what goes wrong.
package protocol ServerHost: SessionHost, Sendable {
  /// The realm number `index` of those that were named, opened with its key.
  func source(_ index: Int) throws -> SnapshotSource
  /// A session to change it in.
  func session(_ index: Int) throws -> StatementSession
  /// What `info` tells, with sizes where they are measured; of a file that cannot be opened too.
  func information(_ index: Int, measured: Bool) -> DocumentNode
  /// Runs a statement that changes nothing.
  func result(of statement: String, _ index: Int) throws -> StatementResult
  /// Writes the result of such a statement, all of it.
  func write(
    resultOf statement: String, _ index: Int, as render: RenderSpec, to out: inout OutputBuffer) throws
  /// How a condition on a class may go on behind `typed`.
  func completion(of typed: String, inConditionOn className: String?, _ schema: SchemaDescription)
    -> DocumentNode
  /// The report of `check`.
  func check(_ index: Int) throws -> DocumentNode
  /// Compacts the file in place; the element that `compact --json` prints.
  func compact(_ index: Int) throws -> DocumentNode
  /// Makes a file of all of a realm, and hands its bytes on when it is whole.
  func make(_ form: MadeFile, _ index: Int, _ send: ([UInt8]) throws(EngineError) -> Void) throws
  /// Makes a file of SQLite with one table, whose rows `write` writes, and hands its bytes on when it is whole.
  func make(
    table name: String, _ write: (RenderSpec, inout OutputBuffer) throws -> Void,
    _ send: ([UInt8]) throws(EngineError) -> Void) throws
  /// An error as the program words it: what `--json` prints of it, and which status it ends with.
  func problem(_ error: any Error, _ index: Int?) -> (document: DocumentNode, exit: Int32)
}

/// What a statement gives.
package struct StatementResult {
  /// A document, of which only the first rows are there where it is cut.
  let text: [UInt8]
  let isCut: Bool
  /// What it probably does not mean.
  let warnings: [String]

  package init(text: [UInt8], isCut: Bool, warnings: [String]) {
    self.text = text
    self.isCut = isCut
    self.warnings = warnings
  }
}

/// What is made of a whole realm; the end of a file's name.
package enum MadeFile: String, CaseIterable, Sendable { case realm, sqlite }

extension OutputBuffer: RetractableOutput {}
