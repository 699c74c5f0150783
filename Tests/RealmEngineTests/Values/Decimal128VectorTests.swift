// What Python's decimal module says, line by line (fixtures/decimal128).
import ByteText
import Foundation
import RealmEngine
import Testing

private func decimal(_ text: Substring) throws -> Decimal128 {
  let bytes = Array(text.utf8)
  let value = Decimal128(text: bytes.span)
  return try #require(value, "\(text) is not read")
}

private func text(_ value: Decimal128) -> String {
  var bytes = ByteBuffer()
  value.write(to: &bytes)
  return bytes.text
}

@Test("arithmetic, comparison, conversion and encodings agree with Python's decimal on every vector")
func decimalVectors() throws {
  let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
  let vectors = try String(
    contentsOf: root.appending(path: "fixtures/decimal128/vectors.txt"), encoding: .utf8)
  var seen: [Substring: Int] = [:]
  for line in vectors.split(separator: "\n") {
    let words = line.split(separator: " ")
    let expected = words[words.count - 1]
    seen[words[0], default: 0] += 1
    let got: String
    switch words[0] {
    case "add": got = text(try decimal(words[1]) + decimal(words[2]))
    case "sub": got = text(try decimal(words[1]) - decimal(words[2]))
    case "mul": got = text(try decimal(words[1]) * decimal(words[2]))
    case "div": got = text(try decimal(words[1]) / decimal(words[2]))
    case "parse": got = text(try decimal(words[1]))
    case "cmp":
      let (left, right) = (try decimal(words[1]), try decimal(words[2]))
      got = String(left.compare(to: right).signum())
      #expect(right.compare(to: left).signum() == -left.compare(to: right).signum(), "\(line)")
      if let bits = left.orderedBits, let others = right.orderedBits {
        #expect((bits < others ? -1 : bits == others ? 0 : 1) == left.compare(to: right).signum(), "\(line)")
      } else {
        #expect(left.isNaN || right.isNaN, "\(line)")
      }
      if left == right { #expect(left.hashValue == right.hashValue, "\(line)") }
    case "double":
      got = text(Decimal128(rounding: Double(bitPattern: try #require(UInt64(words[1], radix: 16)))))
    case "float":
      got = text(Decimal128(rounding: Float(bitPattern: try #require(UInt32(words[1], radix: 16)))))
    case "todouble":
      let bits = String(try decimal(words[1]).doubleValue.bitPattern, radix: 16)
      got = String(repeating: "0", count: 16 - bits.count) + bits
    case "int":
      got = try decimal(words[1]).exactInt64.map { String($0) } ?? "none"
    case "bid32":
      got = text(Decimal128(bid32: try #require(UInt32(words[1], radix: 16))))
    case "bid64":
      got = text(Decimal128(bid64: try #require(UInt64(words[1], radix: 16))))
    case "bid128":
      let high = try #require(UInt64(words[1].prefix(16), radix: 16))
      let low = try #require(UInt64(words[1].suffix(16), radix: 16))
      got = text(Decimal128(low: low, high: high))
    default:
      Issue.record("unknown line: \(line)")
      continue
    }
    #expect(got == expected, "\(line)")
  }
  #expect(seen.count == 13)
  #expect(seen.values.allSatisfy { $0 > 100 })
}
