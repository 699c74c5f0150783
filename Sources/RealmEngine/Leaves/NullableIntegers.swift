// Writing leaves of integers that may be null: element 0 is the number that means null. Layer: Leaves.
// Invariant: below 64 bits that number is the largest of the width; at 64 bits it is one that no element has.

extension NodeStore {
  /// A leaf of `values`; those where `isNull` are null.
  func makeNullableIntegers(_ values: [Int64], isNull: [Bool]) throws(EngineError) -> Ref {
    var width = 0
    for (index, value) in values.enumerated() where !isNull[index] {
      width = max(width, Self.nullableWidth(of: value))
    }
    let sentinel = width < 64 ? PackedIntegers.upperBound(width: width) : Self.unused(values, isNull)
    let (ref, payload) = try make(NodeHeader(kind: .bits, width: width, count: values.count + 1))
    payload.pack(sentinel, at: 0, width: width)
    for (index, value) in values.enumerated() {
      payload.pack(isNull[index] ? sentinel : value, at: index + 1, width: width)
    }
    return ref
  }

  /// The least width that holds `value` beside the number that means null.
  private static func nullableWidth(of value: Int64) -> Int {
    let width = Packing.width(of: value)
    guard width < 64, value == PackedIntegers.upperBound(width: width) else { return width }
    return width == 0 ? 1 : 2 * width
  }

  private static func unused(_ values: [Int64], _ isNull: [Bool]) -> Int64 {
    // Of the largest numbers, one more than there are values, one is left over.
    var isTaken = [Bool](repeating: false, count: values.count + 1)
    for (index, value) in values.enumerated() where !isNull[index] && value > .max - Int64(isTaken.count) {
      isTaken[Int(.max - value)] = true
    }
    return .max - Int64(isTaken.firstIndex(of: false) ?? 0)
  }

  /// Sets or inserts an element; nil is null.
  func putNullableInteger(
    _ ref: Ref, _ index: Int, _ value: Int64?, inserting: Bool
  ) throws(EngineError) -> Ref {
    let node = try snapshot.integersNode(ref)
    let leaf = try IntegerLeaf(node, isNullable: true)
    let sentinel = leaf.nullSentinel ?? 0
    if value.map({ $0 != sentinel && Self.fits($0, node.header.width) }) ?? true {
      let stored = value ?? sentinel
      return inserting
        ? try insertInteger(ref, index + 1, stored) : try setInteger(ref, index + 1, stored)
    }
    var values = leaf.values.array()
    var isNull = values.map { $0 == sentinel }
    try Self.checkElement(index, of: values.count, at: ref, inserting: inserting)
    if inserting {
      values.insert(value ?? 0, at: index)
      isNull.insert(value == nil, at: index)
    } else {
      values[index] = value ?? 0
      isNull[index] = value == nil
    }
    let new = try makeNullableIntegers(values, isNull: isNull)
    release(node)
    return new
  }

  private static func fits(_ value: Int64, _ width: Int) -> Bool {
    width == 64 || nullableWidth(of: value) <= width
  }
}
