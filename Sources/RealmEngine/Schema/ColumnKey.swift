// The number that identifies a column: where its leaves are, what they hold, and a tag against reuse.
// Layer: Schema.

/// A decoded column key. Any 62-bit pattern is accepted; whether its type exists is found out by its reader.
package struct ColumnKey: Hashable, Sendable {
  package let value: Int64

  package init(_ value: Int64) { self.value = value }

  package static let null = ColumnKey(Int64.max)

  /// The column's slot in every cluster, less one.
  package var leafIndex: Int { Int(value & 0xFFFF) }
  package var typeNumber: UInt8 { UInt8(value >> 16 & 0x3F) }
  package var attributes: ColumnAttributes { ColumnAttributes(rawValue: Int(value >> 22 & 0xFF)) }
  /// The type number that lists of links had before format 24.
  package static let oldLinkList: UInt8 = 13
  package var isOldLinkList: Bool { typeNumber == Self.oldLinkList }
  /// What a column with this key holds; nil for numbers that no type has.
  package var type: ValueType? { isOldLinkList ? .object : ValueType(rawValue: typeNumber) }
  package var collection: CollectionKind? { isOldLinkList ? .list : attributes.collection }
  package var tag: UInt32 { UInt32(truncatingIfNeeded: value >> 30) }

  package init(leafIndex: Int, typeNumber: UInt8, attributes: ColumnAttributes, tag: UInt32) {
    value =
      Int64(leafIndex) | Int64(typeNumber) << 16 | Int64(attributes.rawValue & 0xFF) << 22 | Int64(tag) << 30
  }
}

/// What a column is besides its type.
package struct ColumnAttributes: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let indexed = ColumnAttributes(rawValue: 1)
  package static let unique = ColumnAttributes(rawValue: 2)
  package static let strongLinks = ColumnAttributes(rawValue: 8)
  package static let nullable = ColumnAttributes(rawValue: 16)
  package static let list = ColumnAttributes(rawValue: 32)
  package static let dictionary = ColumnAttributes(rawValue: 64)
  package static let set = ColumnAttributes(rawValue: 128)
  package static let fullText = ColumnAttributes(rawValue: 256)

  /// The collection that the column's values are, if any.
  package var collection: CollectionKind? {
    if contains(.list) { return .list }
    if contains(.set) { return .set }
    return contains(.dictionary) ? .dictionary : nil
  }
}
