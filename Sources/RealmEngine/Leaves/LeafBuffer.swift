// Values of one column, gathered row by row until a whole leaf can be made of them. Layer: Leaves.
// Invariants: every row adds exactly one value; a value of the wrong type is refused and adds nothing. One thread at a
// time uses a buffer.

/// The growing content of a leaf.
package final class LeafBuffer: Sendable {
  let layout: LeafLayout
  private let integers = IntegerBuffer()
  /// Nanoseconds of dates.
  private let fractions: IntegerBuffer?
  /// 1 for a null; nil where nulls are values like others.
  private let nulls: IntegerBuffer?
  private let texts: TextBuffer?
  private let values: ValueBuffer<Value>?

  /// Whether it keeps values as such, having no better form for their type.
  var holdsValues: Bool { values != nil }

  /// Values gathered so far.
  var count: Int { texts?.count ?? values?.count ?? integers.count }

  init(_ layout: LeafLayout) {
    self.layout = layout
    let type = layout.type
    fractions = type == .date ? IntegerBuffer() : nil
    nulls = type == .date || type == .int && layout.isNullable ? IntegerBuffer() : nil
    texts = type == .string || type == .data ? TextBuffer() : nil
    values = [.int, .bool, .float, .double, .date, .string, .data].contains(type) ? nil : ValueBuffer()
  }

  private func mismatch(_ found: String) -> EngineError {
    EngineError(.constraint, "\(found) is not allowed among values of type \(layout.type.name)")
  }

  package func append(int number: Int64) throws(EngineError) {
    guard layout.type == .int else { return try append(.int(number)) }
    integers.append(number)
    nulls?.append(0)
  }

  package func append(double number: Double) throws(EngineError) {
    guard layout.type == .double else { return try append(.double(number)) }
    integers.append(Int64(bitPattern: number.storedBits))
  }

  package func append(bool flag: Bool) throws(EngineError) {
    guard layout.type == .bool else { return try append(.bool(flag)) }
    integers.append(flag ? 1 : 0)
  }

  package func append(date: Timestamp) throws(EngineError) {
    guard layout.type == .date else { return try append(.date(date)) }
    guard date.isStorable else {
      throw EngineError(
        .constraint, "\(date.seconds) seconds and \(date.nanoseconds) nanoseconds are not a date")
    }
    appendUnchecked(date)
  }

  private func appendUnchecked(_ date: Timestamp) {
    integers.append(date.seconds)
    fractions?.append(Int64(date.nanoseconds))
    nulls?.append(0)
  }

  /// A text, or data where the column holds data.
  package func append(text: Span<UInt8>) throws(EngineError) {
    guard let texts else { throw mismatch("a string") }
    try checkSize(text.count)
    texts.append(text)
  }

  private func checkSize(_ size: Int) throws(EngineError) {
    let limit = layout.type == .data ? TextLimits.dataSizeMax : TextLimits.textSizeMax
    guard size <= limit else {
      throw EngineError(.constraint, "a text of \(size) bytes exceeds the limit of \(limit)")
    }
  }

  private func append(_ bytes: RawBytes) throws(EngineError) {
    try checkSize(bytes.count)
    texts?.append(bytes)
  }

  package func appendNull() throws(EngineError) { try append(.null) }

  /// A value that a file holds already: a date that could not be written today stays as it is.
  func append(stored value: Value) throws(EngineError) {
    guard layout.type == .date, case .date(let date) = value else { return try append(value) }
    appendUnchecked(date)
  }

  package func append(_ value: Value) throws(EngineError) {
    switch (layout.type, value) {
    case (.int, .int(let number)): try append(int: number)
    case (.int, .null) where layout.isNullable:
      integers.append(0)
      nulls?.append(1)
    case (.bool, .bool(let flag)): integers.append(flag ? 1 : 0)
    case (.bool, .null) where layout.isNullable: integers.append(BoolLeaf.nullPattern)
    case (.float, .float), (.float, .null):
      integers.append(Int64(try layout.storedBits(value, Float.self)))
    case (.double, .double), (.double, .null):
      integers.append(Int64(bitPattern: try layout.storedBits(value, Double.self)))
    case (.date, .date(let date)): try append(date: date)
    case (.date, .null) where layout.isNullable:
      integers.append(0)
      fractions?.append(0)
      nulls?.append(1)
    case (.string, .string(let bytes)), (.data, .data(let bytes)): try append(bytes.bytes)
    case (.string, .null) where layout.isNullable, (.data, .null) where layout.isNullable: texts?.appendNull()
    default:
      guard let values, layout.type == .mixed || layout.isNullable || value != .null else {
        throw layout.mismatch(value)
      }
      values.append(value)
    }
  }

  /// The values of some rows of a leaf of the same type, as they stand there. Not for links and mixed values.
  func append(_ leaf: Leaf, _ rows: ArraySlice<Int>, in snapshot: Snapshot) throws(EngineError) {
    switch (layout.type, leaf) {
    case (.int, .integers(let leaf)):
      for row in rows { if let number = leaf[row] { try append(int: number) } else { try appendNull() } }
    case (.string, .strings(.short(let leaf))):
      for row in rows { if let text = try leaf.bytes(row) { texts?.append(text) } else { try appendNull() } }
    case (.string, .strings(.medium(let leaf))):
      for row in rows { if let text = try leaf.bytes(row) { texts?.append(text) } else { try appendNull() } }
    default: for row in rows { try append(try leaf.value(row, in: snapshot)) }
    }
  }

  /// Writes the leaf and begins anew.
  func makeLeaf(in store: NodeStore) throws(EngineError) -> Ref {
    defer { removeAll() }
    switch layout.type {
    case .int:
      return layout.isNullable
        ? try store.makeNullableIntegers(integers.array, isNull: isNull)
        : try store.makeIntegers(integers.array)
    case .bool: return try store.makeIntegers(integers.array)
    case .float:
      let (ref, payload) = try store.makeElements(width: FloatLeaf.size, count: count)
      for (index, bits) in integers.array.enumerated() {
        payload.store(UInt32(truncatingIfNeeded: bits), at: index * FloatLeaf.size)
      }
      return ref
    case .double:
      let (ref, payload) = try store.makeElements(width: DoubleLeaf.size, count: count)
      payload.pack(integers.array, width: 64)
      return ref
    case .date:
      let seconds = try store.makeNullableIntegers(integers.array, isNull: isNull)
      return try store.makeSlots([
        Int64(seconds.offset), Int64(try store.makeIntegers(fractions?.array ?? []).offset),
      ])
    case .string: return try store.makeTexts(texts?.texts ?? [])
    case .data: return try store.makeData(texts?.texts ?? [])
    default: return try store.makeLeaf(layout, values?.array ?? [])
    }
  }

  private var isNull: [Bool] { nulls?.array.map { $0 != 0 } ?? [] }

  private func removeAll() { truncate(to: 0) }

  /// Forgets all values but the first `count`.
  func truncate(to count: Int) {
    texts?.truncate(to: count)
    values?.truncate(to: count)
    integers.truncate(to: min(count, integers.count))
    if let fractions { fractions.truncate(to: min(count, fractions.count)) }
    if let nulls { nulls.truncate(to: min(count, nulls.count)) }
  }
}
