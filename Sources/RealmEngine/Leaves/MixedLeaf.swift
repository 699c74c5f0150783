// Leaves of mixed values: a composite number an element, with payloads in parallel arrays. Layer: Leaves.

/// Values of any type.
package struct MixedLeaf: Sendable {
  /// One number a value; all 0 in a leaf of formats 2–9, which keeps its values in `values`.
  package let composites: PackedIntegers
  let integers: PackedIntegers?
  package let pairs: PackedIntegers?
  package let strings: StringLeaf?
  let collections: NodeView?
  private let collectionKeys: PackedIntegers?
  private let offset: Int
  /// The values themselves, where they were not stored as composites.
  package let values: [Value]?

  package var count: Int { composites.count }

  /// Where a payload is kept, as the composite says in bits 5 to 7.
  package enum Place: UInt8, Sendable {
    case inline = 0
    case integers = 1
    case pairs = 2
    case strings = 3
    case collections = 4

    package init?(composite: Int64) { self.init(rawValue: UInt8(composite >> 5 & 7)) }
  }

  /// Composite type numbers of nested collections; all others are a `ValueType`.
  private static let listType = 19
  private static let dictionaryType = 21

  /// What tells kinds of values apart without reading them.
  package enum Kind: Sendable {
    case null, list, dictionary
    case value(ValueType)

    /// As composites begin with it: less than 32.
    package var number: UInt32 {
      switch self {
      case .null: 0
      case .list: UInt32(MixedLeaf.listType + 1)
      case .dictionary: UInt32(MixedLeaf.dictionaryType + 1)
      case .value(let type): UInt32(type.rawValue) + 1
      }
    }
  }

  /// `index`: of the only value that will be read, for which less has to be opened.
  init(_ node: NodeView, in snapshot: Snapshot, onlyAt index: Int? = nil) throws(EngineError) {
    guard node.hasRefs, !node.isInner, node.header.kind == .bits, node.count >= 4 else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a leaf of mixed values", found: node.description)
    }
    offset = node.ref.offset
    values = nil
    let composites = try snapshot.integersNode(try node.requiredRef(0)).integers
    self.composites = composites
    let place = index.flatMap { $0 < composites.count ? Place(composite: composites[$0]) : nil }
    func isNeeded(_ wanted: Place) -> Bool { place == nil || place == wanted }
    if isNeeded(.integers), let ref = try node.ref(1) {
      integers = try snapshot.integersNode(ref).integers
    } else {
      integers = nil
    }
    if isNeeded(.pairs), let ref = try node.ref(2) {
      pairs = try snapshot.integersNode(ref).integers
    } else {
      pairs = nil
    }
    if isNeeded(.strings), let ref = try node.ref(3) {
      strings = try StringLeaf(try snapshot.node(ref), in: snapshot)
    } else {
      strings = nil
    }
    // Leaves of older versions have four slots: no nested collections.
    if isNeeded(.collections), let ref = try node.refIfPresent(4) {
      collections = try snapshot.refsNode(ref)
      collectionKeys = try node.refIfPresent(5).map { ref throws(EngineError) in
        try snapshot.integersNode(ref).integers
      }
    } else {
      collections = nil
      collectionKeys = nil
    }
  }

  /// Values that were read from another layout.
  init(values: [Value], offset: Int) {
    self.values = values
    self.offset = offset
    composites = .zeros(count: values.count)
    integers = nil
    pairs = nil
    strings = nil
    collections = nil
    collectionKeys = nil
  }

  /// The number by which apps know the collection at `index`; 0 where it has none.
  func collectionKey(_ index: Int) -> Int64 {
    guard let collectionKeys, index < collectionKeys.count else { return 0 }
    return collectionKeys[index]
  }

  /// The number of the value's kind; nil where values were not stored as composites. A link may still be null.
  @inline(__always)
  func kindNumber(_ index: Int) -> Int? {
    values == nil ? Self.kindNumber(ofComposite: composites[index]) : nil
  }

  /// The integer that stands in the composite itself; nil for all other values.
  @inline(__always)
  func inlineInteger(_ index: Int) -> Int64? {
    let composite = composites[index]
    // Bits 5 to 7 are 0 where the payload is inline.
    return composite & 0xFF == Int64(Kind.value(.int).number) && values == nil ? composite >> 8 : nil
  }

  /// Whether the value may be a list or a dictionary.
  @inline(__always)
  func mayBeCollection(_ index: Int) -> Bool {
    values != nil || Place(composite: composites[index]) == .collections
  }

  /// Bytes of the text or data, which is not read; nil for values of other kinds.
  @inline(__always)
  func byteCount(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> Int? {
    let composite = composites[index]
    let kind = Self.kindNumber(ofComposite: composite)
    guard values == nil, Place(composite: composite) == .strings,
      kind == Kind.value(.string).number || kind == Kind.value(.data).number
    else { return nil }
    let place = try checked(composite >> 8, strings?.count ?? 0)
    if case .short(let texts)? = strings { return try texts.bytes(place)?.count ?? 0 }
    return try strings?.bytes(place, in: snapshot)?.count ?? 0
  }

  @inline(__always)
  package static func kindNumber(ofComposite composite: Int64) -> Int { Int(composite & 0x1F) }

  /// The value at `index`. `untypedTarget` is the table that a link without a table means (very old files).
  package func value(
    _ index: Int, in snapshot: Snapshot, untypedTarget: TableKey? = nil
  ) throws(EngineError) -> Value {
    let value = try storedValue(index, in: snapshot, untypedTarget: untypedTarget)
    if case .link(let link) = value, link.key.value < 0 { return .null }
    return value
  }

  /// The value as it stands in the file: a link to an object that does not exist is still a link.
  func storedValue(
    _ index: Int, in snapshot: Snapshot, untypedTarget: TableKey? = nil
  ) throws(EngineError) -> Value {
    if let values { return values[index] }
    let composite = composites[index]
    if composite == 0 { return .null }
    let type = Int(composite & 0x1F) - 1
    let payload = composite >> 8
    guard let place = Place(composite: composite) else { throw damage(composite) }
    if type == Self.listType, place == .collections { return .list(try collection(payload)) }
    if type == Self.dictionaryType, place == .collections { return .dictionary(try collection(payload)) }
    guard let type = ValueType(rawValue: UInt8(max(0, type))) else { throw damage(composite) }
    switch (type, place) {
    case (.int, .inline): return .int(payload)
    case (.int, .integers): return .int(try integer(payload))
    case (.bool, .inline): return .bool(payload != 0)
    case (.float, .integers):
      return .float(Float(bitPattern: UInt32(truncatingIfNeeded: try integer(payload))))
    case (.double, .integers): return .double(Double(bitPattern: UInt64(bitPattern: try integer(payload))))
    case (.string, .strings): return .string(try text(payload, in: snapshot))
    case (.data, .strings): return .data(try text(payload, in: snapshot))
    case (.objectID, .strings): return .objectID(ObjectID(try identifier(payload, size: 12, in: snapshot)))
    case (.uuid, .strings): return .uuid(UUIDValue(try identifier(payload, size: 16, in: snapshot)))
    case (.date, .pairs):
      let (seconds, nanoseconds) = try pair(payload)
      return .date(Timestamp(seconds: seconds, nanoseconds: TimestampLeaf.inRange(nanoseconds)))
    case (.decimal128, .pairs):
      let (low, high) = try pair(payload)
      return .decimal(Decimal128(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high)))
    case (.typedLink, .pairs):
      let (table, key) = try pair(payload)
      guard let table = TableKey(table) else { return .null }
      return .link(ObjectLink(table: table, key: ObjectKey(key)))
    case (.object, .integers):
      let key = try integer(payload)
      guard let untypedTarget else { return .null }
      return .link(ObjectLink(table: untypedTarget, key: ObjectKey(key)))
    default: throw damage(composite)
    }
  }

  private func damage(_ composite: Int64) -> EngineError {
    .damaged(at: offset, expected: "a mixed value", found: "the composite 0x\(String(composite, radix: 16))")
  }

  private func checked(_ payload: Int64, _ count: Int) throws(EngineError) -> Int {
    guard payload >= 0, payload < Int64(count) else {
      throw EngineError.damaged(at: offset, expected: "a payload below \(count)", found: "\(payload)")
    }
    return Int(payload)
  }

  private func integer(_ payload: Int64) throws(EngineError) -> Int64 {
    let index = try checked(payload, integers?.count ?? 0)
    return integers?[index] ?? 0
  }

  private func pair(_ payload: Int64) throws(EngineError) -> (Int64, Int64) {
    let index = try checked(payload, (pairs?.count ?? 0) / 2)
    return (pairs?[2 * index] ?? 0, pairs?[2 * index + 1] ?? 0)
  }

  private func text(_ payload: Int64, in snapshot: Snapshot) throws(EngineError) -> ByteString {
    let index = try checked(payload, strings?.count ?? 0)
    return try strings?.bytes(index, in: snapshot) ?? ByteString(borrowing: .empty)
  }

  private func identifier(
    _ payload: Int64, size: Int, in snapshot: Snapshot
  ) throws(EngineError) -> ByteString {
    let value = try text(payload, in: snapshot)
    guard value.count == size else {
      throw EngineError.damaged(
        at: offset, expected: "an identifier of \(size) bytes", found: "\(value.count)")
    }
    return value
  }

  private func collection(_ payload: Int64) throws(EngineError) -> NestedCollection {
    let index = try checked(payload, collections?.count ?? 0)
    return NestedCollection(rootOffset: try collections?.ref(index)?.offset ?? 0)
  }
}
