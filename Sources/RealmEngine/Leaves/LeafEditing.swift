// Changing single elements of leaves. Layer: Leaves.
// Invariant: what a changed or removed element referred to (a collection, incoming links) is not released here: whoever
// owns it does that first. Long blobs belong to the leaf and go with their element.

extension NodeStore {
  /// Sets element `index`. The leaf may move.
  func setElement(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value
  ) throws(EngineError) -> Ref {
    try putElement(ref, layout, index, value, inserting: false)
  }

  /// Inserts an element before `index`. The leaf may move.
  func insertElement(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value
  ) throws(EngineError) -> Ref {
    try putElement(ref, layout, index, value, inserting: true)
  }

  private func putElement(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value, inserting: Bool
  ) throws(EngineError) -> Ref {
    if layout.holdsSlots {
      return inserting ? try insertInteger(ref, index, 0) : try setInteger(ref, index, 0)
    }
    switch layout.type.leafForm {
    case .numbers:
      let number = try layout.packed(value)
      if layout.hasNullSentinel { return try putNullableInteger(ref, index, number, inserting: inserting) }
      return inserting ? try insertInteger(ref, index, number ?? 0) : try setInteger(ref, index, number ?? 0)
    case .elements:
      // Elements of another width are damage, which rebuilding the leaf refuses.
      let width = try snapshot.node(ref).header.width
      guard let size = layout.floatSize else {
        guard try (Self.decimalWidth(value, layout)...16).contains(width) else { break }
        let (new, element) = inserting ? try insertElement(ref, index) : try elementForChange(ref, index)
        Self.storeDecimal(value, in: element)
        return new
      }
      guard width == size else { break }
      let bits = try layout.packed(value) ?? 0
      let (new, element) = inserting ? try insertElement(ref, index) : try elementForChange(ref, index)
      element.pack(bits, at: 0, width: 8 * size)
      return new
    case .texts:
      if let new = try putText(ref, layout, index, value, inserting: inserting) { return new }
    case .dates: return try putDate(ref, layout, index, value, inserting: inserting)
    case .whole: break
    }
    return try rebuild(ref, layout) { contents throws(EngineError) in
      try Self.checkElement(index, of: contents.count, at: ref, inserting: inserting)
      contents.put(value, at: index, inserting: inserting)
    }
  }

  /// Removes element `index`. The leaf may move.
  func eraseElement(_ ref: Ref, _ layout: LeafLayout, _ index: Int) throws(EngineError) -> Ref {
    if layout.holdsSlots { return try eraseInteger(ref, index) }
    switch layout.type.leafForm {
    case .numbers: return try eraseInteger(ref, layout.hasNullSentinel ? index + 1 : index)
    case .elements: return try eraseElement(ref, index)
    case .texts:
      let node = try snapshot.node(ref)
      if !node.hasRefs, node.header.kind == .bytes { return try eraseElement(ref, index) }
      if layout.texts != nil, node.holdsTextNumbers { return try eraseInteger(ref, index) }
      guard node.hasRefs, node.header.contextFlag else { break }
      if let blob = try node.ref(index) { try releaseTree(blob) }
      return try eraseInteger(ref, index)
    case .dates:
      let node = try snapshot.refsNode(ref)
      let seconds = try eraseInteger(try node.requiredRef(0), index + 1)
      let nanoseconds = try eraseInteger(try node.requiredRef(1), index)
      return try setSlot(try setSlot(ref, 0, seconds), 1, nanoseconds)
    case .whole: break
    }
    return try rebuild(ref, layout) { contents throws(EngineError) in
      try Self.checkElement(index, of: contents.count, at: ref)
      contents.erase(index)
    }
  }

  /// A leaf of a damaged file may have fewer elements than its cluster has rows.
  static func checkElement(
    _ index: Int, of count: Int, at ref: Ref, inserting: Bool = false
  ) throws(EngineError) {
    guard index < count || inserting && index == count else {
      throw .damaged(at: ref.offset, expected: "an element \(index)", found: "\(count) elements")
    }
  }

  /// The leaf with some of its elements only.
  func leaf(_ ref: Ref, _ layout: LeafLayout, keeping isKept: [Bool]) throws(EngineError) -> Ref {
    if let new = try plainLeaf(ref, layout, keeping: isKept) { return new }
    let contents = try contents(ref, layout)
    guard contents.count == isKept.count else {
      throw EngineError.damaged(
        at: ref.offset, expected: "\(isKept.count) values", found: "\(contents.count)")
    }
    let new = try makeLeaf(layout, contents.keeping(isKept))
    if case .slots(let blobs, areBlobs: true) = contents {
      for (slot, isKept) in zip(blobs, isKept) where !isKept {
        if let blob = Ref(slot) { try releaseTree(blob) }
      }
    }
    try releaseLeaf(ref, layout)
    return new
  }

