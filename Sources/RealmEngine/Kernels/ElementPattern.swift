// Elements of eight or sixteen bytes compared with one pattern, sixteen elements at once. Layer: Kernels.

/// The bits that elements are to have.
struct ElementPattern {
  private let width: Int
  private let wantedBits: SIMD2<UInt64>
  private let relevantBits: SIMD2<UInt64>
  /// The same as many times as it fits.
  private let wanted: SIMD16<UInt32>
  private let relevant: SIMD16<UInt32>

  /// Elements whose `relevant` bits are those of `wanted`, as the processor loads them. Elements of eight bytes have
  /// only the first of each two.
  init(_ wanted: SIMD2<UInt64>, relevant: SIMD2<UInt64>, width: Int) {
    precondition(width == 8 || width == 16)
    self.width = width
    relevantBits = width == 8 ? SIMD2(relevant[0], 0) : relevant
    wantedBits = wanted & relevantBits
    let (wantedWords, relevantWords) = (wantedBits, relevantBits)
    let second = width == 8 ? 0 : 1
    var (wanted, relevant) = (SIMD8<UInt64>(), SIMD8<UInt64>())
    for lane in 0..<8 {
      let word = lane & 1 == 0 ? 0 : second
      wanted[lane] = wantedWords[word]
      relevant[lane] = relevantWords[word]
    }
    self.wanted = unsafe unsafeBitCast(wanted, to: SIMD16<UInt32>.self)
    self.relevant = unsafe unsafeBitCast(relevant, to: SIMD16<UInt32>.self)
  }

  /// Whether there is only one element that has the bits.
  var isExact: Bool { relevantBits[0] == .max && (width == 8 || relevantBits[1] == .max) }

  /// Marks `elements` that have the bits. With `adding` those that were marked before stay so.
  func mark(_ elements: RawBytes, adding: Bool = false, into mask: SelectionMask) {
    let count = elements.count / width
    mask.resize(count)
    guard count > 0 else { return }
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    let target = UnsafeMutableRawPointer(rows)
    let kept: UInt8 = adding ? 1 : 0
    let keptRows = SixteenAnswers(repeating: kept)
    var row = 0
    while row &+ 16 <= count {
      let some = unsafe source + row &* width
      let answers = unsafe width == 8 ? answers(eightBytesEach: some) : answers(sixteenBytesEach: some)
      let former = unsafe target.loadUnaligned(fromByteOffset: row, as: SixteenAnswers.self)
      unsafe target.storeBytes(of: former & keptRows | answers, toByteOffset: row, as: SixteenAnswers.self)
      row &+= 16
    }
    while row < count {
      let low = unsafe source.loadUnaligned(fromByteOffset: row &* width, as: UInt64.self).littleEndian
      let high =
        width == 8
        ? 0 : unsafe source.loadUnaligned(fromByteOffset: row &* width &+ 8, as: UInt64.self).littleEndian
      let hasBits = SIMD2(low, high) & relevantBits == wantedBits
      unsafe rows[row] = rows[row] & kept | (hasBits ? 1 : 0)
      row &+= 1
    }
  }

  /// Which of sixteen elements of eight bytes have the bits.
  @inline(__always)
  private func answers(eightBytesEach source: UnsafeRawPointer) -> SixteenAnswers {
    let low = unsafe unsafeBitCast(answersForWords(source), to: SIMD8<UInt16>.self)
    let high = unsafe unsafeBitCast(answersForWords(source + 64), to: SIMD8<UInt16>.self)
    return UInt16.areEqual(SIMD16(lowHalf: low, highHalf: high), SIMD16(repeating: 0x0101))
  }

  /// Which of sixteen elements of sixteen bytes have the bits.
  @inline(__always)
  private func answers(sixteenBytesEach source: UnsafeRawPointer) -> SixteenAnswers {
    let first = unsafe unsafeBitCast(answersForWords(source), to: SIMD4<UInt32>.self)
    let second = unsafe unsafeBitCast(answersForWords(source + 64), to: SIMD4<UInt32>.self)
    let third = unsafe unsafeBitCast(answersForWords(source + 128), to: SIMD4<UInt32>.self)
    let fourth = unsafe unsafeBitCast(answersForWords(source + 192), to: SIMD4<UInt32>.self)
    return UInt32.areEqual(
      SIMD16(
        lowHalf: SIMD8(lowHalf: first, highHalf: second), highHalf: SIMD8(lowHalf: third, highHalf: fourth)),
      SIMD16(repeating: 0x0101_0101))
  }

  /// Which of sixteen words of four bytes have the bits.
  @inline(__always)
  private func answersForWords(_ source: UnsafeRawPointer) -> SixteenAnswers {
    let words = unsafe source.loadUnaligned(as: SIMD16<UInt32>.self)
    return UInt32.areEqual(words & relevant, wanted)
  }
}

extension ElementPattern {
  /// What the elements of some texts, padded with zeros and closed by the padding's length, have in common; nil where
  /// none of the texts fits.
  init?(allOf texts: [RawBytes], width: Int) {
    let elements = texts.filter { $0.count < width }.map { Self.element($0, width: width) }
    guard let first = elements.first else { return nil }
    let different = elements.reduce(SIMD2<UInt64>()) { $0 | ($1 ^ first) }
    self.init(first, relevant: ~different, width: width)
  }

  private static func element(_ text: RawBytes, width: Int) -> SIMD2<UInt64> {
    var bits = text.twoWords
    bits[width / 8 - 1] |= UInt64(width - 1 - text.count) << 56
    return bits
  }
}
