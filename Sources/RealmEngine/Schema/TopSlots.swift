// Where the arrays at the top of a realm, of a table and of its spec keep what (F-14, F-24, F-26). Layer: Schema.
// Inspection has its own, so that a mistake here cannot hide from it.

/// Slots of a snapshot's top array.
package enum GroupSlot {
  package static let names = 0
  package static let tables = 1
  package static let logicalSize = 2
  static let freePositions = 3
  static let freeLengths = 4
  static let freeVersions = 5
  package static let version = 6
  static let historyType = 7
  static let history = 8
  static let historySchemaVersion = 9
  static let syncFileID = 10
  /// Of a top array with a history, and of one without.
  static let countWithHistory = 11
  static let countWithoutHistory = 7
}

/// Slots of a table's top array in formats 10 and later.
package enum TableTopSlot {
  package static let spec = 0
  /// The columns of format 9, which an upgrade leaves there until it is done.
  static let oldColumns = 1
  package static let clusters = 2
  package static let key = 3
  package static let indexes = 4
  package static let columnSequence = 5
  package static let contentVersion = 6
  package static let oppositeTables = 7
  package static let oppositeColumns = 8
  static let sequence = 9
  package static let primaryKey = 11
  package static let flags = 12
  static let tombstones = 13
  static let count = 14
  static let countWithoutKind = 12
}

/// Slots of a spec in formats 10 and later.
package enum TableSpecSlot {
  package static let types = 0
  package static let names = 1
  package static let attributes = 2
  /// The distinct texts of enumerated columns.
  package static let enumerations = 4
  package static let keys = 5
}
