// Objects from CSV and TSV. Layer: RealmSession, Importing.
// Invariant: a record is a whole object or none.

import ByteText
import RealmEngine
import TextFormats

/// Reads the records of one source into one class.
struct RecordImport: ~Copyable {
  private var reader: DelimitedReader
  private let options: ImportOptions
  private let format: DelimitedFormat
  /// Told of the names of the columns; throws where the user has named others.
  private let hearColumns: ([String]) throws -> Void
  private(set) var header: [String] = []
  /// What the first records say of each column; nil where all were read, or say too little.
  private(set) var forecast: [TypeGuess]?

  /// How many records are read between two reports of progress.
  private static let progressInterval = 1 << 12

  init(
    _ input: consuming TextInput, _ format: DelimitedFormat, _ options: ImportOptions,
    hearColumns: @escaping ([String]) throws -> Void
  ) {
    self.hearColumns = hearColumns
    reader = DelimitedReader(input, format: format)
    self.format = format
    self.options = options
  }

  // MARK: Columns

  /// Reads the names of the columns.
  private mutating func readHeader() throws {
    try reader.skipLines(options.skippedLines + (format.hasSeparatorLine ? 1 : 0))
    if options.hasHeader {
      var isRead = try reader.nextRecord()
      while isRead, reader.isBlankLine { isRead = try reader.nextRecord() }
      guard isRead else {
        throw ImportFault(
          "the source is empty", at: .start,
          hint: "its first line holds the names of columns; else give --no-header --columns a,b,c")
      }
      header = (0..<reader.fieldCount).map { reader.field($0).string }
      if options.columns == nil { try checkHeader() }
      reader.columnCount = header.count
    }
    guard let names = options.columns else {
      guard !options.hasHeader else { return try hearColumns(header) }
      throw ImportFault("--no-header needs the names of the columns", hint: "add --columns a,b,c")
    }
    guard !options.hasHeader || names.count == header.count else {
      throw ImportFault(
        "--columns names \(counted(names.count, "column")), but the first line has \(header.count)",
        at: .start)
    }
    header = names
    if let name = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw ImportFault("--columns names '\(names[name])' twice")
    }
    reader.columnCount = names.count
    try hearColumns(header)
  }

  private func checkHeader() throws {
    var seen: Set<ByteString> = []
    for (index, name) in header.enumerated() where !seen.insert(ByteString(name)).inserted {
      throw ImportFault(
        "the column '\(name)' appears twice", at: reader.place(index),
        hint: "--columns gives the columns other names")
    }
  }

  /// Reads the next record that is one; false at the end.
  private mutating func nextRecord() throws -> Bool {
    while try reader.nextRecord() {
      // In a table of one column nothing is a null.
      if !reader.isBlankLine || header.count == 1 { return true }
    }
    return false
  }

  /// The same where bad ones are refused when they are read for their object.
  private mutating func nextGoodRecord() throws -> Bool {
    while true {
      do {
        return try nextRecord()
      } catch let error as TextFormatError {
        guard options.keepsRejects, reader.isPastFault else { throw error }
      }
    }
  }

  private func checkFieldCount() throws {
    guard reader.fieldCount != header.count else { return }
    let location = reader.fieldCount > header.count ? reader.place(header.count) : reader.recordLocation
    throw ImportFault(
      "the record has \(counted(reader.fieldCount, "cell")), but there \(header.count == 1 ? "is" : "are") \(counted(header.count, "column"))",
      at: location)
  }

  // MARK: Types

  /// The columns that have no property yet, with what all records say of their types, or the first ones foretell.
  mutating func missingColumns(
    of schema: ClassSchema?, in transaction: WriteTransaction
  ) throws -> MissingColumns {
    return try Self.locating { () throws -> MissingColumns in
      try readHeader()
      let matcher = schema.map { ColumnMatcher(schema: $0, options: options, transaction: transaction) }
      let columns = try header.map { name in
        PlainRecordSurvey.Column(
          isWanted: try isMissing(name, matcher), dates: options.dateForm(of: name),
          isDateNamed: options.namesDates(of: name), listSeparator: options.listSeparator(of: name))
      }
      let missing = header.indices.filter { columns[$0].isWanted }
      guard !missing.isEmpty else { return MissingColumns() }
      if options.hasHeader, let index = missing.first(where: { options.newName(of: header[$0]).isEmpty }) {
        throw ImportOptions.nameless(at: reader.place(index))
      }
      let guesses = try readTypes(of: columns)
      return MissingColumns(columns: missing.map { (header[$0], guesses[$0]) })
    }
  }

  /// Reads all records.
  private mutating func readTypes(of columns: [PlainRecordSurvey.Column]) throws -> [TypeGuess] {
    let names = header
    reader.limits = columns.indices.map { columns[$0].isWanted ? guessedLimit(of: names[$0]) : nil }
    reader.keepsLargeRecords = options.keepsRejects
    var guesses = columns.map { _ in TypeGuess() }
    let sampleRowCount = options.canForetell && columns.allSatisfy(\.isWanted) ? options.sampleRowCount : nil
    var survey = RowSurvey(
      PlainRecordSurvey(columns: columns, nulls: options.nulls, format: format), rowsMax: sampleRowCount)
    var oneByOne = 0
    while true {
      if oneByOne == 0 {
        oneByOne = try survey.read(from: &reader, into: &guesses)
        if survey.hasSample {
          if guesses.allSatisfy(\.isSettled) {
            forecast = guesses
            return guesses
          }
          survey.goOn()
          oneByOne = 0
          continue
        }
      }
      oneByOne -= 1
      guard try nextGoodRecord() else { return guesses }
      guard reader.fieldCount == columns.count else {
        if !options.keepsRejects { try checkFieldCount() }
        continue
      }
      for (index, column) in columns.enumerated() where column.isWanted {
        if reader.isNull(index) {
          guesses[index].addNull()
        } else {
          column.note(reader.field(index), nulls: options.nulls, &guesses[index])
        }
      }
    }
  }

  /// How large the cells may be of a column whose type is told from them.
  private func guessedLimit(of column: String) -> DelimitedReader.FieldLimit? {
    options.type(of: column) != nil || options.listSeparator(of: column) != nil
      ? nil : .ofTexts(options.newName(of: column))
  }

  private func isMissing(_ column: String, _ matcher: ColumnMatcher?) throws -> Bool {
    guard let matcher else {
      let mapped = options.mapping.last { ColumnName.isSame($0.column, column) }?.target
      return mapped != "" && column != options.keyColumn(among: header)
    }
    guard case .missing = try matcher.target(of: column) else { return false }
    return true
  }

  // MARK: Rows

  /// Reads all records. `forecast`: what they have to agree with.
  mutating func run(
    of schema: ClassSchema, into ingest: ObjectIngest, _ report: inout ImportReport,
    _ listener: any ImportListener, _ forecast: [TypeGuess]? = nil
  ) throws {
    let plan: ColumnPlan = try Self.locating { try self.plan(schema, ingest.transaction, listener) }
    reader.limits = plan.limits
    reader.keepsLargeRecords = options.keepsRejects
    var nextReport = Self.progressInterval
    var blocks = PlainRecordForm(plan, header, format, options, forecast).map { BlockIngest($0, of: schema) }
    while true {
      while let batch = try Self.locating({ try blocks?.read(from: &reader, into: ingest) }) {
        report.rowCount += batch.rowCount
        if batch.rowCount > 0 {
          listener.progress(rowCount: report.rowCount, byteCount: reader.readCount)
        }
        if !batch.goesOn { break }
      }
      do {
        guard try Self.locating({ try nextRecord() }) else { return }
      } catch let fault as ImportFault {
        guard options.keepsRejects, reader.isPastFault else { throw fault }
        report.rowCount += 1
        try refuse(fault, &report, listener)
        continue
      }
      report.rowCount += 1
      do {
        try checkFieldCount()
        if let forecast { try check(forecast) }
        try ingest.add(try plan.edit(reader))
      } catch let fault as DocumentFault {
        try refuse(placed(fault, plan), &report, listener)
      } catch let fault as ImportFault {
        try refuse(fault, &report, listener)
      }
      if report.rowCount >= nextReport {
        nextReport += Self.progressInterval
        listener.progress(rowCount: report.rowCount, byteCount: reader.readCount)
      }
    }
  }

  /// Throws where the present record says something else of a column than the first ones.
  private func check(_ forecast: [TypeGuess]) throws(ForecastFault) {
    for (index, guess) in forecast.enumerated() {
      guard reader.isNull(index) ? guess.hasNull : guess.agrees(with: reader.field(index)) else {
        throw ForecastFault()
      }
    }
  }

  private mutating func plan(
    _ schema: ClassSchema, _ transaction: WriteTransaction, _ listener: any ImportListener
  ) throws -> ColumnPlan {
    try readHeader()
    if options.hasHeader {
      listener.begin(columns: reader.source, separator: reader.separator)
    } else {
      listener.begin(columns: [UInt8]().span, separator: reader.separator)
    }
    let matcher = ColumnMatcher(schema: schema, options: options, transaction: transaction)
    var targets: [ColumnTarget] = []
    for (index, column) in header.enumerated() {
      var target = try placed(index) { try matcher.target(of: column) }
      if case .missing = target, index > 0, index == header.count - 1, column == ImportOptions.reasonColumn {
        target = .ignored
      }
      if case .missing = target {
        var fault = matcher.missing(column)
        fault.location = options.hasHeader ? reader.place(index) : .start
        if header.count == 1, column.contains(where: { ",;\t|".contains($0) }) {
          fault.hint = "the first line was read as one column: --delimiter says what separates columns"
        }
        throw fault
      }
      targets.append(target)
    }
    return try ColumnPlan(header, targets, of: schema, options, transaction) { column in
      options.hasHeader ? reader.place(column) : nil
    }
  }

  /// Says of what is wrong with a column where it stands.
  private func placed<Result>(_ index: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var fault as ImportFault where fault.location == nil && options.hasHeader {
      fault.location = reader.place(index)
      throw fault
    }
  }

  /// What the engine refuses is known by its property; in a table it stands in a column.
  private func placed(_ fault: DocumentFault, _ plan: ColumnPlan) -> ImportFault {
    var placed = ImportFault(fault)
    if case .key(.root, let property) = fault.place.path, placed.location == reader.recordLocation,
      let column = plan.column(of: property)
    {
      placed.location = reader.place(column)
    }
    return placed
  }

  /// A longer record is not shown with what is wrong in it.
  private static let shownSizeMax = 1 << 16

  private func refuse(
    _ fault: ImportFault, _ report: inout ImportReport, _ listener: any ImportListener
  ) throws {
    guard options.keepsRejects else {
      var fault = fault
      if reader.source.count <= Self.shownSizeMax { fault.line = Array(reader.source.string.utf8) }
      throw fault
    }
    report.rejectedCount += 1
    try listener.reject(reader.source, fault)
  }

  private static func locating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as TextFormatError where error.systemError == nil {
      throw ImportFault(error)
    }
  }
}

