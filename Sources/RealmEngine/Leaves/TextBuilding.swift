// Writing leaves of texts and data in the least of their layouts. Layer: Leaves.

/// Limits of the layouts and of the format.
package enum TextLimits {
  static let shortTextSizeMax = 15
  static let mediumTextSizeMax = 63
  static let smallDataSizeMax = 64
  /// The longest text or data that lies in a leaf with others: what is longer has a node of its own.
  package static let inLeafSizeMax = max(mediumTextSizeMax, smallDataSizeMax)
  /// The longest text or data that a property can hold.
  package static let textSizeMax = 0xFF_FFF8 - 8 - 1
  package static let dataSizeMax = 0xFF_FFF8 - 8
}

extension NodeStore {
  /// A leaf of texts; nil is null.
  func makeTexts(_ texts: [ByteString?]) throws(EngineError) -> Ref {
    var sizeMax = -1
    for text in texts { if let text { sizeMax = max(sizeMax, text.count) } }
    if sizeMax <= TextLimits.shortTextSizeMax {
      return try makeShortTexts(texts, width: Self.shortTextWidth(sizeMax: sizeMax))
    }
    return sizeMax <= TextLimits.mediumTextSizeMax
      ? try makeSmallBlobs(texts, terminatorSize: 1) : try makeBigBlobs(texts, terminatorSize: 1)
  }

  /// A leaf of data; nil is null.
  func makeData(_ data: [ByteString?]) throws(EngineError) -> Ref {
    let isSmall = data.allSatisfy { ($0?.count ?? 0) <= TextLimits.smallDataSizeMax }
    return isSmall
      ? try makeSmallBlobs(data, terminatorSize: 0) : try makeBigBlobs(data, terminatorSize: 0)
  }

  /// The width of short texts of at most `sizeMax` bytes; -1 when all are null.
  static func shortTextWidth(sizeMax: Int) -> Int {
    var width = sizeMax < 0 ? 0 : 1
    while width <= sizeMax { width *= 2 }
    return width
  }

  func makeShortTexts(_ texts: some Collection<ByteString?>, width: Int) throws(EngineError) -> Ref {
    let (ref, payload) = try makeElements(width: width, count: texts.count)
    guard width > 0 else { return ref }
    var position = 0
    for text in texts {
      Self.storeShortText(text?.bytes, in: payload.slice(position, width))
      position += width
    }
    return ref
  }

  /// Makes short texts of values, without gathering them; nil where one is too long for it.
  func makeShortTexts(_ values: ArraySlice<Value>, _ layout: LeafLayout) throws(EngineError) -> Ref? {
    var sizeMax = -1
    for value in values {
      switch value {
      case .string(let text): sizeMax = max(sizeMax, text.count)
      case .null: continue
      default: throw layout.mismatch(value)
      }
    }
    guard sizeMax <= TextLimits.shortTextSizeMax else { return nil }
    return try makeShortTexts(values.lazy.map(\.textBytes), width: Self.shortTextWidth(sizeMax: sizeMax))
  }

  /// Fills an element: the text, zeros, and how much of it is padding.
  static func storeShortText(_ text: RawBytes?, in element: MutableRawBytes) {
    let width = element.count
    let size = text?.count ?? 0
    if let text { element.copy(text, at: 0) }
    element.zero(size, width - size)
    element.store(UInt8(text == nil ? width : width - 1 - size), at: width - 1)
  }

  private func makeSmallBlobs(_ items: [ByteString?], terminatorSize: Int) throws(EngineError) -> Ref {
    var ends: [Int64] = []
    ends.reserveCapacity(items.count)
    var size = 0
    for item in items {
      size += (item?.count ?? 0) + terminatorSize
      ends.append(Int64(size))
    }
    let (blob, payload) = try make(NodeHeader(kind: .blob, width: 1, count: size))
    var position = 0
    for item in items {
      if let item {
        payload.copy(item.bytes, at: position)
        position += item.count
      }
      payload.zero(position, terminatorSize)
      position += terminatorSize
    }
    let nulls = try makeIntegers(items.map { $0 == nil ? 1 : 0 })
    return try makeSlots([Int64(try makeIntegers(ends).offset), Int64(blob.offset), Int64(nulls.offset)])
  }

  private func makeBigBlobs(_ items: [ByteString?], terminatorSize: Int) throws(EngineError) -> Ref {
    var slots: [Int64] = []
    for item in items {
      slots.append(
        try item.map { item throws(EngineError) in
          Int64(try makeBlob(item.bytes, terminatorSize: terminatorSize).offset)
        } ?? 0)
    }
    return try makeSlots(slots, contextFlag: true)
  }
}
