import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Calculations over a whole class, some objects at a time")
struct ClassAggregateTests {
  private static let count = 700

  /// A class of so many objects that each calculation takes several blocks.
  private static func realm(_ double: (Int) -> Double) throws -> ReadTransaction {
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("n", .int), PropertyDefinition("large", .int),
      PropertyDefinition("maybe", .double, isOptional: true), PropertyDefinition("d", .double),
      PropertyDefinition("f", .float), PropertyDefinition("any", .mixed),
      PropertyDefinition("text", .string), PropertyDefinition("none", .double, isOptional: true),
    ]) { write, table in
      for number in 0..<count {
        _ = try write.create(
          table,
          [
            ("n", .single(.int(Int64(number)))), ("large", .single(.int(.max / 4))),
            ("maybe", number % 2 == 0 ? .null : .single(.double(2))),
            ("d", .single(.double(double(number)))), ("f", .single(.float(0.5))),
            ("any", .single(number == 600 ? .double(0.5) : .int(1))),
            ("text", .single(.string(ByteString("t\(number)")))),
          ])
      }
    }
    return realm.database.transaction
  }

  private static func result(_ text: String, _ realm: ReadTransaction) throws -> Value {
    let source = Array(text.utf8)
    let bound = try BoundExpression(
      try Expression(parsing: source), source: source, in: ExpressionScope(.realm(names: [:]), in: realm))
    return try ExpressionEvaluator(bound, of: nil, in: realm, environment: ExpressionRealm.environment)
      .result().value(0).owned()
  }

  @Test("they are the same as over all values at once")
  func results() throws {
    let realm = try Self.realm { Double($0) }
    let expected: [(String, Value)] = [
      ("sum(Row.n)", .int(244_650)), ("avg(Row.n)", .double(349.5)), ("min(Row.n)", .int(0)),
      ("max(Row.n)", .int(699)), ("sum(Row.maybe)", .double(700)), ("avg(Row.maybe)", .double(2)),
      ("sum(Row.f)", .double(350)), ("avg(Row.f)", .double(0.5)), ("avg(Row.d)", .double(349.5)),
      ("sum(Row.#any)", .double(699.5)), ("max(Row.text)", .string(ByteString("t99"))),
      ("sum(Row.#none)", .double(0)), ("avg(Row.#none)", .null), ("max(Row.#none)", .null),
      ("avg(Row.large)", .double(Double(Int64.max / 4))),
    ]
    for (text, value) in expected { #expect(try Self.result(text, realm) == value, "\(text)") }
    #expect(throws: EngineError.self) { try Self.result("sum(Row.large)", realm) }
  }

  @Test("a sum that is no number any more stays none")
  func notANumber() throws {
    let realm = try Self.realm { $0 == 3 ? .infinity : $0 == 400 ? -.infinity : $0 == 600 ? .nan : 1 }
    for text in ["sum(Row.d)", "avg(Row.d)"] {
      guard case .double(let number) = try Self.result(text, realm) else {
        Issue.record("\(text) is no double")
        continue
      }
      #expect(number.isNaN)
    }
    #expect(try Self.result("min(Row.d)", realm) == .double(-.infinity))
  }
}
