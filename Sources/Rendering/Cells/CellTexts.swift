// The values of some rows, written column by column before they are put together row by row.
// Layer: Rendering, Cells. What a value is gets decided once a leaf instead of once a cell, which is most of the speed.
// Invariant: every column that was ended has a text for each row.

import ByteText
import RealmEngine

/// The finished cells of some rows' columns.
struct CellTexts<Format: CellFormat>: ~Copyable {
  private(set) var text = ByteBuffer(capacity: 1 << 16)
  /// Where the cells begin, and after a column's last one where it ends: `rowCount + 1` numbers a column.
  private(set) var starts: [Int] = []
  /// Texts that were not valid UTF-8 and do not show all of their bytes.
  private(set) var repairedCount = 0
  private var rowCount = 0
  private let format: Format
  private var integers: [Int64] = []
  private var doubles: [Double] = []

  init(_ format: Format) { self.format = format }

  /// Forgets the rows before.
  mutating func begin(rowCount: Int) {
    text.removeAll()
    starts.removeAll(keepingCapacity: true)
    self.rowCount = rowCount
  }

  /// Ends a column of which all rows were taken.
  mutating func endColumn() { starts.append(text.count) }

  /// Appends the cell of a column that was the `column`-th to be taken.
  borrowing func append(column: Int, row: Int, to target: inout ByteBuffer) {
    let index = column &* (rowCount &+ 1) &+ row
    target.append(text.span.extracting(starts[index]..<starts[index &+ 1]))
  }

  /// Appends all rows, when every column was taken: each cell behind its separator, the last one behind the row.
  mutating func appendRows(separators: borrowing Separators, to target: inout ByteBuffer) {
    text.reserveSlack()
    target.append(
      rows: rowCount, of: text, starts: starts.span, separators: separators.text,
      separatorEnds: separators.ends.span)
  }

  /// Appends where each row ends when `appendRows` appends them to a text of `size` bytes.
  borrowing func appendRowEnds(separators: borrowing Separators, from size: Int, to ends: inout [Int]) {
    var end = size
    for row in 0..<rowCount {
      end += separators.text.count
      for column in stride(from: row, to: starts.count, by: rowCount + 1) {
        end += starts[column + 1] - starts[column]
      }
      ends.append(end)
    }
  }

  /// Writes keys.
  mutating func take(keys: [Int64]) {
    text.append(decimals: keys, absentValue: nil, absentText: [], starts: &starts)
  }

  /// Writes values, one a row; false, with nothing written, where one needs more than itself or all cells would be too long.
  mutating func take(_ values: [Value], sizeMax: Int) -> Bool {
    let (size, startCount) = (text.count, starts.count)
    var repairedCount = 0
    for value in values {
      starts.append(text.count)
      guard let isWhole = format.append(single: value, to: &text), text.count <= sizeMax else {
        text.truncate(to: size)
        starts.removeLast(starts.count - startCount)
        return false
      }
      if !isWhole { repairedCount += 1 }
    }
    self.repairedCount += repairedCount
    return true
  }

  /// Writes rows of a leaf that `hasSmallCells`. Links are written with `linkHead` before their keys.
  mutating func take(_ leaf: Leaf, _ rows: borrowing Span<Int32>, linkHead: [UInt8]?) throws(EngineError) {
    let format = format
    switch leaf {
    case .integers(let leaf):
      leaf.values.gather(rows, into: &integers)
      text.append(
        decimals: integers, absentValue: leaf.nullSentinel, absentText: format.nullText, starts: &starts)
    case .doubles(let leaf):
      if leaf.gather(rows, into: &doubles) {
        if !format.keepsNegativeZero {
          for index in doubles.indices where doubles[index] == 0 { doubles[index] = 0 }
        }
        text.append(
          shortest: doubles, absentBits: leaf.nullBits, absentText: format.nullText, starts: &starts)
      } else {
        try fill(rows, { leaf[$0] }, { format.append($0, to: &$1) })
      }
    case .bools(let leaf): try fill(rows, { leaf[$0] }, { format.append($0, to: &$1) })
    case .floats(let leaf): try fill(rows, { leaf[$0] }, { format.append($0, to: &$1) })
    case .dates(let leaf): try fill(rows, { leaf[$0] }, { format.append($0, to: &$1) })
    case .decimals(let leaf): try fill(rows, { leaf[$0] }, { format.append($0, to: &$1) })
    case .objectIDs(let leaf): try fill(rows, { leaf.objectID($0) }, { format.append($0, to: &$1) })
    case .uuids(let leaf): try fill(rows, { leaf.uuid($0) }, { format.append($0, to: &$1) })
    case .strings(.short(let leaf)):
      try fillTexts(rows) { row throws(EngineError) in try leaf.bytes(row) }
    case .strings(.medium(let leaf)):
      try fillTexts(rows) { row throws(EngineError) in try leaf.bytes(row) }
    case .data(.small(let leaf)):
      try fill(
        rows, { row throws(EngineError) in try leaf.bytes(row) }, { format.append(data: $0, to: &$1) })
    case .links(let leaf):
      let head = linkHead ?? []
      // A link to an object that does not exist (yet) reads as null.
      try fill(
        rows, leaf.existing,
        { key, text in
          text.append(head)
          text.append(decimal: key.value)
          text.append(UInt8(ascii: "}"), UInt8(ascii: "}"))
        })
    case .strings, .data, .mixed, .typedLinks, .collections, .backlinks:
      preconditionFailure("only columns that can be taken are")
    }
  }

  private mutating func fillTexts(
    _ rows: borrowing Span<Int32>, _ value: (Int) throws(EngineError) -> RawBytes?
  ) throws(EngineError) {
    let format = format
    var repairedCount = 0
    try fill(rows, value) { if !format.append(text: $0, to: &$1) { repairedCount += 1 } }
    self.repairedCount += repairedCount
  }

  /// Writes each row's cell: null, or what `write` makes of the value.
  @inline(__always)
  private mutating func fill<T>(
    _ rows: borrowing Span<Int32>, _ value: (Int) throws(EngineError) -> T?,
    _ write: (T, inout ByteBuffer) -> Void
  ) throws(EngineError) {
    let nullText = format.nullText
    try rows.forEachRow { row throws(EngineError) in
      starts.append(text.count)
      if let value = try value(row) { write(value, &text) } else { text.append(nullText) }
    }
  }
}

extension Leaf {
  /// Whether `CellTexts` can write the column: its values are small and need nothing but their leaf.
  func hasSmallCells(hasLinkHead: Bool) -> Bool {
    switch self {
    case .strings(.short), .strings(.medium), .data(.small): true
    case .strings, .data, .mixed, .typedLinks, .collections, .backlinks: false
    case .links: hasLinkHead
    default: true
    }
  }
}
