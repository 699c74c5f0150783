// What a text condition looks for, prepared once: the bytes, or their two cases. Layer: Kernels.
// Case folding covers ASCII and Latin-1 letters only. It never changes a length, and the two cases of a Latin-1
// letter share their first byte, so folding works byte by byte.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes to find, exactly or in either case.
package final class SearchTerm: Sendable {
  /// The bytes in upper and in lower case; equal where case matters or there is none.
  let upper: [UInt8]
  let lower: [UInt8]
  /// The bit in which the two cases of each byte differ, set in lower case; 0 where it has one form.
  let caseBits: [UInt8]

  /// The first 16 of the upper case, and of the bits that differ, as the processor loads them.
  let upperWords: SIMD2<UInt64>
  let caseWords: SIMD2<UInt64>

  private let exact: ByteString

  package var count: Int { upper.count }
  package var isEmpty: Bool { upper.isEmpty }
  package let isCaseInsensitive: Bool
  /// Zero bytes cannot be told from padding without looking at lengths.
  let containsZero: Bool

  package convenience init(_ bytes: [UInt8], isCaseInsensitive: Bool = false) {
    self.init(ByteString(copying: bytes), isCaseInsensitive: isCaseInsensitive)
  }

  package init(_ text: ByteString, isCaseInsensitive: Bool = false) {
    self.isCaseInsensitive = isCaseInsensitive
    exact = text.owned()
    let bytes = exact.bytes.array()
    containsZero = bytes.contains(0)
    upper = isCaseInsensitive ? Self.folded(bytes, toUpper: true) : bytes
    lower = isCaseInsensitive ? Self.folded(bytes, toUpper: false) : bytes
    caseBits = zip(upper, lower).map { $0 ^ $1 }
    upperWords = upper.withRawBytes(\.twoWords)
    caseWords = caseBits.withRawBytes(\.twoWords)
  }

  private static func folded(_ bytes: [UInt8], toUpper: Bool) -> [UInt8] {
    var result = bytes
    for index in bytes.indices {
      let byte = bytes[index]
      let isSecondOfLatin1 = index > 0 && bytes[index - 1] == 0xC3
      // Second bytes of À…Þ and à…þ; × (0x97) and ÷ (0xB7) have no case, nor have ß (0x9F) and ÿ (0xBF).
      let hasUpper =
        isSecondOfLatin1 ? (0xA0...0xBE).contains(byte) && byte != 0xB7 : (0x61...0x7A).contains(byte)
      let hasLower =
        isSecondOfLatin1 ? (0x80...0x9E).contains(byte) && byte != 0x97 : (0x41...0x5A).contains(byte)
      if toUpper && hasUpper { result[index] = byte - 0x20 }
      if !toUpper && hasLower { result[index] = byte + 0x20 }
    }
    return result
  }

  /// Whether the needle stands at `offset`, which leaves room for it.
  @inline(__always)
  func stands(in bytes: RawBytes, at offset: Int) -> Bool {
    if !isCaseInsensitive {
      guard let first = upper.first else { return true }
      return bytes[offset] == first && bytes.slice(offset, count).equals(exact.bytes)
    }
    for index in 0..<count {
      let byte = bytes[offset &+ index]
      if byte != upper[index] && byte != lower[index] { return false }
    }
    return true
  }

  package func equals(_ bytes: RawBytes) -> Bool { bytes.count == count && stands(in: bytes, at: 0) }
  package func isPrefix(of bytes: RawBytes) -> Bool { bytes.count >= count && stands(in: bytes, at: 0) }

  package func isSuffix(of bytes: RawBytes) -> Bool {
    bytes.count >= count && stands(in: bytes, at: bytes.count - count)
  }

  package func isContained(in bytes: RawBytes) -> Bool {
    guard !isEmpty else { return true }
    guard bytes.count >= count else { return false }
    return first(in: bytes, from: 0) != nil
  }

  /// Where the needle, which is not empty, stands first from `start` on. Cost: the bytes up to there, whatever they are.
  func first(in bytes: RawBytes, from start: Int) -> Int? {
    var found: Int?
    TextKernels.forEachOccurrence(of: self, in: bytes.slice(start, bytes.count - start)) { offset in
      found = start + offset
      return bytes.count
    }
    return found
  }

  /// A byte of a text as `lower` has it.
  @inline(__always)
  func folded(_ byte: UInt8, after previous: UInt8) -> UInt8 {
    guard isCaseInsensitive else { return byte }
    if byte &- 0x41 < 26 { return byte | 0x20 }
    // As in `folded(_:toUpper:)`.
    return previous == 0xC3 && byte &- 0x80 < 0x1F && byte != 0x97 ? byte + 0x20 : byte
  }

  /// The needle's order against `bytes`; only for needles whose case matters.
  package func compare(_ bytes: RawBytes) -> Int { exact.bytes.compare(bytes) }
}
