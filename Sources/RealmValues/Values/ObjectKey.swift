// How objects are named inside a file. Layer: Values.

/// An object's key within its table. Keys below zero name objects that do not exist (yet): unresolved.
package struct ObjectKey: Hashable, Comparable, Sendable, BitwiseCopyable {
  package let value: Int64

  package init(_ value: Int64) { self.value = value }

  package static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.value < right.value }
}

/// The number of a table: its slot in the group, with a tag that tells reuses of a slot apart.
package struct TableKey: Hashable, Sendable {
  package let value: UInt32

  /// Nil for what is no table: the null key and anything wider than 31 bits.
  package init?(_ value: Int64) {
    guard value >= 0, value < 0x7FFF_FFFF else { return nil }
    self.value = UInt32(value)
  }

  package var slot: Int { Int(value & 0xFFFF) }
}

/// Names any object of a file.
package struct ObjectLink: Hashable, Sendable {
  package let table: TableKey
  package let key: ObjectKey

  package init(table: TableKey, key: ObjectKey) {
    self.table = table
    self.key = key
  }
}
