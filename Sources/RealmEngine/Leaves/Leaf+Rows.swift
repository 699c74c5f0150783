// Values of many rows of a leaf at once: what a leaf is is asked once, not for each row. Layer: Leaves.

extension Leaf {
  /// All values. Links have no table.
  func values(in snapshot: Snapshot) throws(EngineError) -> [Value] { try values(0..<count, in: snapshot) }

  /// The values of some rows. `target` is the table that links without a table mean.
  func values(
    _ rows: some Collection<Int>, in snapshot: Snapshot, target: TableKey? = nil
  ) throws(EngineError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    switch self {
    case .strings(.short(let leaf)):
      for row in rows { values.append(Self.text(try leaf.bytes(row))) }
    case .strings(.medium(let leaf)):
      for row in rows { values.append(Self.text(try leaf.bytes(row))) }
    case .integers(let leaf):
      for row in rows { values.append(leaf.value(row)) }
    default:
      for row in rows { values.append(try value(row, in: snapshot, target: target)) }
    }
    return values
  }

  private static func text(_ bytes: RawBytes?) -> Value {
    if let bytes { .string(ByteString(borrowing: bytes)) } else { .null }
  }

  /// The rows that hold null.
  package func nullRows(in snapshot: Snapshot) throws(EngineError) -> [Int] {
    var rows: [Int] = []
    switch self {
    case .strings(.short(let leaf)):
      for row in 0..<leaf.count where try leaf.bytes(row) == nil { rows.append(row) }
    case .strings(.medium(let leaf)):
      for row in 0..<leaf.count where leaf.isNull(row) { rows.append(row) }
    default:
      for row in 0..<count { if case .null = try value(row, in: snapshot) { rows.append(row) } }
    }
    return rows
  }
}
