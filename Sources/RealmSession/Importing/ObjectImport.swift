// Objects from JSON and JSON Lines: objects one after the other, an array of them, an object of arrays by class, and dumps.
// Layer: RealmSession, Importing.
// Invariant: an object that is refused is passed over to its end, so that the next one can be read.

import RealmEngine
import TextFormats

/// Reads the objects of one source.
struct ObjectImport: ~Copyable {
  private var reader: JSONReader
  private let options: ImportOptions
  private let transaction: WriteTransaction
  private let objects: ObjectReader
  private let isLines: Bool
  /// Whether the outermost object holds others by class, though only one of the classes is there.
  private let listsClasses: Bool
  /// Whether a text is its own bytes where data is wanted.
  private let hasPlainData: Bool
  /// What objects have to agree with.
  private let forecast: JSONClassGuess?
  /// How many containers are open around the objects.
  private var outerDepth = 0
  /// Classes that were passed over, because only one is wanted.
  private(set) var skippedClasses: [String] = []

  private var blocks: BlockIngest<PlainObjectForm>?
  private var rowCountOfNextForm = 0

  private static let progressInterval = 1 << 12

  init(
    _ input: consuming TextInput, isLines: Bool, _ options: ImportOptions, _ transaction: WriteTransaction,
    beside former: ObjectReader.FormerObjects,
    _ forecast: JSONClassGuess? = nil, listsClasses: Bool = false, hasPlainData: Bool = false,
    isText: @escaping (ClassSchema, Property) -> Bool = { _, _ in false }
  ) {
    self.listsClasses = listsClasses
    self.hasPlainData = hasPlainData
    reader = JSONReader(input, framing: isLines ? .lines : .values)
    // What is rejected is kept as it came, so it is read to its end.
    if !options.keepsRejects { reader.textSizeMax = JSONReader.spelledSizeMax }
    self.isLines = isLines
    self.forecast = forecast
    self.options = options
    self.transaction = transaction
    objects = ObjectReader(
      transaction: transaction,
      options.dialect(in: transaction, beside: former, hasPlainData: hasPlainData, isText: isText))
  }

  /// Reads everything. `schema`: the class that objects belong to which do not say so.
  mutating func run(
    of schema: ClassSchema?, into ingest: ObjectIngest, _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    let firstRow = report.rowCount
    var isEmpty = !isLines
    while true {
      // Kept on, the text of the last object would grow by all lines that are read at once.
      reader.endRecording()
      if let schema { try readPlain(of: schema, into: ingest, &report, listener) }
      let token = try nextValue(&report, listener)
      if token == .end, isEmpty, report.rowCount == firstRow {
        throw ImportFault("the source is empty", at: .start, hint: "JSON without objects is []")
      }
      isEmpty = false
      switch token {
      case .end: return
      case .beginArray:
        try readElements(of: try required(schema), into: ingest, &report, listener)
      default:
        reader.beginRecording()
        try readValue(token, of: schema, into: ingest, &report, listener)
        guard try forecast?.agrees(with: reader.recorded, options) ?? true else { throw ForecastFault() }
      }
    }
  }

  /// Reads objects that look like the first one, many at once.
  private mutating func readPlain(
    of schema: ClassSchema, into ingest: ObjectIngest, _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    guard !options.keepsRejects, options.isPlainJSON, report.rowCount >= rowCountOfNextForm,
      !(hasPlainData && schema.properties.contains { $0.type == .data }),
      try Self.locating({ try reader.beginLine() })
    else { return }
    if blocks == nil {
      // Where one line is no plain object, the next ones may be.
      rowCountOfNextForm = report.rowCount + BulkBlock.rowsMax
      let line = try Self.locating { try reader.linesAhead(inPiecesOf: 1, sizeMax: 1, piecesMax: 1) }
      guard let first = line.pieces.first,
        let form = PlainObjectForm(
          of: schema, like: line.bytes.span.extracting(first), { forecast?[$0]?.guess })
      else { return }
      blocks = BlockIngest(form, of: schema)
    }
    while let batch = try Self.locating({ try blocks?.read(from: &reader, into: ingest) }) {
      report.rowCount += batch.rowCount
      if batch.rowCount > 0 { listener.progress(rowCount: report.rowCount, byteCount: reader.readCount) }
      if !batch.goesOn { return }
    }
  }

  /// The first token of the next value. In a text of lines, one that is no JSON is passed over where bad rows are kept.
  private mutating func nextValue(
    _ report: inout ImportReport, _ listener: any ImportListener
  ) throws -> JSONToken {
    while true {
      switch nextToken() {
      case .success(let token): return token
      case .failure(let error): try passLine(error, &report, listener)
      }
    }
  }

