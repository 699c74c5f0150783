// A report for programs. Layer: RealmCommands, Info.

import RealmEngine
import Rendering
import TextFormats

extension RealmReport {
  static let fields: [JSONField] = [
    .integer("file_format"), .text("written_by"), .integer("size_bytes"), .integer("used_bytes").optional,
    .integer("free_bytes").optional, .integer("pinned_bytes").optional, .flag("encrypted"),
    .text("history").optional, .integer("schema_version").orNull, .integer("data_version").optional,
    .integer("current_slot").optional,
    JSONField("slots", .list(.object(.integer("top_ref"), .integer("file_format"))), isRequired: false),
    JSONField(
      "classes",
      .list(
        .object(
          .text("name"), .text("kind"), .integer("objects"), .integer("bytes").optional,
          .integer("backlink_bytes").optional, JSONField("properties", .list(.row), isRequired: false)))),
    .integer("other_tables"), .integer("other_rows"),
  ]

  /// What is not known is left out.
  var entries: [DocumentEntry] {
    var entries: [DocumentEntry] = []
    func add(_ key: String, _ value: Int?) {
      if let value { entries.append(.number(key, value)) }
    }
    add("file_format", format)
    if let format {
      entries.append(.text("written_by", FileGeneration.writers(ofFormat: format)))
    }
    add("size_bytes", fileSize)
    add("used_bytes", facts?.space?.used)
    add("free_bytes", facts?.space?.free)
    add("pinned_bytes", facts?.space?.pinned)
    if let isEncrypted { entries.append(.flag("encrypted", isEncrypted)) }
    if let facts {
      if let history = facts.history { entries.append(.text("history", history.name)) }
      entries.append(.number("schema_version", facts.schemaVersion))
      if let version = facts.dataVersion { entries.append(.number("data_version", version)) }
    }
    if let header { entries.append(contentsOf: slotEntries(header)) }
    if let facts {
      entries.append(.list("classes", facts.classes.map(\.document)))
      add("other_tables", facts.otherTableCount)
      add("other_rows", facts.otherRowCount)
    }
    return entries
  }

  private func slotEntries(_ header: FileHeader) -> [DocumentEntry] {
    guard header.form == .slots else { return [] }
    let current = header.selectedSlot
    let slots = (0...1).map { slot in
      DocumentNode.mapping([
        .number("top_ref", Int64(clamping: header.topRef(slot: slot))),
        .number("file_format", header.format(slot: slot)),
      ])
    }
    return [
      DocumentEntry.number("current_slot", current), .list("slots", slots),
    ]
  }
}

extension SnapshotFacts.ClassFacts {
  fileprivate var document: DocumentNode {
    var entries = [
      DocumentEntry.text("name", schema.name), .text("kind", schema.kind.name), .number("objects", count),
    ]
    if let size {
      entries.append(.number("bytes", size.total))
      entries.append(.number("backlink_bytes", size.backlinks))
      let properties = zip(schema.properties, size.properties).map { property, size in
        DocumentNode.mapping([
          .text("name", property.name), .number("bytes", size.values), .number("index_bytes", size.index),
        ])
      }
      entries.append(.list("properties", properties))
    }
    return .mapping(entries)
  }
}