  /// Thins a leaf with nothing behind its elements; nil for others.
  private func plainLeaf(
    _ ref: Ref, _ layout: LeafLayout, keeping isKept: [Bool]
  ) throws(EngineError) -> Ref? {
    guard !layout.isCollectionColumn else { return nil }
    try snapshot.node(ref).checkTakenApart()
    let leaf = try snapshot.leaf(ref, layout, rowCount: isKept.count)
    switch leaf {
    case .strings(.enumerated), .strings(.big), .data(.big): return nil
    default: break
    }
    let buffer = LeafBuffer(layout)
    guard !buffer.holdsValues else { return nil }
    try buffer.append(leaf, isKept.indices.filter { isKept[$0] }[...], in: snapshot)
    let new = try buffer.makeLeaf(in: self)
    try releaseLeaf(ref, layout)
    return new
  }

  /// Sets several elements; a leaf that must be written anew for one of them is written once.
  func setElements(
    _ ref: Ref, _ layout: LeafLayout, _ values: [(index: Int, value: Value)]
  ) throws(EngineError) -> Ref {
    if layout.type == .mixed {
      return try rebuild(ref, layout) { contents throws(EngineError) in
        for (index, value) in values {
          try Self.checkElement(index, of: contents.count, at: ref)
          contents.put(value, at: index, inserting: false)
        }
      }
    }
    var leaf = ref
    for (index, value) in values { leaf = try setElement(leaf, layout, index, value) }
    return leaf
  }

  /// Takes the leaf apart, changes its contents and writes it anew.
  private func rebuild(
    _ ref: Ref, _ layout: LeafLayout, _ change: (inout LeafContents) throws(EngineError) -> Void
  ) throws(EngineError) -> Ref {
    var contents = try contents(ref, layout)
    if case .textNumbers = contents {
      contents = .values(try snapshot.leaf(ref, layout, rowCount: nil).values(in: snapshot))
    }
    try change(&contents)
    let new = try makeLeaf(layout, contents)
    try releaseLeaf(ref, layout)
    return new
  }

  private func putDate(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value, inserting: Bool
  ) throws(EngineError) -> Ref {
    var date: Timestamp?
    switch value {
    case .date(let stamp): date = stamp
    case .null: break
    default: throw layout.mismatch(value)
    }
    let node = try snapshot.refsNode(ref)
    let fraction = Int64(date?.nanoseconds ?? 0)
    let nanosecondsRef = try node.requiredRef(1)
    let seconds = try putNullableInteger(
      try node.requiredRef(0), index, date?.seconds, inserting: inserting)
    let nanoseconds =
      inserting
      ? try insertInteger(nanosecondsRef, index, fraction) : try setInteger(nanosecondsRef, index, fraction)
    return try setSlot(try setSlot(ref, 0, seconds), 1, nanoseconds)
  }

  /// Puts a text or data where the leaf's layout takes it as it is; nil where the leaf must be written anew.
  private func putText(
    _ ref: Ref, _ layout: LeafLayout, _ index: Int, _ value: Value, inserting: Bool
  ) throws(EngineError) -> Ref? {
    let bytes = try layout.text(value)?.bytes
    let node = try snapshot.node(ref)
    if node.holdsTextNumbers {
      guard let texts = layout.openTexts, let number = try texts.number(of: layout.text(value), in: snapshot)
      else { return nil }
      return inserting ? try insertInteger(ref, index, number) : try setInteger(ref, index, number)
    }
    if !node.hasRefs, node.header.kind == .bytes {
      let size = bytes?.count ?? -1
      guard node.header.width > 0 || node.count == 0 && size < 0, size < node.header.width else { return nil }
      let (new, element) = inserting ? try insertElement(ref, index) : try elementForChange(ref, index)
      if element.count > 0 { Self.storeShortText(bytes, in: element) }
      return new
    }
    guard node.hasRefs, node.header.contextFlag else { return nil }
    var blob: Ref?
    if let bytes { blob = try makeBlob(bytes, terminatorSize: layout.type == .string ? 1 : 0) }
    if inserting { return try insertInteger(ref, index, Int64(blob?.offset ?? 0)) }
    let old = try node.ref(index)
    let new = try setSlot(ref, index, blob)
    if let old { try releaseTree(old) }
    return new
  }
}

extension LeafContents {
  fileprivate mutating func put(_ value: Value, at index: Int, inserting: Bool) {
    switch self {
    case .values(var values):
      if inserting { values.insert(value, at: index) } else { values[index] = value }
      self = .values(values)
    case .mixed(var elements):
      if inserting {
        elements.insert(MixedElement(value: value), at: index)
      } else {
        let former = elements[index]
        let isSameKind = value.isCollection(like: former.value)
        elements[index] = MixedElement(value: value, collectionKey: isSameKind ? former.collectionKey : 0)
      }
      self = .mixed(elements)
    case .slots, .textNumbers: preconditionFailure("slots and numbers are put one by one")
    }
  }

  fileprivate mutating func erase(_ index: Int) {
    switch self {
    case .values(var values):
      values.remove(at: index)
      self = .values(values)
    case .mixed(var elements):
      elements.remove(at: index)
      self = .mixed(elements)
    case .slots, .textNumbers: preconditionFailure("slots and numbers are erased one by one")
    }
  }
}
