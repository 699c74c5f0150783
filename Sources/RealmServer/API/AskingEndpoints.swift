// What is calculated when somebody asks: summaries, statements, completion, sizes, checks, exports. Layer: RealmServer, API.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Endpoint {
  static let space = Endpoint(
    path: "realms/{realm}/space", summary: "Show what the file is, and what takes its space",
    shape: .open(.text("file"))
  ) { call in .json(call.server.host.information(try call.realm.index, measured: true)) }

  static let query = Endpoint(
    path: "realms/{realm}/query",
    summary: "Run a statement that changes nothing; rows are lists under the names of their columns",
    parameters: [Parameter(name: "text", isRequired: true, summary: "the statement")],
    shape: .open(
      .flag("is_cut"), .texts("warnings"),
      JSONField(
        "result",
        .either([.object(.texts("columns"), JSONField("rows", .list(.list(.anything)))), .anything]))),
    takesLong: true
  ) { call in
    let result = try call.server.host.result(of: call.required("text"), try call.realm.index)
    var text = ByteBuffer()
    text.append(text: "{\"is_cut\":\(result.isCut),\"warnings\":")
    text.append(json: .sequence(result.warnings.map { .string($0) }))
    text.append(literal: ",\"result\":")
    text.append(result.text)
    text.append(UInt8(ascii: "}"))
    return .json(text)
  }

  static let line = Endpoint(
    path: "realms/{realm}/line", summary: "Tell whether a text is a condition on a class or a statement",
    parameters: [className, Parameter(name: "text", isRequired: true, summary: "the text")],
    shape: .object(JSONField("kind", .word(["condition", "statement"])))
  ) { call in
    try call.realm.read { database in
      let isStatement = Statement.isMeant(
        by: try call.required("text"), besideConditionsOn: try call.table(in: database.transaction).schema,
        database.transaction.schemaDescription(allTables: call.server.showsAllTables))
      return .json(
        .mapping([.text("kind", isStatement ? "statement" : "condition")]))
    }
  }

  static let complete = Endpoint(
    path: "realms/{realm}/complete", summary: "List how a condition or statement may go on",
    parameters: [
      Parameter(name: "class", summary: "the class of a condition; a statement without it"),
      Parameter(name: "text", isRequired: true, summary: "what stands before the cursor"),
    ],
    shape: .open(.integer("replaced"), .text("insertion"), .texts("choices"))
  ) { call in
    try call.realm.read { database in
      .json(
        call.server.host.completion(
          of: try call.required("text"), inConditionOn: call.text("class"),
          database.transaction.schemaDescription(allTables: call.server.showsAllTables)))
    }
  }

  private static let memoryLimit = 1 << 26

  static let summary = Endpoint(
    path: "realms/{realm}/summary", summary: "Summarize the values of a property",
    parameters: [
      className, Parameter(name: "property", isRequired: true, summary: "the property"), condition,
    ],
    shape: .open(
      .integer("nulls"), .integer("distinct"), JSONField("min", .anything), JSONField("max", .anything),
      JSONField("mean", .anything),
      JSONField("frequent", .list(.open(JSONField("value", .anything), .integer("count")))),
      JSONField("histogram", .list(.integer))), takesLong: true
  ) { call in
    try call.realm.read { database in
      let realm = database.transaction
      let table = try call.table(in: realm)
      let name = try call.required("property")
      guard let property = table.schema.property(named: name) else {
        throw WebRefusal.unknownProperty(name, of: table.schema)
      }
      let query = try call.query(of: table).bound(in: realm, table)
      let summary = try PropertySummary(property, of: query, in: realm, memoryLimit: memoryLimit)
      var cells = CellWriter(realm, .cell)
      var text = ByteBuffer()
      text.append(literal: "{\"nulls\":")
      text.append(decimal: Int64(summary.nullCount))
      text.append(literal: ",\"distinct\":")
      text.append(decimal: Int64(summary.distinctCount))
      for (name, value) in [("min", summary.least), ("max", summary.greatest), ("mean", summary.mean)] {
        text.append(text: ",\"\(name)\":")
        try cells.write(alone: value, to: &text)
      }
      text.append(literal: ",\"frequent\":[")
      for (index, (value, count)) in summary.frequent.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(literal: "{\"value\":")
        try cells.write(alone: value, to: &text)
        text.append(text: ",\"count\":\(count)}")
      }
      text.append(text: "],\"histogram\":\(summary.histogram)}")
      return .json(text)
    }
  }

  private static let formats: [(name: String, mode: OutputMode, type: String)] = [
    ("csv", .csv, "text/csv; charset=utf-8"), ("json", .json, "application/json"),
    ("jsonl", .jsonl, "application/x-ndjson"), ("sqlite", .sql, "application/vnd.sqlite3"),
  ]

  static let export = Endpoint(
    path: "realms/{realm}/export", summary: "Download the objects of a class, or the result of a statement",
    parameters: [
      Parameter(name: "class", summary: "the class; a statement without it"), condition, sort,
      Parameter(name: "statement", summary: "a statement that changes nothing"),
      Parameter(name: "format", kind: .choice(formats.map(\.name)), isRequired: true, summary: "of the file"),
    ], type: "application/octet-stream", takesLong: true
  ) { call in
    let name = try call.required("format")
    guard let format = formats.first(where: { $0.name == name }) else { return nil }
    let className = call.text("class")
    func write(_ render: RenderSpec, to out: inout OutputBuffer) throws {
      if let statement = call.text("statement") {
        return try call.server.host.write(resultOf: statement, try call.realm.index, as: render, to: &out)
      }
      try call.realm.read(to: &out) { database, out in
        let realm = database.transaction
        let table = try call.table(in: realm)
        let query = try call.query(of: table).bound(in: realm, table)
        // What links from other classes hold, as 'export' writes it.
        let key = table.schema.backlinks.isEmpty ? nil : table.schema.keyColumn
        let keys = key.map { [SelectedColumn(name: $0, source: .objectKey)] }
        var printer = RowPrinter(
          render, table, keys.map { $0 + SelectedColumn.all(of: table) }, in: realm)
        printer.begin(to: &out)
        try printer.write(allOf: try QueryExecutor(query, in: realm), memoryLimit: memoryLimit, to: &out)
        try printer.end(to: &out)
        try out.flush()
      }
    }
    let download = Download(call.request, "\(className?.fileName ?? "result").\(name)", format.type)
    return try download.run {
      guard format.mode != .sql else {
        return try call.server.host.make(
          table: className ?? "result", { render, out in try write(render, to: &out) }
        ) { piece throws(EngineError) in try download.send(piece.span) }
      }
      var out = OutputBuffer { bytes throws(EngineError) in try download.send(bytes.span) }
      try write(RenderSpec(format.mode, hasHeader: true), to: &out)
    }
  }

  static let events = Endpoint(
    path: "events", summary: "Tell of each new version of the realms", type: "text/event-stream"
  ) { call in
    call.server.feeds.add(call.request)
    return nil
  }
}

extension Statement {
  /// Whether a text, which may be unfinished, is a statement rather than a condition on a class.
  fileprivate static func isMeant(
    by text: String, besideConditionsOn ownClass: ClassSchema, _ schema: SchemaDescription
  ) -> Bool {
    let source = Array(text.utf8)
    // A word alone may be a class.
    if let predicate = try? Predicate(parsing: source) {
      guard case .property = predicate.condition.kind else { return false }
    }
    let firstWord = String(text.split(whereSeparator: \.isWhitespace).first ?? "")
    if ownClass.property(named: firstWord) != nil { return false }
    let beginnings = schema.classes.map(\.name) + StatementWords.beginnings
    if beginnings.contains(where: { $0.lowercased() == firstWord.lowercased() }) { return true }
    guard let statement = try? Statement(parsing: source) else { return false }
    // Any name is a statement that shows the objects of a class.
    if case .select(let selection, _) = statement.kind {
      return schema.classes.contains { $0.name == selection.className.text }
    }
    return true
  }
}

extension String {
  /// What a header and every system take as a name; nil for others.
  fileprivate var fileName: String? {
    !isEmpty && utf8.count < 100 && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      ? self : nil
  }
}