  private mutating func nextToken() -> Result<JSONToken, TextFormatError> {
    do throws(TextFormatError) {
      let token = try reader.next()
      return .success(token)
    } catch {
      return .failure(error)
    }
  }

  private func required(_ schema: ClassSchema?) throws -> ClassSchema {
    if let schema { return schema }
    throw ImportFault(
      "the source does not say which class its objects belong to",
      hint: "name it: realm-cli import FILE CLASS SOURCE, or .import SOURCE CLASS at the prompt")
  }

  // MARK: Values

  private mutating func readElements(
    of schema: ClassSchema, into ingest: ObjectIngest, _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    let start = report.rowCount
    outerDepth = reader.depth
    defer { outerDepth = 0 }
    while true {
      reader.endRecording()
      let token = try Self.locating { try reader.next() }
      if token == .endArray { return }
      reader.beginRecording()
      try readObject(
        token, of: schema, path: .index(.root, report.rowCount - start), into: ingest, &report, listener)
      // A line that is no JSON was passed over, and the array with it.
      if reader.depth < outerDepth { return }
    }
  }

  /// An object at the outermost level: of the class, of several classes, or a line of a dump.
  private mutating func readValue(
    _ token: JSONToken, of schema: ClassSchema?, into ingest: ObjectIngest, _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    guard token == .beginObject else {
      return try readObject(token, of: try required(schema), path: .root, into: ingest, &report, listener)
    }
    let place = DocumentPlace(path: .root, location: reader.location())
    let first: JSONToken
    switch nextToken() {
    case .success(let token): first = token
    case .failure(let error): return try passLine(error, &report, listener)
    }
    if first == .key, schema.map({ !$0.takes(reader.text.string) }) ?? true {
      let name = reader.text.string
      // A class may be called as a line of a dump begins.
      if isLines, try !Self.locating({ try reader.valueBegins(with: UInt8(ascii: "[")) }) {
        if ["realm", "class"].contains(name) { return try Self.locating { try skipObject() } }
        if name == "object" {
          return try readDumpLine(place, wanted: schema, into: ingest, &report, listener)
        }
      }
      let other = try transaction.schema(named: name)
      if listsClasses || other?.kind == .object {
        return try readClasses(name, other, wanted: schema, into: ingest, &report, listener)
      }
    }
    // What is exported of a realm without classes.
    if first == .endObject, !isLines, schema == nil { return }
    if schema == nil, first == .key, try Self.locating({ try reader.valueBegins(with: UInt8(ascii: "[")) }) {
      throw ImportFault(
        "there is no class '\(reader.text.string)'", at: reader.location(),
        hint: "--create makes it; or name the class of all objects: realm-cli import FILE CLASS SOURCE")
    }
    let wanted = try required(schema)
    try read(place, &report, listener, into: ingest) { reader, objects in
      try objects.edit(first, from: &reader, of: wanted, at: place)
    }
  }

  private mutating func skipObject() throws {
    while reader.depth > 0 { _ = try reader.next() }
  }

  /// `{"Person":[…],"Dog":[…]}`, whose first class was read.
  private mutating func readClasses(
    _ name: String, _ first: ClassSchema?, wanted: ClassSchema?, into ingest: ObjectIngest,
    _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    var next = first
    var name = name
    while true {
      reader.endRecording()
      let token = try Self.locating { try reader.next() }
      if let schema = next, wanted.map({ $0.tableKey == schema.tableKey }) ?? true {
        guard token == .beginArray else {
          throw ImportFault("the objects of \(name) must be in an array", at: reader.location())
        }
        try readElements(of: schema, into: ingest, &report, listener)
        if reader.depth == 0 { return }
      } else {
        skippedClasses.append(name)
        try Self.locating { try reader.skipRest(of: token) }
      }
      guard try Self.locating({ try reader.next() }) == .key else { return }
      name = reader.text.string
      next = try transaction.schema(named: name)
      guard next != nil || wanted != nil else {
        throw ImportFault("there is no class '\(name)'", at: reader.location())
      }
    }
  }

