import RealmEngine
import Testing

/// Texts and data of formats 2–9 in all their leaves.
struct OldTextTests {
  typealias Column = OldFileBuilder.Column

  private func values(
    type: Int = 2, isNullable: Bool, _ root: (OldFileBuilder) -> Int
  ) throws -> [Value] {
    let builder = OldFileBuilder()
    let column = Column(type: type, attributes: isNullable ? 16 : 0, root: root(builder))
    return try builder.open([column]).values()
  }

  @Test("short texts: the last byte tells the padding, all of it is null or empty")
  func short() throws {
    let leaf = { (builder: OldFileBuilder) in builder.shortTexts(["", "a\0b", nil, "abcdefg"], width: 8) }
    #expect(try values(isNullable: true, leaf) == [text(""), text("a\0b"), .null, text("abcdefg")])
    #expect(try values(isNullable: false, leaf) == [text(""), text("a\0b"), text(""), text("abcdefg")])
  }

  @Test("a short leaf without width is all null in a nullable column, else all empty")
  func widthless() throws {
    let leaf = { (builder: OldFileBuilder) in builder.shortTexts(["", ""], width: 0) }
    #expect(try values(isNullable: true, leaf) == [.null, .null])
    #expect(try values(isNullable: false, leaf) == [text(""), text("")])
    let narrow = { (builder: OldFileBuilder) in builder.shortTexts(["", nil], width: 1) }
    #expect(try values(isNullable: true, narrow) == [text(""), .null])
  }

  @Test("medium texts: old marks say what is not null; without marks nothing is")
  func medium() throws {
    let long = String(repeating: "x", count: 40)
    let marked = { (builder: OldFileBuilder) in builder.mediumTexts([long, nil, "", "b"], marksNulls: true) }
    #expect(try values(isNullable: true, marked) == [text(long), .null, text(""), text("b")])
    #expect(try values(isNullable: false, marked) == [text(long), text(""), text(""), text("b")])
    let plain = { (builder: OldFileBuilder) in builder.mediumTexts([long, nil], marksNulls: false) }
    #expect(try values(isNullable: true, plain) == [text(long), text("")])
    #expect(try values(isNullable: false, plain) == [text(long), text("")])
  }

  @Test("a medium text without its terminator is empty")
  func withoutTerminator() throws {
    let read = try values(isNullable: false) { builder in
      builder.refs([builder.integers([3, 3, 5]), builder.blob(Array("ab\0c\0".utf8))])
    }
    #expect(read == [text("ab"), text(""), text("c")])
  }

  @Test("big texts: a missing blob is null or empty, an empty blob is empty")
  func big() throws {
    let leaf = { (builder: OldFileBuilder) in
      builder.refs([0, builder.blob([]), builder.blob(Array("tiny\0".utf8))], context: true)
    }
    #expect(try values(isNullable: true, leaf) == [.null, text(""), text("tiny")])
    #expect(try values(isNullable: false, leaf) == [text(""), text(""), text("tiny")])
  }

  @Test("leaves of different kinds stand in one tree, compact above general")
  func mixedKinds() throws {
    let read = try values(isNullable: true) { builder in
      let left = builder.generalTree(
        [builder.shortTexts(["a"], width: 4), builder.mediumTexts([nil, "b", "c"], marksNulls: true)],
        ends: [1], total: 4)
      let right = builder.compactTree([builder.bigTexts(["d", nil])], perChild: 2, total: 2)
      return builder.compactTree([left, right], perChild: 4, total: 6)
    }
    #expect(read == [text("a"), .null, text("b"), text("c"), text("d"), .null])
  }

  @Test("data: marks say what is null, the opposite of texts")
  func smallData() throws {
    let marked = { (builder: OldFileBuilder) in
      builder.smallData([[1, 2], nil, []], marksNulls: true)
    }
    #expect(try values(type: 4, isNullable: true, marked) == [data([1, 2]), .null, data([])])
    #expect(try values(type: 4, isNullable: false, marked) == [data([1, 2]), data([]), data([])])
    let plain = { (builder: OldFileBuilder) in builder.smallData([[1], nil], marksNulls: false) }
    #expect(try values(type: 4, isNullable: true, plain) == [data([1]), data([])])
  }

  @Test("big data: a missing blob is null or empty; a blob may be split in parts")
  func bigData() throws {
    let leaf = { (builder: OldFileBuilder) in
      let split = builder.refs([builder.blob([1, 2]), builder.blob([3])], context: true)
      return builder.refs([0, builder.blob([9]), split], context: true)
    }
    #expect(try values(type: 4, isNullable: true, leaf) == [.null, data([9]), data([1, 2, 3])])
    #expect(try values(type: 4, isNullable: false, leaf) == [data([]), data([9]), data([1, 2, 3])])
  }

  @Test("enumerated texts: numbers into a tree of distinct texts, of which one may be null")
  func enumerated() throws {
    let builder = OldFileBuilder()
    let texts = builder.compactTree(
      [builder.shortTexts(["red", nil], width: 4), builder.mediumTexts(["blue"], marksNulls: true)],
      perChild: 2, total: 3)
    let other = builder.shortTexts(["only"], width: 8)
    let reading = try builder.open([
      Column(type: 3, attributes: 17, texts: texts, root: builder.integers([2, 0, 1, 2]), index: 0),
      Column(name: "second", type: 3, texts: other, root: builder.integers([0, 0, 0, 0])),
    ])
    #expect(try reading.values() == [text("blue"), text("red"), .null, text("blue")])
    #expect(try reading.values("second") == Array(repeating: text("only"), count: 4))
  }

  @Test("an enumerated text beyond the table is damage")
  func enumeratedBeyond() throws {
    let builder = OldFileBuilder()
    let texts = builder.shortTexts(["only"], width: 8)
    let reading = try builder.open([Column(type: 3, texts: texts, root: builder.integers([0, 1]))])
    #expect(throws: EngineError.self) { try reading.values() }
  }
}
