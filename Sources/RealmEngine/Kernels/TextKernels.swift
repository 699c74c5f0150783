// Searches for one needle in many texts at once. Layer: Kernels.
// Safe: every loop's range is checked against the payload before it begins.

/// Marks texts of a leaf that contain, begin with or equal a needle.
enum TextKernels {
  /// Marks elements of `width` bytes, padded with zeros and closed by their padding length, that equal `needle`.
  /// With `adding` those that were marked before stay so.
  static func markEqual(
    _ payload: RawBytes, width: Int, start: Int, count: Int, needle: SearchTerm, adding: Bool = false,
    into mask: SelectionMask
  ) {
    guard needle.count < width else {
      if !adding { mask.fill(false, count: count) }
      return
    }
    let padding = UInt8(width - 1 - needle.count)
    var wanted = needle.upperWords
    wanted[width == 8 ? 0 : 1] |= UInt64(padding) << 56
    markElements(
      payload, width: width, start: start, count: count, needle, wanted, relevant: SIMD2(repeating: .max),
      padding: padding, adding: adding, into: mask)
  }

  /// Marks elements that begin with `needle`, which is not empty and without zero bytes, so that padding can
  /// never be taken for it.
  static func markPrefix(
    _ payload: RawBytes, width: Int, start: Int, count: Int, needle: SearchTerm, into mask: SelectionMask
  ) {
    guard needle.count < width else { return mask.fill(false, count: count) }
    let relevant = SIMD2(ones(min(8, needle.count)), ones(min(8, max(0, needle.count - 8))))
    markElements(
      payload, width: width, start: start, count: count, needle, needle.upperWords, relevant: relevant,
      padding: nil, adding: false, into: mask)
  }

