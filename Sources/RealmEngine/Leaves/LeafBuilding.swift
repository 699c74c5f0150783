// Writing a whole leaf from its values, in the least layout that holds them. Layer: Leaves.

extension LeafLayout {
  /// What a new object has where nothing else is said.
  var defaultValue: Value { isNullable || isCollectionColumn ? .null : type.zero }

  /// Whether elements are refs to trees of their own.
  var holdsSlots: Bool { isCollectionColumn || type == .backlink }

  /// Whether a number before the first element tells what means null.
  var hasNullSentinel: Bool { type == .int && isNullable }

  /// The table that new elements are numbers into; nil where they are written as they are.
  var openTexts: EnumeratedTexts? {
    guard let texts, type == .string, !isCollectionColumn, !texts.isClosed else { return nil }
    return texts
  }

  /// Bytes of a floating-point number; nil for other types.
  var floatSize: Int? {
    type == .float ? FloatLeaf.size : type == .double ? DoubleLeaf.size : nil
  }

  /// What a leaf of texts or data stores; nil for null.
  func text(_ value: Value) throws(EngineError) -> ByteString? {
    switch (value, type) {
    case (.string(let bytes), .string), (.data(let bytes), .data): return bytes
    case (.null, _): return nil
    default: throw mismatch(value)
    }
  }

  func mismatch(_ value: Value) -> EngineError {
    EngineError(.constraint, "a value of another type is not allowed among values of type \(type.name)")
  }

  /// The bits that a leaf of floating-point numbers stores.
  func storedBits<Number: StoredFloat>(
    _ value: Value, _ type: Number.Type
  ) throws(EngineError) -> Number.Bits {
    if let number = Number.number(in: value) { return number.storedBits }
    guard case .null = value, isNullable else { throw mismatch(value) }
    return Number.nullPattern
  }

  /// The number that a leaf of numbers stores; nil for null where nulls are told elsewhere. A link is its key, whatever
  /// table it names; a floating-point number is its bits.
  func packed(_ value: Value) throws(EngineError) -> Int64? {
    switch (type, value) {
    case (.int, .int(let number)): return number
    case (.int, .null) where isNullable: return nil
    case (.bool, .bool(let flag)): return flag ? 1 : 0
    case (.bool, .null) where isNullable: return BoolLeaf.nullPattern
    case (.object, .link(let link)): return link.key.value &+ (isInCollection ? 0 : 1)
    case (.object, .int(let key)): return key &+ (isInCollection ? 0 : 1)
    case (.object, .null) where !isInCollection: return 0
    case (.float, _): return Int64(try storedBits(value, Float.self))
    case (.double, _): return Int64(bitPattern: try storedBits(value, Double.self))
    default: throw mismatch(value)
    }
  }
}

extension NodeStore {
  /// A leaf of `count` elements, all with the layout's default.
  func makeDefaultLeaf(_ layout: LeafLayout, count: Int) throws(EngineError) -> Ref {
    if layout.holdsSlots { return try makeSlots(Array(repeating: 0, count: count)) }
    return try makeLeaf(layout, Array(repeating: layout.defaultValue, count: count))
  }

  /// The same where leaves of as many elements are wanted again and again: `last` is the one that was made before.
  func makeDefaultLeaf(
    _ layout: LeafLayout, count: Int, like last: inout (leaf: Ref, count: Int)?
  ) throws(EngineError) -> Ref {
    if let last, last.count == count, let copy = try copied(last.leaf) { return copy }
    let leaf = try makeDefaultLeaf(layout, count: count)
    last = (leaf, count)
    return leaf
  }

  /// A node with the same bytes; nil where it leads to others, which have one parent only.
  private func copied(_ ref: Ref) throws(EngineError) -> Ref? {
    let header = try snapshot.node(ref).header
    if header.hasRefs { return nil }
    let (copy, payload) = try make(header)
    payload.copy(try snapshot.node(ref).payload, at: 0)
    return copy
  }

  /// A leaf of `values`, which all fit the layout; not for collections and incoming links.
  func makeLeaf(_ layout: LeafLayout, _ values: [Value]) throws(EngineError) -> Ref {
    if let leaf = try makeTextNumbers(layout, values) { return leaf }
    return try makePlainLeaf(layout, values)
  }

  /// A leaf of numbers; nil where the column is not enumerated, or no more.
  private func makeTextNumbers(_ layout: LeafLayout, _ values: [Value]) throws(EngineError) -> Ref? {
    guard let texts = layout.openTexts else { return nil }
    var numbers: [Int64] = []
    numbers.reserveCapacity(values.count)
    for value in values {
      guard let number = try texts.number(of: try layout.text(value), in: snapshot) else { return nil }
      numbers.append(number)
    }
    return try makeIntegers(numbers)
  }

