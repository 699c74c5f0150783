// An import as a whole: its sources one after the other, and the classes and properties that are made for them.
// Layer: RealmSession, Importing.

import ByteText
package import RealmEngine
package import TextFormats

/// Imports sources in one transaction.
package final class ImportJob {
  private var options: ImportOptions
  private let className: String?
  private let transaction: WriteTransaction
  private let listener: any ImportListener
  private let ingest: ObjectIngest
  /// Classes that were made or got properties.
  package private(set) var changedClasses: [String] = []
  /// What is worth telling, though all went well.
  package private(set) var remarks: [String] = []

  package init(
    _ options: ImportOptions, className: String?, in transaction: WriteTransaction,
    _ listener: any ImportListener
  ) {
    self.options = options
    self.className = className
    self.transaction = transaction
    self.listener = listener
    former = ObjectReader.FormerObjects(transaction)
    ingest = ObjectIngest(
      transaction, mode: options.mode, links: options.links, asksKeysAtOnce: options.keepsRejects)
  }

  private let former: ObjectReader.FormerObjects

  /// What was changed.
  package var counts: ChangeCounts {
    var counts = ingest.counts
    counts.created = createdCount
    counts += embeddedCounts
    return counts
  }

  /// What the first rows say of the source that is read.
  private var forecast: TypeForecast?
  /// Whether it holds objects by class, of which one is wanted.
  private var listsClasses = false
  private var createdCount = 0
  /// The columns of the sources that were opened, as `ColumnName` folds them, and how many sources are still to come.
  private var columns: Set<String> = []
  private var laterSourceCount = 0
  /// Whether some were in JSON, whose keys are heard of only where properties are made for them.
  private var hasDocuments = false
  private var embeddedCounts = ChangeCounts()
  /// The classes whose sources were all asked for their types, tables and documents each, so that none is asked again.
  private var surveyed: Set<String> = []
  /// Properties that were made for texts in JSON, by their class.
  private var madeTexts: [String: Set<String>] = [:]

  /// Reads everything. Throws `ImportFault` with the number of its source.
  package func run(_ sources: [ImportSource]) throws -> ImportReport {
    // What the first source of a class says foretells nothing of its others.
    if Set(sources.map { className ?? $0.className ?? "" }).count < sources.count {
      options.sampleRowCount = nil
    }
    if options.keepsRejects, options.links == .require, try hasLinks() { try rehearse(sources) }
    var report = ImportReport()
    let tally = ObjectTally(ofEmbedded: try transaction.view())
    for index in sources.indices {
      ingest.source = index
      laterSourceCount = sources.count - index - 1
      try sourced(index) {
        try read(sources[index...], &report, listener)
        if index + 1 < sources.count { try ingest.endSource() }
      }
    }
    try sourced(sources.count - 1) { try ingest.finish() }
    remarks += ingest.lostLinks
    if former.areMissed {
      remarks.append(
        "new objects have other object keys than in the source, so that its links by object key may lead elsewhere; export without --typed"
      )
    }
    try tellOfDates()
    embeddedCounts = tally.changes(to: try transaction.view())
    let counts = ingest.counts
    report.insertedCount = counts.inserted
    report.updatedCount = counts.updated
    report.skippedCount = ingest.skippedCount
    return report
  }

  /// Whether objects that come may link to others.
  private func hasLinks() throws -> Bool {
    let schemas = try transaction.view().classes().map(\.schema)
    let owned = Set(schemas.filter { $0.kind == .embedded }.map(\.tableKey))
    return schemas.contains { schema in
      schema.properties.contains { property in
        property.type == .mixed || property.isLink && property.target.map { !owned.contains($0) } ?? true
      }
    }
  }

  /// Reads everything once to find the objects whose links lead nowhere.
  private func rehearse(_ sources: [ImportSource]) throws {
    try ingest.rehearse {
      var report = ImportReport()
      for index in sources.indices {
        try sourced(index) { try read(sources[index...], &report, NoListener()) }
      }
    }
  }

  private func sourced(_ index: Int, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch var fault as ImportFault {
      fault.source = fault.source ?? index
      fault.hint = fault.hint ?? hint(for: fault)
      throw fault
    } catch let fault as DocumentFault {
      var wrapped = ImportFault(fault)
      wrapped.source = fault.source ?? index
      wrapped.hint = wrapped.hint ?? hint(for: wrapped)
      throw wrapped
    } catch let error as TextFormatError where error.systemError == nil {
      var wrapped = ImportFault(error)
      wrapped.source = index
      throw wrapped
    }
  }

  /// Classes that are made of objects have no primary key by which links could name these.
  private func hint(for fault: ImportFault) -> String? {
    options.creates && fault.code == "no-primary-key"
      ? "create the classes first, as they were exported: realm-cli schema FILE --format yaml, then create --schema"
      : nil
  }

  /// Reads the first of `sources`; the others are still to come.
  private func read(
    _ sources: ArraySlice<ImportSource>, _ report: inout ImportReport, _ listener: any ImportListener
  ) throws {
    forecast = nil
    listsClasses = false
    let schema = try prepare(sources)
    do {
      try read(sources[sources.startIndex], of: schema, &report, listener)
    } catch let error where forecast != nil && (error is ImportFault || error is DocumentFault) {
      // What is wrong is said when all rows have told their types.
      throw ForecastFault()
    }
  }

  private func read(
    _ source: ImportSource, of schema: ClassSchema?, _ report: inout ImportReport,
    _ listener: any ImportListener
  ) throws {
    let open = try source.opened()
    let form = open.format
    switch form {
    case .records(let format):
      guard let schema else { throw Self.noClass }
      var records = RecordImport(open.input, format, options) { try self.hear(columns: $0) }
      let foretold: [TypeGuess]? = if case .cells(let guesses)? = forecast { guesses } else { nil }
      try records.run(of: schema, into: ingest, &report, listener, foretold)
    case .objects, .lines:
      hasDocuments = true
      let foretold: JSONClassGuess? = if case .objects(let guess)? = forecast { guess } else { nil }
      var objects = ObjectImport(
        open.input, isLines: form == .lines, options, transaction, beside: former, foretold,
        listsClasses: listsClasses, hasPlainData: source.row != nil
      ) { [madeTexts] in madeTexts[$0.name]?.contains($1.name) ?? false }
      try objects.run(
        of: schema, into: ingest, &report, source.row == nil ? listener : RowListener(listener, source))
      if !objects.skippedClasses.isEmpty, !ingest.isRehearsing {
        remarks.append("\(source.name): passed over \(objects.skippedClasses.joined(separator: ", "))")
      }
    }
  }

  private static let noClass = ImportFault(
    "a table does not say which class its rows belong to",
    hint: "name it: realm-cli import FILE CLASS SOURCE, or .import SOURCE CLASS at the prompt")

  /// Notes the columns of a source. Throws where an option names a column that no source has. `typesOnly`: keys of inner
  /// objects are among those that options name, and only types are those of the outer ones.
  private func hear(columns names: [String], typesOnly: Bool = false) throws {
    columns.formUnion(names.map(ColumnName.folded))
    guard laterSourceCount == 0, !hasDocuments || options.adds,
      let unknown = options.unknownColumn(among: columns, typesOnly: typesOnly || hasDocuments)
    else { return }
    throw ImportFault(
      "there is no column '\(unknown.column)', which --\(unknown.option) names", at: .start,
      hint: EditDistance.nearest(to: unknown.column, among: names).map { "did you mean '\($0)'?" }
        ?? "the columns: \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : "")")
  }

  // MARK: Classes

  /// The class that rows belong to, after what it lacks was made; nil where objects say it themselves.
  private func prepare(_ sources: ArraySlice<ImportSource>) throws -> ClassSchema? {
    let source = sources[sources.startIndex]
    let className = className ?? source.className
    let schema = try className.flatMap { try transaction.schema(named: $0) }
    if let className, schema == nil, !options.creates {
      let names = try transaction.view().classes().map(\.schema.name).sorted()
      throw SessionError.unknownClass(className, among: names, orSay: "--create makes it")
    }
    if let schema, schema.kind != .object {
      throw ImportFault(
        "\(schema.name) is \(schema.kind.name): its objects cannot be imported on their own",
        hint: schema.kind == .embedded ? "import the class that its objects belong to" : nil)
    }
    // Of several classes one may have what the types are named for in another.
    if let schema, self.className != nil, !changedClasses.contains(schema.name) {
      try checkTypes(of: schema)
    }
    guard options.adds else {
      if let schema { try checkColumns(of: source.definition, schema) }
      return schema
    }
    if let definition = source.definition, let className {
      try hear(columns: definition.properties.map(\.name), typesOnly: true)
      let missing = try missing(of: definition, schema)
      // A key that is left out, or gets another type, is none.
      let key = definition.primaryKey.map(options.newName)
      let canBeKey = missing.contains {
        $0.name == key && ClassDefinition.canBePrimaryKey($0.type.type, $0.type.collection)
      }
      try make(missing, of: className, schema, primaryKey: canBeKey ? key : nil)
      tellOfNewNames(definition.properties.map(\.name), madeAmong: missing)
      return try transaction.schema(named: className)
    }
    let open = try source.opened()
    let form = open.format
    switch form {
    case .records(let format):
      guard let className else { throw Self.noClass }
      var records = RecordImport(open.input, format, options) { try self.hear(columns: $0) }
      var missing = try records.missingColumns(of: schema, in: transaction)
      forecast = records.forecast.map(TypeForecast.cells)
      try forEachOther(sources, of: className, areTables: true) { other in
        guard case .records(let format) = other.format else { return }
        var others = RecordImport(other.input, format, options) { _ in }
        missing.merge(try others.missingColumns(of: schema, in: transaction))
      }
      let properties = try missing.columns.map(options.definition)
      try make(properties, of: className, schema)
      tellOfNewNames(missing.columns.map(\.name), madeAmong: properties)
      if schema == nil { tellOfKeys(records.header) }
    case .objects, .lines:
      let found = try classes(in: open.input, isLines: form == .lines, sources, className)
      if !found.isEmpty { try hear(columns: found.flatMap(\.guess.names), typesOnly: true) }
      for (name, guess) in found {
        if guess.isForecast { forecast = .objects(guess) }
        let schema = try transaction.schema(named: name)
        let keys =
          schema.map { [$0.keyColumn, ObjectReader.shownKey] } ?? [options.keyColumn(among: guess.names)]
        var missing: [PropertyDefinition] = []
        for column in guess.names where !keys.contains(column) || options.primaryKey == column {
          let newName = options.newName(of: column)
          guard !newName.isEmpty, schema?.property(named: column) == nil,
            schema?.property(named: newName) == nil
          else { continue }
          var definition = try guess.definition(column, options)
          definition.name = newName
          missing.append(definition)
        }
        try make(missing, of: name, schema)
        tellOfNewNames(guess.names, madeAmong: missing)
        if schema == nil { tellOfKeys(guess.names) }
        madeTexts[name, default: []].formUnion(missing.filter { $0.type.type == .string }.map(\.name))
      }
    }
    return try className.flatMap { try transaction.schema(named: $0) }
  }

  /// Throws where a column of a table of SQLite has no property, of which each of its rows would be refused.
  private func checkColumns(of definition: ClassDefinition?, _ schema: ClassSchema) throws {
    let matcher = ColumnMatcher(schema: schema, options: options, transaction: transaction)
    for column in definition?.properties.map(\.name) ?? [] {
      if case .missing = try matcher.target(of: column) { throw matcher.missing(column) }
    }
  }

  private func tellOfNewNames(_ columns: [String], madeAmong properties: [PropertyDefinition]) {
    let made = Set(properties.map(\.name))
    for column in columns where !options.mapping.contains(where: { ColumnName.isSame($0.column, column) }) {
      let name = options.newName(of: column)
      if name != column, made.contains(name) {
        remarks.append("the column '\(column)' becomes the property \(name)")
      }
    }
  }

  /// A class that is made of these columns may be expected to have all of them.
  private func tellOfKeys(_ columns: [String]) {
    guard let column = options.keyColumn(among: columns), column != ObjectReader.shownKey,
      columns.contains(column)
    else { return }
    remarks.append(
      "the column '\(column)' becomes the keys of the objects, not a property; --types '\(column)=int' makes it one"
    )
  }

  /// Dates that are looked for in all columns, and found in none, are numbers or texts by now.
  private func tellOfDates() throws {
    guard let dates = options.dates.last(where: { $0.column == nil && $0.form != .iso }),
      createdCount > 0, createdCount == changedClasses.count
    else { return }
    for name in changedClasses {
      if try transaction.schema(named: name)?.properties.contains(where: { $0.type == .date }) ?? false {
        return
      }
    }
    remarks.append(
      "no property is a date, although --dates names a form; for a column: --dates 'born=\(dates.form.word)'")
  }

  /// Types are named for properties that are made. Throws where one is there already, with another type.
  private func checkTypes(of schema: ClassSchema) throws {
    for (column, word) in options.types {
      guard let property = schema.property(named: options.newName(of: column)) else { continue }
      let found = try transaction.view().schemaDescription().classes.first { $0.name == schema.name }
      let wanted = try options.definition(property.name, typed: word)
      guard let known = found?.properties.first(where: { $0.name == property.name }),
        known.type.type != wanted.type.type || known.type.collection != wanted.type.collection
      else { continue }
      throw ImportFault(
        "--types names '\(column)', which is \(known.type.word) already",
        hint: "to change it: alter class \(schema.name) alter \(property.name) to \(word) value \(word)(old)")
    }
  }

  /// Opens the sources behind the first one whose rows are of the same class and are tables too, or documents too. Of
  /// a class this is done once: what they lack is made for all of them.
  private func forEachOther(
    _ sources: ArraySlice<ImportSource>, of className: String?, areTables: Bool,
    _ body: (consuming OpenSource) throws -> Void
  ) throws {
    guard sources.count > 1,
      surveyed.insert("\(areTables ? "tables" : "documents") \(className ?? "")").inserted
    else { return }
    for index in sources.indices.dropFirst()
    where (self.className ?? sources[index].className) == className {
      try sourced(index) {
        let other = try sources[index].opened()
        if other.format.isTable == areTables { try body(other) }
      }
    }
  }

  /// What objects in JSON say of their classes.
  private func classes(
    in input: consuming TextInput, isLines: Bool, _ sources: ArraySlice<ImportSource>, _ className: String?
  ) throws -> [(name: String, guess: JSONClassGuess)] {
    var found = JSONSchemaGuess(input, isLines: isLines, options)
    try found.read(className: className)
    guard let className, found.listsClasses(with: className) else {
      try forEachOther(sources, of: className, areTables: false) { other in
        found.goOn(other.input, isLines: other.format == .lines)
        try found.read(className: className)
      }
      return found.classes
    }
    listsClasses = true
    let again = try sources[sources.startIndex].opened()
    var listed = JSONSchemaGuess(again.input, isLines: false, options)
    try listed.read(className: nil)
    // Of a class without objects nothing is told.
    return [(className, listed.classes.first { $0.name == className }?.guess ?? JSONClassGuess())]
  }

  /// The properties of a class that is described which `schema` lacks.
  private func missing(
    of definition: ClassDefinition, _ schema: ClassSchema?
  ) throws -> [PropertyDefinition] {
    try definition.properties.compactMap { property in
      let name = options.newName(of: property.name)
      guard !name.isEmpty, schema?.property(named: name) == nil else { return nil }
      if let word = options.type(of: property.name) { return try options.definition(name, typed: word) }
      var found = property
      found.name = name
      if options.namesDates(of: property.name) { found.type.type = .date }
      return found
    }
  }

  /// `primaryKey`: where the user names none.
  private func make(
    _ missing: [PropertyDefinition], of name: String, _ schema: ClassSchema?, primaryKey: String? = nil
  ) throws {
    do throws(EngineError) {
      guard let schema else {
        return try makeClass(name, missing, primaryKey: options.primaryKey ?? primaryKey)
      }
      guard !missing.isEmpty else { return }
      let hasObjects = try transaction.count(schema.tableKey) > 0
      try transaction.addProperties(
        name,
        missing.map { definition in
          var definition = definition
          // Objects that are there have no value for it.
          if hasObjects, definition.type.collection == nil { definition.type.isOptional = true }
          return definition
        })
      changedClasses.append(name)
    } catch {
      guard [.constraint, .refused, .unknownClass, .badDocument].contains(error.kind) else { throw error }
      throw ImportFault(error.message, hint: error.hint)
    }
  }

  private func makeClass(
    _ name: String, _ properties: [PropertyDefinition], primaryKey: String?
  ) throws(EngineError) {
    if let key = primaryKey {
      guard let property = properties.first(where: { $0.name == key }) else {
        throw EngineError(
          .constraint, "there is no column '\(key)' to be the primary key of \(name)",
          hint: EditDistance.nearest(to: key, among: properties.map(\.name)).map { "did you mean '\($0)'?" })
      }
      let type = property.type
      guard ClassDefinition.canBePrimaryKey(type.type, type.collection) else {
        throw EngineError(
          .constraint, "\(name).\(key) is \(type.type.name), which cannot be a primary key",
          hint: "--types '\(key)=string' makes it a text")
      }
    }
    try transaction.addClasses([
      ClassDefinition(name, primaryKey: primaryKey, properties: properties)
    ])
    changedClasses.append(name)
    createdCount += 1
  }
}
