// What an inspection reports: one deviation from the format, where it is, what should stand there.
// Layer: RealmInspection. Every kind carries the number of the invariant in FileFormat.md that it breaks.

import RealmFiles

/// How much a finding matters.
package enum Severity: String, Sendable, CaseIterable {
  /// The bytes contradict the format: data is lost or an engine may fail on them.
  case damage
  /// Redundant data is wrong; a writer can build it anew from the rest.
  case repairable
  /// Bytes that belong to nothing. Harmless, but gone until the file is compacted.
  case lostSpace = "lost space"
  /// Unusual, but every engine lives with it.
  case note

  /// Of JSON: `lost_space`
  package var word: String { self == .lostSpace ? "lost_space" : rawValue }
}

/// What kind of invariant is broken: its number in FileFormat.md, and the word of JSON.
package enum FindingKind: String, Sendable, CaseIterable {
  // The file and its header
  case headerSize = "F-1 header_size"
  case selectedSlot = "F-2 selected_slot"
  case headerReserved = "F-4 header_reserved"
  case encryptedPage = "F-5 encrypted_page"
  // Nodes
  case ref = "F-6 ref"
  case nodeHeader = "F-7 node_header"
  case nodeUsedTwice = "F-8 node_used_twice"
  case overlap = "F-9 overlap"
  case lostSpace = "F-10 lost_space"
  case slotKind = "F-11 slot_kind"
  case section = "F-13 section"
  // The top array
  case topArray = "F-14 top_array"
  case logicalSize = "F-15 logical_size"
  case tableSlots = "F-16 table_slots"
  case tableName = "F-17 table_name"
  case freeList = "F-19 free_list"
  case freeVersion = "F-20 free_version"
  case historyType = "F-21 history_type"
  case history = "F-22 history"
  case evacuation = "F-23 evacuation"
  // Tables
  case tableTop = "F-24 table_top"
  case tableKey = "F-25 table_key"
  case spec = "F-26 spec"
  case columnKey = "F-27 column_key"
  case propertyName = "F-28 property_name"
  case columnArrays = "F-29 column_arrays"
  case opposite = "F-30 opposite"
  case primaryKey = "F-31 primary_key"
  case indexPresence = "F-32 index_presence"
  case tableFlags = "F-33 table_flags"
  case collisionMap = "F-34 collision_map"
  case enumeratedTexts = "F-35 enumerated_texts"
  // Clusters
  case clusterNode = "F-36 cluster_node"
  case clusterCount = "F-37 cluster_count"
  case objectKeys = "F-38 object_keys"
  case clusterLeaf = "F-39 cluster_leaf"
  case leafCount = "F-40 leaf_count"
  // Leaves
  case leafKind = "F-41 leaf_kind"
  case nullSentinel = "F-42 null_sentinel"
  case boolean = "F-43 boolean"
  case shortText = "F-45 short_text"
  case blobEnds = "F-46 blob_ends"
  case blob = "F-47 blob"
  case date = "F-48 date"
  case decimal = "F-49 decimal"
  case identifier = "F-50 identifier"
  case mixedValue = "F-51 mixed_value"
  case mixedPayload = "F-52 mixed_payload"
  case nestedCollection = "F-53 nested_collection"
  case requiredNull = "F-54 required_null"
  case text = "F-55 text"
  case enumeratedNumber = "F-56 enumerated_number"
  // Trees of elements
  case treeNode = "F-57 tree_node"
  case treeCount = "F-58 tree_count"
  case treeLeafSize = "F-59 tree_leaf_size"
  // Collections
  case setOrder = "F-60 set_order"
  case setElement = "F-61 set_element"
  case dictionary = "F-62 dictionary"
  case dictionaryKey = "F-63 dictionary_key"
  case dictionaryOrder = "F-64 dictionary_order"
  case unresolvedMark = "F-65 unresolved_mark"
  // Links
  case linkTarget = "F-66 link_target"
  case incomingLinks = "F-67 incoming_links"
  case incomingMissing = "F-68 incoming_missing"
  case incomingStale = "F-69 incoming_stale"
  case owner = "F-70 owner"
  case tombstone = "F-71 tombstone"
  // Search indexes
  case indexNode = "F-72 index_node"
  case indexChunks = "F-73 index_chunks"
  case indexPlace = "F-74 index_place"
  case indexMissing = "F-75 index_missing"
  case indexExtra = "F-76 index_extra"
  case indexList = "F-77 index_list"
  case primaryKeyValue = "F-78 primary_key_value"
  // Formats before 10
  case oldTable = "F-79 old_table"
  // Tables of the SDKs
  case schemaVersion = "F-80 schema_version"

  /// `F-12`, as FileFormat.md numbers it.
  package var invariant: String { String(rawValue.prefix { $0 != " " }) }

  /// `table_name`
  package var word: String { String(rawValue.dropFirst(invariant.count + 1)) }

  package var severity: Severity {
    switch self {
    case .lostSpace: .lostSpace
    case .dictionaryOrder, .unresolvedMark: .repairable
    case .headerReserved, .section, .text, .evacuation: .note
    default: .damage
    }
  }
}

/// One deviation.
package struct Finding: Sendable {
  package let kind: FindingKind
  package let severity: Severity
  /// Position in the data (decrypted, where the file is encrypted).
  package let offset: Int
  /// Which part of the realm it concerns, in words.
  package let place: String
  package let expected: String
  package let found: String

  package init(
    kind: FindingKind, severity: Severity, offset: Int, place: String, expected: String, found: String
  ) {
    self.kind = kind
    self.severity = severity
    self.offset = offset
    self.place = place
    self.expected = expected
    self.found = found
  }

  /// What is expected of every file before anything else; what is found then is a sentence of its own.
  static let openable = "a header that names a snapshot inside the file"

  /// What is wrong, for people.
  package var words: String { expected == Self.openable ? found : "expected \(expected), found \(found)" }
}
