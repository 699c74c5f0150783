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
      if let value { entries.append(DocumentEntry(key, .integer(Int64(value)))) }
    }
    add("file_format", format)
    if let format {
      entries.append(DocumentEntry("written_by", .string(FileGeneration.writers(ofFormat: format))))
    }
    add("size_bytes", fileSize)
    add("used_bytes", facts?.space?.used)
    add("free_bytes", facts?.space?.free)
    add("pinned_bytes", facts?.space?.pinned)
    if let isEncrypted { entries.append(DocumentEntry("encrypted", .bool(isEncrypted))) }
    if let facts {
      if let history = facts.history { entries.append(DocumentEntry("history", .string(history.name))) }
      entries.append(DocumentEntry("schema_version", facts.schemaVersion.map(DocumentNode.integer) ?? .null))
      if let version = facts.dataVersion { entries.append(DocumentEntry("data_version", .integer(version))) }
    }
    if let header { entries.append(contentsOf: slotEntries(header)) }
    if let facts {
      entries.append(DocumentEntry("classes", .sequence(facts.classes.map(\.document))))
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
        DocumentEntry("top_ref", .integer(Int64(clamping: header.topRef(slot: slot)))),
        DocumentEntry("file_format", .integer(Int64(header.format(slot: slot)))),
      ])
    }
    return [
      DocumentEntry("current_slot", .integer(Int64(current))), DocumentEntry("slots", .sequence(slots)),
    ]
  }
}

extension SnapshotFacts.ClassFacts {
  fileprivate var document: DocumentNode {
    var entries = [
      DocumentEntry("name", .string(schema.name)), DocumentEntry("kind", .string(schema.kind.name)),
      DocumentEntry("objects", .integer(Int64(count))),
    ]
    if let size {
      entries.append(DocumentEntry("bytes", .integer(Int64(size.total))))
      entries.append(DocumentEntry("backlink_bytes", .integer(Int64(size.backlinks))))
      let properties = zip(schema.properties, size.properties).map { property, size in
        DocumentNode.mapping([
          DocumentEntry("name", .string(property.name)),
          DocumentEntry("bytes", .integer(Int64(size.values))),
          DocumentEntry("index_bytes", .integer(Int64(size.index))),
        ])
      }
      entries.append(DocumentEntry("properties", .sequence(properties)))
    }
    return .mapping(entries)
  }
}
