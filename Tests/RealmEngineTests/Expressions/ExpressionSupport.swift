// A small realm to compute in, and results as text.

import ByteText
import RealmEngine
import RealmQueryLanguage
import Testing

/// Three people, two dogs.
struct ExpressionRealm {
  let database: WritableDatabase
  let realm: ReadTransaction
  var people: Table { realm.table(named: "Person")! }

  init() throws {
    database = try WritableDatabase.inMemory()
    let transaction = try database.begin()
    try transaction.addClasses([
      ClassDefinition(
        "Person",
        properties: [
          PropertyDefinition("first", .string, isOptional: true), PropertyDefinition("last", .string),
          PropertyDefinition("age", .int), PropertyDefinition("score", .double, isOptional: true),
          PropertyDefinition("price", .decimal128), PropertyDefinition("isAdmin", .bool),
          PropertyDefinition("born", .date), PropertyDefinition("id", .uuid),
          PropertyDefinition("photo", .data), PropertyDefinition("anything", .mixed),
          PropertyDefinition("tags", .string, collection: .list),
          PropertyDefinition("friend", .object, target: "Person"),
          PropertyDefinition("dogs", .object, collection: .list, target: "Dog"),
        ]),
      ClassDefinition(
        "Dog", primaryKey: "_id",
        properties: [PropertyDefinition("_id", .int), PropertyDefinition("name", .string)]),
    ])
    let dog = try #require(try transaction.schema(named: "Dog")).tableKey
    let person = try #require(try transaction.schema(named: "Person")).tableKey
    var dogs: [NewValue] = []
    for (key, name) in [(1, "Rex"), (2, "Fido")] {
      let made = try transaction.create(
        dog, [("_id", .single(.int(Int64(key)))), ("name", .single(.string(ByteString(name))))])
      dogs.append(.single(.link(ObjectLink(table: dog, key: made))))
    }
    var friend = NewValue.null
    for (first, last, age) in [("  Ada ", "Løvelace", 36), ("Bob", "O'Neil", 40), (nil, "Zed", -1)] {
      let key = try transaction.create(
        person,
        [
          ("first", first.map { .single(.string(ByteString($0))) } ?? .null),
          ("last", .single(.string(ByteString(last)))), ("age", .single(.int(Int64(age)))),
          ("score", age < 0 ? .null : .single(.double(Double(age) / 8))),
          ("price", .single(.decimal(Decimal128(Int64(age))))), ("isAdmin", .single(.bool(age == 40))),
          ("born", .single(.date(Timestamp(seconds: 86_400 * 365, nanoseconds: 500_000_000)))),
          ("photo", .single(.data(ByteString("abc")))), ("anything", .single(.int(7))),
          (
            "tags",
            age < 0
              ? .list([]) : .list([.single(.string(ByteString("a"))), .single(.string(ByteString("b")))])
          ),
          ("friend", friend), ("dogs", .list(dogs)),
        ])
      friend = .single(.link(ObjectLink(table: person, key: key)))
    }
    try database.commit(transaction)
    realm = database.database.transaction
  }

  func bind(
    _ text: String, old: String? = nil, names: [String: ComputedName] = [:]
  ) throws -> BoundExpression {
    let source = Array(text.utf8)
    let scope = ExpressionScope(.object(className: "Person", old: old, names: names), in: realm)
    return try BoundExpression(try Expression(parsing: source), source: source, in: scope)
  }

  static var environment: ExpressionEnvironment {
    ExpressionEnvironment(now: Timestamp(seconds: 1_577_836_800, nanoseconds: 0), seed: 1)
  }

  func evaluator(
    _ text: String, old: String? = nil, names: [String: ComputedName] = [:]
  ) throws -> ExpressionEvaluator {
    try ExpressionEvaluator(
      try bind(text, old: old, names: names), of: people, in: realm, environment: Self.environment)
  }

  /// The results for all people.
  func results(
    _ text: String, old: String? = nil, names: [String: ComputedName] = [:]
  ) throws -> [String] {
    let evaluator = try evaluator(text, old: old, names: names)
    var results: [String] = []
    for block in try people.allBlocks() {
      let column = try evaluator.column(block)
      for index in 0..<block.count {
        results.append(
          column.isList
            ? try column.list(index).map { "[" + $0.map(Self.text).joined(separator: ", ") + "]" } ?? "null"
            : Self.text(try column.value(index)))
      }
    }
    return results
  }

  static func text(_ value: Value) -> String {
    var buffer = ByteBuffer()
    switch value {
    case .null: return "null"
    case .int(let number): return "\(number)"
    case .bool(let flag): return "\(flag)"
    case .double(let number): return "\(number)"
    case .float(let number): return "\(number)f"
    case .string(let text): return "'\(text.text)'"
    case .data(let data): return "data \(data.count)"
    case .date(let date): return date.write(to: &buffer) ? buffer.text : "date"
    case .decimal(let number):
      number.write(to: &buffer)
      return "\(buffer.text)d"
    case .uuid(let id):
      id.write(to: &buffer)
      return buffer.text
    case .objectID(let id):
      id.write(to: &buffer)
      return buffer.text
    case .link(let link): return "link \(link.key.value)"
    case .list, .dictionary: return "nested"
    }
  }
}
