// Listeners of an import between its source and its user. Layer: RealmSession, Importing.

extension ImportFault {
  /// With the row of SQLite that it is in: nobody sees the lines that are made of these.
  package func naming(rowOf source: ImportSource) -> ImportFault {
    guard let place = location.flatMap({ source.row?($0.line) }) else { return self }
    return ImportFault("\(place)\(path.isEmpty ? "" : ", \(path)"): \(message)", hint: hint)
  }
}

/// Hears of nothing.
final class NoListener: ImportListener {
  func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws {}
  func begin(columns: Span<UInt8>, separator: UInt8) {}
  func progress(rowCount: Int, byteCount: Int) {}
}

/// Hears of rows of SQLite by their numbers.
final class RowListener: ImportListener {
  private let listener: any ImportListener
  private let source: ImportSource

  init(_ listener: any ImportListener, _ source: ImportSource) {
    self.listener = listener
    self.source = source
  }

  func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws {
    try listener.reject(row, fault.naming(rowOf: source))
  }

  func begin(columns: Span<UInt8>, separator: UInt8) {
    listener.begin(columns: columns, separator: separator)
  }

  func progress(rowCount: Int, byteCount: Int) {
    listener.progress(rowCount: rowCount, byteCount: byteCount)
  }
}
