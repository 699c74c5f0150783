// Finding and comparing bytes at the speed of the C library. Layer: ByteText, a bridge to it.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Span<UInt8> {
  /// The first place of `byte` from `start` on, which must be in bounds or the end.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= count)
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// How often `byte` stands in it. Eight bytes at a time.
  package func count(of byte: UInt8) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (pattern, lows) = (ones &* UInt64(byte), ones &* 0x7F)
    // Each byte of `found` counts so many bytes.
    let wordsMax = 255
    return unsafe withUnsafeBytes { bytes in
      var (sum, index) = (0, 0)
      while index &+ 8 <= bytes.count {
        var found: UInt64 = 0
        let end = min(bytes.count & ~7, index &+ 8 &* wordsMax)
        while index < end {
          let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ pattern
          // The top bit of bytes that are 0.
          found &+= ~((word & lows &+ lows) | word | lows) >> 7
          index &+= 8
        }
        let pairs = found & 0x00FF_00FF_00FF_00FF &+ found >> 8 & 0x00FF_00FF_00FF_00FF
        sum &+= Int((pairs &* 0x0001_0001_0001_0001) >> 48)
      }
      while index < bytes.count {
        sum &+= unsafe bytes[index] == byte ? 1 : 0
        index &+= 1
      }
      return sum
    }
  }

  /// Where the decimal digits end that begin at `start`, which must be in bounds or the end. Eight bytes at a time.
  package func digitsEnd(from start: Int) -> Int {
    precondition(start >= 0 && start <= count)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (zeros, lows, beyond) = (ones &* 0x30, ones &* 0x7F, ones &* 0x76)
    return unsafe withUnsafeBytes { bytes in
      var index = start
      while index &+ 8 <= bytes.count {
        let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let digits = word ^ zeros
        // The top bit of bytes that are more than 9.
        let others = ((digits & lows) &+ beyond | digits) & ~lows
        if others != 0 { return index &+ others.trailingZeroBitCount / 8 }
        index &+= 8
      }
      while index < bytes.count, unsafe bytes[index] &- 0x30 <= 9 { index &+= 1 }
      return index
    }
  }

  /// The first place from `start` on, which must be in bounds or the end, of one of two bytes or of one below `limit`, which is at
  /// most 128, or the end; and whether all bytes before it are ASCII. Eight bytes at a time.
  package func runEnd(
    from start: Int, before first: UInt8, _ second: UInt8, orBelow limit: UInt8
  ) -> (end: Int, isASCII: Bool) {
    precondition(start >= 0 && start <= count && limit <= 128)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops = ones << 7
    let (firsts, seconds, limits) = (ones &* UInt64(first), ones &* UInt64(second), ones &* UInt64(limit))
    return unsafe withUnsafeBytes { bytes in
      var index = start
      var union: UInt64 = 0
      while index &+ 8 <= bytes.count {
        let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let (one, other) = (word ^ firsts, word ^ seconds)
        // The top bit of bytes that are 0 in `one` or `other`, and of those below the limit; the lowest one that is set is right.
        let marks = ((one &- ones) & ~one | (other &- ones) & ~other | (word &- limits) & ~word) & tops
        let length = marks.trailingZeroBitCount / 8
        union |= length == 8 ? word : word & (1 << UInt64(8 &* length) &- 1)
        index &+= length
        if length < 8 { return (index, union & tops == 0) }
      }
      while index < bytes.count, case let byte = unsafe bytes[index], byte != first, byte != second,
        byte >= limit
      {
        union |= UInt64(byte)
        index &+= 1
      }
      return (index, union & tops == 0)
    }
  }

  /// Whether `literal` stands at `start`, which must be in bounds or the end.
  package func hasBytes(_ literal: Span<UInt8>, at start: Int) -> Bool {
    precondition(start >= 0 && start <= count)
    guard literal.count <= count - start else { return false }
    return unsafe withUnsafeBytes { bytes in
      unsafe literal.withUnsafeBytes { literal in
        guard let base = bytes.baseAddress, let wanted = literal.baseAddress else { return true }
        /// Whether the first and the last bytes are the same, some of which may be both.
        func hasEnds<Word: FixedWidthInteger & BitwiseCopyable>(_ word: Word.Type) -> Bool {
          let last = literal.count &- MemoryLayout<Word>.size
          let first = unsafe bytes.loadUnaligned(fromByteOffset: start, as: word)
          let second = unsafe bytes.loadUnaligned(fromByteOffset: start &+ last, as: word)
          return unsafe first == literal.loadUnaligned(as: word)
            && second == literal.loadUnaligned(fromByteOffset: last, as: word)
        }
        switch literal.count {
        case 4..<8: return hasEnds(UInt32.self)
        case 8...16: return hasEnds(UInt64.self)
        default: return unsafe memcmp(base + start, wanted, literal.count) == 0
        }
      }
    }
  }
}
