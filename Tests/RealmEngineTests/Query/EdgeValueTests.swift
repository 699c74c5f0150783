// Conditions on the values that are easily got wrong, beside the row-by-row evaluator.

import RealmEngine
import TestSupport
import Testing

@Suite("Conditions on edge values")
struct EdgeValueTests {
  private static let columns: [(name: String, type: ValueType, values: [Value])] = {
    let exact: Int64 = 1 << 53
    let ints = [0, 1, -1, 2, 7, .max, .min, exact, exact + 1, -exact - 1, 100].map { Value.int($0) }
    let doubles = [
      0, -0.0, 1, 0.1, 2.5, .nan, .infinity, -.infinity, 0x1p63, -0x1p63, 0x1p53, 0x1p53 + 2, 1e300,
      .leastNonzeroMagnitude,
    ].map { Value.double($0) }
    let floats = [0, -0.0, 1, 0.1, 2.5, .nan, .infinity, 16_777_216, 3.4e38].map { Value.float($0) }
    let texts = ["", "a", "A", "é", "É", "日本", "😀", "ab", "a\0b", "long enough to be in a blob"]
    let bytes: [[UInt8]] = [[], [0x61], [0xC3], [0xFF, 0x61], [0xC3, 0xA9], [0]]
    let dates = [(0, 0), (5, 1), (5, 2), (-5, -1), (Int64.max, 0), (.min, 0)].map {
      Value.date(Timestamp(seconds: $0, nanoseconds: $1))
    }
    let uuids = [(1, 2), (1, 3), (.max, 0)].map { Value.uuid(UUIDValue(high: $0, low: $1)) }
    let ids = [(1, 2), (1, 3), (.max, 0)].map { Value.objectID(ObjectID(high: $0, low: $1)) }
    let decimals =
      ints.prefix(8).map { Value.decimal($0.decimalValue ?? .zero) } + [.decimal(Decimal128(rounding: 0.1))]
    let strings = texts.map { Value.string(ByteString($0)) }
    // Each in leaves of another width.
    let tinyTexts = ["", "a", "b", "a\0", "abc"]
    let sevenTexts = tinyTexts + ["abcdefg", "abcdef", "日a"]
    let tiny = tinyTexts.map { Value.string(ByteString($0)) }
    let seven = sevenTexts.map { Value.string(ByteString($0)) }
    let fifteen = (sevenTexts + ["abcdefgh", "abcdefgi", "abcdefghijklmno"]).map {
      Value.string(ByteString($0))
    }
    let data = bytes.map { Value.data(ByteString(copying: $0)) }
    return [
      ("i", .int, ints), ("j", .int, ints), ("small", .int, (0..<9).map { .int($0) }),
      ("d", .double, doubles),
      ("e", .double, doubles), ("f", .float, floats), ("g", .float, floats), ("s", .string, strings),
      ("t", .string, strings), ("b", .data, data), ("c", .data, data), ("at", .date, dates),
      ("to", .date, dates), ("u", .uuid, uuids), ("v", .uuid, uuids), ("o", .objectID, ids),
      ("p", .objectID, ids), ("x", .decimal128, decimals), ("y", .decimal128, decimals),
      ("tiny", .string, tiny), ("seven", .string, seven), ("fifteen", .string, fifteen),
      ("on", .bool, [.bool(true), .bool(false)]), ("off", .bool, [.bool(true), .bool(false)]),
      ("m", .mixed, ints + doubles + strings + uuids + data), ("n", .mixed, ints + doubles + strings),
    ]
  }()

