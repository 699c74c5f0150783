// UUIDs and ObjectIds as digits. Layer: Lexing.

import ByteText

enum IdentityText {
  /// The bytes that the digits in `bounds` write, or nil when they are no UUID or ObjectId.
  static func bytes(_ kind: TokenKind, in source: [UInt8], _ bounds: Range<Int>) -> [UInt8]? {
    let isUUID = kind == .uuid
    guard bounds.count == (isUUID ? 36 : 24) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var index = bounds.lowerBound
    while index < bounds.upperBound {
      if isUUID, [8, 13, 18, 23].contains(index - bounds.lowerBound) {
        guard source[index] == UInt8(ascii: "-") else { return nil }
        index += 1
      }
      guard let high = hexadecimalValue(source[index]), let low = hexadecimalValue(source[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes
  }
}
