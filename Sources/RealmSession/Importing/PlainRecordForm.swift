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
  /// Types that were told from the first records, which the others have to agree with.
  private let forecast: [TypeGuess]?
  private let dates: [DateForm]
  private let nulls: [[UInt8]]
  private let format: DelimitedFormat

  /// Nil for a class with properties of other forms.
  init?(
    _ plan: ColumnPlan, _ header: [String], _ format: DelimitedFormat, _ options: ImportOptions,
    _ forecast: [TypeGuess]?
  ) {
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
    self.forecast = forecast
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
    default: type.jsonForm == nil ? nil : .other
    }
  }

  /// Of the words that tell a column of bools: `true`.
  private static let boolSizeMin = 4

  @_optimize(speed)
  func fill(_ block: BulkBlock, from bytes: Span<UInt8>) -> Bool {
    var scanner = PlainCellScanner(format)
    let columns = columns.span
    var key: Int64 = 0
    while !block.isFull {
      let isAdded = block.addRow(key) { () throws(EngineError) in
        for index in columns.indices {
          guard try scan(columns[index], index, in: bytes, &scanner, into: block),
            scanner.passEnd(isLast: index == columns.count - 1, in: bytes)
          else { return false }
        }
        return true
      }
      guard isAdded else { return false }
      key += 1
    }
    return scanner.position == bytes.count
  }

  /// Reads a cell and leaves the scanner behind it.
  @inline(__always)
  private func scan(
    _ column: Column, _ index: Int, in bytes: Span<UInt8>, _ scanner: inout PlainCellScanner,
    into block: BulkBlock
  ) throws(EngineError) -> Bool {
    switch scanner.cell(in: bytes) {
    case nil: return false
    case .null?: return try putNull(column, into: block)
    case .text(let range, let isQuoted)?:
      return try put(bytes.extracting(range), isQuoted: isQuoted, column, index, into: block)
    case .unescaped?:
      return try put(scanner.unescaped.span, isQuoted: true, column, index, into: block)
    }
  }

  private func putNull(_ column: Column, into block: BulkBlock) throws(EngineError) -> Bool {
    if column.kind == .ignored { return true }
    if column.isOptional { try block.putNull(column.property) }
    return column.isOptional
  }

  private func put(
    _ text: Span<UInt8>, isQuoted: Bool, _ column: Column, _ index: Int, into block: BulkBlock
  ) throws(EngineError) -> Bool {
    if column.kind == .ignored { return true }
    if text.isEmpty, !isQuoted || column.kind != .text && column.type != .data {
      return forecast == nil || !isQuoted ? try putNull(column, into: block) : false
    }
    if !nulls.isEmpty, nulls.contains(text) { return try putNull(column, into: block) }
    switch column.kind {
    case .ignored: return true
    case .text:
      try block.put(column.property, text: text)
      return true
    case .int:
      guard let number = Int64(decimalText: text), forecast == nil || text.isPlainInteger else { break }
      try block.put(column.property, int: number)
      return true
    case .double:
      guard let number = Double(decimalText: text), forecast == nil || text.isPlainDouble else { break }
      try block.put(column.property, double: number)
      return true
    case .bool:
      guard let flag = CellConverter.bool(text), forecast == nil || text.count >= Self.boolSizeMin else {
        break
      }
      try block.put(column.property, bool: flag)
      return true
    case .other: break
    }
    if let forecast, !forecast[index].agrees(with: text) { return false }
    let trimmed = text.trimmingBlanks
    guard !trimmed.isEmpty || column.type == .data,
      let value = CellConverter.value(trimmed, as: column.type, dates[index])
    else { return false }
    try block.put(column.property, value)
    return true
  }
}
