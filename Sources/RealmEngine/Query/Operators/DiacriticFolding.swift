// `[d]` and `[cd]`: letters without their marks, and without case. Layer: Query, Operators.
// Marks are the scalars of a canonical combining class above 0; case folding is Unicode's simple one, so that ß and
// ss stay different, and ø, which has no decomposition, differs from o.

/// Folds text to scalars that can be compared one by one.
enum DiacriticFolding {
  /// Scalars of `text` after folding; ill-formed bytes count as U+FFFD.
  static func folded(_ text: RawBytes, foldsCase: Bool) -> [UInt32] {
    var folded: [UInt32] = []
    folded.reserveCapacity(text.count)
    for scalar in ByteString(borrowing: text).text.unicodeScalars {
      if scalar.value < 0x80 {
        let isUpper = foldsCase && scalar.value &- 0x41 < 26
        folded.append(isUpper ? scalar.value | 0x20 : scalar.value)
        continue
      }
      appendBases(of: scalar) { folded.append(foldsCase ? caseFolded($0) : $0) }
    }
    return folded
  }

  private static func appendBases(of scalar: Unicode.Scalar, _ append: (UInt32) -> Void) {
    if scalar.properties.canonicalCombiningClass != .notReordered { return }
    if Hangul.isSyllable(scalar.value) { return Hangul.forEachLetter(of: scalar.value, append) }
    guard var packed = bases[scalar.value] else { return append(scalar.value) }
    while packed != 0 {
      append(UInt32(packed & 0x1F_FFFF))
      packed >>= 21
    }
  }

  /// The simple case folding: the lower case of the upper case, where each is one scalar.
  private static func caseFolded(_ value: UInt32) -> UInt32 {
    let dotlessI: UInt32 = 0x131
    guard value != dotlessI, let scalar = Unicode.Scalar(value) else { return value }
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return (single(upper.properties.lowercaseMapping) ?? upper).value
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, scalars.dropFirst().isEmpty else { return nil }
    return first
  }

  /// Up to three scalars a value, 21 bits each, the first one lowest.
  private static let bases: [UInt32: UInt64] = {
    var bases: [UInt32: UInt64] = [:]
    var code: UInt32 = 0
    for word in CanonicalBases.text.split(separator: " ") {
      if word.last == ":" {
        code = UInt32(word.dropLast(), radix: 16) ?? 0
        continue
      }
      if word != "-" {
        var packed: UInt64 = 0
        for base in word.split(separator: "+").reversed() {
          packed = packed << 21 | UInt64(UInt32(base, radix: 16) ?? 0)
        }
        bases[code] = packed
      }
      code += 1
    }
    return bases
  }()
}

/// Korean syllables, which are decomposed by rule.
private enum Hangul {
  private static let firstSyllable: UInt32 = 0xAC00
  private static let syllableCount: UInt32 = 11_172
  private static let vowelCount: UInt32 = 21
  private static let tailCount: UInt32 = 28

  static func isSyllable(_ value: UInt32) -> Bool { value &- firstSyllable < syllableCount }

  static func forEachLetter(of syllable: UInt32, _ body: (UInt32) -> Void) {
    let index = syllable - firstSyllable
    let tail = index % tailCount
    body(0x1100 + index / (vowelCount * tailCount))
    body(0x1161 + index % (vowelCount * tailCount) / tailCount)
    if tail > 0 { body(0x11A7 + tail) }
  }
}
