// Stores integers at the widths that `PackedIntegers` reads. Layer: Nodes.

/// The widths of packed integers.
enum Packing {
  /// The least width that holds `value`.
  @inline(__always)
  static func width(of value: Int64) -> Int {
    if value >= 0 && value < 16 { return value < 4 ? (value < 2 ? Int(value) : 2) : 4 }
    return wideWidth(of: value)
  }

  /// The least width of 8 or more that holds `value` with its sign.
  @inline(__always)
  static func wideWidth(of value: Int64) -> Int {
    let magnitude = value < 0 ? ~value : value
    if magnitude < 1 << 7 { return 8 }
    if magnitude < 1 << 15 { return 16 }
    return magnitude < 1 << 31 ? 32 : 64
  }

  /// The least width of 8 or more that holds `value` without sign.
  static func unsignedWidth(of value: UInt64) -> Int {
    if value < 1 << 8 { return 8 }
    if value < 1 << 16 { return 16 }
    return value < 1 << 32 ? 32 : 64
  }

  /// The least width for all of `values`.
  static func width(of values: [Int64]) -> Int {
    // All values' bits at once: a negative one shows by its complement, which needs 7 bits or more.
    var bits: Int64 = 0
    var signs: Int64 = 0
    for value in values {
      bits |= value ^ (value >> 63)
      signs |= value
    }
    return signs < 0 ? wideWidth(of: bits) : width(of: bits)
  }
}

extension MutableRawBytes {
  /// Stores element `index` of a run of integers `width` bits wide; the value fits.
  @inline(__always)
  func pack(_ value: Int64, at index: Int, width: Int) {
    switch width {
    case 8: store(Int8(truncatingIfNeeded: value), at: index)
    case 16: store(Int16(truncatingIfNeeded: value), at: index &* 2)
    case 32: store(Int32(truncatingIfNeeded: value), at: index &* 4)
    case 64: store(value, at: index &* 8)
    case 0: break
    default: packNarrow(value, at: index, width: width)
    }
  }

  private func packNarrow(_ value: Int64, at index: Int, width: Int) {
    let bit = index * width
    let shift = UInt8(bit & 7)
    let mask = UInt8((1 << width) - 1) << shift
    let old = readable[bit >> 3]
    store(old & ~mask | UInt8(truncatingIfNeeded: value) << shift & mask, at: bit >> 3)
  }

  /// Stores all of `values` from element `start` on.
  func pack(_ values: [Int64], from start: Int = 0, width: Int) {
    switch width {
    case 0: break
    case 8:
      for (index, value) in values.enumerated() { store(Int8(truncatingIfNeeded: value), at: start + index) }
    case 16:
      for (index, value) in values.enumerated() {
        store(Int16(truncatingIfNeeded: value), at: 2 * (start + index))
      }
    case 32:
      for (index, value) in values.enumerated() {
        store(Int32(truncatingIfNeeded: value), at: 4 * (start + index))
      }
    case 64: for (index, value) in values.enumerated() { store(value, at: 8 * (start + index)) }
    default: for (index, value) in values.enumerated() { packNarrow(value, at: start + index, width: width) }
    }
  }

  /// Moves `count` elements from `source` on to `target` on, in whatever order they overlap.
  func movePacked(from source: Int, to target: Int, count: Int, width: Int) {
    guard count > 0, width > 0, source != target else { return }
    if width >= 8 {
      copy(readable.slice(source * width / 8, count * width / 8), at: target * width / 8)
      return
    }
    let elements = PackedIntegers(
      payload: readable, width: width, start: 0, count: max(source, target) + count)
    if target > source {
      for index in stride(from: count - 1, through: 0, by: -1) {
        packNarrow(elements[source + index], at: target + index, width: width)
      }
    } else {
      for index in 0..<count { packNarrow(elements[source + index], at: target + index, width: width) }
    }
  }

  /// Copies a run of integers to element `start` on, at a width that holds them.
  func pack(_ source: PackedIntegers, at start: Int, width: Int) {
    if width == source.width, width >= 8 {
      copy(source.payload.slice(source.start * width / 8, source.count * width / 8), at: start * width / 8)
      return
    }
    for index in 0..<source.count { pack(source[index], at: start + index, width: width) }
  }
}

extension PackedIntegers {
  /// All elements.
  package func array() -> [Int64] { (0..<count).map { self[$0] } }
}
