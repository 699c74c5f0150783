// Objects of a dump whose values are all plain, each on a line in the form that `dump` writes.
// Layer: RealmCommands, Loading. Invariant: nothing of a line is put in place unless all of it has the form; all other
// lines are read token by token.

import ByteText
import RealmEngine
import TextFormats

/// How the lines of one class look, and the values of the one that was read last.
final class PlainObjectLine {
  private enum Form { case int, bool, double, text, date }

  private struct Column {
    /// What stands before the value.
    let label: [UInt8]
    let form: Form
    let isOptional: Bool
  }

  /// What a line is like, as far as it is there.
  enum Outcome {
    /// It has the form, and so many bytes without its end.
    case whole(Int)
    /// Its end has not been read yet.
    case cut
    case different
  }

  private let opening: [UInt8]
  private let columns: [Column]
  private(set) var key: Int64 = 0
  private var isNull: [Bool]
  /// Integers, flags as 0 and 1, doubles by their bits, dates by their seconds.
  private var numbers: [Int64]
  private var nanoseconds: [Int32]
  private var texts: [Range<Int>]

  /// Longer texts may be too long, which is told of by their place.
  private static let textSizeMax = 1 << 20
  private static let null = Array("null".utf8)
  private static let yes = Array("true".utf8)
  private static let no = Array("false".utf8)
  private static let dateOpening = Array("{\"$date\":\"".utf8)
  private static let dateEnd = Array("}".utf8)
  private static let quote = Array("\"".utf8)
  private static let end = Array("}}".utf8)
  private static let lineEnd = Array("\n".utf8)

  /// Nil for a class with properties of other forms.
  init?(_ schema: ClassSchema) {
    var columns: [Column] = []
    for property in schema.properties {
      guard property.collection == nil, let form = Self.form(of: property.type) else { return nil }
      var label = ByteBuffer()
      label.append(literal: columns.isEmpty ? ",\"values\":{" : ",")
      guard label.append(jsonString: Array(property.name.utf8).span) else { return nil }
      label.append(literal: ":")
      columns.append(
        Column(label: label.bytes, form: form, isOptional: property.isOptional))
    }
    guard !columns.isEmpty else { return nil }
    var opening = ByteBuffer()
    opening.append(literal: "{\"object\":")
    guard opening.append(jsonString: Array(schema.name.utf8).span) else { return nil }
    opening.append(literal: ",\"key\":")
    self.opening = opening.bytes
    self.columns = columns
    isNull = Array(repeating: false, count: columns.count)
    numbers = Array(repeating: 0, count: columns.count)
    nanoseconds = Array(repeating: 0, count: columns.count)
    texts = Array(repeating: 0..<0, count: columns.count)
  }

  private static func form(of type: ValueType) -> Form? {
    switch type {
    case .int: .int
    case .bool: .bool
    case .double: .double
    case .string: .text
    case .date: .date
    default: nil
    }
  }

  /// Reads the line that `bytes` begin with.
  func scan(_ bytes: Span<UInt8>) -> Outcome {
    var scanner = JSONLineScanner()
    if scan(bytes, &scanner) { return .whole(scanner.position) }
    return scanner.isCut ? .cut : .different
  }

  private func scan(_ bytes: Span<UInt8>, _ scanner: inout JSONLineScanner) -> Bool {
    guard scanner.skip(opening, in: bytes), let key = scanner.integer(in: bytes) else { return false }
    self.key = key
    for index in columns.indices {
      guard scanner.skip(columns[index].label, in: bytes) else { return false }
      if columns[index].isOptional {
        isNull[index] = scanner.skip(Self.null, in: bytes)
        if isNull[index] { continue }
      }
      guard scanValue(index, bytes, &scanner) else { return false }
    }
    guard scanner.skip(Self.end, in: bytes) else { return false }
    // A line that ends otherwise is the reader's to judge.
    var behind = scanner
    guard behind.skip(Self.lineEnd, in: bytes) else {
      scanner = behind
      return false
    }
    return true
  }

  private func scanValue(_ index: Int, _ bytes: Span<UInt8>, _ scanner: inout JSONLineScanner) -> Bool {
    switch columns[index].form {
    case .int:
      guard let number = scanner.integer(in: bytes) else { return false }
      numbers[index] = number
    case .bool:
      let isTrue = scanner.skip(Self.yes, in: bytes)
      guard isTrue || scanner.skip(Self.no, in: bytes) else { return false }
      numbers[index] = isTrue ? 1 : 0
    case .double:
      guard let number = scanner.double(in: bytes) else { return false }
      numbers[index] = Int64(bitPattern: number.bitPattern)
    case .text:
      guard scanner.skip(Self.quote, in: bytes), let text = scanner.text(in: bytes),
        text.count <= Self.textSizeMax
      else { return false }
      texts[index] = text
    case .date:
      guard scanner.skip(Self.dateOpening, in: bytes), let text = scanner.text(in: bytes),
        let date = Timestamp(text: bytes.extracting(text)), scanner.skip(Self.dateEnd, in: bytes)
      else { return false }
      numbers[index] = date.seconds
      nanoseconds[index] = date.nanoseconds
    }
    return true
  }

  /// Adds the object of the line that was read; `bytes` are those that it was read from.
  func put(_ bytes: Span<UInt8>, into rows: BulkTable) throws(EngineError) {
    try rows.beginObject(key: ObjectKey(key))
    // What is null gets its default, which is null.
    for index in columns.indices where !isNull[index] {
      switch columns[index].form {
      case .int: try rows.put(index, int: numbers[index])
      case .bool: try rows.put(index, bool: numbers[index] != 0)
      case .double: try rows.put(index, double: Double(bitPattern: UInt64(bitPattern: numbers[index])))
      case .text: try rows.put(index, text: bytes.extracting(texts[index]))
      case .date:
        try rows.put(index, date: Timestamp(seconds: numbers[index], nanoseconds: nanoseconds[index]))
      }
    }
    try rows.endObject()
  }
}
