// The forms in which people keep a key of 64 bytes. Layer: RealmCommands, Keys; knows nothing of files.
// Invariant: no message shows any part of what was given.

import ByteText
import TextFormats

/// How a key was written.
package enum KeyForm: String, Sendable {
  case raw = "64 bytes as they are"
  case hexadecimal = "128 hexadecimal digits"
  case base64 = "base64"
  case list = "a list of 64 numbers"
}

/// Why something is no key, in words that complete "the key …".
package struct KeyTextError: Error, Sendable, Equatable {
  package let reason: String
}

/// Reads a key in any of its forms.
package enum KeyText {
  static let keySize = 64
  /// No form of a key comes near this; what is longer is not read.
  static let sizeMax = 4096

  /// The bytes of the key. Exactly 64 bytes are a key as they are; text may have blanks and quotes around it.
  package static func parse(_ content: [UInt8]) throws(KeyTextError) -> (bytes: [UInt8], form: KeyForm) {
    if content.count == keySize { return (content, .raw) }
    guard content.count <= sizeMax else {
      throw KeyTextError(reason: "is longer than \(sizeMax) bytes, so it cannot be a key")
    }
    let text = unwrapped(singleBytes(content))
    guard text.contains(where: { !$0.isASCIIBlank }) else { throw KeyTextError(reason: "is empty") }
    // Bytes as they are may hold a comma too.
    guard text.allSatisfy(isPrintable) else {
      throw KeyTextError(reason: "has \(content.count) bytes; a key has \(keySize)")
    }
    if text.contains(UInt8(ascii: ",")) || text.first == UInt8(ascii: "[") {
      return (try list(text), .list)
    }
    if let bytes = hexadecimal(text), bytes.count == keySize { return (bytes, .hexadecimal) }
    if let bytes = base64(text), bytes.count == keySize { return (bytes, .base64) }
    throw KeyTextError(reason: explanation(text))
  }

  /// Without a byte order mark; what Windows wrote in UTF-16 as the bytes that it stands for.
  private static func singleBytes(_ content: [UInt8]) -> ArraySlice<UInt8> {
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { return content.dropFirst(3) }
    for (mark, isHighFirst) in [([0xFF, 0xFE] as [UInt8], false), ([0xFE, 0xFF], true)]
    where content.starts(with: mark) && content.count % 2 == 0 {
      let pairs = stride(from: 2, to: content.count, by: 2).map { (content[$0], content[$0 + 1]) }
      let units = isHighFirst ? pairs.map { (high: $0.0, low: $0.1) } : pairs.map { (high: $0.1, low: $0.0) }
      if units.allSatisfy({ $0.high == 0 }) { return units.map(\.low)[...] }
    }
    return content[...]
  }

  /// Without blanks around it, and without the signs around it that JSON, shells and `NSData` write.
  private static func unwrapped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: \.isASCIIBlank)
    while let last = text.last, last.isASCIIBlank { text.removeLast() }
    for (open, close) in [("\"", "\""), ("'", "'"), ("<", ">")] as [(Unicode.Scalar, Unicode.Scalar)]
    where text.count > 1 && text.first == UInt8(ascii: open) && text.last == UInt8(ascii: close) {
      return text.dropFirst().dropLast()
    }
    return text
  }

  /// Nil where something else than pairs of digits, blanks, colons and `0x` stands.
  private static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    // No part of the key stays behind where an array grew.
    bytes.reserveCapacity(keySize)
    var rest = text
    while let byte = rest.first {
      if byte.isASCIIBlank || byte == UInt8(ascii: ":") {
        rest.removeFirst()
        continue
      }
      let second = rest.dropFirst().first
      if byte == UInt8(ascii: "0"), second == UInt8(ascii: "x") || second == UInt8(ascii: "X") {
        rest.removeFirst(2)
        continue
      }
      guard let second, let high = hexadecimalValue(byte), let low = hexadecimalValue(second) else {
        return nil
      }
      bytes.append(high << 4 | low)
      rest.removeFirst(2)
    }
    return bytes
  }

  /// Programs break its lines.
  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var decoded = ByteBuffer()
    let characters = text.filter { !$0.isASCIIBlank }
    return decoded.append(decodingBase64: characters.span) ? decoded.bytes : nil
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || byte.isASCIIBlank }

  /// Numbers between commas, in brackets or not; Java and Kotlin print bytes above 127 as negative ones.
  private static func list(_ text: ArraySlice<UInt8>) throws(KeyTextError) -> [UInt8] {
    var inner = text.drop(while: \.isASCIIBlank)
    if inner.first == UInt8(ascii: "[") {
      inner.removeFirst()
      while let last = inner.last, last.isASCIIBlank { inner.removeLast() }
      guard inner.popLast() == UInt8(ascii: "]") else {
        throw KeyTextError(reason: "is a list without its closing bracket")
      }
    }
    var parts = inner.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    if parts.last?.allSatisfy(\.isASCIIBlank) ?? false { parts.removeLast() }
    var bytes: [UInt8] = []
    for part in parts {
      guard let byte = listedByte(part) else {
        throw KeyTextError(reason: "is a list whose element \(bytes.count + 1) is not a byte")
      }
      bytes.append(byte)
    }
    guard bytes.count == keySize else {
      throw KeyTextError(reason: "has \(bytes.count) bytes (as a list); a key has \(keySize)")
    }
    return bytes
  }

  private static func listedByte(_ part: ArraySlice<UInt8>) -> UInt8? {
    let word = String(decoding: part.filter { !$0.isASCIIBlank }, as: UTF8.self)
    let isHexadecimal = word.hasPrefix("0x") || word.hasPrefix("0X")
    guard let number = isHexadecimal ? Int(word.dropFirst(2), radix: 16) : Int(word) else { return nil }
    return (-128...255).contains(number) ? UInt8(truncatingIfNeeded: number) : nil
  }

  private static func explanation(_ text: ArraySlice<UInt8>) -> String {
    if let bytes = hexadecimal(text) {
      return "has \(bytes.count * 2) hexadecimal digits; a key has \(keySize * 2)"
    }
    if let bytes = base64(text) { return "has \(bytes.count) bytes (as base64); a key has \(keySize)" }
    return "is neither 64 bytes nor 128 hexadecimal digits, base64 or a list of numbers"
  }
}
