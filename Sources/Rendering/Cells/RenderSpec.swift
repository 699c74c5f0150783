// How rows are shown. A mode is a preset of the one spec, so that every renderer reads the same few choices.
// Layer: Rendering, Cells.

/// The named ways to show rows.
package enum OutputMode: String, Sendable, CaseIterable {
  case box, table, column, line, list, csv, tsv, json, jsonl, markdown, html, quote
  /// Statements that would make the objects again: ours, and those of SQL.
  case insert, sql

  private enum Kind { case aligned, lines, fields, objects }

  private var kind: Kind {
    switch self {
    case .box, .table, .column, .markdown: .aligned
    case .line: .lines
    case .csv, .tsv, .list, .quote, .sql: .fields
    case .json, .jsonl, .html, .insert: .objects
    }
  }

  /// Whether programs read it: complete, unaligned, without colours.
  package var isForMachines: Bool { kind == .fields || kind == .objects }
  /// Whether the columns of all rows are aligned, so that rows must be seen before the first is written.
  package var isAligned: Bool { kind == .aligned }
  /// Whether a row is its cells with separators between them.
  var isFields: Bool { kind == .fields }
}

/// What becomes of aligned rows that are wider than the screen.
package enum WideRows: Sendable {
  /// They are broken by the terminal.
  case whole
  /// Texts are cut and columns left out.
  case fitted
  /// They become lines, one a cell.
  case lines
}

/// A terminal, as far as results must fit on it.
package struct Screen: Sendable {
  package let columnCount: Int
  package let rowCount: Int
  /// What to do to see the rest of a result that was cut; nil: nothing is cut.
  package let cutHint: String?
  /// What to do to see columns and texts that were left out.
  package let widthHint: String

  package init(columnCount: Int, rowCount: Int, cutHint: String?, widthHint: String = "") {
    self.columnCount = columnCount
    self.rowCount = rowCount
    self.cutHint = cutHint
    self.widthHint = widthHint
  }

  /// Lines that are not rows: frame and names of columns, the footer, the prompt that follows.
  private static let linesBesideRows = 6

  /// How many rows are shown, a line each.
  var rowsShownMax: Int { cutHint == nil ? .max : max(1, rowCount - Self.linesBesideRows) }

  /// How many objects are shown, each with `lineCount` lines and an empty one.
  func objectsOfLines(_ lineCount: Int) -> Int {
    cutHint == nil ? .max : max(1, (rowCount - 2) / (lineCount + 1))
  }
}

/// A table of SQL that is made for the rows of a result.
package struct ResultTable: Sendable {
  let name: String
  /// The statement that makes it.
  let creation: @Sendable (_ name: String, _ columns: [String]) -> String

  package init(name: String, creation: @escaping @Sendable (_ name: String, _ columns: [String]) -> String) {
    self.name = name
    self.creation = creation
  }
}

/// Everything that decides how rows look.
package struct RenderSpec: Sendable {
  package var mode: OutputMode
  package var hasHeader: Bool
  /// Between the cells of mode list.
  package var separator: [UInt8]
  /// What null looks like in modes for people.
  package var nullText: [UInt8]
  /// `typed`: JSON values as a dump writes them.
  package var isTyped: Bool
  /// Whether values are shown as columns of SQL hold them: `JSONStyle.sql`.
  package var hasSQLValues = false
  /// In mode json: `{"columns":["name",…],"rows":[[value,…],…]}`, which loses no column whatever the names are.
  package var hasRowArrays = false
  /// How wide aligned columns are at most, from the left; 0 is as wide as they need.
  package var columnWidths: [Int] = []
  /// Texts in aligned columns go on below where they are longer than this; 0 is where the column ends. Nil: they are cut.
  package var wrapWidth: Int?
  /// Asked only where there is a screen.
  package var wideRows = WideRows.whole
  /// The terminal that the result is shown on; nil where it goes elsewhere.
  package var screen: Screen?
  package var isColored = false
  /// How links name objects in another realm; nil: those of typed values by object key.
  package var form: ObjectForm?
  /// Of rows that are shown as one table with those of other realms; nil: they are the whole result.
  package var part: ResultSegment?
  /// In mode sql: where the rows go; nil: into a table with the name of what they are, which is there.
  package var table: ResultTable?

  package init(_ mode: OutputMode, hasHeader: Bool? = nil, isTyped: Bool = false) {
    self.mode = mode
    self.hasHeader = hasHeader ?? (mode != .list && mode != .quote && mode != .sql)
    separator = [UInt8(ascii: "|")]
    nullText = mode == .line || mode.isAligned ? Array("NULL".utf8) : []
    self.isTyped = isTyped
  }

  /// How wide an aligned column is at most.
  func widthMax(ofColumn index: Int) -> Int {
    let own = index < columnWidths.count && columnWidths[index] > 0 ? columnWidths[index] : Int.max
    guard let wrapWidth, wrapWidth > 0 else { return own }
    return min(own, wrapWidth)
  }
}

extension RenderSpec {
  /// What the cells of a row are called: different names where they are keys.
  func cellNames(_ names: [String]) -> [String] {
    switch mode {
    case .json where !hasRowArrays, .jsonl, .insert, .sql: break
    default: return names
    }
    return names.numbered
  }
}

extension [String] {
  /// Different names: all but the first of those that are the same get a number behind it.
  package var numbered: [String] {
    let all = Set(self)
    guard all.count < count else { return self }
    var taken: Set<String> = []
    var numbers: [String: Int] = [:]
    return map { name in
      var own = name
      while taken.contains(own) || own != name && all.contains(own) {
        let number = numbers[name, default: 1] + 1
        numbers[name] = number
        own = "\(name)_\(number)"
      }
      taken.insert(own)
      return own
    }
  }
}
