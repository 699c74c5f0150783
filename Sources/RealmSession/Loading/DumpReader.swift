// A dump on its way into an empty realm: the realm's line, the classes, the objects, one pass from beginning to end.
// Layer: RealmSession, Loading. Invariant: what was loaded is all that the dump says: every class has as many objects
// as its line counts.

import ByteText
package import RealmEngine
package import TextFormats

/// Reads one dump into one transaction.
package struct DumpReader: ~Copyable {
  var reader: JSONReader
  let transaction: WriteTransaction
  private var schemaVersion: Int64?
  var classes: [ClassLine] = []
  private var load: BulkLoad?
  var table: LoadedTable?
  private var objectCount = 0
  private var tables: [ByteString: LoadedTable] = [:]
  /// What is worth telling, though all was loaded.
  package private(set) var remarks: [String] = []

  package init(descriptor: Int32, into transaction: WriteTransaction) throws(TextFormatError) {
    reader = try JSONReader(descriptor: descriptor, framing: .lines)
    reader.textSizeMax = JSONReader.spelledSizeMax
    self.transaction = transaction
  }

  /// A class as its line describes it.
  struct ClassLine {
    var definition: ClassDefinition
    var count: Int64?
    let location: TextLocation
  }

  /// A class whose objects are being read.
  final class LoadedTable {
    let name: [UInt8]
    let rows: BulkTable
    let names: [[UInt8]]
    /// Properties of single values that are no links.
    let isPlain: [Bool]
    /// Nil where lines are read token by token.
    let form: PlainObjectForm?
    /// What threads fill at once.
    var batches = BlockBatches(sizeMax: 1 << 20)
    var objectCount: Int64 = 0
    private var lines = LineRanges()

    /// Notes that the next object stands on `line`.
    func begin(on line: Int) { lines.note(objectCount, on: line) }

    /// The line of an object by its place in the class.
    func line(of ordinal: Int64) -> Int? { lines.line(of: ordinal) }

    init(_ name: String, _ rows: BulkTable) {
      self.name = Array(name.utf8)
      self.rows = rows
      let properties = rows.schema.properties
      names = properties.map { Array($0.name.utf8) }
      isPlain = properties.map { $0.collection == nil && $0.type != .object && $0.type != .mixed }
      form = PlainObjectForm(rows.schema)
    }
  }

  /// Reads everything. Throws `TextFormatError` for what stands at a place, `EngineError` for what shows at the end.
  package mutating func run() throws {
    try readRealmLine()
    var token = try reader.next()
    while token != .end {
      try readLine(token)
      try readPlainObjects()
      token = try reader.next()
    }
    try beginObjects()
    try checkCounts()
    try finish()
    try noteOwners()
  }

  // MARK: Lines

  private mutating func readRealmLine() throws {
    guard try reader.next() == .beginObject, try reader.next() == .key, reader.text.equals("realm"),
      try reader.next() == .beginObject
    else {
      throw TextFormatError(
        "this is not a dump: its first line must be {\"realm\":…}", at: reader.location(),
        hint: "`realm-cli dump` writes dumps")
    }
    var token = try reader.next()
    while token == .key {
      let isVersion = reader.text.equals("schema_version")
      guard isVersion || reader.text.equals("file_format") else { throw unknownField("a dump's first line") }
      let value = try reader.next()
      guard value == .integer || value == .null else {
        throw TextFormatError("a version is a whole number or null", at: reader.location())
      }
      if isVersion, value == .integer { schemaVersion = reader.integer }
      token = try reader.next()
    }
    guard token == .endObject else {
      throw TextFormatError("expected a field of the realm", at: reader.location())
    }
    try expect(.endObject, "the end of the realm's line")
  }

  mutating func readLine(_ first: JSONToken) throws {
    guard first == .beginObject, try reader.next() == .key else {
      throw TextFormatError("a line of a dump is an object", at: reader.location())
    }
    if reader.text.equals("object") { return try readObject() }
    guard reader.text.equals("class") else { throw unknownField("a line") }
    guard load == nil else {
      throw TextFormatError("classes come before all objects", at: reader.location())
    }
    try readClass()
  }

  mutating func unknownField(_ what: String) -> TextFormatError {
    TextFormatError("\(what) has no key '\(reader.text.string)'", at: reader.location())
  }

  mutating func expect(_ wanted: JSONToken, _ what: String) throws {
    guard try reader.next() == wanted else {
      throw TextFormatError("expected \(what)", at: reader.location())
    }
  }

  // MARK: Objects

  /// Makes the classes, once all of them are known.
  private mutating func beginObjects() throws {
    guard load == nil else { return }
    try checkClasses()
    try transaction.addClasses(classes.map(\.definition))
    if let schemaVersion { try transaction.setSchemaVersion(schemaVersion) }
    load = try transaction.beginLoad(allowsAnyDictionaryKey: true)
  }

  private mutating func readObject() throws {
    try beginObjects()
    try expect(.string, "a class's name")
    let table = try selectTable()
    let rows = table.rows
    table.begin(on: reader.location().line)
    let key = try reader.dumpedObjectKey()
    try located { () throws(EngineError) in try rows.beginObject(key: key) }
    try expect(.beginObject, "an object's values")
    try readValues(table)
    try located { () throws(EngineError) in try rows.endObject() }
    try expect(.endObject, "the end of the object's line")
    noteObjects(1, of: table)
  }

  mutating func noteObjects(_ count: Int, of table: LoadedTable) {
    table.objectCount += Int64(count)
    objectCount += count
    EndSignals.count(.objects, objectCount)
  }

  /// The class that the reader's text names.
  private mutating func selectTable() throws -> LoadedTable {
    if let table, reader.text.equals(table.name) { return table }
    let name = reader.text.string
    if let known = tables[ByteString(name)] {
      table = known
      return known
    }
    guard let load, let schema = try transaction.schema(named: name), schema.kind != .embedded else {
      throw TextFormatError("there is no class \(name) with objects of its own", at: reader.location())
    }
    let new = LoadedTable(name, try load.table(schema.tableKey))
    tables[ByteString(name)] = new
    table = new
    return new
  }

  private mutating func readValues(_ table: LoadedTable) throws {
    let rows = table.rows
    var expected = 0
    while true {
      let token = try reader.next()
      guard token == .key else { return }
      var index = expected
      if index >= table.names.count || !reader.text.equals(table.names[index]) {
        let name = reader.text.string
        guard let found = rows.schema.propertyIndex(named: name) else {
          throw TextFormatError("\(rows.schema.name) has no property \(name)", at: reader.location())
        }
        index = found
      }
      expected = index + 1
      let value = try reader.next()
      if table.isPlain[index], try putPlain(value, index, rows) { continue }
      try put(value, index, rows)
    }
  }

  /// What most values are, without a detour. False: it is something else.
  private mutating func putPlain(_ token: JSONToken, _ index: Int, _ rows: BulkTable) throws -> Bool {
    let type = rows.schema.properties[index].type
    do throws(EngineError) {
      switch (type, token) {
      case (.int, .integer): try rows.put(index, int: reader.integer)
      case (.string, .string): try rows.put(index, text: reader.text)
      case (.bool, .true): try rows.put(index, bool: true)
      case (.bool, .false): try rows.put(index, bool: false)
      case (.double, .number), (.double, .integer):
        guard let number = Double(decimalText: reader.text) else { return false }
        try rows.put(index, double: number)
      default: return false
      }
      return true
    } catch {
      throw refused(error)
    }
  }

  private mutating func put(_ token: JSONToken, _ index: Int, _ rows: BulkTable) throws {
    let property = rows.schema.properties[index]
    do {
      let value = try ObjectReader(transaction: transaction, isStrict: true).value(
        token, from: &reader, of: property, in: rows.schema, at: .key(.root, property.name)
      ).stored()
      try located { () throws(EngineError) in try rows.put(index, value) }
    } catch let fault as DocumentFault {
      throw TextFormatError(fault.message, at: fault.place.location, hint: fault.hint)
    }
  }

  private mutating func located(_ body: () throws(EngineError) -> Void) throws {
    do throws(EngineError) { try body() } catch { throw refused(error) }
  }

  /// What the engine does not take stands where the reader is.
  mutating func refused(_ error: EngineError) -> any Error {
    guard [.constraint, .unknownProperty, .refused].contains(error.kind) else { return error }
    return TextFormatError(error.message, at: reader.location(), hint: error.hint)
  }

  // MARK: The end

  private mutating func finish() throws {
    guard let load else { return }
    do throws(EngineError) {
      try load.finish()
    } catch {
      guard error.kind == .constraint, let (table, ordinal) = load.culprit,
        let line = tables.values.first(where: { $0.rows.schema.tableKey == table })?.line(of: ordinal)
      else { throw error }
      throw TextFormatError(
        error.message, at: TextLocation(line: line, column: 1, offset: 0), hint: error.hint)
    }
  }

  /// A dump that was cut off says so by its counts.
  private func checkCounts() throws {
    for described in classes where described.definition.kind != .embedded {
      let name = described.definition.name
      let found = tables[ByteString(name)]?.objectCount ?? 0
      guard let count = described.count, found != count else { continue }
      throw TextFormatError(
        "the dump counts \(count) objects of \(name), but holds \(found): it is incomplete",
        at: described.location)
    }
  }

  private mutating func noteOwners() throws {
    for described in classes where described.definition.kind == .embedded {
      let name = described.definition.name
      guard let schema = try transaction.schema(named: name), let count = described.count else { continue }
      let found = try transaction.count(schema.tableKey)
      guard found != count else { continue }
      guard found < count else {
        throw TextFormatError(
          "the dump counts \(count) objects of \(name), but holds \(found)", at: described.location)
      }
      remarks.append(
        "\(name): \(found) of \(count) embedded objects have an owner; the others are not in a dump")
    }
  }
}

