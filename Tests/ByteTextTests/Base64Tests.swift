import ByteText
import Foundation
import TestSupport
import Testing

private func decoded(_ text: String) -> [UInt8]? {
  var buffer = ByteBuffer()
  buffer.append(9)
  let isBase64 = buffer.append(decodingBase64: Array(text.utf8).span)
  let bytes = buffer.bytes
  #expect(bytes.first == 9 && (isBase64 || bytes.count == 1))
  return isBase64 ? Array(bytes.dropFirst()) : nil
}

@Test("base64 is Foundation's, byte for byte, and comes back whatever the alphabet and padding")
func base64RoundTrip() {
  let seed = testSeed()
  var random = SplitMix64(state: seed)
  for size in Array(0..<40) + [1000, 4097] {
    let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var encoded = ByteBuffer()
    encoded.append(base64: bytes.span)
    let text = encoded.text
    #expect(text == Data(bytes).base64EncodedString(), "seed \(seed)")
    #expect(decoded(text) == bytes)
    let bare = text.replacingOccurrences(of: "=", with: "")
    #expect(decoded(bare) == bytes)
    let url = bare.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    #expect(decoded(url) == bytes)
  }
}

@Test("what is not base64 is refused")
func malformedBase64() {
  for text in [
    "A", "AAAAA", "AA=", "A===", "AAA==", "AAAA=", "AAAA==", "=", "==", "AA==AA==", "AA AA", "AAA\n", "AB==",
    "AAB=",
    "AAA", "A=AA", "Aø==", "****",
  ] {
    if text == "AAA" { #expect(decoded(text) == [0, 0]) } else { #expect(decoded(text) == nil, "\(text)") }
  }
  #expect(decoded("") == [])
}
