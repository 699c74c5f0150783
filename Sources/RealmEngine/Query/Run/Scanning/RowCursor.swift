// Rows of a query that are found when they are asked for. Layer: Query, Run, Scanning.
// For readers that cannot be called back, such as SQLite, which asks for one row after the other.

/// Goes through rows in key order, some more pieces of work at a time than before.
package struct RowCursor {
  private let rowsOfPieces: (Range<Int>) throws(EngineError) -> [BlockRows]
  private let pieceCount: Int
  private var piece = 0
  private var wave = 1

  /// Pieces whose rows may be in memory at once.
  private static let waveMax = 16

  init(_ source: some RowSource) {
    pieceCount = source.pieceCount
    rowsOfPieces = { pieces throws(EngineError) in try source.rows(ofPieces: pieces) }
  }

  /// The rows of the next pieces, which may be none; nil at the end.
  package mutating func next() throws(EngineError) -> [BlockRows]? {
    guard piece < pieceCount else { return nil }
    try Interruption.check()
    let pieces = piece..<min(pieceCount, piece + wave)
    wave = min(wave * 2, Self.waveMax)
    piece = pieces.upperBound
    return try rowsOfPieces(pieces)
  }
}
