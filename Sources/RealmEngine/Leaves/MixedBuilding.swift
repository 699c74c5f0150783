// Writing leaves of mixed values. Layer: Leaves.
// Invariants: payload arrays are dense, each entry used once; an element that is a collection keeps its key, by which
// other programs find it.

/// A mixed value and, where it is a collection, the number that names it within its list or dictionary.
struct MixedElement {
  var value: Value
  var collectionKey: Int64 = 0
}

extension Value {
  /// Whether both are lists, or both dictionaries, inside mixed values.
  func isCollection(like other: Value) -> Bool {
    switch (self, other) {
    case (.list, .list), (.dictionary, .dictionary): true
    default: false
    }
  }
}

extension NodeStore {
  /// Gathers the parallel arrays of a leaf.
  private struct MixedArrays {
    var composites: [Int64] = []
    var integers: [Int64] = []
    var pairs: [Int64] = []
    var texts: [ByteString?] = []
    var collections: [Int64] = []

    mutating func append(_ kind: MixedLeaf.Kind, _ place: MixedLeaf.Place, payload: Int64) {
      composites.append(payload << 8 | Int64(place.rawValue) << 5 | Int64(kind.number))
    }

    mutating func append(_ type: ValueType, integer: Int64) {
      append(.value(type), .integers, payload: Int64(integers.count))
      integers.append(integer)
    }

    mutating func append(_ type: ValueType, pair first: Int64, _ second: Int64) {
      append(.value(type), .pairs, payload: Int64(pairs.count / 2))
      pairs += [first, second]
    }

    mutating func append(_ type: ValueType, bytes: ByteString) {
      append(.value(type), .strings, payload: Int64(texts.count))
      texts.append(bytes)
    }

    mutating func append(_ kind: MixedLeaf.Kind, collection: NestedCollection) {
      append(kind, .collections, payload: Int64(collections.count))
      collections.append(Int64(collection.rootOffset))
    }

    mutating func append(_ value: Value) {
      switch value {
      case .null: composites.append(0)
      case .int(let number):
        if Int32(exactly: number) != nil {
          append(.value(.int), .inline, payload: number)
        } else {
          append(.int, integer: number)
        }
      case .bool(let flag): append(.value(.bool), .inline, payload: flag ? 1 : 0)
      case .float(let number): append(.float, integer: Int64(number.bitPattern))
      case .double(let number): append(.double, integer: Int64(bitPattern: number.bitPattern))
      case .string(let text): append(.string, bytes: text)
      case .data(let data): append(.data, bytes: data)
      case .date(let date): append(.date, pair: date.seconds, Int64(date.nanoseconds))
      case .decimal(let number):
        append(.decimal128, pair: Int64(bitPattern: number.low), Int64(bitPattern: number.high))
      case .objectID(let id): append(.objectID, bytes: ByteString(copying: (0..<12).map { id[$0] }))
      case .uuid(let id): append(.uuid, bytes: ByteString(copying: (0..<16).map { id[$0] }))
      case .link(let link): append(.typedLink, pair: Int64(link.table.value), link.key.value)
      case .list(let list): append(.list, collection: list)
      case .dictionary(let dictionary): append(.dictionary, collection: dictionary)
      }
    }
  }

  /// A leaf of mixed values. Roots of collections in it become its own.
  func makeMixed(_ elements: [MixedElement]) throws(EngineError) -> Ref {
    var arrays = MixedArrays()
    for element in elements { arrays.append(element.value) }
    var slots: [Int64] = [Int64(try makeIntegers(arrays.composites).offset), 0, 0, 0, 0, 0]
    if !arrays.integers.isEmpty { slots[1] = Int64(try makeIntegers(arrays.integers).offset) }
    if !arrays.pairs.isEmpty { slots[2] = Int64(try makeIntegers(arrays.pairs).offset) }
    if !arrays.texts.isEmpty { slots[3] = Int64(try makeTexts(arrays.texts).offset) }
    if !arrays.collections.isEmpty {
      slots[4] = Int64(try makeSlots(arrays.collections).offset)
      slots[5] = Int64(try makeIntegers(elements.map(\.collectionKey)).offset)
    }
    return try makeSlots(slots)
  }

  /// The elements of a leaf, borrowing its bytes and naming its collections' roots. Links stand as stored, those to
  /// objects that do not exist too.
  func mixedElements(_ ref: Ref, untypedTarget: TableKey?) throws(EngineError) -> [MixedElement] {
    let node = try snapshot.node(ref)
    let leaf = try MixedLeaf(node, in: snapshot)
    var keys: PackedIntegers?
    if let ref = try node.refIfPresent(5) { keys = try snapshot.integersNode(ref).integers }
    var elements: [MixedElement] = []
    elements.reserveCapacity(leaf.count)
    for index in 0..<leaf.count {
      let value = try leaf.storedValue(index, in: snapshot, untypedTarget: untypedTarget)
      elements.append(
        MixedElement(value: value, collectionKey: index < (keys?.count ?? 0) ? keys?[index] ?? 0 : 0))
    }
    return elements
  }

  /// Gives up a leaf's own nodes, not the collections in it.
  func releaseMixedLeaf(_ ref: Ref) throws(EngineError) {
    let node = try snapshot.refsNode(ref)
    for index in 0..<node.count {
      guard let child = try node.ref(index) else { continue }
      // Slot 4 holds the roots of collections, slot 3 texts, which may have nodes of their own.
      if index == 3 { try releaseTree(child) } else { try release(child) }
    }
    release(node)
  }
}
