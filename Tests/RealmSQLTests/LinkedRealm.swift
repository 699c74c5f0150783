// A realm of classes that link to each other and have keys of all types, with texts that look like these keys, and all own
// objects of one class.

import RealmEngine
import TestSupport

extension Realms {
  /// The name among fixtures of what has no file.
  static let linked = "linked objects"

  /// The class of each type of key, and the last one without.
  private static let keyTypes: [(name: String, type: ValueType?)] = [
    ("ByUUID", .uuid), ("ByID", .objectID), ("ByNumber", .int), ("ByText", .string), ("ByNothing", nil),
  ]

  static let madeLinked = Result(catching: makeLinked)

  private static func makeLinked() throws -> ReadTransaction {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    let part = PropertyDefinition("part", .object, target: "Part")
    let links = keyTypes.map { PropertyDefinition("to\($0.name)", .object, target: $0.name) }
    try write.addClasses(
      keyTypes.map { name, type in
        let key = type.map { [PropertyDefinition("id", $0)] } ?? []
        let values = [
          PropertyDefinition("text", .string, isOptional: true),
          PropertyDefinition("number", .int, isOptional: true), PropertyDefinition("any", .mixed),
          PropertyDefinition("list", .object, collection: .list, target: "ByText"),
        ]
        return ClassDefinition(
          name, primaryKey: type.map { _ in "id" }, properties: key + values + links + [part])
      } + [
        ClassDefinition(
          "BySpelling", primaryKey: "id",
          properties: [PropertyDefinition("id", .string), PropertyDefinition("number", .int), part]),
        ClassDefinition(
          "Part", kind: .embedded,
          properties: [
            PropertyDefinition("mark", .int), PropertyDefinition("at", .date, isOptional: true),
            PropertyDefinition("price", .decimal128),
          ]),
      ])
    let spelled = try write.schema(named: "BySpelling")!.tableKey
    var random = SplitMix64(state: 3)
    var made: [ObjectLink] = []
    for number in 0..<150 {
      for (name, type) in keyTypes {
        let table = try write.schema(named: name)!.tableKey
        let twin = Int64(random.below(number + 1))
        // Some texts are names of objects, of whatever class.
        let text = random.oneIn(3) ? key(twin, pick(keyTypes, &random).type ?? .int).name : "text \(twin % 9)"
        var values: [(property: String, value: NewValue)] = [
          ("text", .single(random.oneIn(9) ? .null : .string(ByteString(text)))),
          ("number", .single(random.oneIn(9) ? .null : .int(twin))),
          ("any", .single(random.oneIn(3) ? .int(twin) : .string(ByteString(text)))),
        ]
        if let type { values.append(("id", .single(key(Int64(number), type).value))) }
        for (name, _) in keyTypes where !random.oneIn(4) {
          let target = try write.schema(named: name)!.tableKey
          // Many to the same few.
          let targets = made.filter { $0.table == target }.prefix(random.oneIn(3) ? 4 : .max)
          if targets.isEmpty { continue }
          values.append(("to\(name)", .single(.link(targets[random.below(targets.count)]))))
          if name == "ByText" {
            values.append(("list", .list(targets.suffix(random.below(4)).map { .single(.link($0)) })))
          }
        }
        if !random.oneIn(4) { values.append(("part", newPart(number, &random))) }
        made.append(ObjectLink(table: table, key: try write.create(table, values)))
      }
      // Texts that SQLite takes for numbers, and for the same ones.
      let name = ["\(number)", "0\(number)", "\(number - 2).0", " \(number)", "\(number)e0", "x\(number)"][
        number % 6]
      _ = try write.create(
        spelled,
        [
          ("id", .single(.string(ByteString(name)))), ("number", .single(.int(Int64(number)))),
          ("part", newPart(number, &random)),
        ])
    }
    try realm.commit(write)
    return realm.database.transaction
  }

  private static func newPart(_ number: Int, _ random: inout SplitMix64) -> NewValue {
    let seconds = Int64(random.below(number + 1))
    return .embedded([
      ("mark", .single(.int(Int64(number)))),
      ("at", .single(random.oneIn(9) ? .null : .date(Timestamp(seconds: seconds, nanoseconds: 0)))),
      ("price", .single(.decimal(Decimal128(text: Array("\(seconds % 7).50".utf8).span)!))),
    ])
  }

  private static func pick<T>(_ choices: [T], _ random: inout SplitMix64) -> T {
    choices[random.below(choices.count)]
  }

  private static func key(_ number: Int64, _ type: ValueType) -> (value: Value, name: String) {
    let digits = String(number)
    func padded(_ count: Int) -> String { String(repeating: "0", count: count - digits.count) + digits }
    switch type {
    case .uuid:
      let text = "aaaaaaaa-0000-0000-0000-" + padded(12)
      return (.uuid(UUIDValue(text: Array(text.utf8).span)!), text)
    case .objectID:
      let text = "bbbb" + padded(20)
      return (.objectID(ObjectID(text: Array(text.utf8).span)!), text)
    case .int: return (.int(number), digits)
    default: return (.string(ByteString("text \(number)")), "text \(number)")
    }
  }
}
