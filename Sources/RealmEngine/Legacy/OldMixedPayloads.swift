// Mixed values of formats 2–9: a type and a 63-bit number a row; what does not fit the number stands in a column of
// data or of dates, and the number is its row there. Layer: Legacy.

/// Where the values of a mixed column are that are no numbers.
final class OldMixedPayloads: Sendable {
  private let data: OldColumn?
  private let dates: OldColumn?

  private enum Slot {
    static let data = 2
    static let dates = 3
  }

  /// Numbers that types have here, beside those of `ValueType`.
  private enum OldType {
    static let table: Int64 = 5
    static let seconds: Int64 = 7
    static let negativeDouble: Int64 = 11
    static let negativeInt: Int64 = 12
  }

  /// `top` is the column's root.
  init(_ top: NodeView, in snapshot: Snapshot) throws(EngineError) {
    data = try top.refIfPresent(Slot.data).map { ref throws(EngineError) in
      try OldColumn(.data, isNullable: false, root: ref, in: snapshot)
    }
    dates = try top.refIfPresent(Slot.dates).map { ref throws(EngineError) in
      try OldColumn(.dates, isNullable: true, root: ref, in: snapshot)
    }
  }

  /// The values that `types` and `data` tell of.
  func leaf(
    types: PackedIntegers, data: PackedIntegers, offset: Int
  ) throws(EngineError) -> MixedLeaf {
    var values: [Value] = []
    values.reserveCapacity(types.count)
    for index in 0..<types.count { values.append(try value(types[index], data[index], offset)) }
    return MixedLeaf(values: values, offset: offset)
  }

  private func value(_ type: Int64, _ stored: Int64, _ offset: Int) throws(EngineError) -> Value {
    // A table inside a value is no value that any later format has: it reads as null.
    if type == OldType.table { return .null }
    guard stored & 1 == 1 || stored == 0 else {
      throw EngineError.damaged(at: offset, expected: "a tagged number", found: "\(stored)")
    }
    let number = UInt64(bitPattern: stored) >> 1
    let sign = UInt64(1) << 63
    switch type {
    // A value that was never given is stored as the integer 0, as null cannot be.
    case Int64(ValueType.int.rawValue): return number == 0 ? .null : .int(Int64(bitPattern: number))
    case OldType.negativeInt: return .int(Int64(bitPattern: number | sign))
    case Int64(ValueType.bool.rawValue): return .bool(number != 0)
    case Int64(ValueType.float.rawValue):
      return .float(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case Int64(ValueType.double.rawValue): return .double(Double(bitPattern: number))
    case OldType.negativeDouble: return .double(Double(bitPattern: number | sign))
    case OldType.seconds:
      // The sign was lost when the number was tagged; times that far ahead do not occur.
      let seconds = Int64(bitPattern: number << 1) >> 1
      return .date(Timestamp(seconds: seconds, nanoseconds: 0))
    case Int64(ValueType.date.rawValue): return try payload(dates, number, offset)
    case Int64(ValueType.data.rawValue): return try payload(data, number, offset)
    case Int64(ValueType.string.rawValue):
      guard case .data(let bytes) = try payload(data, number, offset), bytes.count > 0 else {
        return .string(ByteString(borrowing: .empty))
      }
      return .string(bytes.dropLast(1))
    default: throw EngineError.damaged(at: offset, expected: "the type of a mixed value", found: "\(type)")
    }
  }

  private func payload(_ column: OldColumn?, _ row: UInt64, _ offset: Int) throws(EngineError) -> Value {
    guard let column, row < UInt64(column.count) else {
      throw EngineError.damaged(
        at: offset, expected: "a payload below \(column?.count ?? 0)", found: "\(row)")
    }
    return try column.value(Int(row))
  }
}
