// The values of one block of rows, written column by column before they are put together row by row.
// Layer: Rendering. What a value is gets decided once a column instead of once a cell, which is most of the speed.
// Invariant: every cell of a column that was taken has its text, with the property's name before it.

import ByteText
import RealmEngine

/// The finished cells of a block's simple columns.
struct CellTexts: ~Copyable {
  private var text = ByteBuffer(capacity: 1 << 16)
  /// Where the cells begin, and after a column's last one where it ends: `rowCount + 1` numbers a column.
  private var starts: [Int] = []
  private var rowCount = 0
  private let format: ValueFormat

  init(_ format: ValueFormat) { self.format = format }

  /// Forgets the block before.
  mutating func begin(rowCount: Int) {
    text.removeAll()
    starts.removeAll(keepingCapacity: true)
    self.rowCount = rowCount
  }

  /// Appends the cell of a column that was the `column`-th to be taken.
  borrowing func append(column: Int, row: Int, to target: inout ByteBuffer) {
    let index = column &* (rowCount &+ 1) &+ row
    target.append(text.span.extracting(starts[index]..<starts[index &+ 1]))
  }

  /// Writes a column. False: its values may be large or need more than their leaf, and were not taken.
  mutating func take(_ leaf: Leaf, head: [UInt8], linkHead: [UInt8]?) throws(EngineError) -> Bool {
    let format = format
    switch leaf {
    case .integers(let leaf): try fill(head, { leaf[$0] }, { $1.append(decimal: $0) })
    case .bools(let leaf): try fill(head, { leaf[$0] }, { format.append($0, to: &$1) })
    case .doubles(let leaf): try fill(head, { leaf[$0] }, { format.append($0, to: &$1) })
    case .floats(let leaf): try fill(head, { leaf[$0] }, { format.append($0, to: &$1) })
    case .dates(let leaf): try fill(head, { leaf[$0] }, { format.append($0, to: &$1) })
    case .decimals(let leaf): try fill(head, { leaf[$0] }, { format.append($0, to: &$1) })
    case .objectIDs(let leaf): try fill(head, { leaf.objectID($0) }, { format.append($0, to: &$1) })
    case .uuids(let leaf): try fill(head, { leaf.uuid($0) }, { format.append($0, to: &$1) })
    case .strings(.short(let leaf)):
      try fill(
        head, { row throws(EngineError) in try leaf.bytes(row) }, { format.append(text: $0, to: &$1) })
    case .strings(.medium(let leaf)):
      try fill(
        head, { row throws(EngineError) in try leaf.bytes(row) }, { format.append(text: $0, to: &$1) })
    case .data(.small(let leaf)):
      try fill(
        head, { row throws(EngineError) in try leaf.bytes(row) }, { format.append(data: $0, to: &$1) })
    case .links(let leaf):
      guard let linkHead else { return false }
      // A link to an object that does not exist (yet) reads as null.
      try fill(
        head, { row in leaf[row].flatMap { $0.value >= 0 ? $0 : nil } },
        { key, text in format.append(link: key, head: linkHead, to: &text) })
    case .strings, .data, .mixed, .typedLinks, .collections, .backlinks: return false
    }
    starts.append(text.count)
    return true
  }

  /// Writes every row's cell: `head`, and `null` or what `write` makes of the value.
  @inline(__always)
  private mutating func fill<T>(
    _ head: [UInt8], _ value: (Int) throws(EngineError) -> T?, _ write: (T, inout ByteBuffer) -> Void
  ) throws(EngineError) {
    for row in 0..<rowCount {
      starts.append(text.count)
      text.append(head)
      if let value = try value(row) { write(value, &text) } else { text.append(literal: "null") }
    }
  }
}
