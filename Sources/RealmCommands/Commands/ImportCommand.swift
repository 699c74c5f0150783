// `import`: objects from CSV, TSV and JSON. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

extension Arguments.Operand {
  fileprivate static let importedClass = Operand("CLASS", .className, .atMostOnce)
  fileprivate static let source = Operand("SOURCE", .file, .atLeastOnce)
}

extension Command {
  /// `import FILE [CLASS] SOURCE…`
  static let `import` = Command(
    .file(
      [
        .integer("created_classes"), .text("schema").orNull, .integer("rows"), .integer("skipped"),
        .integer("rejected"), CommandResult.changes,
      ]
        + MadeRealm.fields.map(\.optional)),
    CommandSpec(
      "import", group: CommandGroup.writing, summary: "import objects from CSV, TSV, JSON or JSON Lines",
      brief: "from CSV, TSV or JSON",
      operands: [.file, .importedClass, .source],
      options: Option.importing + [.dryRun] + Option.changing,
      details: [
        """
        Rows become objects of CLASS, all in one transaction. JSON is an array of objects, objects one after the \
        other, or an object of arrays by class, as 'export' writes it without a class; in that case, and for the \
        output of 'dump', CLASS may be left out. The same holds for a directory as SOURCE: its files are named after \
        their classes. Text is UTF-8, or UTF-16 with a byte order mark. JSON may have values as MongoDB writes them: \
        {"$numberLong":"5"}, {"$date":{"$numberLong":"0"}}.
        """,
        """
        Columns are matched with the properties of the same name, ignoring case, spaces, hyphens and underscores. A \
        column such as address.city is a property of an embedded object. An empty cell is null, "" is the empty text. \
        A link is the primary key of its object, which may come later; lists, dictionaries and embedded objects are \
        JSON. In a class without a primary key, the column _key or @key holds object keys.
        """,
        """
        The first bad row stops the import, and nothing is changed; with --rejects the import continues and ends with \
        status 8 if rows were rejected; in a table, what they were refused for is a last column, 'reason', which \
        'import' passes over when they come again. A row whose link leads to a missing or rejected object is then rejected, too; \
        the source is read twice.
        """,
        """
        With --create, types are inferred from all rows of all SOURCEs, and optional where a cell is null. int: digits with or \
        without a minus sign, up to 64 bits. double: a fraction (.5 too) or an exponent (1e5), NaN, Infinity; \
        decimal128 where a double would lose digits, or an int overflows. bool: true and false, in any case. date: a \
        day, or a day and a time, in ISO 8601; with an offset it is converted to UTC, without one it is UTC. uuid and \
        objectId in their usual form. Everything else is text: leading zeros (00712), plus signs (+49 30), 1,000, \
        yes, 31/12/2020.
        """,
        """
        Existing properties accept more: an int 7.0; a bool t, f, yes, no, y, n, 1, 0 in any case; a number inf or \
        nan. Spaces around values other than text are ignored. In a mixed property true, false, JSON lists and \
        objects, and numbers in their usual spelling have these types; everything else is text.
        """,
      ],
      examples: [
        Example("realm-cli import app.realm Person people.csv", "import the rows as objects"),
        Example(
          "realm-cli import new.realm Person people.csv --create --primary-key id",
          "create the file and the class, too"),
        Example(
          "realm-cli import app.realm Person people.csv --mode upsert --map 'First Name=first, Note='",
          "update objects that exist"),
        Example("curl -s https://example.org/dogs.jsonl | realm-cli import app.realm Dog -", "from a pipe"),
      ])
  ) { invocation in
    let word = invocation.arguments.required(.file)
    let path = FilePath(word.bytes)
    var made: MadeRealm?
    var result = try invocation.importObjects(into: path) { run in
      if invocation.arguments.has(.createsMissing), word.text != SessionRealm.memoryName,
        try path.status == nil
      {
        made = try invocation.makeRealm(at: path, nil) { transaction in _ = try run(transaction) }
      } else {
        try invocation.statementSession(on: word, isWritable: true).changeCounting(run)
      }
    }
    result.entries += made?.entries ?? []
    return try invocation.write(result, of: path, changing: true)
  }
}

extension Invocation {
  /// Imports what the command line says into the realm at `path`; `change` runs it in a transaction.
  func importObjects(
    into path: FilePath, _ change: ((WriteTransaction) throws -> ChangeCounts) throws -> Void
  ) throws -> FileResult {
    let options = try importOptions()
    let words = arguments.words(.source)
    if words.contains(where: \.isDash) { try refuseKeyOnInput(beside: "the source") }
    let progress = ImportProgress(isShown: terminal.errorIsTerminal && !isQuiet)
    sayWhenStopped(.objects)
    defer { progress.finish() }
    let sources = try importSources(words, options, progress)
    let rejects = try arguments.word(.rejects).map { word in
      guard !word.isDash else {
        throw Diagnostic.usage("--rejects names a file", hint: "./- is one of that name")
      }
      return (path: FilePath(word.bytes), file: try outputFile(FilePath(word.bytes)))
    }
    do {
      let audience = ImportAudience(
        rejects?.file, name: rejects?.path.displayName ?? "",
        countMax: arguments.integer(.rejectsMax).map {
          Int(clamping: $0)
        }, progress)
      let outcome = try options.withForecast { try importObjects(of: sources, $0, audience, change) }
      if outcome.report.rejectedCount > 0, !isDryRun, let rejects {
        keep(rejects.file)
      } else {
        rejects?.file.remove()
      }
      if let text = outcome.newClasses, !isDryRun, !isQuiet, !wantsJSON { StandardStreams.tell(text) }
      return outcome.result(into: path, isDryRun: isDryRun)
    } catch {
      rejects?.file.remove()
      throw error
    }
  }

