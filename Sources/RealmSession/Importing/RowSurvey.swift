// Types of columns told from rows whose form is known in advance, by all threads. Layer: RealmSession, Importing.
// Invariant: what is found is what reading row by row would find; rows of another form are left to whoever reads them so.

import ByteText
import RealmEngine
import TextFormats

/// How the rows of one source look, for finding their types.
protocol SurveyForm: Sendable {
  associatedtype Guess: MergeableGuess
  /// How many cells a row has.
  var columnCount: Int { get }
  /// Notes the cells of rows; gives the number of rows, or nil where one has another form.
  func survey(_ bytes: Span<UInt8>, _ guesses: inout [Guess]) -> Int?
}

/// What some cells say about their column.
protocol MergeableGuess: Sendable {
  /// What rules out the same types, and has seen no cell.
  var continued: Self { get }
  mutating func merge(_ other: Self)
}

/// Surveys a text, a batch of pieces at a time.
struct RowSurvey<Form: SurveyForm> {
  /// How rows look.
  var form: Form
  /// How many rows had the form.
  private(set) var rowCount = 0
  private var pieceSize: Int
  private let pieceSizeMax: Int
  /// Where the survey ends before the text does.
  private var rowsMax: Int
  /// How often in a row a batch began with a row of another form.
  private var failureCount = 0

  private static var failuresMax: Int { 16 }
  private static var pieceSizeMax: Int { 1 << 16 }
  /// Bytes of a piece for each row of a sample, so that a batch is not much more than the sample.
  private static var pieceSizePerSampledRow: Int { 2 }
  private static var pieceSizeMin: Int { 1 << 12 }
  private static var piecesPerThread: Int { 4 }
  /// All threads together have so many guesses at most.
  private static var guessesMax: Int { 1 << 16 }

  /// `rowsMax`: about so many rows are enough.
  init(_ form: Form, rowsMax: Int? = nil) {
    self.form = form
    self.rowsMax = rowsMax ?? .max
    pieceSizeMax =
      rowsMax.map { min(Self.pieceSizeMax, $0 * Self.pieceSizePerSampledRow) } ?? Self.pieceSizeMax
    pieceSize = pieceSizeMax
  }

  /// Notes rows as long as they have the form and are not enough; the reader stands behind them. Gives how many rows should be
  /// read one by one before it is of use to go on.
  mutating func read<Source: LineSource & ~Copyable>(
    from reader: inout Source, into guesses: inout [Form.Guess]
  ) throws -> Int {
    let workers = ParallelWork.workerCount
    let piecesMax = max(
      1, min(workers * Self.piecesPerThread, Self.guessesMax / max(form.columnCount, 1)))
    while failureCount < Self.failuresMax, !hasSample, try reader.beginLine() {
      try Interruption.check()
      let batch = try reader.linesAhead(inPiecesOfSize: pieceSize, piecesMax: piecesMax)
      guard !batch.pieces.isEmpty else { break }
      var pieceIndex = 0
      let isWhole = try ParallelWork.forEachMade(
        of: 0..<batch.pieces.count, workers: workers, {},
        { [form, known = guesses.map(\.continued)] index, _ in
          var found = known
          let count = form.survey(batch.bytes.span.extracting(batch.pieces[index]), &found)
          return (found, count)
        },
        { found, count in
          guard let count else { return false }
          for index in found.indices { guesses[index].merge(found[index]) }
          reader.passLines(batch.pieces[pieceIndex].count, count: count)
          rowCount += count
          pieceIndex += 1
          return true
        })
      failureCount = pieceIndex == 0 ? failureCount + 1 : 0
      pieceSize = isWhole ? min(pieceSize * 2, pieceSizeMax) : max(pieceSize / 4, Self.pieceSizeMin)
      if !isWhole { return Self.rowsBeforeNext }
    }
    return .max
  }

  /// Whether there are enough rows.
  var hasSample: Bool { rowCount >= rowsMax }

  /// Asks for more rows, since those that were enough do not tell every type.
  mutating func goOn() { rowsMax = rowCount * 2 }

  private static var rowsBeforeNext: Int { 64 }
}