  /// Marks elements of eight bytes or more that end with `needle`, which is not empty.
  static func markSuffix(
    _ payload: RawBytes, width: Int, start: Int, count: Int, needle: SearchTerm, into mask: SelectionMask
  ) {
    guard needle.count < width, width >= 8 else { return mask.fill(false, count: count) }
    mask.resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * width, count * width)
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    let needleCount = needle.count
    // Its last bytes stand at the top of a word, as the last bytes of a text are brought there.
    let wanted = lastWord(needle.upper)
    let relevant = ~ones(8 - min(8, needleCount)) & ~lastWord(needle.caseBits)
    for row in 0..<count {
      let first = row &* width
      // What stands for null, or for nothing, is more than the width.
      let end = width &- 1 &- Int(unsafe source.load(fromByteOffset: first &+ width &- 1, as: UInt8.self))
      var isIn = end >= needleCount
      if isIn {
        let word = unsafe source.loadUnaligned(
          fromByteOffset: first &+ max(0, end &- 8), as: UInt64.self
        ).littleEndian
        let tail = end < 8 ? word << UInt64(8 &* (8 &- end)) : word
        isIn = (tail ^ wanted) & relevant == 0
        if isIn, needleCount > 8 {
          isIn = needle.stands(in: elements, at: first + end - needleCount)
        }
      }
      unsafe rows[row] = isIn ? 1 : 0
    }
  }

  /// The last eight bytes, the very last one at the top.
  private static func lastWord(_ bytes: [UInt8]) -> UInt64 {
    bytes.suffix(8).reduce(0) { $0 >> 8 | UInt64($1) << 56 }
  }

  private static func ones(_ byteCount: Int) -> UInt64 {
    byteCount == 8 ? .max : 1 << UInt64(8 * byteCount) - 1
  }

  /// Marks elements of 8 or 16 bytes whose `relevant` bits are those of `wanted`; others whose bytes begin with the
  /// needle's and, where `padding` says how much there must be, end with that.
  private static func markElements(
    _ payload: RawBytes, width: Int, start: Int, count: Int, _ needle: SearchTerm, _ wanted: SIMD2<UInt64>,
    relevant: SIMD2<UInt64>, padding: UInt8?, adding: Bool, into mask: SelectionMask
  ) {
    let elements = payload.slice(start * width, count * width)
    if width == 8 || width == 16 {
      let pattern = ElementPattern(wanted, relevant: relevant & ~needle.caseWords, width: width)
      return pattern.mark(elements, adding: adding, into: mask)
    }
    mask.resize(count)
    guard count > 0 else { return }
    let rows = unsafe mask.rows
    let kept: UInt8 = adding ? 1 : 0
    for row in 0..<count {
      var difference = padding.map { $0 ^ elements[row &* width &+ width &- 1] } ?? 0
      for byte in 0..<needle.count {
        difference |= (elements[row &* width &+ byte] ^ needle.upper[byte]) & ~needle.caseBits[byte]
      }
      unsafe rows[row] = rows[row] & kept | (difference == 0 ? 1 : 0)
    }
  }

  /// Marks elements of 8 or 16 bytes, padded with zeros and closed by their padding length, that may begin so. What
  /// a pattern wants of an element's last byte, no text there can have.
  static func markCandidates(
    _ payload: RawBytes, width: Int, start: Int, count: Int, _ beginning: TextPattern.Beginning,
    into mask: SelectionMask
  ) {
    mask.resize(count)
    guard count > 0 else { return }
    let elements = payload.slice(start * width, count * width)
    let source = unsafe elements.start
    let rows = unsafe mask.rows
    let (wanted, relevant, any) = (beginning.wanted, beginning.relevant, beginning.anyCharacter)
    if width == 8 {
      for row in 0..<count {
        let low = unsafe source.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self).littleEndian
        let isAlike = (low ^ wanted.0) & relevant.0 == 0
        unsafe rows[row] = (isAlike ? 1 : 0) | (low & any.0 != 0 ? 1 : 0)
      }
      return
    }
    for row in 0..<count {
      let low = unsafe source.loadUnaligned(fromByteOffset: row &* 16, as: UInt64.self).littleEndian
      let high = unsafe source.loadUnaligned(fromByteOffset: row &* 16 &+ 8, as: UInt64.self).littleEndian
      let isAlike = (low ^ wanted.0) & relevant.0 | (high ^ wanted.1) & relevant.1 == 0
      unsafe rows[row] = (isAlike ? 1 : 0) | (low & any.0 | high & any.1 != 0 ? 1 : 0)
    }
  }

  private static let shortNeedleMax = 16
  private static let effortPerByte = 16
  private static let effortMin = 4096

  /// Calls `body` with positions in `text` where `needle`, which is not empty, stands, in order; `body` says from where
  /// on the next one is wanted. The first and the last byte are looked for in sixteen positions at once: texts often
  /// begin alike. Where that finds too many places to look at, bytes are looked at one by one, each once.
  static func forEachOccurrence(of needle: SearchTerm, in text: RawBytes, _ body: (Int) -> Int) {
    let positionCount = text.count - needle.count + 1
    guard positionCount > 0 else { return }
    let source = unsafe text.start
    let last = needle.count - 1
    let (first, firstCase) = (needle.lower[0], needle.caseBits[0])
    let (final, finalCase) = (needle.lower[last], needle.caseBits[last])
    var wanted = 0
    // Short needles are looked at in a few steps wherever they seem to stand.
    let effortMax = needle.count <= shortNeedleMax ? Int.max : effortPerByte * text.count + effortMin
    var effort = 0
    @inline(__always) func verify(_ position: Int) {
      effort &+= needle.count
      if position >= wanted, needle.count <= 2 || needle.stands(in: text, at: position) {
        wanted = min(body(position), text.count)
      }
    }
    let (firsts, firstCases) = (SIMD16(repeating: first), SIMD16(repeating: firstCase))
    let (finals, finalCases) = (SIMD16(repeating: final), SIMD16(repeating: finalCase))
    var position = 0
    while position &+ 16 <= positionCount, effort < effortMax {
      let beginnings = unsafe source.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
      let ends = unsafe source.loadUnaligned(fromByteOffset: position &+ last, as: SIMD16<UInt8>.self)
      let answers =
        UInt8.areEqual(beginnings | firstCases, firsts) & UInt8.areEqual(ends | finalCases, finals)
      let halves = unsafe unsafeBitCast(answers, to: SIMD2<UInt64>.self)
      if halves[0] | halves[1] != 0 {
        for half in 0..<2 {
          var rest = halves[half]
          while rest != 0 {
            verify(position &+ 8 &* half &+ rest.trailingZeroBitCount / 8)
            rest &= rest &- 1
          }
        }
      }
      position = max(position &+ 16, wanted)
    }
    if effort >= effortMax {
      return SequenceSearch(needle.lower).forEach(
        in: text.count, from: max(position, wanted),
        { needle.folded(text[$0], after: $0 > 0 ? text[$0 - 1] : 0) }, body)
    }
    while position < positionCount {
      if text[position] | firstCase == first, text[position &+ last] | finalCase == final { verify(position) }
      position &+= 1
    }
  }
}