  private func importObjects(
    of sources: [ImportSource], _ options: ImportOptions, _ audience: ImportAudience,
    _ change: ((WriteTransaction) throws -> ChangeCounts) throws -> Void
  ) throws -> ImportOutcome {
    let className = arguments.word(.importedClass)?.displayText
    var outcome = ImportOutcome()
    try change { transaction in
      if let word = arguments.word(.importedClass), let className, options.creates,
        try transaction.schema(named: className) == nil, (try? FilePath(word.bytes).status) != nil
      {
        throw Diagnostic(
          .refused, code: "bad-row", "'\(className)' is a file, where the class of the rows belongs",
          hint: "name the class first, or give a directory whose files are named after their classes")
      }
      let job = ImportJob(options, className: className, in: transaction, audience)
      try located(sources) { outcome.report = try job.run(sources) }
      // What does not find room keeps everything from being imported.
      if !isDryRun { try audience.flush() }
      for remark in job.remarks { warn(remark) }
      outcome.newClasses = try statements(of: job, transaction)
      outcome.counts = job.counts
      return job.counts
    }
    return outcome
  }

  /// What was imported stays imported, so that this is no failure of it.
  private func keep(_ rejects: OutputFile) {
    do throws(EngineError) {
      warn(of: try rejects.keep())
    } catch {
      warn("the rejected rows were not saved: \(error.message)")
    }
  }

  private func importSources(
    _ words: [Word], _ options: ImportOptions, _ progress: ImportProgress
  ) throws -> [ImportSource] {
    let wish = try sourceWish()
    return try words.flatMap { word in
      let path = FilePath(word.bytes)
      guard !word.isDash, DirectoryOutput.isDirectory(path) else {
        return [try importSource(word, of: nil, wish, options, progress)]
      }
      return try SourceDirectory(path).files.map { file in
        try importSource(Word(file.path.bytes), of: file.className, wish, options, progress)
      }
    }
  }

  private func importSource(
    _ word: Word, of className: String?, _ wish: SourceFormat.Wish, _ options: ImportOptions,
    _ progress: ImportProgress
  ) throws -> ImportSource {
    let rows = try sqliteRows(word, of: className ?? arguments.word(.importedClass)?.displayText)
    let source = try RereadableSource(try rows?.source ?? openInput(word))
    var wish = wish
    if rows != nil { wish.name = .jsonl }
    return ImportSource(source.name, wish, of: className, as: rows?.definition, row: rows?.place) {
      progress.source = (source.name, source.size)
      return try TextInput(descriptor: try source.rewound())
    }
  }

  /// The classes that were made, as statements.
  private func statements(of job: ImportJob, _ transaction: WriteTransaction) throws -> String? {
    guard !job.changedClasses.isEmpty else { return nil }
    let schema = try transaction.view().schemaDescription().restricted(to: job.changedClasses)
    return SchemaDescription(version: nil, classes: schema.classes).statements
  }

  /// Words what is wrong with a source.
  private func located(_ sources: [ImportSource], _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as ImportFault {
      let source = sources[min(fault.source ?? 0, sources.count - 1)]
      throw Diagnostic(fault.naming(rowOf: source), source: source.name)
    } catch let error as TextFormatError {
      throw Diagnostic(error, file: FilePath(sources[0].name))
    }
  }
}

/// What came of an import.
private struct ImportOutcome {
  var report = ImportReport()
  var counts = ChangeCounts()
  /// The classes that were made or got properties, as statements.
  var newClasses: String?

  func result(into path: FilePath, isDryRun: Bool) -> FileResult {
    let entries =
      [
        DocumentEntry.number("created_classes", counts.created), .text("schema", newClasses),
        .number("rows", report.rowCount),
        .number("skipped", report.skippedCount), .number("rejected", report.rejectedCount),
      ] + counts.entries
    let exit = report.rejectedCount > 0 ? ExitStatus.refused : .success
    let sentence = sentence(path, isDryRun: isDryRun)
    return isDryRun
      ? FileResult(wouldDo: (newClasses ?? "") + sentence, entries, exit: exit)
      : FileResult(done: sentence, entries, exit: exit)
  }

  private func sentence(_ path: FilePath, isDryRun: Bool) -> String {
    func rows(_ count: Int) -> String { counted(count, "row") }
    var parts = [counts.sentence(isDryRun: isDryRun)]
    if report.skippedCount > 0 {
      parts.append("\(isDryRun ? "would skip" : "skipped") \(rows(report.skippedCount))")
    }
    if report.rejectedCount > 0 {
      parts.append("\(isDryRun ? "would reject" : "rejected") \(rows(report.rejectedCount))")
    }
    return "\(path.displayName): read \(rows(report.rowCount)), \(parts.joined(separator: ", "))"
  }
}

extension Diagnostic {
  /// `people.csv:3:7 – …`, with the row.
  init(_ fault: ImportFault, source: String) {
    let place = fault.location.map { ":\($0.line):\($0.column)" } ?? ""
    let excerpt = fault.location.map { location in
      SourceExcerpt(
        line: location.line, column: location.column,
        text: fault.line.map { String(decoding: $0, as: UTF8.self) })
    }
    self.init(
      .refused, code: "bad-row", "\(source)\(place) – \(fault.message)", hint: fault.hint,
      file: FilePath(source), excerpt: excerpt, saysLine: true)
  }
}
