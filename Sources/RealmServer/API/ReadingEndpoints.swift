// What is read of a realm: classes, rows, objects, links, schema. Layer: RealmServer, API.

import ByteText
import RealmEngine
import RealmModels
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Endpoint {
  /// What there is to look at.
  static let realms = Endpoint(
    path: "realms", summary: "List the realms that are served",
    shape: .list(.open(.integer("realm"), .flag("writable"), .text("file")))
  ) { call in
    .json(
      .sequence(
        call.server.realms.map { realm in
          let information = call.server.host.information(realm.index, measured: false)
          return .mapping(
            [
              .number("realm", realm.index), .flag("writable", call.server.isWritable),
            ] + (information.entries ?? []))
        }))
  }

  static let classes = Endpoint(
    path: "realms/{realm}/classes", summary: "List classes with their properties and numbers of objects",
    shape: .open(
      .integer("version"),
      JSONField(
        "classes",
        .list(
          .open(
            .text("name"), JSONField("kind", .word(["object", "embedded", "asymmetric", "table"])),
            .integer("objects"), .text("primary_key").orNull,
            JSONField(
              "properties",
              .list(
                .open(
                  .text("name"), .text("spelled"), .text("word"), .text("type"), .text("collection").orNull,
                  .flag("optional"), .text("target").orNull, .flag("indexed"))))))))
  ) { call in
    try call.realm.read { database in
      let realm = database.transaction
      let counts = Dictionary(
        realm.classes(allTables: call.server.showsAllTables).map { ($0.schema.name, $0.count) }
      ) { first, _ in first }
      let schema = realm.schemaDescription(allTables: call.server.showsAllTables)
      return .json(
        .mapping([
          .number("version", database.dataVersion),
          .list("classes", schema.classes.map { $0.document(objects: counts[$0.name] ?? 0) }),
        ]))
    }
  }

  private static let rowsMax = 500

  static let rows = Endpoint(
    path: "realms/{realm}/rows", summary: "Show objects of a class by their place in an order",
    parameters: [
      className, condition, sort, from("objects"),
      Parameter(name: "count", kind: .count(rowsMax), summary: "how many to show; 100 when left out"),
    ],
    shape: .open(
      .integer("version"), .integer("count"), .integer("total"), .integer("from"), .texts("columns"),
      .texts("warnings"), JSONField("rows", .list(.open(.text("key"), JSONField("cells", .list(.anything)))))),
    takesLong: true
  ) { call in
    try call.realm.read { database in
      let realm = database.transaction
      let table = try call.table(in: realm)
      let query = call.query(of: table)
      let from = call.count("from")
      let (sum, isOver) = from.addingReportingOverflow(call.count("count", default: 100))
      let wanted = isOver ? Int.max : sum
      let keys = try call.realm.keys(of: query, upTo: wanted, table, in: database)
      let end = min(keys.count, wanted)
      var text = ByteBuffer()
      text.append(literal: "{\"version\":")
      text.append(decimal: database.dataVersion)
      text.append(literal: ",\"count\":")
      text.append(decimal: Int64(keys.count))
      text.append(literal: ",\"total\":")
      text.append(decimal: Int64(table.count))
      text.append(literal: ",\"from\":")
      text.append(decimal: Int64(from))
      text.append(literal: ",\"columns\":")
      text.append(json: .sequence(table.schema.properties.map { .string($0.name) }))
      text.append(literal: ",\"warnings\":")
      text.append(json: .sequence(try query.bound(in: realm, table).warnings.map { .string($0.message) }))
      text.append(literal: ",\"rows\":[")
      var cells = CellWriter(realm, .cell)
      let positions = from < end ? try keys.positions(from..<end, of: query, table, in: realm) : []
      for (index, position) in positions.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(literal: "{\"key\":\"")
        text.append(decimal: position.key.value)
        text.append(literal: "\",\"cells\":[")
        for (index, property) in table.schema.properties.enumerated() {
          if index > 0 { text.append(UInt8(ascii: ",")) }
          try cells.write(property, of: position, to: &text)
        }
        text.append(literal: "]}")
      }
      text.append(literal: "]}")
      return .json(text)
    }
  }

  private static let elementsMax = 1 << 24

  static let object = Endpoint(
    path: "realms/{realm}/objects/{class}/{key}",
    summary: "Show one object, and with -w the state of each property, which a change may name",
    parameters: [
      Parameter(name: "property", summary: "only this one, its texts whole"), from("elements"),
      Parameter(
        name: "count", kind: .count(elementsMax),
        summary: "how many elements of each collection of this property to show; 100 when left out"),
      Parameter(
        name: "form", kind: .choice(["values", "json"]), summary: "values, or the JSON of a dump"),
    ],
    shape: .row
  ) { call in
    try call.realm.read { database in
      let realm = database.transaction
      let (table, position) = try call.object(in: realm)
      if call.text("form") == "json" {
        var out = OutputBuffer()
        var writer = JSONWriter(realm, style: .typed)
        try writer.writeObject(position, of: table, to: &out)
        return WebAnswer(body: out.text.bytes)
      }
      var limits = call.text("property") == nil ? CellLimits.object : .whole
      limits.from = call.count("from")
      if call.text("property") != nil { limits.items = call.count("count", default: limits.items) }
      let properties = table.schema.properties.filter { property in
        call.text("property").map { $0 == property.name } ?? true
      }
      if properties.isEmpty, let name = call.text("property") {
        throw WebRefusal.unknownProperty(name, of: table.schema)
      }
      var cells = CellWriter(realm, limits)
      var text = ByteBuffer()
      text.append(literal: "{\"version\":")
      text.append(decimal: database.dataVersion)
      text.append(literal: ",\"class\":")
      text.append(jsonString: table.schema.name)
      text.append(literal: ",\"key\":\"")
      text.append(decimal: position.key.value)
      text.append(literal: "\",\"values\":{")
      for (index, property) in properties.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(jsonKey: property.name)
        try cells.write(property, of: position, to: &text)
      }
      text.append(UInt8(ascii: "}"))
      if call.server.isWritable {
        // What is damaged is shown, but nobody knows it again.
        let states = properties.compactMap { property in
          (try? realm.state(of: property, position, of: table)).map {
            DocumentEntry.text(property.name, $0)
          }
        }
        text.append(literal: ",\"states\":")
        text.append(json: .mapping(states))
      }
      text.append(UInt8(ascii: "}"))
      return .json(text)
    }
  }

  private static let originsMax = 50

  static let links = Endpoint(
    path: "realms/{realm}/links/{class}/{key}", summary: "List the objects that link to one",
    parameters: [from("objects of each property")],
    shape: .list(
      .open(
        .text("class"), .text("property"), .integer("count"), JSONField("objects", .list(.row))))
  ) { call in
    try call.realm.read { database in
      let realm = database.transaction
      let (table, position) = try call.object(in: realm)
      var cells = CellWriter(realm, .cell)
      var text = ByteBuffer()
      var isFirst = true
      text.append(UInt8(ascii: "["))
      for column in table.schema.backlinks {
        guard let origin = column.originTable.flatMap(realm.table),
          let property = origin.schema.properties.first(where: { $0.columnKey == column.originColumn })
        else { continue }
        let from = call.count("from")
        var count = 0
        var keys: [ObjectKey] = []
        try realm.snapshot.forEachOrigin(try position.block.backlinks(column)[position.row]) { key in
          if count >= from, keys.count < originsMax { keys.append(key) }
          count += 1
          return true
        }
        guard count > 0 else { continue }
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        text.append(literal: "{\"class\":")
        text.append(jsonString: origin.schema.name)
        text.append(literal: ",\"property\":")
        text.append(jsonString: property.name)
        text.append(literal: ",\"count\":")
        text.append(decimal: Int64(count))
        text.append(literal: ",\"objects\":[")
        for (index, key) in keys.enumerated() {
          if index > 0 { text.append(UInt8(ascii: ",")) }
          try cells.write(ObjectLink(table: origin.schema.tableKey, key: key), to: &text)
        }
        text.append(literal: "]}")
      }
      text.append(UInt8(ascii: "]"))
      return .json(text)
    }
  }

  static let schema = Endpoint(
    path: "realms/{realm}/schema", summary: "Show the schema as statements",
    shape: .open(
      .integer("schema_version").orNull, .text("statements"), .text("mermaid"), .texts("languages"))
  ) { call in
    try call.realm.read { database in
      let schema = database.transaction.schemaDescription(allTables: call.server.showsAllTables)
      return .json(
        .mapping([
          .number("schema_version", schema.version), .text("statements", schema.statements),
          .text("mermaid", schema.mermaid),
          .list("languages", ModelFormat.languages.map { .string($0.name) }),
        ]))
    }
  }

  static let code = Endpoint(
    path: "realms/{realm}/code", summary: "Write the classes in a language",
    parameters: [
      Parameter(
        name: "language", kind: .choice(ModelFormat.languages.map(\.name)), isRequired: true,
        summary: "or what else a schema can be written as")
    ],
    shape: .open(.text("code"), .text("suffix"))
  ) { call in
    let name = try call.required("language")
    guard let format = ModelFormat.languages.first(where: { $0.name == name }) else { return nil }
    return try call.realm.read { database in
      let code = try format.code(of: database.transaction)
      return .json(
        .mapping([.text("code", code.text), .text("suffix", code.parts.first?.suffix ?? "")]))
    }
  }
}

extension ClassDefinition {
  fileprivate func document(objects: Int) -> DocumentNode {
    .mapping([
      .text("name", name), .text("kind", kind.name), .number("objects", objects),
      .text("primary_key", primaryKey),
      .list(
        "properties",
        properties.map { property in
          .mapping([
            .text("name", property.name), .text("spelled", spelledName(property.name, as: .property)),
            .text("word", property.type.word), .text("type", property.type.type.name),
            .text("collection", property.type.collection?.name), .flag("optional", property.type.isOptional),
            .text("target", property.type.target), .flag("indexed", property.index != .none),
          ])
        }),
    ])
  }
}
