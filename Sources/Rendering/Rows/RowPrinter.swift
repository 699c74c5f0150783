// Objects as rows, in any mode. Layer: Rendering, Rows.
// Streaming modes write blocks of rows at once; modes for people take row by row, aligned ones gather first.

import ByteText
package import RealmEngine
import RealmQueryLanguage
import TextFormats

/// What writes the cells of any class of a realm: who prints class after class makes it once.
package struct RowWriters {
  fileprivate let spec: RenderSpec
  fileprivate let transaction: ReadTransaction
  fileprivate let objects: JSONWriterPattern
  fileprivate let fields: JSONWriterPattern
  fileprivate let cells: JSONWriterPattern

  package init(_ spec: RenderSpec, in transaction: ReadTransaction) {
    self.spec = spec
    self.transaction = transaction
    // Statements load into another realm, whose object keys differ.
    let isInsert = spec.mode == .insert
    let form = isInsert ? ObjectForm(namingByPrimaryKeyIn: transaction) : spec.form
    objects = JSONWriterPattern(
      JSONWriter(
        transaction, style: spec.hasSQLValues ? .sql : spec.isTyped || isInsert ? .typed : .plain, form: form)
    )
    fields = JSONWriterPattern(JSONWriter(transaction, style: .plain, form: spec.form))
    cells = JSONWriterPattern(JSONWriter(transaction, style: .plain, namesLinks: true))
  }
}

