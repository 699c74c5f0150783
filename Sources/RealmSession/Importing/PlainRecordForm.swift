// Records of CSV and TSV whose cells are plain values, read without a record in between. Layer: RealmSession, Importing.
// Invariant: what is taken is what the cells would be one by one.

import ByteText
import RealmEngine
import TextFormats

/// How the records of one source look.
struct PlainRecordForm: RowForm {
  private enum Kind { case ignored, int, bool, double, text, other }

  /// Without references, which threads would count together.
  private struct Column {
    var kind: Kind
    var property: Int
    var isOptional: Bool
    var type: ValueType
  }

  private let columns: [Column]
  private let dates: [DateForm]
  private let nulls: [[UInt8]]
  private let format: DelimitedFormat

  /// Longer texts may be too long, which is told of by their place.
  private static let textSizeMax = 1 << 20

  /// Nil for a class with properties of other forms.
  init?(_ plan: ColumnPlan, _ header: [String], _ format: DelimitedFormat, _ options: ImportOptions) {
    guard plan.keyColumn == nil, plan.missing == nil, format.comment == nil else { return nil }
    var columns = [Column](
      repeating: Column(kind: .ignored, property: 0, isOptional: true, type: .int), count: header.count)
    for (name, source) in plan.sources {
      guard case .cell(let index, let converter) = source,
        let property = plan.schema.propertyIndex(named: name), converter.property.collection == nil,
        let kind = Self.kind(of: converter.property.type)
      else { return nil }
      columns[index] = Column(
        kind: kind, property: property, isOptional: converter.property.isOptional,
        type: converter.property.type)
    }
    self.columns = columns
    dates = header.map(options.dateForm)
    nulls = options.nulls
    self.format = format
  }

  private static func kind(of type: ValueType) -> Kind? {
    switch type {
    case .int: .int
    case .bool: .bool
    case .double: .double
    case .string: .text
    case .float, .date, .decimal128, .data, .objectID, .uuid: .other
    case .mixed, .object, .typedLink, .backlink: nil
    }
  }

  func fill(_ block: BulkBlock, from bytes: Span<UInt8>) -> Bool {
    var position = 0
    var unescaped = ByteBuffer(capacity: 256)
    let columns = columns.span
    var key: Int64 = 0
    while !block.isFull {
      let isAdded = block.addRow(key) { () throws(EngineError) in
        for index in columns.indices {
          guard try scan(columns[index], index, in: bytes, &position, &unescaped, into: block) else {
            return false
          }
          let isLast = index == columns.count - 1
          guard position < bytes.count, isLast || bytes[position] == format.separator else { return false }
          if !isLast { position &+= 1 }
        }
        if bytes[position] == UInt8(ascii: "\r") { position &+= 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\n") else { return false }
        position &+= 1
        return true
      }
      guard isAdded else { return false }
      key += 1
    }
    return position == bytes.count
  }

  /// Reads a cell and leaves the place behind it.
  private func scan(
    _ column: Column, _ index: Int, in bytes: Span<UInt8>, _ position: inout Int,
    _ unescaped: inout ByteBuffer, into block: BulkBlock
  ) throws(EngineError) -> Bool {
    guard position < bytes.count else { return false }
    if let quote = format.quote, bytes[position] == quote {
      guard let range = quotedText(quote, in: bytes, &position, &unescaped) else { return false }
      guard range.isEmpty, !unescaped.isEmpty else {
        return try put(bytes.extracting(range), isQuoted: true, column, index, into: block)
      }
      return try put(unescaped.span, isQuoted: true, column, index, into: block)
    }
    let start = position
    var union: UInt8 = 0
    var end = start
    let escape: UInt8 = format.hasEscapes ? UInt8(ascii: "\\") : 0x0A
    while end < bytes.count, case let byte = bytes[end], byte != format.separator, byte != 0x0A, byte != 0x0D,
      byte != escape
    {
      union |= byte
      end &+= 1
    }
    if format.hasEscapes, end == start, end + 2 < bytes.count, bytes[end] == escape,
      bytes[end + 1] == UInt8(ascii: "N"), case let next = bytes[end + 2],
      next == format.separator || next == 0x0A || next == 0x0D
    {
      position = end + 2
      return column.isOptional || column.kind == .ignored
    }
    // A backslash stands for something else.
    guard end < bytes.count, !format.hasEscapes || bytes[end] != escape else { return false }
    position = end
    let text = bytes.extracting(start..<end)
    guard union < 0x80 || firstInvalidUTF8Index(in: text) == nil else { return false }
    return try put(text, isQuoted: format.hasEscapes, column, index, into: block)
  }

  /// The text of a quoted cell; where it holds quotes, it is in `unescaped` and the range is empty. Nil where it goes on behind
  /// the closing quote.
  private func quotedText(
    _ quote: UInt8, in bytes: Span<UInt8>, _ position: inout Int, _ unescaped: inout ByteBuffer
  ) -> Range<Int>? {
    unescaped.removeAll()
    var start = position + 1
    while let end = bytes.firstIndex(of: quote, from: start), end + 1 < bytes.count {
      let part = bytes.extracting(start..<end)
      guard firstInvalidUTF8Index(in: part) == nil else { return nil }
      let next = bytes[end + 1]
      if next == quote {
        unescaped.append(part)
        unescaped.append(quote)
        start = end + 2
        continue
      }
      guard next == format.separator || next == 0x0A || next == 0x0D else { return nil }
      position = end + 1
      if unescaped.isEmpty { return start..<end }
      unescaped.append(part)
      return end..<end
    }
    return nil
  }

  private func put(
    _ text: Span<UInt8>, isQuoted: Bool, _ column: Column, _ index: Int, into block: BulkBlock
  ) throws(EngineError) -> Bool {
    if column.kind == .ignored { return true }
    // What is null gets its default, which is null.
    if text.isEmpty, !isQuoted || column.kind != .text && column.type != .data { return column.isOptional }
    if !nulls.isEmpty, isNull(text) { return column.isOptional }
    switch column.kind {
    case .ignored: return true
    case .text:
      guard text.count <= Self.textSizeMax else { return false }
      try block.put(column.property, text: text)
      return true
    case .int:
      guard let number = Int64(decimalText: text) else { break }
      try block.put(column.property, int: number)
      return true
    case .double:
      guard let number = Double(decimalText: text) else { break }
      try block.put(column.property, double: number)
      return true
    case .bool, .other: break
    }
    let trimmed = text.trimmingBlanks
    guard !trimmed.isEmpty || column.type == .data, trimmed.count <= Self.textSizeMax,
      let value = CellConverter.value(trimmed, as: column.type, dates[index])
    else { return false }
    try block.put(column.property, value)
    return true
  }

  private func isNull(_ text: Span<UInt8>) -> Bool {
    nulls.contains { null in
      null.count == text.count && text.indices.allSatisfy { null[$0] == text[$0] }
    }
  }
}
