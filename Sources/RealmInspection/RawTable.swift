// What an inspection knows of a table: its columns, taken from their keys, and where its objects are.
// Layer: RealmInspection.

import RealmFiles

/// A column key, taken apart.
struct RawColumnKey {
  let value: Int64

  static let nullable: Int64 = 16
  static let list: Int64 = 32
  static let dictionary: Int64 = 64
  static let set: Int64 = 128
  /// Attributes that a key repeats; those about indexes only stand in the spec.
  static let keptAttributes: Int64 = 0xF8
  static let indexed: Int64 = 1
  static let fullText: Int64 = 256
  /// Lists of links had a type of their own before format 24.
  static let oldLinkListType: Int64 = 13
  static let valueMax: Int64 = 1 << 62 - 1

  var leafIndex: Int { Int(value & 0xFFFF) }
  var type: Int64 { value >> 16 & 0x3F }
  var attributes: Int64 { value >> 22 & 0xFF }
}

/// One column of a table.
final class RawColumn {
  enum Shape { case single, list, set, dictionary }

  /// Position in the spec.
  let index: Int
  let name: String
  let key: RawColumnKey
  let type: ValueType
  let shape: Shape
  /// What the spec says beside the key: indexes.
  let attributes: Int64
  let hasIntegerKeys: Bool
  let oppositeTable: Int64
  let oppositeColumn: Int64
  let indexSlot: RawSlot
  var distinctTexts: RawTexts?
  /// The links of this column, where they all lead to one table; of an incoming column, the links it records.
  var relation: Int?
  /// The same where every link names its table.
  var relationsByTable: [Int64: Int] = [:]
  /// Slot of the table that the links of this column lead to, where its objects are embedded.
  var ownedTable: Int?
  /// What the texts put into an index of whole words.
  var words: WordSum?

  init(
    index: Int, name: String, key: RawColumnKey, type: ValueType, attributes: Int64, hasIntegerKeys: Bool,
    oppositeTable: Int64, oppositeColumn: Int64, indexSlot: RawSlot
  ) {
    self.index = index
    self.name = name
    self.key = key
    self.type = type
    self.attributes = attributes
    self.hasIntegerKeys = hasIntegerKeys
    self.oppositeTable = oppositeTable
    self.oppositeColumn = oppositeColumn
    self.indexSlot = indexSlot
    if key.type == RawColumnKey.oldLinkListType || key.attributes & RawColumnKey.list != 0 {
      shape = .list
    } else if key.attributes & RawColumnKey.set != 0 {
      shape = .set
    } else {
      shape = key.attributes & RawColumnKey.dictionary != 0 ? .dictionary : .single
    }
  }

  var isNullable: Bool { key.attributes & RawColumnKey.nullable != 0 }
  var isIncoming: Bool { type == .backlink }
  /// Whether its links name their tables.
  var mayLinkAnywhere: Bool { type == .mixed || type == .typedLink }
  var isFullText: Bool { attributes & RawColumnKey.fullText != 0 }
  var hasIndex: Bool { if case .ref = indexSlot { true } else { false } }
  /// Whether the index spells out whole words, as full-text indexes and those of lists do.
  var hasWordIndex: Bool { hasIndex && (isFullText || shape != .single) }

  /// How the column's leaves in clusters are laid out.
  var layout: RawLayout {
    RawLayout(
      type: type, isNullable: isNullable, isCollectionColumn: shape != .single, distinctTexts: distinctTexts)
  }

  /// How leaves of its lists and sets are laid out.
  var elementLayout: RawLayout { RawLayout(type: type, isNullable: isNullable, isInCollection: true) }
}

/// One table.
final class RawTable {
  static let nullKey: Int64 = 0x7FFF_FFFF
  static let nullColumn: Int64 = .max

  let slot: Int
  let name: String
  let top: RawNode
  var key: Int64 = 0
  /// Those with names first, then the incoming ones.
  var columns: [RawColumn] = []
  /// Position among the columns.
  var primaryKey: Int?
  var isEmbedded = false
  /// The relation of its objects to the links that own them, where they are embedded.
  var owners: Int?
  /// Whether an object of it may own another one of it, through others or not.
  var mayOwnItself = false
  var directory = ObjectDirectory()

  init(slot: Int, name: String, top: RawNode) {
    self.slot = slot
    self.name = name
    self.top = top
  }

  /// Slots that a cluster has when all columns have their leaves.
  var clusterSlotCount: Int { 1 + (columns.map { $0.key.leafIndex + 1 }.max() ?? 0) }

  func hasColumn(leaf index: Int) -> Bool { columns.contains { $0.key.leafIndex == index } }

  func column(key: Int64) -> RawColumn? { columns.first { $0.key.value == key } }
}