  /// The same without numbers of texts.
  func makePlainLeaf(_ layout: LeafLayout, _ values: ArraySlice<Value>) throws(EngineError) -> Ref {
    if layout.type == .string, let leaf = try makeShortTexts(values, layout) { return leaf }
    return try makePlainLeaf(layout, Array(values))
  }

  /// The same without numbers of texts.
  func makePlainLeaf(_ layout: LeafLayout, _ values: [Value]) throws(EngineError) -> Ref {
    switch layout.type {
    case .int, .bool, .float, .double, .date:
      let buffer = LeafBuffer(layout)
      for value in values { try buffer.append(stored: value) }
      return try buffer.makeLeaf(in: self)
    case .object:
      let keys = try values.map { value throws(EngineError) in try layout.packed(value) ?? 0 }
      return try makeIntegers(keys)
    case .string, .data:
      if layout.type == .string, let leaf = try makeShortTexts(values[...], layout) { return leaf }
      let texts = try values.map { value throws(EngineError) in try layout.text(value) }
      return layout.type == .string ? try makeTexts(texts) : try makeData(texts)
    case .decimal128: return try makeDecimals(values, layout)
    case .objectID, .uuid: return try makeIdentifiers(values, layout)
    case .mixed: return try makeMixed(values.map { MixedElement(value: $0) })
    case .typedLink:
      var pairs: [Int64] = []
      for value in values {
        switch value {
        case .link(let link): pairs += [Int64(link.table.value) + 1, link.key.value &+ 1]
        case .null: pairs += [0, 0]
        default: throw layout.mismatch(value)
        }
      }
      return try makeIntegers(pairs)
    case .backlink: throw layout.mismatch(.null)
    }
  }

  private func makeDecimals(_ values: [Value], _ layout: LeafLayout) throws(EngineError) -> Ref {
    var width = values.isEmpty ? 0 : 4
    for value in values { width = max(width, try Self.decimalWidth(value, layout)) }
    let (ref, payload) = try makeElements(width: width, count: values.count)
    for (index, value) in values.enumerated() where width > 0 {
      Self.storeDecimal(value, in: payload.slice(index * width, width))
    }
    return ref
  }

  /// The least width of a decimal leaf that holds `value`.
  static func decimalWidth(_ value: Value, _ layout: LeafLayout) throws(EngineError) -> Int {
    switch value {
    case .decimal(let number): return number.bid32 != nil ? 4 : number.bid64 != nil ? 8 : 16
    case .null: return 4
    default: throw layout.mismatch(value)
    }
  }

  /// Fills an element wide enough for `value`.
  static func storeDecimal(_ value: Value, in element: MutableRawBytes) {
    var number: Decimal128?
    if case .decimal(let decimal) = value { number = decimal }
    switch element.count {
    case 4: element.store(number.map { $0.bid32 ?? 0 } ?? Decimal128.nullPattern32, at: 0)
    case 8: element.store(number.map { $0.bid64 ?? 0 } ?? Decimal128.nullPattern64, at: 0)
    default:
      element.store((number ?? .nullPattern).low, at: 0)
      element.store((number ?? .nullPattern).high, at: 8)
    }
  }

  private func makeIdentifiers(_ values: [Value], _ layout: LeafLayout) throws(EngineError) -> Ref {
    let size = layout.type == .uuid ? UUIDValue.byteCount : ObjectID.byteCount
    let blockSize = 8
    let stride = blockSize * size + 1
    let (ref, payload) = try makeElements(
      width: 1, count: values.count * size + (values.count + blockSize - 1) / blockSize)
    var nullBits: UInt8 = 0
    for (index, value) in values.enumerated() {
      let block = index / blockSize * stride
      let position = block + 1 + index % blockSize * size
      if index % blockSize == 0 { nullBits = 0 }
      switch value {
      case .objectID(let id) where layout.type == .objectID:
        payload.store(id.high.byteSwapped, at: position)
        payload.store(id.low.byteSwapped, at: position + 8)
      case .uuid(let id) where layout.type == .uuid:
        payload.store(id.high.byteSwapped, at: position)
        payload.store(id.low.byteSwapped, at: position + 8)
      case .null:
        nullBits |= 1 << UInt8(index % blockSize)
        payload.zero(position, size)
      default: throw layout.mismatch(value)
      }
      payload.store(nullBits, at: block)
    }
    return ref
  }
}
