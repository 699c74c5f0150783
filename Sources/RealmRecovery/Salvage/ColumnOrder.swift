// What the order says in which a table's columns were made. Layer: RealmRecovery, Salvage.
// The tag of a column's key is the table's key, exclusive or the number of columns removed before; and a column takes the
// first leaf that is free. So a table that never lost a column has its keys by its columns' order alone.

import RealmEngine

extension ColumnKey {
  /// Whether links may lead out of the column. Tables of earlier engines say of columns without links that the number 0 is
  /// their other side, which is the key of a number's column.
  var mayLink: Bool {
    [ValueType.object.rawValue, ValueType.mixed.rawValue, ColumnKey.oldLinkList].contains(typeNumber)
  }
}

enum ColumnOrder {
  /// The table whose columns these are, as most of them say.
  static func tableKey(of keys: PackedIntegers) -> TableKey? {
    var votes: [UInt32: Int] = [:]
    for index in 0..<keys.count { votes[ColumnKey(keys[index]).tag, default: 0] += 1 }
    guard let best = votes.max(by: { $0.value < $1.value }), best.value * 2 > keys.count else { return nil }
    return TableKey(Int64(best.key))
  }

  /// The keys of a table's columns, in the order of its spec; nil where nobody can tell, as where columns were removed.
  /// `isBacklink`: whether the leaf of a number has incoming links.
  static func keys(
    types: PackedIntegers, attributes: PackedIntegers, table: TableKey, removedCount: Int64,
    isBacklink: (Int) -> Bool
  ) -> [Int64]? {
    guard types.count == attributes.count, types.count > 0, removedCount == 0 else { return nil }
    let leaves = 0..<types.count
    var linked = leaves.filter(isBacklink)[...]
    var plain = leaves.filter { !isBacklink($0) }[...]
    var keys: [Int64] = []
    for index in leaves {
      let type = UInt8(truncatingIfNeeded: types[index] & 0x3F)
      guard let leaf = type == ValueType.backlink.rawValue ? linked.popFirst() : plain.popFirst() else {
        return nil
      }
      let stored = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index]) & 0xFF)
      let key = ColumnKey(
        leafIndex: leaf, typeNumber: type, attributes: stored.subtracting([.indexed, .unique]),
        tag: UInt32(truncatingIfNeeded: table.value))
      keys.append(key.value)
    }
    return keys
  }
}
