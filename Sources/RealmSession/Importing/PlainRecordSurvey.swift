// The types of columns of CSV and TSV, told from records with nothing special. Layer: RealmSession, Importing.

import ByteText
import RealmEngine
import TextFormats

/// How the records of one source are looked at.
struct PlainRecordSurvey: SurveyForm {
  /// A column as an import guesses its type.
  struct Column: Sendable {
    /// Whether its type is wanted.
    let isWanted: Bool
    let dates: DateForm
    /// Whether the user said how its dates are written.
    let isDateNamed: Bool
    /// What separates the elements of lists.
    let listSeparator: [UInt8]?
    fileprivate let isISO: Bool

    init(isWanted: Bool, dates: DateForm, isDateNamed: Bool, listSeparator: [UInt8]? = nil) {
      self.isWanted = isWanted
      self.dates = dates
      self.isDateNamed = isDateNamed
      self.listSeparator = listSeparator
      isISO = dates == .iso && listSeparator == nil
    }

    /// Notes the text of a cell.
    @inline(__always)
    func note(_ text: Span<UInt8>, nulls: [[UInt8]], _ guess: inout TypeGuess) {
      if !nulls.isEmpty, nulls.contains(text) { return guess.addNull() }
      guard let listSeparator else { return guess.add(text, dates: dates, isDateNamed: isDateNamed) }
      noteElements(text, listSeparator, &guess)
    }

    private func noteElements(_ text: Span<UInt8>, _ separator: [UInt8], _ guess: inout TypeGuess) {
      var start = 0
      for index in 0...text.count
      where index >= start && (index == text.count || text.hasBytes(separator.span, at: index)) {
        guess.add(text.extracting(start..<index), dates: dates, isDateNamed: isDateNamed)
        start = index + separator.count
      }
    }
  }

  let columns: [Column]
  let nulls: [[UInt8]]
  let format: DelimitedFormat

  var columnCount: Int { columns.count }

  @_optimize(speed)
  func survey(_ bytes: Span<UInt8>, _ guesses: inout [TypeGuess]) -> Int? {
    guard format.comment == nil else { return nil }
    var scanner = PlainCellScanner(format)
    let columns = columns.span
    let hasNullTexts = !nulls.isEmpty
    var guesses = guesses.mutableSpan
    var rowCount = 0
    while scanner.position < bytes.count {
      for index in columns.indices {
        if columns[index].isISO, columns[index].isWanted, !hasNullTexts,
          let end = guesses[index].addPlain(in: bytes, from: scanner.position, before: format.separator)
        {
          scanner.pass(to: end)
          guard scanner.passEnd(isLast: index == columns.count - 1, in: bytes) else { return nil }
          continue
        }
        guard let cell = scanner.cell(in: bytes),
          scanner.passEnd(isLast: index == columns.count - 1, in: bytes)
        else { return nil }
        guard columns[index].isWanted else { continue }
        switch cell {
        case .null: guesses[index].addNull()
        case .text(let range, let isQuoted):
          if range.isEmpty, !isQuoted {
            guesses[index].addNull()
          } else {
            columns[index].note(bytes.extracting(range), nulls: nulls, &guesses[index])
          }
        case .unescaped: columns[index].note(scanner.unescaped.span, nulls: nulls, &guesses[index])
        }
      }
      rowCount += 1
    }
    return rowCount
  }
}

extension [[UInt8]] {
  /// Whether one of them has the same bytes.
  func contains(_ text: Span<UInt8>) -> Bool {
    contains { $0.count == text.count && text.hasBytes($0.span, at: 0) }
  }
}
