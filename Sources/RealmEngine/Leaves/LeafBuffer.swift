// Values of one column, gathered row by row until a whole leaf can be made of them. Layer: Leaves.
// Invariant: every row adds exactly one value; a value of the wrong type is refused and adds nothing.

/// The growing content of a leaf.
package final class LeafBuffer {
  private enum Kind { case integers, bools, floats, doubles, dates, texts, values }

  let layout: LeafLayout
  private let kind: Kind
  private var integers: [Int64] = []
  private var fractions: [Int64] = []
  private var isNull: [Bool] = []
  private let texts: TextRun
  private var values: [Value] = []
  private(set) var count = 0

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
    texts = TextRun(capacity: kind == .texts ? 8192 : 16)
  }

  private func mismatch(_ found: String) -> EngineError {
    EngineError(.constraint, "\(found) cannot stand among values of type \(layout.type.name)")
  }

  func append(int number: Int64) throws(EngineError) {
    switch kind {
    case .integers:
      integers.append(number)
      if layout.isNullable { isNull.append(false) }
      count += 1
    default: try append(.int(number))
    }
  }

  func append(double number: Double) throws(EngineError) {
    guard kind == .doubles else { return try append(.double(number)) }
    integers.append(Int64(bitPattern: number.isNaN ? 0x7FF8_0000_0000_0000 : number.bitPattern))
    count += 1
  }

  func append(bool flag: Bool) throws(EngineError) {
    guard kind == .bools else { return try append(.bool(flag)) }
    integers.append(flag ? 1 : 0)
    count += 1
  }

  /// A text, or data where the column holds data.
  func append(text: Span<UInt8>) throws(EngineError) {
    guard kind == .texts else { throw mismatch("a string") }
    guard text.count <= TextLimits.textSizeMax else {
      throw EngineError(
        .constraint, "a text of \(text.count) bytes exceeds the limit of \(TextLimits.textSizeMax)")
    }
    texts.append(text)
    count += 1
  }

  func appendNull() throws(EngineError) { try append(.null) }

  func append(_ value: Value) throws(EngineError) {
    switch (kind, value) {
    case (.integers, .int(let number)):
      integers.append(number)
      if layout.isNullable { isNull.append(false) }
    case (.integers, .null) where layout.isNullable:
      integers.append(0)
      isNull.append(true)
    case (.bools, .bool(let flag)): integers.append(flag ? 1 : 0)
    case (.bools, .null) where layout.isNullable: integers.append(BoolLeaf.nullPattern)
    case (.floats, .float), (.floats, .null):
      integers.append(Int64(try NodeStore.floatPattern(value, layout)))
    case (.doubles, .double), (.doubles, .null):
      integers.append(Int64(bitPattern: try NodeStore.doublePattern(value, layout)))
    case (.dates, .date(let date)):
      integers.append(date.seconds)
      fractions.append(Int64(date.nanoseconds))
      isNull.append(false)
    case (.dates, .null) where layout.isNullable:
      integers.append(0)
      fractions.append(0)
      isNull.append(true)
    case (.texts, .string(let text)) where layout.type == .string: texts.append(text.bytes)
    case (.texts, .data(let data)) where layout.type == .data: texts.append(data.bytes)
    case (.texts, .null) where layout.isNullable: texts.appendNull()
    case (.values, _) where layout.type == .mixed || layout.isNullable || value != .null: values.append(value)
    default: throw layout.mismatch(value)
    }
    count += 1
  }

  /// Writes the leaf and begins anew.
  func makeLeaf(in store: NodeStore) throws(EngineError) -> Ref {
    defer { removeAll() }
    switch kind {
    case .integers:
      return layout.isNullable
        ? try store.makeNullableIntegers(integers, isNull: isNull) : try store.makeIntegers(integers)
    case .bools: return try store.makeIntegers(integers)
    case .floats:
      let (ref, payload) = try store.makeElements(width: FloatLeaf.size, count: count)
      for (index, bits) in integers.enumerated() {
        payload.store(UInt32(truncatingIfNeeded: bits), at: index * FloatLeaf.size)
      }
      return ref
    case .doubles:
      let (ref, payload) = try store.makeElements(width: DoubleLeaf.size, count: count)
      payload.pack(integers, width: 64)
      return ref
    case .dates:
      let seconds = try store.makeNullableIntegers(integers, isNull: isNull)
      return try store.makeSlots([Int64(seconds.offset), Int64(try store.makeIntegers(fractions).offset)])
    case .texts:
      return layout.type == .string ? try store.makeTexts(texts.texts) : try store.makeData(texts.texts)
    case .values: return try store.makeLeaf(layout, values)
    }
  }

  private func removeAll() {
    integers.removeAll(keepingCapacity: true)
    fractions.removeAll(keepingCapacity: true)
    isNull.removeAll(keepingCapacity: true)
    texts.removeAll()
    values.removeAll(keepingCapacity: true)
    count = 0
  }
}
