// Types that are told from rows read at once or foretold from the first ones, against those that are told from rows read one by one.

import RealmEngine
import RealmSession
import TestSupport
import Testing
import TextFormats

@Suite("Types from all rows")
struct TypeSurveyTests {
  private final class NoListener: ImportListener {
    func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws {}
    func begin(columns: Span<UInt8>, separator: UInt8) {}
    func progress(rowCount: Int, byteCount: Int) {}
  }

  /// The properties of the class that is made for a text and how many objects it gets, or what is wrong with it.
  private static func types(
    _ text: String, _ name: String, _ wish: SourceFormat.Wish = .init(), dates: DateForm? = nil,
    hasNullWord: Bool = true, sampleRowCount: Int? = nil
  ) throws -> [String] {
    var options = ImportOptions()
    options.creates = true
    if hasNullWord { options.nulls = [Array("-".utf8)] }
    if let dates { options.dates = [(nil, dates)] }
    let source = ImportSource(name, wish) { TextInput(Array(text.utf8).span) }
    func run(_ options: ImportOptions) throws -> [String] {
      let transaction = try WritableDatabase.inMemory().begin()
      let report = try ImportJob(options, className: "T", in: transaction, NoListener()).run([source])
      return try transaction.view().schemaDescription().classes[0].properties.map {
        "\($0.name): \($0.type.word)"
      } + ["\(report.insertedCount) objects"]
    }
    do {
      options.sampleRowCount = sampleRowCount
      return try sampleRowCount == nil ? run(options) : options.withForecast(run)
    } catch let fault as ImportFault {
      return [fault.message]
    }
  }

  /// Spellings of one kind of value each; any column may get one of another kind.
  private static let spellings: [@Sendable (SplitMix64) -> String] = [
    { "\($0.number(in: -1_000_000...1_000_000))" }, { "\($0.number(in: 0...99)).\($0.number(in: 0...999))" },
    { "\(Double($0.number(in: 0...1_000_000)) / 7)" }, { "\($0.number(in: 1...9))\($0.number(in: 0...9))e3" },
    { "1234567890123456789\($0.number(in: 0...9)).5" },
    { $0.number(in: 0...1) == 0 ? "true" : "FALSE" }, { "2020-01-\(10 + $0.number(in: 0...19))" },
    { "2020-01-01T00:00:0\($0.number(in: 0...9))+02:00" },
    { "202\($0.number(in: 0...9))-02-2\($0.number(in: 0...9))T1\($0.number(in: 0...9)):00:00Z" },
    { "007\($0.number(in: 0...9))" },
    { "00000000-0000-4000-8000-00000000000\($0.number(in: 0...9))" },
    { "0123456789abcdef0123456\($0.number(in: 0...9))" }, { _ in "word é" }, { _ in "NaN" }, { _ in "" },
    { _ in "-" }, { _ in " 12 " }, { _ in "t" }, { _ in "\"\"" }, { _ in "7.0" },
  ]

  private struct Column {
    let spelling: Int
    let isRare: Bool

    init(_ random: inout SplitMix64) {
      spelling = Int(random.next() % UInt64(TypeSurveyTests.spellings.count))
      isRare = random.next() % 2 == 0
    }

    func value(_ random: inout SplitMix64) -> String {
      let other = isRare && random.next() % 700 == 0
      let index = other ? Int(random.next() % UInt64(TypeSurveyTests.spellings.count)) : spelling
      _ = random.next()
      return TypeSurveyTests.spellings[index](random)
    }
  }

  @Test("records read at once give the types that records read one by one give")
  func records() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<TestScale.cases(fast: 3, usual: 8, long: 100) {
      let columns = (0..<5).map { _ in Column(&random) }
      var text = "a,b,c,d,e\n"
      for _ in 0..<1500 {
        var cells = columns.map { $0.value(&random) }
        switch random.next() % 200 {
        case 0: cells[2] = "\"two\nlines\""
        case 1: cells[1] = "\"a\"\"b\""
        case 2: cells[4] += "\r"
        case 3: text += "\n"
        case 4: cells[0] = "\"\(cells[0])\""
        default: break
        }
        text += cells.joined(separator: ",") + "\n"
      }
      var oneByOne = SourceFormat.Wish()
      // Nothing with comments is read at once.
      oneByOne.comment = 1
      let dates: DateForm? = random.next() % 4 == 0 ? .seconds : nil
      let hasNullWord = random.next() % 2 == 0
      #expect(
        try Self.types(text, "a.csv", dates: dates, hasNullWord: hasNullWord)
          == Self.types(text, "a.csv", oneByOne, dates: dates, hasNullWord: hasNullWord),
        "seed \(seed)")
      #expect(
        try Self.types(text, "a.csv", hasNullWord: false, sampleRowCount: 100)
          == Self.types(text, "a.csv", oneByOne, hasNullWord: false),
        "seed \(seed)")
    }
  }

  /// A value as it is written in JSON: a number or a bool, else a text.
  private static func json(_ value: String) -> String {
    let isPlain = Double(value) != nil && value.first != "0" && value.first != " " || value == "true"
    return value.isEmpty ? "null" : isPlain || value.first == "\"" && value != "NaN" ? value : "\"\(value)\""
  }

  @Test(
    "types that are foretold from the first rows are right where one later row has a value of another kind")
  func forecasts() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let kinds = Self.spellings.indices
    let pairs = kinds.flatMap { usual in kinds.map { (usual, $0) } }.shuffled(using: &random)
    for (usual, other) in pairs.prefix(TestScale.cases(fast: 30, usual: pairs.count, long: pairs.count)) {
      let values = (0..<600).map { row in
        _ = random.next()
        return Self.spellings[row == 300 ? other : usual](random)
      }
      let (table, lines) = (
        "a,b\n" + values.map { "\($0),1\n" }.joined(), values.map { "{\"a\":\(Self.json($0))}\n" }.joined()
      )
      for (text, name) in [(table, "a.csv"), (lines, "a.jsonl")] {
        #expect(
          try Self.types(text, name, hasNullWord: false, sampleRowCount: 100)
            == Self.types(text, name, hasNullWord: false),
          "seed \(seed): \(values[0]), then \(values[300])")
      }
    }
  }

  @Test("lines of JSON read at once give the types that an array of the same objects gives")
  func lines() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<TestScale.cases(fast: 3, usual: 8, long: 100) {
      let columns = (0..<4).map { _ in Column(&random) }
      let objects = (0..<1500).map { _ in
        let parts = zip(["a", "b", "c", "d"], columns).map { name, column in
          let value = column.value(&random)
          let other = ["null", "\"x\\ny\"", "[1,2]", "{\"k\":1}", "1e400", "-0"]
          return "\"\(name)\":"
            + (random.next() % 2000 == 0 ? other.randomElement(using: &random) ?? "" : Self.json(value))
        }
        return "{\(parts.dropLast(random.next() % 400 == 0 ? 1 : 0).joined(separator: ","))}"
      }
      let lines = objects.joined(separator: "\n") + (random.next() % 2 == 0 ? "\n" : "")
      let array = "[\(objects.joined(separator: ",\n"))]"
      let types = try Self.types(array, "a.json")
      #expect(try Self.types(lines, "a.jsonl") == types, "seed \(seed)")
      #expect(
        try Self.types(lines, "a.jsonl", hasNullWord: false, sampleRowCount: 100) == types, "seed \(seed)")
    }
  }
}

extension SplitMix64 {
  /// A number that belongs to the present state.
  fileprivate func number(in range: ClosedRange<Int>) -> Int {
    var copy = self
    return Int.random(in: range, using: &copy)
  }
}
