// Leaves of float and double: raw IEEE numbers, null as one reserved NaN. Layer: Leaves.

/// 32-bit floating-point numbers.
package struct FloatLeaf: Sendable {
  package static let nullPattern: UInt32 = 0x7FC0_00AA
  package static let size = 4
  package let payload: RawBytes
  package let start: Int
  package let count: Int

  package func bitPattern(_ index: Int) -> UInt32 {
    assert(index >= 0 && index < count)
    return payload.load(UInt32.self, at: (start + index) * Self.size)
  }

  /// Nil for null.
  package subscript(index: Int) -> Float? {
    let bits = bitPattern(index)
    return bits == Self.nullPattern ? nil : Float(bitPattern: bits)
  }

  func value(_ index: Int) -> Value { self[index].map(Value.float) ?? .null }
}

/// 64-bit floating-point numbers.
package struct DoubleLeaf: Sendable {
  package static let nullPattern: UInt64 = 0x7FF8_0000_0000_00AA
  package static let size = 8
  package let payload: RawBytes
  package let start: Int
  package let count: Int

  package func bitPattern(_ index: Int) -> UInt64 {
    assert(index >= 0 && index < count)
    return payload.load(UInt64.self, at: (start + index) * Self.size)
  }

  /// Nil for null.
  package subscript(index: Int) -> Double? {
    let bits = bitPattern(index)
    return bits == Self.nullPattern ? nil : Double(bitPattern: bits)
  }

  func value(_ index: Int) -> Value { self[index].map(Value.double) ?? .null }
}

extension NodeView {
  /// Checks that this is a leaf of `size` bytes an element and returns its count.
  func fixedSizeCount(_ size: Int) throws(EngineError) -> Int {
    guard header.kind == .bytes, !hasRefs, header.width == size || count == 0 else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a leaf of \(size)-byte numbers", found: description)
    }
    return count
  }
}
