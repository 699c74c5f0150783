// How the fields of a text are told apart, and finding that out from its beginning. Layer: TextFormats, CSV.

import ByteText

/// The form of a text of records.
package struct DelimitedFormat: Sendable, Equatable {
  package var separator: UInt8
  /// Around fields that hold separators, line ends or quotes; twice inside, it is itself. Nil: no field is quoted.
  package var quote: UInt8?
  /// Lines that begin with it are passed over.
  package var comment: UInt8?
  /// Whether `\t \n \r \\` stand for themselves and `\N` for null; else a field of nothing is null.
  package var hasEscapes: Bool
  /// Whether the first line says what separates fields, as Excel writes it: `sep=;`.
  package var hasSeparatorLine = false

  package static let csv = DelimitedFormat(
    separator: UInt8(ascii: ","), quote: UInt8(ascii: "\""), comment: nil, hasEscapes: false)
  package static let tsv = DelimitedFormat(
    separator: UInt8(ascii: "\t"), quote: nil, comment: nil, hasEscapes: true)

  private static let separators = [",", "\t", ";", "|"].map { UInt8(ascii: $0) }
  package static let headSize = 1 << 16
  private static let recordsMax = 100

  /// What the first line of a text says that separates fields; nil where it is another line.
  package static func separatorLine(in head: [UInt8]) -> UInt8? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head.dropFirst(mark.count) : head[...]
    let word = Array("sep=".utf8)
    let rest = text.dropFirst(word.count)
    guard text.starts(with: word), let separator = rest.first,
      let end = rest.dropFirst().first, end == UInt8(ascii: "\r") || end == UInt8(ascii: "\n")
    else { return nil }
    return separator
  }

  /// The separator of a text that begins with `head`: the one that cuts its first records into equally many fields, the
  /// more the better; else the most frequent one of the first record; a comma in a text of one column. `isWhole`:
  /// nothing follows. `skipping`: so many lines before them are none.
  package func foundSeparator(in head: [UInt8], isWhole: Bool, skipping lineCount: Int) -> UInt8 {
    var best = (isEven: false, fieldCount: 1, separator: UInt8(ascii: ","))
    for separator in Self.separators where separator != quote {
      var format = self
      format.separator = separator
      let counts = format.fieldCounts(head, isWhole: isWhole, skipping: lineCount)
      guard let first = counts.first, first > 1 else { continue }
      let isEven = counts.allSatisfy { $0 == first }
      if isEven && !best.isEven || isEven == best.isEven && first > best.fieldCount {
        best = (isEven, first, separator)
      }
    }
    return best.separator
  }

  /// How many fields the first records have.
  private func fieldCounts(_ head: [UInt8], isWhole: Bool, skipping lineCount: Int) -> [Int] {
    var counts: [Int] = []
    var reader = DelimitedReader(head.span, format: self)
    guard (try? reader.skipLines(lineCount)) != nil else { return [] }
    // What does not go on like this has another form.
    while counts.count < Self.recordsMax, (try? reader.nextRecord()) ?? false {
      if !reader.isBlankLine { counts.append(reader.fieldCount) }
    }
    if !isWhole, counts.count > 1, counts.count < Self.recordsMax { counts.removeLast() }
    return counts
  }
}

extension UInt8 {
  fileprivate init(ascii text: String) { self = text.utf8.first ?? 0 }
}
