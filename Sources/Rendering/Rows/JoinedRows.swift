// Rows of many realms as one table: their columns, and what stands around and between the parts.
// Layer: Rendering, Rows.

import ByteText
package import RealmEngine

/// Where the cells of a part stand in rows of the whole.
struct SegmentColumns {
  /// Of the whole, the source first.
  let names: [String]
  private let source: SelectedCell
  /// For each column behind the source the cell of the part; nil where it has none.
  private let cells: [Int?]

  init(_ part: ResultSegment, _ own: [String]) {
    let columns = part.columns ?? own
    names = [ResultSegment.sourceName(part.source.name, beside: columns)] + columns
    source = .value(.string(ByteString(part.source.value)), hasTypedLinks: false)
    guard part.columns != nil else {
      cells = Array(own.indices)
      return
    }
    let places = Dictionary(own.enumerated().map { ($1, $0) }) { first, _ in first }
    cells = columns.map { places[$0] }
  }

  func arranged(_ row: [SelectedCell]) -> [SelectedCell] {
    [source] + cells.map { $0.map { row[$0] } ?? .value(.null, hasTypedLinks: false) }
  }
}

extension RenderSpec {
  /// The columns of rows of `table`; `chosen` nil: all properties.
  func columns(of table: Table, _ chosen: [SelectedColumn]?) -> [SelectedColumn] {
    let own = chosen ?? SelectedColumn.all(of: table)
    guard let part else { return own }
    func constant(_ name: String, _ value: Value) -> SelectedColumn {
      SelectedColumn(name: name, source: .operand(.constant(value), hasTypedLinks: false))
    }
    let name = ResultSegment.sourceName(part.source.name, beside: part.columns ?? own.map(\.name))
    let source = constant(name, .string(ByteString(part.source.value)))
    guard chosen == nil, let names = part.columns else { return [source] + own }
    let places = Dictionary(own.map { ($0.name, $0) }) { first, _ in first }
    return [source] + names.map { places[$0] ?? constant($0, .null) }
  }
}

/// Writes parts one behind the other.
package struct JoinedRows {
  private let spec: RenderSpec
  private var aligned: AlignedRows?
  /// Nil while no part has begun.
  private var names: [String]?
  private var hasRows = false
  package private(set) var rowCount = 0

  /// `spec`: of the whole, so without a part.
  package init(_ spec: RenderSpec) { self.spec = spec }

  /// What stands before the rows of a part that has some.
  package mutating func begin(_ part: ResultSegment, to out: inout OutputBuffer) {
    if names == nil {
      names = part.names
      RowHead(spec, part.names).write(to: &out.text)
      if spec.mode.isAligned { aligned = AlignedRows(spec, names: part.names) }
    }
    guard hasRows else {
      hasRows = true
      return
    }
    switch spec.mode {
    case .json: out.text.append(UInt8(ascii: ","))
    case .line: out.text.append(UInt8(ascii: "\n"))
    default: break
    }
  }

  /// Takes a part whose text, if it had some, was written behind `begin`.
  package mutating func end(_ part: ResultSegment, to out: inout OutputBuffer) throws(EngineError) {
    rowCount += part.rowCount
    guard let count = names?.count else { return }
    for row in part.rows {
      // A file whose columns have become others since they were put together keeps those that fit.
      let missing = max(0, count - row.count)
      aligned?.add(
        row.prefix(count) + Array(repeating: ShownCell(text: "", kind: .null), count: missing))
      if aligned?.isFull ?? false { try aligned?.draw(to: &out) }
    }
  }

  /// `names`: what the columns are called where no part had rows.
  package mutating func finish(names otherwise: [String], to out: inout OutputBuffer) throws(EngineError) {
    if names == nil, !otherwise.isEmpty || spec.mode == .json || spec.mode == .html {
      RowHead(spec, otherwise).write(to: &out.text)
    }
    switch spec.mode {
    case .json: out.text.append(literal: hasRows ? "\n]\n" : "]\n")
    case .html: out.text.append(literal: "</table>\n")
    default: break
    }
    let shown = aligned ?? AlignedRows(spec, names: otherwise)
    if aligned != nil {
      try aligned?.draw(to: &out)
      aligned?.drawEnd(to: &out.text)
    }
    spec.writeFooter(
      aligned ?? shown, shown: aligned?.drawnCount ?? rowCount, of: rowCount, "rows", to: &out.text)
    try out.flushIfLarge()
  }
}