/// Columns without a property, and what is known of their cells.
struct MissingColumns {
  private(set) var columns: [(name: String, guess: TypeGuess)] = []

  /// Adds the columns of another table of the same class. Who lacks one has nulls there.
  mutating func merge(_ other: MissingColumns) {
    var places: [String: Int] = [:]
    for index in columns.indices { places[columns[index].name] = index }
    var isInBoth = [Bool](repeating: false, count: columns.count)
    for (name, guess) in other.columns {
      if let place = places[name] {
        columns[place].guess.merge(guess)
        isInBoth[place] = true
      } else {
        columns.append((name, guess))
      }
    }
    for place in columns.indices where place >= isInBoth.count || !isInBoth[place] {
      columns[place].guess.addNull()
    }
  }
}

extension ImportOptions {
  fileprivate static func nameless(at place: TextLocation) -> ImportFault {
    ImportFault("a column has no name", at: place, hint: "--map '=NAME' gives it one, --map '=' none")
  }

  /// The property that is made for a column.
  func definition(_ column: String, _ guess: TypeGuess) throws -> PropertyDefinition {
    let name = newName(of: column)
    guard !name.isEmpty else { throw Self.nameless(at: .start) }
    if let word = type(of: column) { return try definition(name, typed: word) }
    let type = namesDates(of: column) ? .date : guess.type(isDateNamed: false)
    if listSeparator(of: column) != nil { return PropertyDefinition(name, type, collection: .list) }
    return PropertyDefinition(name, type, isOptional: guess.hasNull)
  }

  /// What types are called where columns are.
  private static let otherWords = [
    "decimal": "decimal128", "decimal?": "decimal128?", "oid": "objectId", "oid?": "objectId?",
  ]

  /// A property of the type that a user names.
  func definition(_ name: String, typed word: String) throws -> PropertyDefinition {
    do throws(PropertyType.Refusal) {
      return PropertyDefinition(name, try PropertyType(word: Self.otherWords[word] ?? word))
    } catch {
      throw ImportFault(
        "'\(word)' is not a type, which --types names for '\(name)'",
        hint: PropertyType.nearest(to: word).map { "did you mean '\($0)'?" }
          ?? "types are written like int, string?, Dog or list<string>")
    }
  }
}
