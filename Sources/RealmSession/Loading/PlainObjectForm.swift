// Objects whose values are all plain, each on a line: of a dump, or in the form of a first line of JSON Lines.
// Layer: RealmSession, Loading. Invariant: nothing of a line is put in place unless all of it has the form; all other
// lines are read token by token.

import ByteText
import RealmEngine
import TextFormats

/// What is known of the values of a key from objects before, with which others have to agree.
protocol ValueForecast: Sendable {
  func agrees(withNumber text: Span<UInt8>) -> Bool
  func agrees(withQuoted text: Span<UInt8>) -> Bool
}

/// How the lines of one class look.
struct PlainObjectForm: RowForm {
  private enum Kind {
    case int, bool, double, text, float
    /// A text from which `Value.spelled` makes the value.
    case quoted(ValueType)

    var isQuoted: Bool {
      switch self {
      case .text, .quoted: true
      case .int, .bool, .double, .float: false
      }
    }
  }

  private struct Column {
    /// What stands before the value, as a part of the literals.
    let label: Range<Int>
    let kind: Kind
    /// What announces the value's type, and its quote; where the value may be null, else it belongs to the label.
    let word: Range<Int>
    /// Behind the value: the brace of what announced it.
    let end: Range<Int>
    let isOptional: Bool
    let property: Int
  }

  /// Why no more lines were taken.
  enum End {
    /// The block is full.
    case full
    /// The bytes end, perhaps within a line.
    case cut
    /// The next line has not the form.
    case different
  }

  private let literals: [UInt8]
  private let columns: [Column]
  /// Of each column; none where types were not foretold.
  private let forecasts: [any ValueForecast]
  private let opening: Range<Int>
  private let lineEnd: Range<Int>
  /// Whether objects come with their keys.
  private let hasKeys: Bool

  /// The form of a dump; nil for a class with properties of other forms.
  init?(_ schema: ClassSchema) {
    var literals = LineLiterals()
    var columns: [Column] = []
    for (index, property) in schema.properties.enumerated() {
      guard property.collection == nil, let kind = Self.kind(of: property.type) else { return nil }
      var label = ByteBuffer()
      label.append(literal: columns.isEmpty ? ",\"values\":{" : ",")
      guard label.append(jsonString: Array(property.name.utf8).span) else { return nil }
      label.append(literal: ":")
      // JSON tells doubles and texts from other values by itself.
      let tag = [.double, .string].contains(property.type) ? nil : property.type.jsonTag
      columns.append(Self.column(label.bytes, kind, tag, property, index, &literals))
    }
    guard !columns.isEmpty else { return nil }
    var opening = ByteBuffer()
    opening.append(literal: "{\"object\":")
    guard opening.append(jsonString: Array(schema.name.utf8).span) else { return nil }
    opening.append(literal: ",\"key\":")
    self.init(columns, literals, opening: opening.bytes, lineEnd: Array("}}\n".utf8), hasKeys: true)
  }

  /// The form of lines like `line`, an object with its line end: what stands between its values stands between those of the
  /// others. Nil where a value is not plain, or a property is missing that each object must have. `forecast`: what values have
  /// to agree with.
  init?(
    of schema: ClassSchema, like line: Span<UInt8>,
    _ forecast: (String) -> (any ValueForecast)? = { _ in nil }
  ) {
    var literals = LineLiterals()
    var columns: [Column] = []
    var forecasts: [any ValueForecast] = []
    var scanner = ObjectLineScanner(line)
    while let (label, key) = scanner.nextLabel() {
      guard let index = schema.propertyIndex(named: line.extracting(key), expected: columns.count),
        case let property = schema.properties[index], property.collection == nil,
        let kind = Self.kind(of: property.type), !columns.contains(where: { $0.property == index })
      else { return nil }
      columns.append(Self.column(label.map { line[$0] }, kind, nil, property, index, &literals))
      if let known = forecast(property.name) { forecasts.append(known) }
    }
    guard let end = scanner.end, !columns.isEmpty else { return nil }
    let given = Set(columns.map(\.property))
    for (index, property) in schema.properties.enumerated()
    where property.needsValue(in: schema) && !given.contains(index) {
      return nil
    }
    guard forecasts.isEmpty || forecasts.count == columns.count else { return nil }
    self.init(columns, literals, opening: [], lineEnd: end.map { line[$0] }, hasKeys: false, forecasts)
  }

  private init(
    _ columns: [Column], _ known: LineLiterals, opening: [UInt8], lineEnd: [UInt8], hasKeys: Bool,
    _ forecasts: [any ValueForecast] = []
  ) {
    self.forecasts = forecasts
    var literals = known
    self.opening = literals.add(opening)
    self.lineEnd = literals.add(lineEnd)
    self.literals = literals.bytes
    self.columns = columns
    self.hasKeys = hasKeys
  }

