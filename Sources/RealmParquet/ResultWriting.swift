// Rows of single values as a file of Parquet: the result of a statement. Layer: RealmParquet.
// A column has the type that it was declared with, or else that of its values in the first rows. What does not fit is refused:
// readers want one type.

package import ByteText
package import Parquet
package import RealmEngine

/// Writes rows into one file.
package struct ResultWriting {
  private let names: [String]
  /// Nil: values tell it.
  private var types: [ParquetType?]
  /// Rows that are written together.
  private var waiting: [[Value]] = []
  private var waitingSize = 0
  private var writer: ParquetWriter?
  package private(set) var losses = ParquetLosses()

  private static let rowsMax = 1 << 14
  /// Bytes of texts and data that wait.
  private static let sizeMax = 16 << 20

  /// `types`: nil where nothing was declared.
  package init(_ names: [String], _ types: [ParquetType?]) {
    self.names = names
    self.types = types
  }

  package mutating func add(_ row: [Value], to sink: TableWriting.Sink) throws(EngineError) {
    waiting.append(row.map { $0.owned() })
    for value in row {
      switch value {
      case .string(let bytes), .data(let bytes): waitingSize += bytes.count
      default: break
      }
    }
    if waiting.count >= Self.rowsMax || waitingSize >= Self.sizeMax { try flush(to: sink) }
  }

  /// Writes what is left.
  package mutating func finish(to sink: TableWriting.Sink) throws(EngineError) {
    try flush(to: sink)
    try writer?.finish(to: sink)
  }

  private mutating func flush(to sink: TableWriting.Sink) throws(EngineError) {
    try Interruption.check()
    if writer == nil {
      for column in names.indices where types[column] == nil { types[column] = try type(of: column) }
      writer = ParquetWriter(
        zip(names, types).map { ParquetField($0, .leaf($1 ?? .text)) }, .zstd)
    }
    guard var writer else { return }
    for column in names.indices {
      try writer.columns[column].write { chunk throws(EngineError) in
        for row in waiting {
          chunk.beginRow()
          try append(row[column], of: column, to: &chunk)
        }
      }
    }
    try writer.endRows(waiting.count, to: sink)
    self.writer = writer
    waiting.removeAll(keepingCapacity: true)
    waitingSize = 0
  }

  /// Of the values of the first rows; text where all are null.
  private func type(of column: Int) throws(EngineError) -> ParquetType? {
    var found: ParquetType?
    for row in waiting {
      let type: ParquetType
      switch row[column] {
      case .null: continue
      case .int: type = .int64
      case .double: type = .double
      case .data: type = .bytes
      default: type = .text
      }
      switch (found, type) {
      case (nil, _): found = type
      case (.int64, .double), (.double, .int64): found = .double
      case (let known?, _): if known != type { throw misfit(column) }
      }
    }
    return found
  }

  private func misfit(_ column: Int) -> EngineError {
    EngineError(
      .constraint, "'\(names[column])' has values of several types, and a column of Parquet has one",
      hint: "convert them: cast(x as text)")
  }

  private mutating func append(
    _ value: Value, of column: Int, to chunk: inout ColumnChunk
  ) throws(EngineError) {
    switch (types[column], value) {
    case (_, .null): chunk.appendNull(definition: 0)
    case (.int64, .int(let number)): chunk.append(number)
    case (.double, .int(let number)) where Int64(exactly: Double(number)) == number:
      chunk.append(Double(number))
    case (.double, .double(let number)): chunk.append(number)
    case (.bool, .int(let number)) where number == 0 || number == 1: chunk.append(number == 1)
    case (.bytes, .data(let bytes)): chunk.append(bytes.bytes.span)
    case (.timestamp, .string(let text)):
      guard let date = Timestamp(text: text.bytes.span) else { throw misfit(column) }
      chunk.append(try losses.ticks(date, isNanoseconds: false, of: names[column]))
    case (.text, .string(let text)), (nil, .string(let text)):
      if !chunk.append(text: text.bytes.span) { losses.texts += 1 }
    default: throw misfit(column)
    }
  }
}
