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
}

/// What kind of invariant is broken; the raw value is its number in FileFormat.md.
package enum FindingKind: Int, Sendable, CaseIterable {
  // The file and its header
  case headerSize = 1
  case selectedSlot = 2
  case headerReserved = 4
  case encryptedPage = 5
  // Nodes
  case ref = 6
  case nodeHeader = 7
  case nodeUsedTwice = 8
  case overlap = 9
  case lostSpace = 10
  case slotKind = 11
  case section = 13
  // The top array
  case topArray = 14
  case logicalSize = 15
  case tableSlots = 16
  case tableName = 17
  case freeList = 19
  case freeVersion = 20
  case historyType = 21
  case history = 22
  case evacuation = 23
  // Tables
  case tableTop = 24
  case tableKey = 25
  case spec = 26
  case columnKey = 27
  case propertyName = 28
  case columnArrays = 29
  case opposite = 30
  case primaryKey = 31
  case indexPresence = 32
  case tableFlags = 33
  case collisionMap = 34
  case enumeratedTexts = 35
  // Clusters
  case clusterNode = 36
  case clusterCount = 37
  case objectKeys = 38
  case clusterLeaf = 39
  case leafCount = 40
  // Leaves
  case leafKind = 41
  case nullSentinel = 42
  case boolean = 43
  case shortText = 45
  case blobEnds = 46
  case blob = 47
  case date = 48
  case decimal = 49
  case identifier = 50
  case mixedValue = 51
  case mixedPayload = 52
  case nestedCollection = 53
  case requiredNull = 54
  case text = 55
  case enumeratedNumber = 56
  // Trees of elements
  case treeNode = 57
  case treeCount = 58
  case treeLeafSize = 59
  // Collections
  case setOrder = 60
  case setElement = 61
  case dictionary = 62
  case dictionaryKey = 63
  case dictionaryOrder = 64
  case unresolvedMark = 65
  // Links
  case linkTarget = 66
  case incomingLinks = 67
  case incomingMissing = 68
  case incomingStale = 69
  case owner = 70
  case tombstone = 71
  // Search indexes
  case indexNode = 72
  case indexChunks = 73
  case indexPlace = 74
  case indexMissing = 75
  case indexExtra = 76
  case indexList = 77
  case primaryKeyValue = 78
  // Formats before 10
  case oldTable = 79
  // Tables of the SDKs
  case schemaVersion = 80

  /// `F-12`, as FileFormat.md numbers it.
  package var invariant: String { "F-\(rawValue)" }

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
