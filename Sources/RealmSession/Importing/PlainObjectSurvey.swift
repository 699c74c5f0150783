// The types of keys of JSON Lines, told from objects that have the keys of the first one. Layer: RealmSession, Importing.

import ByteText
import RealmEngine
import TextFormats

/// How the lines of one source are looked at.
struct PlainObjectSurvey: SurveyForm {
  /// What stands before each value and behind the last one, and the words that are values.
  private let literals: [UInt8]
  private let labels: [Range<Int>]
  private let lineEnd: Range<Int>
  private let dates: [DateForm]
  /// The keys, in their order.
  let names: [String]

  var columnCount: Int { names.count }

  /// The form of lines like `line`, an object with its line end; nil where a value is not plain or a key comes twice.
  init?(like line: Span<UInt8>, _ options: ImportOptions) {
    var literals = LineLiterals()
    var scanner = ObjectLineScanner(line)
    var labels: [Range<Int>] = []
    var names: [String] = []
    while let (label, range) = scanner.nextLabel() {
      let key = line.extracting(range)
      guard key.firstIndex(of: UInt8(ascii: "\\"), from: 0) == nil, firstInvalidUTF8Index(in: key) == nil
      else {
        return nil
      }
      labels.append(literals.add(label.map { line[$0] }))
      names.append(key.string)
    }
    guard let end = scanner.end, !names.isEmpty, Set(names).count == names.count else { return nil }
    lineEnd = literals.add(end.map { line[$0] })
    self.literals = literals.bytes
    self.labels = labels
    self.names = names
    dates = names.map(options.dateForm)
  }

  @_optimize(speed)
  func survey(_ bytes: Span<UInt8>, _ guesses: inout [JSONTypeGuess]) -> Int? {
    let (literals, labels, dates) = (literals.span, labels.span, dates.span)
    var guesses = guesses.mutableSpan
    var scanner = JSONLineScanner()
    var rowCount = 0
    while scanner.position < bytes.count {
      for index in labels.indices {
        guard scanner.skip(literals.extracting(labels[index]), in: bytes),
          note(&guesses[index], dates[index], &scanner, literals, in: bytes)
        else { return nil }
      }
      guard scanner.skip(literals.extracting(lineEnd), in: bytes) else { return nil }
      rowCount += 1
    }
    return rowCount
  }

  @inline(__always)
  private func note(
    _ guess: inout JSONTypeGuess, _ dates: DateForm, _ scanner: inout JSONLineScanner,
    _ literals: Span<UInt8>, in bytes: Span<UInt8>
  ) -> Bool {
    guard scanner.position < bytes.count else { return false }
    switch bytes[scanner.position] {
    case UInt8(ascii: "\""):
      scanner.pass(1)
      return noteText(&guess, dates, &scanner, in: bytes)
    case UInt8(ascii: "n"):
      guess.addNull()
      return scanner.skip(literals.extracting(LineLiterals.null), in: bytes)
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guess.addBool()
      return scanner.skip(literals.extracting(LineLiterals.yes), in: bytes)
        || scanner.skip(literals.extracting(LineLiterals.no), in: bytes)
    default:
      if case .iso = dates, let number = ShortNumber(in: bytes, from: scanner.position),
        number.end < bytes.count, bytes[number.end] | 0x20 != UInt8(ascii: "e")
      {
        guess.add(number)
        scanner.pass(number.end - scanner.position)
        return true
      }
      guard let text = scanner.number(in: bytes) else { return false }
      guess.add(number: bytes.extracting(text), dates: dates)
      return true
    }
  }

  @inline(__always)
  private func noteText(
    _ guess: inout JSONTypeGuess, _ dates: DateForm, _ scanner: inout JSONLineScanner, in bytes: Span<UInt8>
  ) -> Bool {
    let start = scanner.position
    if case .iso = dates, let end = guess.addPlain(textIn: bytes, from: start) {
      scanner.pass(end + 1 - start)
      return bytes[end] == UInt8(ascii: "\"")
    }
    if let text = scanner.text(in: bytes) {
      guess.add(text: bytes.extracting(text), dates: dates)
      return text.count <= plainTextSizeMax
    }
    guard let reader = scanner.escapedText(in: bytes, sizeMax: plainTextSizeMax) else { return false }
    guess.add(text: reader.text, dates: dates)
    return true
  }
}
