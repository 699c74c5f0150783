// Values of one column, gathered row by row until a whole leaf can be made of them. Layer: Leaves.
// Invariants: every row adds exactly one value; a value of the wrong type is refused and adds nothing. One thread at a
// time uses a buffer.

/// The growing content of a leaf.
package final class LeafBuffer: Sendable {
  private enum Kind { case integers, bools, floats, doubles, dates, texts, values }

  let layout: LeafLayout
  private let kind: Kind
  private let integers = IntegerBuffer()
  /// Nanoseconds of dates.
  private let fractions: IntegerBuffer?
  /// 1 for a null; nil where nulls are values like others.
  private let nulls: IntegerBuffer?
  private let texts: TextBuffer?
  private let values: ValueBuffer<Value>?

  /// Values gathered so far.
  var count: Int { texts?.count ?? values?.count ?? integers.count }

  init(_ layout: LeafLayout) {
    self.layout = layout
    switch layout.type {
    case .int: kind = .integers
    case .bool: kind = .bools
    case .float: kind = .floats
    case .double: kind = .doubles
    case .date: kind = .dates
    case .string, .data: kind = .texts
    default: kind = .values
    }
    fractions = kind == .dates ? IntegerBuffer() : nil
    nulls = kind == .dates || kind == .integers && layout.isNullable ? IntegerBuffer() : nil
    texts = kind == .texts ? TextBuffer() : nil
    values = kind == .values ? ValueBuffer() : nil
  }

  private func mismatch(_ found: String) -> EngineError {
    EngineError(.constraint, "\(found) is not allowed among values of type \(layout.type.name)")
  }

  package func append(int number: Int64) throws(EngineError) {
    guard kind == .integers else { return try append(.int(number)) }
    integers.append(number)
    nulls?.append(0)
  }

  package func append(double number: Double) throws(EngineError) {
    guard kind == .doubles else { return try append(.double(number)) }
    integers.append(Int64(bitPattern: number.storedBits))
  }

  package func append(bool flag: Bool) throws(EngineError) {
    guard kind == .bools else { return try append(.bool(flag)) }
    integers.append(flag ? 1 : 0)
  }

  package func append(date: Timestamp) throws(EngineError) {
    guard kind == .dates else { return try append(.date(date)) }
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
    guard kind == .texts else { throw mismatch("a string") }
    try checkSize(text.count)
    texts?.append(text)
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
    guard kind == .dates, case .date(let date) = value else { return try append(value) }
    appendUnchecked(date)
  }

  package func append(_ value: Value) throws(EngineError) {
    switch (kind, value) {
    case (.integers, .int(let number)): try append(int: number)
    case (.integers, .null) where layout.isNullable:
      integers.append(0)
      nulls?.append(1)
    case (.bools, .bool(let flag)): integers.append(flag ? 1 : 0)
    case (.bools, .null) where layout.isNullable: integers.append(BoolLeaf.nullPattern)
    case (.floats, .float), (.floats, .null):
      integers.append(Int64(try layout.storedBits(value, Float.self)))
    case (.doubles, .double), (.doubles, .null):
      integers.append(Int64(bitPattern: try layout.storedBits(value, Double.self)))
    case (.dates, .date(let date)): try append(date: date)
    case (.dates, .null) where layout.isNullable:
      integers.append(0)
      fractions?.append(0)
      nulls?.append(1)
    case (.texts, .string(let text)) where layout.type == .string: try append(text.bytes)
    case (.texts, .data(let data)) where layout.type == .data: try append(data.bytes)
    case (.texts, .null) where layout.isNullable: texts?.appendNull()
    case (.values, _) where layout.type == .mixed || layout.isNullable || value != .null:
      values?.append(value)
    default: throw layout.mismatch(value)
    }
  }

  /// The values of some rows of a leaf of the same type, as they stand there. Not for links and mixed values.
  func append(_ leaf: Leaf, _ rows: ArraySlice<Int>, in snapshot: Snapshot) throws(EngineError) {
    switch (kind, leaf) {
    case (.integers, .integers(let leaf)):
      for row in rows { if let number = leaf[row] { try append(int: number) } else { try appendNull() } }
    case (.texts, .strings(.short(let leaf))) where layout.type == .string:
      for row in rows { if let text = try leaf.bytes(row) { texts?.append(text) } else { try appendNull() } }
    case (.texts, .strings(.medium(let leaf))) where layout.type == .string:
      for row in rows { if let text = try leaf.bytes(row) { texts?.append(text) } else { try appendNull() } }
    default: for row in rows { try append(try leaf.value(row, in: snapshot)) }
    }
  }

  /// Writes the leaf and begins anew.
  func makeLeaf(in store: NodeStore) throws(EngineError) -> Ref {
    defer { removeAll() }
    switch kind {
    case .integers:
      return layout.isNullable
        ? try store.makeNullableIntegers(integers.array, isNull: isNull)
        : try store.makeIntegers(integers.array)
    case .bools: return try store.makeIntegers(integers.array)
    case .floats:
      let (ref, payload) = try store.makeElements(width: FloatLeaf.size, count: count)
      for (index, bits) in integers.array.enumerated() {
        payload.store(UInt32(truncatingIfNeeded: bits), at: index * FloatLeaf.size)
      }
      return ref
    case .doubles:
      let (ref, payload) = try store.makeElements(width: DoubleLeaf.size, count: count)
      payload.pack(integers.array, width: 64)
      return ref
    case .dates:
      let seconds = try store.makeNullableIntegers(integers.array, isNull: isNull)
      return try store.makeSlots([
        Int64(seconds.offset), Int64(try store.makeIntegers(fractions?.array ?? []).offset),
      ])
    case .texts:
      let texts = texts?.texts ?? []
      return layout.type == .string ? try store.makeTexts(texts) : try store.makeData(texts)
    case .values: return try store.makeLeaf(layout, values?.array ?? [])
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
