import ByteText
import TestSupport
import Testing

@Suite("Columns of numbers, and rows of cells")
struct NumberColumnTests {
  private static func pieces(_ text: borrowing ByteBuffer, _ starts: [Int]) -> [String] {
    let bytes = text.bytes
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
      return String(decoding: bytes[starts[index]..<end], as: UTF8.self)
    }
  }

  @Test("a column of integers is its numbers one by one")
  func integers() {
    var random = SplitMix64(state: 5)
    var values: [Int64] = [0, -1, .min, .max, 9, 10, -10]
    for _ in 0..<2000 { values.append(Int64(bitPattern: random.next()) >> Int64(random.below(64))) }
    var text = ByteBuffer()
    text.append(literal: "before")
    var starts: [Int] = []
    text.append(
      decimals: values, absentValue: 9, absentText: Array("a rather long word for nothing".utf8),
      starts: &starts)
    let expected = values.map { $0 == 9 ? "a rather long word for nothing" : "\($0)" }
    #expect(Self.pieces(text, starts) == expected)
    #expect(text.text.hasPrefix("before0-1"))
  }

  @Test("a column of doubles is its numbers one by one")
  func doubles() {
    var random = SplitMix64(state: 6)
    var values: [Double] = [
      0, -0.0, 1, -1.5, 0.1, 1e300, .leastNonzeroMagnitude, 12_345_678.5, -0.001, 999_999_999.999_999,
    ]
    while values.count < 2000 {
      let value = Double(bitPattern: random.next())
      if value.isFinite { values.append(value) }
      values.append(Double(Int64(bitPattern: random.next()) >> 40) / 1000)
    }
    let absent = Double(bitPattern: 0x7FF8_0000_0000_00AA)
    var text = ByteBuffer()
    var starts: [Int] = []
    text.append(
      shortest: values + [absent], absentBits: absent.bitPattern, absentText: Array("null".utf8),
      starts: &starts)
    #expect(Self.pieces(text, starts) == values.map(\.description) + ["null"])
  }

  @Test("rows are put together of cells of any length", arguments: [0, 1, 2, 5])
  func rows(columnCount: Int) {
    var random = SplitMix64(state: UInt64(columnCount))
    func piece(_ sizeMax: Int) -> String {
      String((0..<random.below(sizeMax)).map { _ in "abcdefghij".randomElement(using: &random) ?? "x" })
    }
    let rowCount = 300
    let columns = (0..<columnCount).map { _ in (0..<rowCount).map { _ in piece(random.oneIn(9) ? 90 : 20) } }
    let separators = (0...columnCount).map { _ in piece(40) }
    var cells = ByteBuffer()
    var starts: [Int] = []
    for column in columns {
      for cell in column {
        starts.append(cells.count)
        cells.append(text: cell)
      }
      starts.append(cells.count)
    }
    var between = ByteBuffer()
    var ends: [Int] = []
    for separator in separators {
      between.append(text: separator)
      ends.append(between.count)
    }
    var expected = "head"
    for row in 0..<rowCount {
      for column in 0..<columnCount { expected += separators[column] + columns[column][row] }
      expected += separators[columnCount]
    }
    for hasSlack in [false, true] {
      if hasSlack {
        cells.reserveSlack()
        between.reserveSlack()
      }
      var text = ByteBuffer()
      text.append(literal: "head")
      text.append(
        rows: rowCount, of: cells, starts: starts.span, separators: between, separatorEnds: ends.span)
      #expect(text.text == expected)
    }
  }
}