  /// A column with what stands before and behind its values.
  private static func column(
    _ label: [UInt8], _ kind: Kind, _ tag: String?, _ property: Property, _ index: Int,
    _ literals: inout LineLiterals
  ) -> Column {
    let opening = Array(((tag.map { "{\"$\($0)\":" } ?? "") + (kind.isQuoted ? "\"" : "")).utf8)
    let isOptional = property.isOptional
    return Column(
      label: literals.add(isOptional ? label : label + opening), kind: kind,
      word: literals.add(isOptional ? opening : []), end: literals.add((tag == nil ? "" : "}").utf8),
      isOptional: isOptional, property: index)
  }

  private static func kind(of type: ValueType) -> Kind? {
    switch type {
    case .int: .int
    case .bool: .bool
    case .double: .double
    case .string: .text
    case .float: .float
    default: type.jsonForm == .quoted ? .quoted(type) : nil
    }
  }

  /// Adds the objects of the lines that `bytes` begin with to a block, as long as it is not full and their keys rise from
  /// `key` on. `size`: bytes of the lines that were taken, their ends included.
  func fill(
    _ block: BulkBlock, above key: Int64, from bytes: Span<UInt8>
  ) -> (size: Int, lineCount: Int, end: End) {
    let literals = literals.span
    let opening = literals.extracting(self.opening)
    var scanner = JSONLineScanner()
    var lineCount = 0
    var last = key
    while !block.isFull {
      let start = scanner.position
      guard scanner.skip(opening, in: bytes), let key = hasKeys ? scanner.integer(in: bytes) : last + 1,
        key > last,
        block.addRow(
          key, { () throws(EngineError) in try scanValues(&scanner, literals, in: bytes, into: block) })
      else { return (start, lineCount, scanner.isCut ? .cut : .different) }
      last = key
      lineCount += 1
    }
    return (scanner.position, lineCount, .full)
  }

  /// Fills a block with objects that have no keys of their own.
  func fill(_ block: BulkBlock, from bytes: Span<UInt8>) -> Bool {
    precondition(!hasKeys)
    let (size, _, end) = fill(block, above: -1, from: bytes)
    return end == .full && size == bytes.count
  }

  private func scanValues(
    _ scanner: inout JSONLineScanner, _ literals: Span<UInt8>, in bytes: Span<UInt8>, into block: BulkBlock
  ) throws(EngineError) -> Bool {
    let columns = columns.span
    for index in columns.indices {
      let column = columns[index]
      guard scanner.skip(literals.extracting(column.label), in: bytes) else { return false }
      if column.isOptional, scanner.skip(literals.extracting(LineLiterals.null), in: bytes) {
        try block.putNull(column.property)
        continue
      }
      guard column.word.isEmpty || scanner.skip(literals.extracting(column.word), in: bytes),
        try scanValue(column, index, &scanner, literals, in: bytes, into: block),
        column.end.isEmpty || scanner.skip(literals.extracting(column.end), in: bytes)
      else { return false }
    }
    return scanner.skip(literals.extracting(lineEnd), in: bytes)
  }

  private func scanValue(
    _ column: Column, _ position: Int, _ scanner: inout JSONLineScanner, _ literals: Span<UInt8>,
    in bytes: Span<UInt8>,
    into block: BulkBlock
  ) throws(EngineError) -> Bool {
    let index = column.property
    switch column.kind {
    case .int:
      guard let number = scanner.integer(in: bytes) else { return false }
      try block.put(index, int: number)
    case .bool:
      let isTrue = scanner.skip(literals.extracting(LineLiterals.yes), in: bytes)
      guard isTrue || scanner.skip(literals.extracting(LineLiterals.no), in: bytes) else { return false }
      try block.put(index, bool: isTrue)
    case .double:
      let start = scanner.position
      guard let number = scanner.double(in: bytes),
        forecasts.isEmpty
          || forecasts[position].agrees(withNumber: bytes.extracting(start..<scanner.position))
      else { return false }
      try block.put(index, double: number)
    case .text:
      return try scanText(index, &scanner, in: bytes, into: block)
    case .float:
      guard let text = scanner.number(in: bytes),
        let value = Value.spelled(bytes.extracting(text), isQuoted: false, as: .float)
      else { return false }
      try block.put(index, value)
    case .quoted(let type):
      guard let text = scanner.text(in: bytes), text.count <= plainTextSizeMax,
        forecasts.isEmpty || forecasts[position].agrees(withQuoted: bytes.extracting(text)),
        let value = Value.spelled(bytes.extracting(text), isQuoted: true, as: type)
      else { return false }
      try block.put(index, value)
    }
    return true
  }

  /// The text behind a quote.
  private func scanText(
    _ index: Int, _ scanner: inout JSONLineScanner, in bytes: Span<UInt8>, into block: BulkBlock
  ) throws(EngineError) -> Bool {
    if let text = scanner.text(in: bytes) {
      guard text.count <= plainTextSizeMax else { return false }
      try block.put(index, text: bytes.extracting(text))
      return true
    }
    guard let reader = scanner.escapedText(in: bytes, sizeMax: plainTextSizeMax) else { return false }
    try block.put(index, text: reader.text)
    return true
  }
}