extension JSONReader {
  /// Goes from the class of a dumped object to its values: `"key":0,"values":`. Gives the key, where it has one.
  mutating func dumpedObjectKey() throws(TextFormatError) -> ObjectKey? {
    var key: ObjectKey?
    var token = try next()
    if token == .key, text.equals("key") {
      guard try next() == .integer else {
        throw TextFormatError("an object key is a whole number", at: location())
      }
      key = ObjectKey(integer)
      token = try next()
    }
    guard token == .key, text.equals("values") else {
      throw TextFormatError("a line of a dump holds values", at: location())
    }
    return key
  }
}

extension EditValue {
  /// The value to be written. Links of a dump are object keys, which are looked at when all objects are there.
  fileprivate func stored() throws -> NewValue {
    try linked { value in
      switch value {
      case .objectKey(let link, _, _): return .single(.link(link))
      case .primaryKey(_, let schema, let place): throw Self.noObjectKey(of: schema, place)
      case .object(let edit): throw Self.noObjectKey(of: edit.schema, edit.place)
      default: preconditionFailure("links are asked for")
      }
    } ?? .null
  }

  private static func noObjectKey(of schema: ClassSchema, _ place: DocumentPlace) -> DocumentFault {
    DocumentFault(
      "a dump names objects by their keys", at: place,
      hint: "write {\"$link\":{\"class\":\"\(schema.name)\",\"key\":…}}")
  }
}

extension Span<UInt8> {
  fileprivate func equals(_ bytes: [UInt8]) -> Bool {
    guard count == bytes.count else { return false }
    for index in 0..<count where self[index] != bytes[index] { return false }
    return true
  }
}