  /// `{"object":"Dog","key":0,"values":{…}}`
  private mutating func readDumpLine(
    _ place: DocumentPlace, wanted: ClassSchema?, into ingest: ObjectIngest, _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    let transaction = transaction
    try read(place, &report, listener, into: ingest) { reader, objects in
      guard try reader.next() == .string else {
        throw DocumentFault("a line of a dump names a class", at: place)
      }
      let name = reader.text.string
      guard let schema = try transaction.schema(named: name), schema.kind == .object else {
        throw DocumentFault(
          "there is no class '\(name)'", at: place,
          hint: "a dump has its classes with it: realm-cli load FILE DUMP",
          code: "unknown-class")
      }
      let key = try reader.dumpedObjectKey()
      var edit = try objects.edit(try reader.next(), from: &reader, of: schema)
      guard try reader.next() == .endObject, key.map({ $0.value >= 0 }) ?? true else {
        throw DocumentFault("a line of a dump holds an object key and values", at: place)
      }
      edit.objectKey = key
      // Of the others nothing is wanted.
      return wanted.map { $0.tableKey == schema.tableKey } ?? true ? edit : nil
    }
  }

  private mutating func readObject(
    _ token: JSONToken, of schema: ClassSchema, path: JSONPath, into ingest: ObjectIngest,
    _ report: inout ImportReport, _ listener: any ImportListener
  ) throws {
    let place = DocumentPlace(path: path, location: reader.location())
    try read(place, &report, listener, into: ingest) { reader, objects in
      try objects.edit(token, from: &reader, of: schema, path: path)
    }
  }

  /// Reads one object and hands it on.
  private mutating func read(
    _ place: DocumentPlace, _ report: inout ImportReport, _ listener: any ImportListener,
    into ingest: ObjectIngest, _ body: (inout JSONReader, ObjectReader) throws -> ObjectEdit?
  ) throws {
    report.rowCount += 1
    do {
      guard let edit = try body(&reader, objects) else {
        report.rowCount -= 1
        return
      }
      try ingest.add(edit)
    } catch let fault as DocumentFault {
      if let error = passObject() { return try passLine(error, &report, listener) }
      try refuse(ImportFault(fault), &report, listener)
    } catch let error as TextFormatError {
      return try passLine(error, &report, listener)
    }
    if report.rowCount % Self.progressInterval == 0 {
      listener.progress(rowCount: report.rowCount, byteCount: reader.readCount)
    }
  }

  // MARK: Refusals

  /// Passes over the rest of an object; what is wrong there is given.
  private mutating func passObject() -> TextFormatError? {
    while reader.depth > outerDepth {
      if case .failure(let error) = nextToken() { return error }
    }
    return nil
  }

  private mutating func refuse(
    _ fault: ImportFault, _ report: inout ImportReport, _ listener: any ImportListener
  ) throws {
    guard options.keepsRejects else { throw fault }
    report.rejectedCount += 1
    try listener.reject(reader.recorded, fault)
  }

  /// Passes over the rest of a line that is no JSON; elsewhere nobody knows where the next object begins.
  private mutating func passLine(
    _ error: TextFormatError, _ report: inout ImportReport, _ listener: any ImportListener
  ) throws {
    guard isLines, options.keepsRejects, error.systemError == nil else { throw Self.located(error) }
    if !reader.isRecording { reader.beginRecording() }
    do throws(TextFormatError) { try reader.skipLine() } catch { throw Self.located(error) }
    report.rejectedCount += 1
    try listener.reject(reader.recorded, ImportFault(error))
    reader.endRecording()
  }

  private static func located(_ error: TextFormatError) -> any Error {
    error.systemError == nil ? ImportFault(error) : error
  }

  private static func locating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as TextFormatError { throw located(error) }
  }
}

extension ImportOptions {
  /// Whether keys and values mean what they say.
  fileprivate var isPlainJSON: Bool { mapping.isEmpty && dates.isEmpty }

  fileprivate func dialect(
    in transaction: WriteTransaction, beside former: ObjectReader.FormerObjects, hasPlainData: Bool,
    isText: @escaping (ClassSchema, Property) -> Bool
  ) -> ObjectReader.Dialect {
    let similarNames = ColumnMatcher.SimilarNames()
    return ObjectReader.Dialect(
      renamesProperties: !mapping.isEmpty,
      target: { key, schema in
        let matcher = ColumnMatcher(
          schema: schema, options: self, transaction: transaction, similarNames: similarNames)
        switch try matcher.target(of: key) {
        case .property(let path):
          return path.count == 1 ? schema.propertyIndex(named: path[0]).map { .property($0) } : .inner(path)
        case .ignored: return .ignored
        case .key, .missing: return nil
        }
      },
      date: { name, text in dateForm(of: name).date(text) }, hasPlainData: hasPlainData, isText: isText,
      former: former)
  }
}
