// Elements of eight or sixteen bytes compared with one pattern, sixteen elements at once. Layer: Bytes.

/// The bits that elements are to have.
struct ElementPattern {
  /// As many times as it fits.
  private let wanted: SIMD16<UInt32>
  private let relevant: SIMD16<UInt32>

  /// Elements whose `relevant` bits are those of `wanted`, as the processor loads them; of elements of eight bytes
  /// only the first numbers count.
  init(_ wanted: (UInt64, UInt64), relevant: (UInt64, UInt64), width: Int) {
    precondition(width == 8 || width == 16)
    let wantedWords = SIMD2(wanted.0 & relevant.0, wanted.1 & relevant.1)
    let relevantWords = SIMD2(relevant.0, relevant.1)
    var (wanted, relevant) = (SIMD8<UInt64>(), SIMD8<UInt64>())
    for lane in 0..<8 {
      let word = width == 8 ? 0 : lane & 1
      wanted[lane] = wantedWords[word]
      relevant[lane] = relevantWords[word]
    }
    self.wanted = unsafe unsafeBitCast(wanted, to: SIMD16<UInt32>.self)
    self.relevant = unsafe unsafeBitCast(relevant, to: SIMD16<UInt32>.self)
  }

  /// Which of sixteen elements of eight bytes have the bits.
  @inline(__always)
  func sixteenAnswers(eightBytesEach source: UnsafeRawPointer) -> SixteenAnswers {
    let low = unsafe unsafeBitCast(answersForWords(source), to: SIMD8<UInt16>.self)
    let high = unsafe unsafeBitCast(answersForWords(source + 64), to: SIMD8<UInt16>.self)
    return UInt16.areEqual(SIMD16(lowHalf: low, highHalf: high), SIMD16(repeating: 0x0101))
  }

  /// Which of sixteen elements of sixteen bytes have the bits.
  @inline(__always)
  func sixteenAnswers(sixteenBytesEach source: UnsafeRawPointer) -> SixteenAnswers {
    let first = unsafe unsafeBitCast(answersForWords(source), to: SIMD4<UInt32>.self)
    let second = unsafe unsafeBitCast(answersForWords(source + 64), to: SIMD4<UInt32>.self)
    let third = unsafe unsafeBitCast(answersForWords(source + 128), to: SIMD4<UInt32>.self)
    let fourth = unsafe unsafeBitCast(answersForWords(source + 192), to: SIMD4<UInt32>.self)
    return UInt32.areEqual(
      SIMD16(
        lowHalf: SIMD8(lowHalf: first, highHalf: second), highHalf: SIMD8(lowHalf: third, highHalf: fourth)),
      SIMD16(repeating: 0x0101_0101))
  }

  /// Of sixteen words of four bytes.
  @inline(__always)
  private func answersForWords(_ source: UnsafeRawPointer) -> SixteenAnswers {
    let words = unsafe source.loadUnaligned(as: SIMD16<UInt32>.self)
    return UInt32.areEqual(words & relevant, wanted)
  }
}
