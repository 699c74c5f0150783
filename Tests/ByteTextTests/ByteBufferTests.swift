import ByteText
import TestSupport
import Testing

@Test("what is appended in pieces of any kind comes out in one run, through every growth")
func byteBufferGrowth() {
  var buffer = ByteBuffer(capacity: 1)
  var expected: [UInt8] = []
  for round in 0..<300 {
    let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: round % 37)
    buffer.append(piece)
    buffer.append(piece.span)
    buffer.append(UInt8(ascii: "x"))
    buffer.append(1, 2)
    buffer.append(literal: "literal")
    buffer.append(text: "tæxt that is longer than fifteen bytes")
    buffer.append(repeating: 9, count: round % 5)
    buffer.append(piece.span, quotedBy: UInt8(ascii: "\""))
    var lent = buffer.extend(by: 2)
    lent[0] = 7
    lent[1] = 8
    expected += piece + piece + Array("x\u{1}\u{2}literaltæxt that is longer than fifteen bytes".utf8)
    expected += [UInt8](repeating: 9, count: round % 5) + [34] + piece + [34, 7, 8]
  }
  let bytes = buffer.bytes
  #expect(bytes == expected)
  #expect(buffer[3] == expected[3])
  buffer.truncate(to: 100)
  let rest = buffer.bytes
  #expect(rest == Array(expected[..<100]))
  buffer.removeAll()
  let isEmpty = buffer.isEmpty
  #expect(isEmpty)
}

@Test("an empty buffer takes empty pieces")
func emptyPieces() {
  var buffer = ByteBuffer()
  buffer.append([])
  buffer.append(text: "")
  buffer.append(literal: "")
  buffer.append(repeating: 1, count: 0)
  let text = buffer.text
  #expect(text == "" && buffer.span.isEmpty)
}

@Test("short strings, which have no memory of their own, survive every growth")
func shortStringsThroughGrowth() {
  for length in 1...15 {
    let text = String(repeating: "'", count: length)
    var buffer = ByteBuffer(capacity: 1)
    for _ in 0..<500 { buffer.append(text: text) }
    let bytes = buffer.bytes
    #expect(bytes == [UInt8](repeating: UInt8(ascii: "'"), count: 500 * length), "length \(length)")
  }
}

@Suite("Rows of text in another order")
struct RowTextsTests {
  @Test("rows of all slices come in the order that is asked for", arguments: [1, 5, 8, 19, 200])
  func order(rowCount: Int) {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let rows = (0..<rowCount).map { row in
      String(repeating: String(row), count: random.below(random.oneIn(9) ? 40 : 12))
    }
    var slices: [RowTexts.Slice] = []
    for start in stride(from: 0, to: rowCount, by: 8) {
      var text = ByteBuffer(capacity: 1)
      var ends: [Int] = []
      for row in rows[start..<min(rowCount, start + 8)] {
        text.append(text: row)
        ends.append(text.count)
      }
      slices.append(RowTexts.Slice(text, ends: ends))
    }
    let order = (0..<3 * rowCount).map { _ in Int32(random.below(rowCount)) }
    var text = ByteBuffer(capacity: 1)
    text.append(literal: "head")
    RowTexts(slices, rowsOfASlice: 8).append(order.span, to: &text)
    #expect(text.text == "head" + order.map { rows[Int($0)] }.joined(), "seed \(seed)")
  }
}