  /// Each property in a nullable and in a plain form, `iq` and `i`; lists of numbers beside them.
  private static let realm = Result { () throws -> ReadTransaction in
    var definitions: [PropertyDefinition] = []
    for (name, type, _) in columns {
      definitions.append(PropertyDefinition(name, type, isOptional: type == .mixed))
      if type != .mixed { definitions.append(PropertyDefinition(name + "q", type, isOptional: true)) }
      guard [.int, .float, .double].contains(type) else { continue }
      definitions.append(PropertyDefinition(name + "s", type, collection: .list, isOptional: true))
    }
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("Edge", properties: definitions)])
    let table = try #require(try write.schema(named: "Edge")).tableKey
    let load = try write.beginLoad()
    let rows = try load.table(table)
    var random = SplitMix64(state: 7)
    for _ in 0..<700 {
      try rows.beginObject()
      for (index, definition) in definitions.enumerated() {
        let base = definition.name.count > 1 && "qs".contains(definition.name.last ?? " ")
        let column = columns.first {
          $0.name == (base ? String(definition.name.dropLast()) : definition.name)
        }
        let values = (column ?? columns.first { $0.name == definition.name })?.values ?? []
        let value = { random.oneIn(6) ? NewValue.null : .single(values[random.below(values.count)]) }
        switch (definition.type.collection, definition.type.isOptional) {
        case (.list?, _): try rows.put(index, .list((0..<random.below(4)).map { _ in value() }))
        case (_, true): try rows.put(index, value())
        default: try rows.put(index, .single(values[random.below(values.count)]))
        }
      }
      try rows.endObject()
    }
    try load.finish()
    try realm.commit(write)
    return realm.database.transaction
  }

  private static let relations =
    TestScale.current == .fast ? ["!=", "<="] : ["==", "!=", "<", "<=", ">", ">="]

  /// Fails where the executor gives other objects, or asks object by object.
  private func expectSame(_ predicates: [String]) throws {
    let asked = try Asked(Self.realm, "Edge")
    for text in predicates {
      let query = try asked.bound(text)
      let executor = try QueryExecutor(query, in: asked.realm)
      let expected = try RowEvaluator(asked.realm).keys(query)
      #expect(try executor.keys() == expected, "\(text)")
      let isInBlocks = !executor.plan.condition.steps.contains { $0.text == "object by object" }
      #expect(isInBlocks, "\(text)")
    }
  }

  @Test("two properties of a row", arguments: relations)
  func pairs(relation: String) throws {
    let names = [
      ("i", "j"), ("i", "d"), ("d", "e"), ("f", "g"), ("f", "d"), ("f", "i"), ("s", "t"), ("b", "c"),
      ("at", "to"), ("u", "v"), ("o", "p"), ("x", "y"), ("x", "i"), ("x", "d"), ("on", "off"), ("m", "n"),
      ("m", "i"), ("s", "m"), ("small", "i"), ("d", "small"), ("tiny", "seven"), ("seven", "fifteen"),
      ("fifteen", "tiny"),
    ]
    var predicates: [String] = []
    for (left, right) in names {
      predicates.append("\(left) \(relation) \(right)")
      guard left != "m", right != "m" else { continue }
      predicates += [
        "\(left)q \(relation) \(right)", "\(right)q \(relation) \(left)q", "\(left) \(relation) \(right)q",
      ]
    }
    try expectSame(predicates)
  }

  @Test(
    "texts and data of two properties", arguments: ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==[c]"])
  func textPairs(relation: String) throws {
    try expectSame(
      [("s", "t"), ("sq", "t"), ("s", "tq"), ("b", "c"), ("bq", "cq")].map { "\($0) \(relation) \($1)" })
  }

  @Test("what is calculated from numbers", arguments: relations)
  func arithmetic(relation: String) throws {
    let operands = [
      "i + j", "iq - j", "i * jq", "i / j", "i / 0", "iq / jq", "d + e", "dq - e", "d * eq", "d / e", "f + g",
      "fq * g", "f / gq", "f + i", "i - f", "f * d", "i + d", "i / 2.0", "2 * small", "1 - (i + 2) * 3",
      "(f + 1) / (g - 1)", "f * 16777217", "small / 2 * 2", "s.@size + i", "sq.@size", "b.@size", "bq.@size",
      "tq.@size * 2 - smallq",
    ]
    let constants = ["0", "1", "-1", "9007199254740993", "2.5", "0.1", "7", "NULL"]
    try expectSame(
      operands.flatMap { operand in
        constants.filter { !"nan inf".contains($0) || operand.contains("d") }
          .map { "\(operand) \(relation) \($0)" } + [
            "\(operand) \(relation) dq", "iq \(relation) \(operand)",
          ]
      })
  }

  @Test("numbers of a list", arguments: relations)
  func lists(relation: String) throws {
    let aggregates = ["is", "ds", "fs", "smalls"].flatMap { list in
      ["@sum", "@min", "@max", "@avg", "@count"].map { "\(list).\($0)" }
    }
    try expectSame(
      aggregates.flatMap { aggregate in
        ["0", "1", "2.5", "NULL", "iq", "dq", "fq", "smalls.@count + 1"].map {
          "\(aggregate) \(relation) \($0)"
        }
      })
  }

  @Test("members of lists of constants")
  func membership() throws {
    let bounds = ["{1, 2}", "{}", "{1}", "{-1, 0, 1, 2.5, 7, 9007199254740993, 55, 60, 70, 80, 90, NULL}"]
    let numbers = [
      "i", "iq", "small", "smallq", "d", "dq", "f", "fq", "x", "xq", "m", "i + 1", "s.@size", "is.@sum",
    ]
    let texts = [
      "{'a', NULL}", "{'a', 'é', '', 'ab', 'long enough to be in a blob', 'x', 'y'}", "{'A'}", "{'z', '日本'}",
    ]
    var predicates = numbers.flatMap { operand in bounds.map { "\(operand) IN \($0)" } }
    for name in ["s", "sq", "m"] { predicates += texts.map { "\(name) IN \($0)" } }
    for list in ["IN[c] {'É', 'A'}", "== ALL {'a', 'a'}", "!= ALL {'a', 'b'}", "CONTAINS {'a', 'b'}"] {
      predicates += ["s \(list)", "sq \(list)"]
    }
    predicates += [
      "d BETWEEN {0, 2.5}", "dq BETWEEN {-1.5, 1}", "s.@size BETWEEN {1, 3}",
      "atq IN {T5:1, T0:0}", "uq IN {uuid(00000000-0000-0001-0000-000000000002)}", "onq IN {true, NULL}",
      "oq IN {oid(000000000000000100000002), NULL}", "bq IN {binary('a'), NULL}", "fq IN {0.1, 2.5}",
    ]
    try expectSame(predicates)
  }

  @Test("single values of all types against constants", arguments: relations)
  func constants(relation: String) throws {
    let constants = [
      ("u", "uuid(00000000-0000-0001-0000-000000000002)"), ("o", "oid(000000000000000100000003)"),
      ("b", "binary('a')"), ("c", "binary(B64\"w6k=\")"), ("x", "1"), ("x", "0.1"), ("s", "'é'"),
      ("m", "'a'"),
      ("m", "1"), ("m", "0.1"), ("m", "uuid(00000000-0000-0001-0000-000000000002)"), ("at", "T5:1"),
    ]
    var predicates: [String] = []
    for (name, constant) in constants {
      for name in name == "m" ? [name] : [name, name + "q"] {
        predicates += ["\(name) \(relation) \(constant)", "\(constant) \(relation) \(name)"]
      }
    }
    for name in ["tiny", "tinyq", "seven", "sevenq", "fifteen", "fifteenq"] {
      predicates += ["a", "", "abcdefg", "abcdefghi", "abcdefghijklmno"].map { "\(name) \(relation) '\($0)'" }
    }
    try expectSame(predicates)
  }

  @Test("patterns and texts in either order")
  func texts() throws {
    let patterns = [
      "", "*", "?", "a*", "*b", "*a*", "?b", "*?", "a?b", "é", "*é*", "??", "a*b", "*long*blob", "abcdef",
      "*g", "*hi*", "ab?de*", "?a", "日?", "?b*g", "abcdefg?i*", "ABC?E*", "fg", "bcdefg", "ijklmno",
      "efghijklmno", "bcdefghijklmno",
    ]
    var predicates: [String] = []
    for pattern in patterns {
      for name in ["s", "sq", "m"] {
        predicates += ["\(name) LIKE '\(pattern)'", "\(name) LIKE[c] '\(pattern)'"]
      }
      for name in ["tiny", "tinyq", "sevenq", "fifteen", "fifteenq"] {
        predicates += ["LIKE", "LIKE[c]", "BEGINSWITH", "ENDSWITH", "CONTAINS", "ENDSWITH[c]"].map {
          "\(name) \($0) '\(pattern)'"
        }
        predicates.append("\(name) IN {'\(pattern)', 'abc', 'abcdefghijklmno', NULL}")
      }
      for name in ["b", "bq"] { predicates.append("\(name) LIKE binary('\(pattern)')") }
    }
    predicates += [
      "s BEGINSWITH[d] 'e'", "sq CONTAINS[cd] 'E'", "'ab' BEGINSWITH sq", "'é' > sq", "sq LIKE NULL",
      "b BEGINSWITH binary('a')", "bq CONTAINS[c] binary('A')", "bq ENDSWITH binary('')", "bq LIKE NULL",
    ]
    try expectSame(predicates)
  }
}
