// Base64 (RFC 4648): bytes as text, and back. Layer: ByteText.
// Writes the standard alphabet with padding; reads either alphabet, with or without padding.

extension ByteBuffer {
  /// Appends `bytes` in base64, with padding.
  package mutating func append(base64 bytes: Span<UInt8>) {
    var text = extend(by: (bytes.count + 2) / 3 * 4)
    var source = 0
    var target = 0
    while source &+ 3 <= bytes.count {
      let group = UInt32(bytes[source]) << 16 | UInt32(bytes[source &+ 1]) << 8 | UInt32(bytes[source &+ 2])
      text[target] = base64Digit(group >> 18)
      text[target &+ 1] = base64Digit(group >> 12)
      text[target &+ 2] = base64Digit(group >> 6)
      text[target &+ 3] = base64Digit(group)
      source &+= 3
      target &+= 4
    }
    switch bytes.count - source {
    case 1:
      let group = UInt32(bytes[source])
      text[target] = base64Digit(group >> 2)
      text[target + 1] = base64Digit(group << 4)
      text[target + 2] = UInt8(ascii: "=")
      text[target + 3] = UInt8(ascii: "=")
    case 2:
      let group = UInt32(bytes[source]) << 8 | UInt32(bytes[source + 1])
      text[target] = base64Digit(group >> 10)
      text[target + 1] = base64Digit(group >> 4)
      text[target + 2] = base64Digit(group << 2)
      text[target + 3] = UInt8(ascii: "=")
    default: break
    }
  }

  /// Appends the bytes that `text` stands for; returns false, with nothing appended, when it is not base64:
  /// a foreign character (blanks and line ends included), a wrong length, or bits that no byte takes up.
  package mutating func append(decodingBase64 text: Span<UInt8>) -> Bool {
    var digitCount = text.count
    while digitCount > 0, text.count - digitCount < 2, text[digitCount - 1] == UInt8(ascii: "=") {
      digitCount -= 1
    }
    let rest = digitCount & 3
    // Padding must be what the digits call for, or be left out.
    guard rest != 1, digitCount == text.count || text.count & 3 == 0 else { return false }
    let oldCount = count
    var bytes = extend(by: digitCount / 4 * 3 + (rest == 0 ? 0 : rest - 1))
    // Every value of a digit fits in 6 bits; a foreign character leaves higher ones behind.
    var foreign: UInt32 = 0
    var source = 0
    var target = 0
    while source &+ 4 <= digitCount {
      let first = base64Value(text[source])
      let second = base64Value(text[source &+ 1])
      let third = base64Value(text[source &+ 2])
      let fourth = base64Value(text[source &+ 3])
      foreign |= first | second | third | fourth
      bytes[target] = UInt8(truncatingIfNeeded: first << 2 | second >> 4)
      bytes[target &+ 1] = UInt8(truncatingIfNeeded: second << 4 | third >> 2)
      bytes[target &+ 2] = UInt8(truncatingIfNeeded: third << 6 | fourth)
      source &+= 4
      target &+= 3
    }
    if rest >= 2 {
      let first = base64Value(text[source])
      let second = base64Value(text[source + 1])
      let third = rest == 3 ? base64Value(text[source + 2]) : 0
      foreign |= first | second | third
      bytes[target] = UInt8(truncatingIfNeeded: first << 2 | second >> 4)
      if rest == 3 { bytes[target + 1] = UInt8(truncatingIfNeeded: second << 4 | third >> 2) }
      // The bits that are left over must be zero.
      if rest == 2 ? second & 15 != 0 : third & 3 != 0 { foreign = .max }
    }
    if foreign >= 64 {
      truncate(to: oldCount)
      return false
    }
    return true
  }
}

private func base64Digit(_ bits: UInt32) -> UInt8 {
  base64Digits[Int(bits & 63)]
}

/// The six bits of a digit, or 64 for a byte that is none.
private func base64Value(_ digit: UInt8) -> UInt32 {
  UInt32(base64Values[Int(digit)])
}

private let base64Digits: InlineArray<64, UInt8> = InlineArray { index in
  switch index {
  case 0..<26: UInt8(ascii: "A") + UInt8(index)
  case 26..<52: UInt8(ascii: "a") + UInt8(index - 26)
  case 52..<62: UInt8(ascii: "0") + UInt8(index - 52)
  case 62: UInt8(ascii: "+")
  default: UInt8(ascii: "/")
  }
}

private let base64Values: InlineArray<256, UInt8> = InlineArray { index in
  switch UInt8(index) {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(index) - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt8(index) - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(index) - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
  case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
  default: 64
  }
}