/// Writes the objects of one class as rows of a result.
package struct RowPrinter {
  private enum Rows {
    case json(RowStream<ValueFormat>)
    case fields(RowStream<FieldFormat>)
    case forPeople
  }

  private let spec: RenderSpec
  private let table: Table
  private let columns: [SelectedColumn]
  /// Whether the columns are all properties of the class, as stored.
  private let hasAllProperties: Bool
  private let rows: Rows
  private var objects: JSONWriter
  private var fields: FieldWriter
  private var cells: CellWriter
  private var people: PeopleRows
  /// Columns that are no properties, which statements cannot set.
  package let leftOutNames: [String]
  /// What the rows are.
  package var rowNoun = "objects"

  /// `columns` nil: all properties of the class.
  package init(
    _ spec: RenderSpec, _ table: Table, _ columns: [SelectedColumn]?, in transaction: ReadTransaction
  ) {
    self.init(RowWriters(spec, in: transaction), table, columns)
  }

  /// The same by writers that are there.
  package init(_ writers: RowWriters, _ table: Table, _ columns: [SelectedColumn]?) {
    let spec = writers.spec
    self.spec = spec
    self.table = table
    let isInsert = spec.mode == .insert
    // Other objects may link to one that only its object key names.
    let isNamed =
      isInsert && (columns?.contains(where: \.source.isObjectKey) ?? true) && table.schema.primaryKey == nil
      && table.schema.kind == .object
    leftOutNames =
      isInsert
      ? columns?.filter { $0.stored == nil && !(isNamed && $0.source.isObjectKey) }.map(\.name) ?? [] : []
    let columns = isInsert ? columns?.compactMap(\.stored) : columns
    let key = isNamed ? [SelectedColumn(name: "@key", source: .objectKey)] : []
    let shown = key + spec.columns(of: table, columns)
    self.columns = zip(shown, spec.cellNames(shown.map(\.name))).map {
      SelectedColumn(name: $1, source: $0.source)
    }
    hasAllProperties = columns == nil && spec.part == nil
    cells = CellWriter(writers.transaction, writers.cells.make())
    objects = writers.objects.make(objectsOf: table)
    let fieldFormat = FieldFormat(spec)
    fields = FieldWriter(fieldFormat, writers.fields.make(), in: writers.transaction)
    people = PeopleRows(spec, names: self.columns.map(\.name))
    switch spec.mode {
    case .json:
      let layout = objects.objectLayout(
        self.columns, opening: ",\n", closing: "", isArray: spec.hasRowArrays)
      rows = .json(RowStream(layout, objects.format, of: table, in: writers.transaction, skippedCount: 1))
    case .jsonl:
      let layout = objects.objectLayout(self.columns, opening: "", closing: "\n")
      rows = .json(RowStream(layout, objects.format, of: table, in: writers.transaction))
    case .insert:
      let opening = "insert \(spelledName(table.schema.name, as: .className)) "
      rows = .json(
        RowStream(
          objects.objectLayout(self.columns, opening: opening, closing: "\n", isNamed: isNamed),
          objects.format, of: table, in: writers.transaction))
    case .csv, .tsv, .list, .quote, .sql:
      rows = .fields(
        RowStream(
          Self.fieldLayout(self.columns, spec, of: table.schema.name), fieldFormat, of: table,
          in: writers.transaction))
    case .line, .html, .box, .table, .column, .markdown: rows = .forPeople
    }
  }

  private static func fieldLayout(
    _ columns: [SelectedColumn], _ spec: RenderSpec, of className: String
  ) -> RowLayout {
    let frame = spec.rowFrame(of: className, columns.map(\.name))
    var separators: [[UInt8]] = []
    for index in columns.indices { separators.append(index == 0 ? frame.opening : spec.fieldSeparator) }
    separators.append(columns.isEmpty ? frame.opening + frame.closing : frame.closing)
    return RowLayout(columns.map { RowLayout.Column(RowLayout.Source($0)) }, separators: separators)
  }

  package var writesSQL: Bool { spec.mode == .sql }

  /// Texts that were not valid UTF-8 and are shown with U+FFFD.
  package var repairedCount: Int {
    switch rows {
    case .json(let stream): stream.repairedCount
    case .fields(let stream): stream.repairedCount + fields.repairedCount
    case .forPeople: 0
    }
  }

  package mutating func begin(to out: inout OutputBuffer) {
    RowHead(spec, columns.map(\.name)).write(to: &out.text)
  }

  /// Writes the objects that a query finds. `memoryLimit`: bytes that putting them in order may take.
  package mutating func write(
    allOf executor: QueryExecutor, memoryLimit: Int = GroupSpace.defaultLimit, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard executor.isStreaming else {
      return try executor.forEachOrderedRows(memoryLimit: memoryLimit) { rows throws(EngineError) in
        try write(rows, to: &out)
      }
    }
    switch rows {
    case .json(let stream):
      try stream.write(allOf: executor, to: &out) { column, leaf, position, out throws(EngineError) in
        try writeJSON(columns[column], leaf, position, to: &out)
      }
    case .fields(let stream):
      try stream.write(allOf: executor, to: &out) { column, leaf, position, out throws(EngineError) in
        try writeField(columns[column], leaf, position, to: &out)
      }
    case .forPeople:
      try executor.forEachHits { hits throws(EngineError) in
        try write(hits, to: &out)
        return true
      }
    }
  }

  /// Writes rows of a block.
  package mutating func write(_ hits: SelectedRows, to out: inout OutputBuffer) throws(EngineError) {
    switch rows {
    case .json(let stream):
      try stream.write(hits, to: &out) { column, leaf, position, out throws(EngineError) in
        try writeJSON(columns[column], leaf, position, to: &out)
      }
    case .fields(let stream):
      try stream.write(hits, to: &out) { column, leaf, position, out throws(EngineError) in
        try writeField(columns[column], leaf, position, to: &out)
      }
    case .forPeople:
      for row in hits.rows {
        if !people.isFull {
          try writeForPeople(ObjectPosition(block: hits.block, row: Int(row)), to: &out)
        }
        people.count()
      }
    }
  }

  /// Writes rows in an order of their own, and returns how many bytes were in memory for all of them; 0: for none.
  /// At most `sizeMax` bytes are gathered.
  package mutating func write(
    _ rows: OrderedRows, sizeMax: Int = OrderedRows.defaultSizeMax, to out: inout OutputBuffer
  ) throws(EngineError) -> Int {
    let size =
      switch self.rows {
      case .json(let stream):
        try stream.write(rows, sizeMax: sizeMax, to: &out) {
          column, leaf, position, out throws(EngineError) in
          try writeJSON(columns[column], leaf, position, to: &out)
        }
      case .fields(let stream):
        try stream.write(rows, sizeMax: sizeMax, to: &out) {
          column, leaf, position, out throws(EngineError) in
          try writeField(columns[column], leaf, position, to: &out)
        }
      case .forPeople: nil as Int?
      }
    if let size { return size }
    if case .forPeople = self.rows, people.isFull {
      people.count(rows.order.count)
      return 0
    }
    try rows.forEachRow { hits throws(EngineError) in try write(hits, to: &out) }
    return 0
  }

  private var writtenCount: Int {
    switch rows {
    case .json(let stream): stream.rowCount
    case .fields(let stream): stream.rowCount
    case .forPeople: people.rowCount
    }
  }

  package mutating func end(to out: inout OutputBuffer) throws(EngineError) {
    switch rows {
    case .json(let stream):
      try stream.end(to: &out)
      if spec.mode == .json, spec.part == nil {
        out.text.append(text: spec.jsonEnd(rowCount: stream.rowCount))
      }
    case .fields(let stream): try stream.end(to: &out)
    case .forPeople: if spec.part == nil { try people.end(rowNoun, to: &out) }
    }
    spec.part?.end(rowCount: writtenCount, people.gathered)
    try out.flushIfLarge()
  }
}

// MARK: Single rows and cells

extension RowPrinter {
  private mutating func writeJSON(
    _ column: SelectedColumn, _ leaf: Leaf?, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard let leaf, case .property(_, let property) = column.source else {
      return try objects.write(
        try cells.evaluator.cell(column, of: table, at: position), to: &out)
    }
    // Chosen columns may show the same property twice.
    if !hasAllProperties { objects.beginWalk() }
    try objects.write(leaf, position.row, of: property, to: &out)
  }

  private mutating func writeField(
    _ column: SelectedColumn, _ leaf: Leaf?, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    try fields.write(column, leaf, of: table, at: position, to: &out.text)
  }

  private mutating func writeForPeople(
    _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    var row = RowCells()
    try cells.fill(&row, position, of: table, columns)
    try people.write(row, to: &out)
  }
}
