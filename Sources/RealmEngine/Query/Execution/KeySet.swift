// Sets of object keys that are asked for every row of a scan. Layer: Query.

/// Object keys: a bitmap where they lie close together, else sorted numbers.
package final class KeySet: Sendable {
  private let bits: [UInt64]
  private let first: Int64
  private let sorted: [Int64]
  package let count: Int

  /// Bits that a key may cost before sorted numbers are smaller.
  private static let bitsPerKeyMax = 256
  private static let bitsAlways = 1 << 20

  /// `keys` ascend, but for those of a damaged file.
  package init(_ keys: [ObjectKey]) {
    var values = keys.map(\.value)
    if !zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { values.sort() }
    count = keys.count
    guard let least = values.first, let greatest = values.last, least >= 0,
      greatest - least < Int64(max(Self.bitsAlways, values.count * Self.bitsPerKeyMax))
    else {
      bits = []
      first = 0
      sorted = values
      return
    }
    var bits = [UInt64](repeating: 0, count: Int(greatest - least) / 64 + 1)
    for value in values {
      let position = Int(value - least)
      bits[position / 64] |= 1 << UInt64(position % 64)
    }
    self.bits = bits
    first = least
    sorted = []
  }

  @inline(__always)
  package func contains(_ key: Int64) -> Bool {
    if bits.isEmpty { return sorted.containsSorted(key) }
    let (position, overflow) = key.subtractingReportingOverflow(first)
    guard !overflow, position >= 0, position < Int64(bits.count * 64) else { return false }
    return bits[Int(position) / 64] >> UInt64(position % 64) & 1 == 1
  }
}
