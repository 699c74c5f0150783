// The dump of a whole realm: a line for the realm, one a class, one an object. Layer: Rendering, Rows.
// Invariant: the same snapshot always gives the same bytes: classes by name, objects by key.

import ByteText
package import RealmEngine
import TextFormats

/// Writes a dump.
package struct DumpWriter {
  private let transaction: ReadTransaction
  private let tables: [Table]

  /// Nothing shows that says how the data are stored.
  private let isCanonical: Bool

  /// `allTables`: the tables that are no classes too. `isCanonical`: not a dump, but the text whose digest stands for
  /// the data, whatever the file format and the order in which properties and sets are stored.
  package init(_ transaction: ReadTransaction, allTables: Bool, isCanonical: Bool = false) {
    self.transaction = transaction
    self.isCanonical = isCanonical
    tables = transaction.classes(allTables: allTables).sorted {
      Array($0.schema.name.utf8).lexicographicallyPrecedes(Array($1.schema.name.utf8))
    }
  }

  package func write(to out: inout OutputBuffer) throws(EngineError) {
    writeHead(to: &out)
    for table in tables { writeClass(table, to: &out) }
    var writer = JSONWriter(transaction, style: .typed, isCanonical: isCanonical)
    let written = tables.filter { $0.schema.kind != .embedded }
    ProgressCounter.expect(written.reduce(0) { $0 &+ $1.count })
    for table in written {
      try writer.writeLines(of: table, to: &out)
    }
  }

  private func writeHead(to out: inout OutputBuffer) {
    out.text.append(literal: "{\"realm\":{")
    if !isCanonical {
      out.text.append(literal: "\"file_format\":")
      out.text.append(decimal: Int64(transaction.snapshot.format))
      out.text.append(UInt8(ascii: ","))
    }
    out.text.append(literal: "\"schema_version\":")
    if let version = transaction.schemaVersion {
      out.text.append(decimal: version)
    } else {
      out.text.append(literal: "null")
    }
    out.text.append(literal: "}}\n")
  }

  private func writeClass(_ table: Table, to out: inout OutputBuffer) {
    let schema = table.schema
    out.text.append(literal: "{\"class\":")
    out.text.append(jsonString: schema.name)
    out.text.append(literal: ",\"kind\":")
    out.text.append(jsonString: schema.kind.name)
    out.text.append(literal: ",\"primary_key\":")
    if let key = schema.primaryKey {
      out.text.append(jsonString: key.name)
    } else {
      out.text.append(literal: "null")
    }
    out.text.append(literal: ",\"properties\":[")
    let properties = isCanonical ? schema.propertiesByName : schema.properties
    for (index, property) in properties.enumerated() {
      if index > 0 { out.text.append(UInt8(ascii: ",")) }
      // Not every format keeps an index of primary keys.
      let isIndexShown = !isCanonical || property.columnKey != schema.primaryKey?.columnKey
      write(property, isIndexShown: isIndexShown, to: &out)
    }
    out.text.append(literal: "],\"count\":")
    out.text.append(decimal: Int64(table.count))
    out.text.append(UInt8(ascii: "}"), UInt8(ascii: "\n"))
  }

  private func write(_ property: Property, isIndexShown: Bool, to out: inout OutputBuffer) {
    out.text.append(literal: "{\"name\":")
    out.text.append(jsonString: property.name)
    out.text.append(literal: ",\"type\":")
    out.text.append(jsonString: property.type.name)
    if let collection = property.collection {
      out.text.append(literal: ",\"collection\":")
      out.text.append(jsonString: collection.name)
    }
    if property.isOptional { out.text.append(literal: ",\"optional\":true") }
    switch isIndexShown ? property.index : .none {
    case .none: break
    case .general: out.text.append(literal: ",\"indexed\":true")
    case .fullText: out.text.append(literal: ",\"indexed\":\"fulltext\"")
    }
    if let target = property.target, let table = transaction.table(target) {
      out.text.append(literal: ",\"target\":")
      out.text.append(jsonString: table.schema.name)
    }
    out.text.append(UInt8(ascii: "}"))
  }
}
