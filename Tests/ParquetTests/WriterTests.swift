// The writer of Parquet against a plain reader: random columns, page borders, dictionaries that are given up, statistics.

import ByteText
import Parquet
import TestSupport
import Testing

@Suite("Parquet files")
struct WriterTests {
  /// Writes rows of one column; `fill` gives the values of each.
  private func file(
    _ content: ParquetField.Content, rows: Int, compression: ParquetCompression = .none,
    _ fill: (inout ColumnChunk, Int) -> Void
  ) -> [UInt8] {
    var writer = ParquetWriter([ParquetField("x", content)], compression)
    var bytes: [UInt8] = []
    for row in 0..<rows {
      writer.columns[0].write { chunk in
        chunk.beginRow()
        fill(&chunk, row)
      }
      writer.endRows(1) { bytes += $0.bytes }
    }
    writer.finish { bytes += $0.bytes }
    return bytes
  }

  private func little(_ value: UInt64, _ size: Int = 8) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private func entries(_ bytes: [UInt8], definitionMax: Int = 1, repetitionMax: Int = 0) -> [Entry] {
    let file = PlainFile(bytes)
    return file.groups.flatMap { group in
      (group[1]?.items.first).map {
        file.entries($0, definitionMax: definitionMax, repetitionMax: repetitionMax)
      } ?? []
    }
  }

  @Test("numbers come back, whatever becomes of their dictionary", arguments: [1, 3, 100, 100_000, Int.max])
  func numbers(differentCount: Int) {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    var expected: [Entry] = []
    let bytes = file(.leaf(.int64), rows: 30_000) { chunk, row in
      guard random.next() % 7 != 0 else {
        chunk.appendNull(definition: 0)
        expected.append(Entry(definition: 0, repetition: 0))
        return
      }
      let value = Int64(bitPattern: random.next() % UInt64(differentCount) &- 5)
      chunk.append(value)
      expected.append(Entry(definition: 1, repetition: 0, value: little(UInt64(bitPattern: value))))
    }
    #expect(entries(bytes) == expected, "seed \(seed)")
    let statistics = PlainFile(bytes).groups[0][1]?.items[0][3]?[12]
    let values = expected.compactMap(\.value).map { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
      .map { Int64(bitPattern: $0) }
    #expect(statistics?[5]?.raw == values.max().map { little(UInt64(bitPattern: $0)) }, "seed \(seed)")
    #expect(statistics?[6]?.raw == values.min().map { little(UInt64(bitPattern: $0)) }, "seed \(seed)")
    #expect(statistics?[3]?.int == expected.count { $0.value == nil })
  }

  @Test("texts come back: few, many, long ones among short ones")
  func texts() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for differentCount in [2, 900, 1_000_000] {
      var expected: [Entry] = []
      let bytes = file(.leaf(.text), rows: 9000) { chunk, row in
        var text = Array("text \(random.next() % UInt64(differentCount))".utf8)
        if row == 5000 { text = Array(repeating: 0x61, count: 3 << 20) }
        chunk.append(text.span)
        expected.append(Entry(definition: 1, repetition: 0, value: text))
      }
      #expect(entries(bytes) == expected, "seed \(seed), \(differentCount)")
    }
  }

  @Test("lists come back with their levels, empty ones and nulls in them; a page begins with a row")
  func lists() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    var expected: [Entry] = []
    let bytes = file(.list(.leaf(.bool)), rows: 60_000) { chunk, _ in
      let count = Int(random.next() % 4)
      if count == 0 {
        chunk.appendNull(definition: 1)
        expected.append(Entry(definition: 1, repetition: 0))
      }
      for index in 0..<count {
        let repetition = index == 0 ? 0 : 1
        let value = random.next() % 3
        if value == 2 {
          chunk.appendNull(definition: 2, repetition: repetition)
        } else {
          chunk.append(value == 1, repetition: repetition)
        }
        expected.append(
          Entry(
            definition: value == 2 ? 2 : 3, repetition: repetition, value: value == 2 ? nil : [UInt8(value)]))
      }
    }
    #expect(entries(bytes, definitionMax: 3, repetitionMax: 1) == expected, "seed \(seed)")
    let file = PlainFile(bytes)
    // The index of pages tells the row that each begins with.
    let chunk = file.groups[0][1]?.items[0]
    var cursor = ByteCursor(bytes: bytes, place: chunk?[4]?.int ?? 0)
    let pages = cursor.thrift(12)[1]?.items ?? []
    #expect(pages.count > 1)
    for page in pages {
      var header = ByteCursor(bytes: bytes, place: page[1]?.int ?? 0)
      #expect(header.thrift(12)[5] != nil, "a page is where the index says")
    }
  }

  @Test("NaN is in no statistics, and one zero stands for both")
  func floats() {
    let values = [Double.nan, 0.0, 1.5, -.infinity, .nan]
    let bytes = file(.leaf(.double), rows: values.count) { $0.append(values[$1]) }
    let statistics = PlainFile(bytes).groups[0][1]?.items[0][3]?[12]
    #expect(statistics?[5]?.raw == little(1.5.bitPattern))
    #expect(statistics?[6]?.raw == little((-Double.infinity).bitPattern))
    let zero = file(.leaf(.double), rows: 1) { chunk, _ in chunk.append(0.0) }
    #expect(PlainFile(zero).groups[0][1]?.items[0][3]?[12]?[6]?.raw == little((-0.0).bitPattern))
    let none = file(.leaf(.double), rows: 2) { chunk, _ in chunk.append(Double.nan) }
    #expect(PlainFile(none).groups[0][1]?.items[0][3]?[12]?[5] == nil)
  }

  @Test("a file without rows has its columns; compressed pages are smaller")
  func sizes() {
    let empty = PlainFile(file(.map(.leaf(.int64)), rows: 0) { _, _ in })
    #expect(empty.rowCount == 0 && empty.groups.isEmpty)
    #expect(empty.footer[2]?.items.count == 5)
    let fill: (inout ColumnChunk, Int) -> Void = { $0.append(Int64($1 / 3)) }
    let plain = file(.leaf(.int64), rows: 20_000, fill)
    let compressed = file(.leaf(.int64), rows: 20_000, compression: .zstd, fill)
    #expect(PlainFile(plain).rowCount == 20_000 && compressed.count < plain.count / 2)
  }

  @Test("columns of several files are united by name, and a field with two types is named")
  func union() {
    let first = [
      ParquetField("a", .leaf(.int64)), ParquetField("g", .group([ParquetField("x", .leaf(.text))])),
    ]
    let second = [
      ParquetField("g", .group([ParquetField("y", .leaf(.bool))])), ParquetField("b", .leaf(.double)),
    ]
    let united = ParquetField.united(first, second) { _ in nil }
    #expect(united?.map(\.name) == ["a", "g", "b"])
    #expect(
      united?[1].content == .group([ParquetField("x", .leaf(.text)), ParquetField("y", .leaf(.bool))]))
    var clashes: [String] = []
    let text = ParquetField.united(first, [ParquetField("a", .leaf(.text))]) { name in
      clashes.append(name)
      return .leaf(.text)
    }
    #expect(clashes == ["a"] && text?[0].content == .leaf(.text))
  }
}
