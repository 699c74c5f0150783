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
    nulls = type == .date || layout.hasNullSentinel ? IntegerBuffer() : nil
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

  /// Texts, or data, that stand one behind the other, each before its end; negative ends are those of nulls.
  package func append(texts all: Span<UInt8>, endingAt ends: [Int64]) throws(EngineError) {
    guard let texts else { throw mismatch("a string") }
    var start = 0
    for end in ends {
      if end < 0, !layout.isNullable { throw layout.mismatch(.null) }
      try checkSize(max(0, Int(end) - start))
      start = max(start, Int(end))
    }
    texts.append(all, endingAt: ends)
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
    if case .null = value, !layout.isNullable, layout.type != .mixed { throw layout.mismatch(value) }
    if let values { return values.append(value) }
    if let texts {
      guard let text = try layout.text(value) else { return texts.appendNull() }
      return try append(text.bytes)
    }
    if fractions != nil, case .date(let date) = value { return try append(date: date) }
    if let nulls, case .null = value {
      integers.append(0)
      fractions?.append(0)
      return nulls.append(1)
    }
    integers.append(try layout.packed(value) ?? 0)
    nulls?.append(0)
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
    if let values { return try store.makeLeaf(layout, values.array) }
    if let texts {
      return try layout.type == .string ? store.makeTexts(texts.texts) : store.makeData(texts.texts)
    }
    if let size = layout.floatSize {
      let (ref, payload) = try store.makeElements(width: size, count: count)
      payload.pack(integers.array, width: 8 * size)
      return ref
    }
    guard let nulls else { return try store.makeIntegers(integers.array) }
    let numbers = try store.makeNullableIntegers(integers.array, isNull: nulls.array.map { $0 != 0 })
    guard let fractions else { return numbers }
    return try store.makeSlots([
      Int64(numbers.offset), Int64(try store.makeIntegers(fractions.array).offset),
    ])
  }

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
