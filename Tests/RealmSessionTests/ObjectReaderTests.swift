// The reader of JSON objects, value by value, without a statement around it.

import RealmEngine
import RealmSession
import Testing
import TextFormats

@Suite("Objects in JSON")
struct ObjectReaderTests {
  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid,
  ]

  /// Properties are named for their type: `int`, `intOrNull`, `ints` a list, `intSet`, `intMap`.
  private static var classes: [ClassDefinition] {
    let plain = types.flatMap { type in
      [
        PropertyDefinition(type.name, type), PropertyDefinition("\(type.name)OrNull", type, isOptional: true),
        PropertyDefinition("\(type.name)s", type, collection: .list),
        PropertyDefinition("\(type.name)Set", type, collection: .set),
        PropertyDefinition("\(type.name)Map", type, collection: .dictionary, isOptional: true),
      ]
    }
    let others = [
      PropertyDefinition("any", .mixed), PropertyDefinition("anys", .mixed, collection: .list),
      PropertyDefinition("friend", .object, target: "Person"),
      PropertyDefinition("friends", .object, collection: .list, target: "Person"),
      PropertyDefinition("friendMap", .object, collection: .dictionary, target: "Person"),
      PropertyDefinition("pet", .object, target: "Pet"), PropertyDefinition("home", .object, target: "Home"),
      PropertyDefinition("homes", .object, collection: .list, target: "Home"),
    ]
    return [
      ClassDefinition("All", properties: plain + others),
      ClassDefinition(
        "Person", primaryKey: "_id",
        properties: [
          PropertyDefinition("_id", .int), PropertyDefinition("name", .string),
          PropertyDefinition("friend", .object, target: "Person"),
        ]),
      ClassDefinition("Pet", properties: [PropertyDefinition("name", .string, isOptional: true)]),
      ClassDefinition(
        "Home", kind: .embedded,
        properties: [
          PropertyDefinition("street", .string), PropertyDefinition("owner", .object, target: "Person"),
        ]),
    ]
  }

  /// The edit that a document asks for.
  private static func edit(_ json: String, of name: String = "All") throws -> ObjectEdit {
    let transaction = try WritableDatabase.inMemory().begin()
    try transaction.addClasses(classes)
    let schema = try #require(try transaction.schema(named: name))
    var reader = JSONReader(Array(json.utf8).span)
    return try ObjectReader(transaction: transaction).edit(try reader.next(), from: &reader, of: schema)
  }

  private static func value(_ property: String, _ json: String) throws -> EditValue {
    try #require(try edit("{\"\(property)\": \(json)}").values.first).value
  }

  /// What is wrong with a document, and where.
  private static func fault(_ json: String, of name: String = "All") throws -> (String, DocumentFault)? {
    do {
      _ = try edit(json, of: name)
      return nil
    } catch let fault as DocumentFault {
      return ("\(fault.place.path.text) @\(fault.place.location.offset) \(fault.message)", fault)
    }
  }

  private static func single(_ value: EditValue) -> Value? {
    guard case .single(let single) = value else { return nil }
    return single
  }

  private static func text(_ text: String) -> Value { .string(ByteString(text)) }
  private static func decimal(_ text: String) -> Value {
    .decimal(Decimal128(text: Array(text.utf8).span) ?? .zero)
  }
  private static func data(_ bytes: [UInt8]) -> Value { .data(ByteString(copying: bytes)) }
  private static func date(_ seconds: Int64, _ nanoseconds: Int32 = 0) -> Value {
    .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  /// Texts of the same value, which are one for each property of that type.
  private static var spellings: [(type: ValueType, value: Value, json: [String])] {
    let id = "0123456789abcdef01234567"
    let uuid = "01234567-89ab-cdef-0123-456789abcdef"
    return [
      (.int, .int(-7), ["-7"]), (.int, .int(.max), ["9223372036854775807"]),
      (.bool, .bool(true), ["true"]), (.bool, .bool(false), ["false"]),
      (.string, text("a\"é\n"), ["\"a\\\"é\\n\"", "{\"$string\": \"YSLDqQo=\"}"]),
      (.string, .string(ByteString(copying: [0xFF])), ["{\"$string\": \"/w==\"}"]),
      (.data, data([0, 1, 2]), ["\"AAEC\"", "{\"$binary\": \"AAEC\"}"]),
      (.date, date(-1, -500_000_000), ["\"1969-12-31T23:59:58.5Z\"", "{\"$date\": [-1, -500000000]}"]),
      (
        .date, date(1_577_836_800),
        ["\"2020-01-01\"", "[1577836800, 0]", "{\"$date\": \"2020-01-01T00:00:00Z\"}"]
      ),
      (.float, .float(1.5), ["1.5", "15e-1", "{\"$float\": 1.5}", "{\"$double\": 1.5}"]),
      (.float, .float(-.infinity), ["\"-Infinity\"", "{\"$float\": \"-Infinity\"}"]),
      (.double, .double(7), ["7", "7.0", "{\"$double\": 7}", "{\"$float\": 7}"]),
      (.double, .double(.infinity), ["\"Infinity\"", "{\"$double\": \"Infinity\"}"]),
      (
        .decimal128, .decimal(Decimal128(text: Array("12.50".utf8).span) ?? .zero),
        ["12.50", "\"12.50\"", "{\"$decimal\": \"12.50\"}"]
      ),
      (
        .objectID, ObjectID(text: Array(id.utf8).span).map(Value.objectID) ?? .null,
        ["\"\(id)\"", "{\"$oid\": \"\(id)\"}"]
      ),
      (
        .uuid, UUIDValue(text: Array(uuid.utf8).span).map(Value.uuid) ?? .null,
        ["\"\(uuid)\"", "{\"$uuid\": \"\(uuid)\"}"]
      ),
    ]
  }

  @Test("every type has its plain and its typed form, alone and in collections", arguments: 0..<16)
  func spelling(index: Int) throws {
    #expect(Self.spellings.count == 16)
    let (type, value, texts) = Self.spellings[index]
    for json in texts {
      let name = type.name
      #expect(Self.single(try Self.value(name, json)) == value, "\(json)")
      #expect(Self.single(try Self.value("\(name)OrNull", json)) == value, "\(json)")
      #expect(Self.single(try Self.value("\(name)OrNull", "null")) == .null)
      guard case .list(let elements) = try Self.value("\(name)s", "[\(json), \(json)]") else {
        Issue.record("no list of \(name)")
        continue
      }
      #expect(elements.map(Self.single) == [value, value])
      for set in ["[\(json)]", "{\"$set\": [\(json)]}"] {
        guard case .set(let elements) = try Self.value("\(name)Set", set) else {
          Issue.record("no set of \(name)")
          continue
        }
        #expect(elements.map(Self.single) == [value])
      }
      for map in ["{\"k\": \(json), \"\": null}", "{\"$dict\": {\"k\": \(json), \"\": null}}"] {
        guard case .dictionary(let entries) = try Self.value("\(name)Map", map) else {
          Issue.record("no dictionary of \(name)")
          continue
        }
        #expect(
          entries.map(\.key.text) == ["k", ""] && entries.map { Self.single($0.value) } == [value, .null])
      }
    }
  }

  @Test("not-a-number is read as one")
  func notANumber() throws {
    for json in ["\"NaN\"", "{\"$double\": \"NaN\"}"] {
      guard case .double(let number)? = Self.single(try Self.value("double", json)),
        case .float(let small)? = Self.single(try Self.value("float", json))
      else {
        Issue.record("\(json)")
        continue
      }
      #expect(number.isNaN && small.isNaN)
    }
  }

  @Test("a mixed value shows its type itself, and nests")
  func mixed() throws {
    let singles: [(String, Value)] = [
      ("null", .null), ("true", .bool(true)), ("7", .int(7)), ("7.5", .double(7.5)), ("1e2", .double(100)),
      ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("\"7\"", Self.text("7")),
      ("12345678901234567000", .double(12_345_678_901_234_567_000)),
      ("-12345678901234567168", .double(-12_345_678_901_234_567_168)),
      ("-12345678901234567890", Self.decimal("-12345678901234567890")),
      ("{\"$float\": 1.5}", .float(1.5)), ("{\"$binary\": \"AAEC\"}", Self.data([0, 1, 2])),
      ("{\"$date\": [5, 6]}", Self.date(5, 6)),
      ("\"2020-01-01T00:00:00Z\"", Self.text("2020-01-01T00:00:00Z")),
    ]
    for (json, value) in singles { #expect(Self.single(try Self.value("any", json)) == value, "\(json)") }
    guard
      case .dictionary(let entries) = try Self.value(
        "any", "{\"a\": [1, [null]], \"b\": {\"$dict\": {\"$oid\": 2}}}"),
      entries.count == 2, case .list(let outer) = entries[0].value, outer.count == 2,
      case .list(let inner) = outer[1], case .dictionary(let tagged) = entries[1].value
    else {
      Issue.record("no nested collections")
      return
    }
    #expect(Self.single(outer[0]) == .int(1) && inner.map(Self.single) == [.null])
    #expect(tagged.map(\.key.text) == ["$oid"] && tagged.map { Self.single($0.value) } == [.int(2)])
    guard
      case .objectKey(let link, in: let schema, _) = try Self.value(
        "any", "{\"$link\": {\"class\": \"Pet\", \"key\": 3}}")
    else {
      Issue.record("no link")
      return
    }
    #expect(link.key.value == 3 && schema.name == "Pet")
  }

  @Test("links are primary keys, object keys or objects, and embedded objects stand in their owner")
  func links() throws {
    guard case .primaryKey(.int(4), in: let person, let place) = try Self.value("friend", "4"),
      case .objectKey(let link, in: _, _) = try Self.value(
        "friend", "{\"$link\": {\"class\": \"Person\", \"key\": 5}}"),
      case .object(let nested) = try Self.value("friend", "{\"_id\": 6, \"friend\": 7}"),
      case .list(let friends) = try Self.value("friends", "[4, {\"_id\": 8}]"), friends.count == 2,
      case .primaryKey(.int(4), _, let listed) = friends[0], case .object = friends[1],
      case .dictionary(let map) = try Self.value("friendMap", "{\"a\": 4, \"b\": null}"),
      case .object(let pet) = try Self.value("pet", "{}")
    else {
      Issue.record("a link of another kind")
      return
    }
    #expect(person.name == "Person" && place.path.text == "$.friend" && listed.path.text == "$.friends[0]")
    #expect(link.key.value == 5)
    #expect(
      nested.primaryKey == .int(6) && nested.missing == "name"
        && nested.values.map(\.property) == ["_id", "friend"])
    #expect(map.count == 2 && Self.single(map[1].value) == .null)
    #expect(pet.schema.name == "Pet" && pet.primaryKey == nil && pet.missing == nil)
    for json in ["{\"street\": \"S\", \"owner\": 9}", "{\"$embedded\": {\"street\": \"S\", \"owner\": 9}}"] {
      guard case .embedded(let home) = try Self.value("home", json),
        case .list(let homes) = try Self.value("homes", "[\(json)]"),
        case .embedded(let listed)? = homes.first
      else {
        Issue.record("\(json) is not embedded")
        continue
      }
      #expect(home.schema.name == "Home" && listed.schema.name == "Home")
      #expect(home.values.map(\.property) == ["street", "owner"] && home.values[1].value.needsOthers)
    }
    #expect(Self.single(try Self.value("home", "null")) == .null)
  }

  @Test("an object knows its primary key and the first property that a new one would lack")
  func objects() throws {
    let whole = try Self.edit("{\"name\": \"A\", \"_id\": 3}", of: "Person")
    #expect(whole.primaryKey == .int(3) && whole.missing == nil && whole.schema.name == "Person")
    #expect(try Self.edit("{\"name\": \"A\"}", of: "Person").missing == "_id")
    #expect(try Self.edit("{\"_id\": 3}", of: "Person").missing == "name")
    #expect(try Self.edit("{}").missing == "int")
  }

  /// Documents, and the path, the place in the text and the words of what is wrong with them.
  private static let misfits: [(String, String)] = [
    ("{\"int\": 1.5}", "$.int @8 All.int is int, not 1.5"),
    ("{\"int\": \"1\"}", "$.int @8 All.int is int, not \"1\""),
    ("{\"int\": 9223372036854775808}", "$.int @8 All.int is int, not 9223372036854775808"),
    ("{\"int\": {\"$double\": 1}}", "$.int @8 All.int is int, not {\"$double\":…}"),
    ("{\"int\": null}", "$.int @8 All.int holds no null: it is int"),
    ("{\"bool\": 1}", "$.bool @9 All.bool is bool, not 1"),
    ("{\"string\": 1}", "$.string @11 All.string is string, not 1"),
    ("{\"string\": {\"$string\": \"*\"}}", "$.string @11 All.string is string, not {\"$string\":…}"),
    ("{\"data\": \"*\"}", "$.data @9 All.data is data, not \"*\""),
    ("{\"date\": \"2020-13-01\"}", "$.date @9 All.date is date, not \"2020-13-01\""),
    ("{\"date\": [1]}", "$.date @9 All.date is date, not a list"),
    ("{\"date\": [1, 2, \"x\"], \"int\": 3}", "$.date @9 All.date is date, not a list"),
    ("{\"date\": [1, 2, {\"x\": 4}], \"int\": 3}", "$.date @9 All.date is date, not a list"),
    ("{\"float\": \"x\"}", "$.float @10 All.float is float, not \"x\""),
    ("{\"objectId\": \"0123\"}", "$.objectId @13 All.objectId is objectId, not \"0123\""),
    ("{\"uuid\": 7}", "$.uuid @9 All.uuid is uuid, not 7"),
    ("{\"ints\": 7}", "$.ints @9 All.ints is list<int>, not 7"),
    ("{\"ints\": [1, 2, \"x\"]}", "$.ints[2] @16 All.ints is list<int>, not \"x\""),
    ("{\"ints\": [null]}", "$.ints[0] @10 All.ints holds no null: it is list<int>"),
    ("{\"intSet\": {\"a\": 1}}", "$.intSet @11 All.intSet is set<int>, not an object"),
    ("{\"intMap\": {\"a b\": 1, \"c\": true}}", "$.intMap.c @27 All.intMap is dictionary<int?>, not true"),
    ("{\"intMap\": {\"a b\": true}}", "$.intMap['a b'] @19 All.intMap is dictionary<int?>, not true"),
    ("{\"any\": [1, {\"$date\": 5}]}", "$.any[1] @12 {\"$date\":…} is not a value"),
    (
      "{\"any\": {\"$link\": {\"class\": \"Pet\"}}}",
      "$.any @8 a link needs a class and an object key or a primary key"
    ),
    ("{\"any\": {\"$link\": {\"class\": \"Cat\", \"key\": 1}}}", "$.any @8 there is no class 'Cat'"),
    (
      "{\"friend\": {\"$link\": {\"class\": \"Pet\", \"key\": 1}}}",
      "$.friend @11 All.friend links to Person, not to Pet"
    ),
    ("{\"friend\": \"x\"}", "$.friend @11 the primary key of Person is int, not \"x\""),
    ("{\"friends\": [{\"_id\": 1, \"nme\": 2}]}", "$.friends[0].nme @24 Person has no property 'nme'"),
    ("{\"friends\": [null]}", "$.friends[0] @13 All.friends holds no null: it is list<Person>"),
    ("{\"pet\": \"x\"}", "$.pet @8 All.pet links to Pet, which has no primary key"),
    ("{\"home\": 1}", "$.home @9 All.home is Home?, not 1"),
    ("{\"home\": {}}", "$.home.street @9 Home.street is missing"),
    (
      "{\"homes\": [{\"street\": \"a\"}, {\"street\": 1}]}",
      "$.homes[1].street @39 Home.street is string, not 1"
    ),
    ("{\"nt\": 1}", "$.nt @1 All has no property 'nt'"),
    ("[]", "$ @0 expected an object of All, found a list"),
    ("7", "$ @0 expected an object of All, found 7"),
  ]

  @Test("a value that does not fit is told of by its path and place", arguments: misfits)
  func faults(_ json: String, _ expected: String) throws {
    #expect(try Self.fault(json)?.0 == expected)
  }

  @Test(
    "a fault has a code, and a hint where something can be written instead",
    arguments: [
      ("{\"nt\": 1}", "unknown-property", "did you mean 'int'?"),
      ("{\"uuid\": 7}", "bad-object", "write \"123e4567-e89b-12d3-a456-426614174000\""),
      ("{\"date\": 7}", "bad-object", "write \"2020-01-31T12:00:00Z\""),
      ("{\"int\": true}", "bad-object", nil), ("{\"dates\": 7}", "bad-object", nil),
      ("{\"pet\": \"x\"}", "bad-object", "write its object key or the object itself"),
      ("{\"any\": {\"$link\": {\"class\": \"Cat\", \"key\": 1}}}", "unknown-class", nil),
      ("{\"home\": {}}", "missing-property", nil),
    ] as [(String, String, String?)])
  func hints(_ json: String, _ code: String, _ hint: String?) throws {
    let fault = try #require(try Self.fault(json)?.1)
    #expect(fault.code == code && fault.hint == hint)
  }
}
