// What is handed to the query engine changes no row, and an exported file has the rows that statements see: the same
// statements with and without the engine, and on the file.

import RealmEngine
import RealmSQL
import TestSupport
import Testing

/// Statements of which SQLite does not tell tables all, or which it compares in its own way.
private let specialStatements: [String: [String]] = [
  "legacy9-small.realm": [
    // SQLite hands a limit down beside a condition that it keeps for itself.
    "select name from Tag where weight <= name order by name desc limit 1 offset 4",
    "select name from Tag where weight <= name order by name limit 3",
  ],
  Realms.linked: [
    // A list of numbers stands for texts too that are written like them.
    "select owner, owner_class from Part where owner in (select toByNumber from ByText) order by 1, 2",
    // Texts are found by the numbers that they are written as, once many have been looked up.
    "select count(*), sum(a.number * 1000 + b.number) from ByNumber a cross join ByText b on b.text = a.number",
    "select count(*), sum(a.number * 1000 + b.number) from ByNumber a cross join ByText b on b.id = +a.number",
    "select count(*), sum(a.number * 1000 + b.id) from ByText a left join BySpelling b on b.id = a.number",
    "select count(*), min(b.mark) from ByNumber a cross join Part b on b.price = a.number",
    "select count(*), sum(b.number) from ByNumber a cross join ByText b on b.id = a.number and a.id > 3",
    // SQLite ends a loop where a row that comes in order is beyond the limit.
    "select b.number from ByUUID a cross join ByNumber b on b.toByUUID = a.id order by 1 limit 10",
    "select b.text from ByText a cross join ByNumber b on b.toByText = a.id order by 1 desc limit 12",
    "select b.number from ByID a cross join ByText b on b.text = a.text order by 1 limit 30",
  ],
  "alltypes.realm": [
    // NaN is null.
    "select count(*) from AllTypes where double_r < 'x'",
    "select count(*) from AllTypes where float_r <= x'00'",
    // Floats are the numbers that they are written as.
    "select float_r from AllTypes where float_r = 1.1", "select count(*) from AllTypes where float_r = 1e-45",
    "select count(*) from AllTypes where float_r >= 3.4028235e38",
    "select count(*) from AllTypes where float_r > 16777217 or float_r < 0.1",
    // Texts are numbers where they look like them.
    "select count(*) from AllTypes a join AllTypes b on a._id = b.dec_r",
    "select count(*) from AllTypes a join AllTypes b on b.string_r = a.`any`",
    "select count(*) from AllTypes a join AllTypes b on b.string_o = a.int_r",
    "select count(*) from AllTypes a join AllTypes b on b.string_o = +a.int_r",
    "select count(*) from AllTypes a join AllTypes b on b.string_o = a.string_o collate nocase",
    "select count(*) from AllTypes a join AllTypes b on b.int_o = a.string_o",
    "select count(*) from (select 'a' as t union all select 1 union all select x'61' union all select '') a "
      + "join AllTypes b on b.string_o = a.t",
    // Of some types the query engine counts different values, of others SQLite does.
    "select count(distinct int_o) from AllTypes", "select count(distinct double_o) from AllTypes",
    "select count(distinct date_o) from AllTypes where int_r > 0",
    "select count(distinct uuid_o) from AllTypes", "select count(distinct data_o) from AllTypes",
    "select count(distinct dec_o) from AllTypes", "select count(distinct bool_o) from AllTypes",
    "select count(distinct string_o) from AllTypes", "select count(distinct `any`) from AllTypes",
  ],
  "zoo.realm": [
    "select count(*) from Person_tags where owner = '7.0'",
    "select count(*) from Person where born >= '1990'",
    "select count(*) from Person where born < 2000",
    "select count(*) from Person a join Person b on a.name = b.name and a.age > b.age",
    "select max(weight), min(name), max(height) from Person",
    "select count(*), min(name) from Person where height = 1.51",
    "select height, count(*) from Person where height > 1.5 and height <= 1.53 group by 1 order by 1",
    "select count(*) from Person where height <> 1.51 or height < 1.5099999904632568",
    "select name, age from Person order by age desc, _id limit 100",
    "select count(*) from Person a join Person b on a.name = b.name",
    "select count(*), min(b.age) from Person a join Person b on b.name = a.name and b.age > 20",
    "select count(*) from Person a left join Person b on b.nick = a.name where b.age is null or b.age < 30",
    "select count(*) from Person_attrs a join Person b on b.name = a.value",
    "select count(*) from Person_tags a join Person b on b.nick = a.value and b._id = a.owner",
    "select (select count(*) from Person b where b.nick = a.nick) from Person a order by 1",
    // After some look-ups, rows of the whole table are found by their owner.
    "select _id, t.* from Person left join Person_tags t on t.owner = _id order by 1, 3",
    "select _id, t.* from Person left join Person_attrs t on t.owner = _id order by 1, 3",
    "select _id, t.* from Person left join Person_dogs t on t.owner = _id order by 1, 3",
    "select _id, city from Person left join Address on owner = _id order by 1, 2",
    "select a._id, b.name from Person a left join Person b on b._id = a._id + 1 order by 1",
    // Of side tables those columns are read that are used.
    "select owner from Person_tags order by 1", "select key from Person_attrs order by 1",
    "select a.owner, b.value, c.position from Person_tags a join Person_tags b on b.owner = a.owner "
      + "join Person_tags c on c.owner = b.owner order by 1, 2, 3",
    // The number of a row is its primary key.
    "select rowid, _id, _rowid_ from Person order by rowid desc limit 7",
    "select name from Person where rowid = 7 or rowid in (3, 5, 'x') order by 1",
    "select p.rowid, d.name from Dog d join Person p on p.rowid = d.owner order by 1, 2",
    "select rowid, name from Person where rowid > 5 and _id < 9 order by 1",
    "select rowid, owner from Dog order by 1 limit 5",
    // Nulls come before all else.
    "select nick, count(*), min(name) from Person group by nick",
    "select nick from Person order by nick limit 7",
    "select nick from Person where age > 30 order by nick",
    "select nick from Person order by nick desc limit 9",
    "select bestFriend, nick, count(*) from Person group by nick, bestFriend",
    // Different rows are those of the query engine, but where expressions make them.
    "select max(age), count(*) from (select distinct age from Person)",
    "select count(*), min(born) from (select distinct born, active, nick from Person where age > 30)",
    "select count(*) from (select distinct age % 3 from Person)",
    "select age, nick from Person group by nick, age having age > 30",
    "select distinct nick, nick, height from Person order by height desc, nick limit 20",
    "select distinct active, born from Person order by age + length(name), born, active",
    "select distinct nick collate nocase from Person", "select distinct age from Person order by rowid",
    "select sum(distinct age), total(distinct height) from Person",
    "select distinct age from Person limit 3",
    "select exists (select distinct age from Person where age > 30)",
    "select nick, (select count(*) from (select distinct age from Person where active)) from Person order by 1",
    "with n(x) as (values (20), (40)) "
      + "select x, (select count(*) from (select distinct nick from Person where age > x)) from n",
    "select distinct _id from Person order by 1",
    "select distinct p.age from Person p join Dog d on d.owner = p._id order by 1",
    // A subquery opens its tables for each row around it.
    "with n(x) as materialized (values (20), (40), (60)) "
      + "select x, (select sum(age) from Person where age > x) from n",
    "select name, (select count(*) from Person_tags t where t.owner = p._id), "
      + "exists (select 1 from Dog d where d.owner = p._id and d.age > 3) from Person p order by 1, 2",
    "select name, (select max(q.name) from Person q where q.age < p.age) from Person p order by 1, 2",
    "select name, (select q.name from Person q where q._id = p.bestFriend) from Person p order by 1, 2",
    // Groups of a join come in the order of one of its tables.
    "select b.name, count(*), min(a.name) from Person a join Person b on a.bestFriend = b._id group by b.name",
    // The query engine counts.
    "select count(*) from Person",
    "select count(*) as n from Person where age > 30 and name < 'M'",
    "select count(*) from Person where age in (30, 31, 'x', null)",
    "select count(*) from Person where age > 1e9",
    "select count(*) from Person_tags",
    "select count(distinct city) from Address", "select count(distinct name) as n from Person",
    "select count(distinct age) from Person where age > 30 and name < 'M'",
    "select count(distinct age) from Person where age > 1e9",
    // SQLite counts.
    "select count(distinct age) + 1 from Person", "select sum(distinct age) from Person",
    "select count(distinct age) from Person where age > 30 or name < 'M'",
    "select count(distinct lower(city)) from Address", "select count(distinct value) from Person_tags",
    "select count(distinct age) filter (where age > 30) from Person",
    "select count(distinct bestFriend) from Person",
    "select count(distinct _id) from Person group by age order by 1",
    "select count(*) + 1 from Person where age > 30",
    "select count(*) from Person where age > 30 or name < 'M'",
    "select count(*) from Person where age > 30 having count(*) > 2",
    "select count(*) filter (where age > 30) from Person",
    "select count(name) from Person where age > 30",
    "select count(*) from Person where age > 30 limit 1 offset 0",
    "select count(*) from Person where age > 30 union all select 5",
    "select (select count(*) from Person where age > 30)",
    // Only its subtype tells a collection in a mixed value from a text.
    "select owner, json_object('a', value) from Person_attrs order by 1, 2",
    "select count(*) from Person where age > (select avg(age) from Person)",
    "select count(*) from Person group by age > 30 order by 1",
  ],
]

@Suite("Conditions that the query engine answers")
struct PushDownTests {
  @Test("random statements give the same rows", arguments: Realms.names)
  func randomStatements(name: String) throws {
    let (pushing, plain) = (try Realms.session(name), try Realms.session(name, pushesDown: false))
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let folder = try ScratchFolder(inMemory: true)
    let file = try Realms.exported(name, in: folder)
    let tables = pushing.schema.tables.filter { $0.refusal == nil }
    guard !tables.isEmpty else { return }
    for _ in 0..<TestScale.cases(fast: 20, usual: 40, long: 250) {
      let statement = RandomStatement(tables, values: { try plain.values(of: $0, in: $1) }, &random)
      let (text, isOrdered) = try statement.text()
      let expected = try file.rows(text)
      for (kind, session) in [("pushing", pushing), ("plain", plain)] {
        let rows = try session.rows(text)
        let areEqual = isOrdered ? rows == expected : rows.sorted() == expected.sorted()
        #expect(areEqual, "seed \(seed), \(kind): \(text)\n\(rows.prefix(5))\n\(expected.prefix(5))")
      }
    }
  }

  @Test(
    "what SQLite does not tell tables of, or compares in its own way, is minded",
    arguments: specialStatements.keys.sorted())
  func special(name: String) throws {
    let folder = try ScratchFolder(inMemory: true)
    let (session, file) = (try Realms.session(name), try Realms.exported(name, in: folder))
    for text in specialStatements[name] ?? [] {
      let rows = try session.rows(text)
      #expect(rows == (try file.rows(text)), "\(text)")
      #expect(!rows.isEmpty, "\(text)")
    }
  }

  @Test(
    "links to keys of all types, and keys, are joined with columns of all types",
    arguments: ["toByUUID", "toByID", "toByNumber", "toByText", "toByNothing", "id", "text", "number", "any"])
  func joinedLinks(column: String) throws {
    let folder = try ScratchFolder(inMemory: true)
    let session = try Realms.session(Realms.linked)
    let file = try Realms.exported(Realms.linked, in: folder)
    for other in [
      "text", "number", "any", "id", "toByUUID", "toByID", "toByNumber", "toByText", "toByNothing",
    ] {
      for condition in [
        "b.\(column) = a.\(other)", "b.\(column) = a.\(other) and a.number < 20", "b.\(column) is a.\(other)",
      ] {
        // Tables in a given order, and in the other one.
        for (left, right) in [("ByNumber", "ByText"), ("ByText", "ByNumber"), ("ByUUID", "ByID")] {
          let text =
            "select count(*), count(distinct a.id), min(b.id) "
            + "from \(left) a cross join \(right) b where \(condition)"
          #expect(try session.rows(text) == (try file.rows(text)), "\(text)")
        }
      }
    }
  }

  @Test(
    "an equality with what another table holds is handed down",
    arguments: [
      ("Dog d cross join Person p on d.owner = p._id", "_id=?"),
      ("Person p cross join Dog d on d.owner = p._id", "owner=?"),
      ("Person p join Person q on q.name = p.nick", "name=?"),
      ("Person p join Person q on q.name is p.nick", "name IS ?"),
      ("Person p join Person_tags t on t.value is p.nick", "value IS ?"),
    ])
  func equalities(tables: String, words: String) throws {
    let plan = try Realms.session("zoo.realm").rows("explain query plan select count(*) from \(tables)")
    #expect(plan.contains { $0.contains(words) }, "\(plan)")
  }

  @Test("a join begins with the few rows that a condition leaves, not with all that may be linked to")
  func conditionFirst() throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("City", primaryKey: "id", properties: [PropertyDefinition("id", .int)]),
      ClassDefinition(
        "Person", primaryKey: nil,
        properties: [PropertyDefinition("age", .int), PropertyDefinition("home", .object, target: "City")]),
    ])
    let (city, person) = (
      try write.schema(named: "City")!.tableKey, try write.schema(named: "Person")!.tableKey
    )
    let homes = try (0..<20).map {
      ObjectLink(table: city, key: try write.create(city, [("id", .single(.int($0)))]))
    }
    for number in 0..<4000 {
      _ = try write.create(
        person, [("age", .single(.int(Int64(number % 100)))), ("home", .single(.link(homes[number % 20])))])
    }
    try realm.commit(write)
    let session = try SQLSession([SQLSource(name: nil, .realm(realm.database.transaction))])
    let join = "select count(*) from City c join Person p on p.home = c.id where p.age = 7"
    let plan = try session.rows("explain query plan \(join)")
    #expect(plan.first?.contains("SCAN p") == true, "\(plan)")
    #expect(try session.rows(join) == ["40"])
  }

  @Test(
    "embedded objects are joined by owners of several classes, by dates and by decimals",
    arguments: [
      "Part p on p.owner = a.number", "Part p on p.owner = a.id", "Part p on p.owner is a.any",
      "Part p on p.owner = cast(a.number as real)",
      "Part b on b.owner = a.id join Part p on p.owner = b.owner",
      "Part b on b.owner = a.id join Part p on p.owner = b.mark",
      "Part b on b.owner = a.id join Part p on p.at = b.at",
      "Part b on b.owner = a.id join Part p on p.at is b.at",
      "Part b on b.owner = a.id join Part p on p.price = b.price",
    ])
  func joinedParts(join: String) throws {
    let folder = try ScratchFolder(inMemory: true)
    let session = try Realms.session(Realms.linked)
    let file = try Realms.exported(Realms.linked, in: folder)
    for table in ["ByNumber", "ByText", "BySpelling", "ByNothing"] {
      if table == "BySpelling", join.contains("a.any") { continue }
      let join = table == "ByNothing" ? join.replacing("a.id", with: "a._key") : join
      for kind in ["cross join", "left join"] {
        let text =
          "select count(*), count(distinct p._key), sum(p.mark), min(quote(p.owner)) from \(table) a \(kind) \(join)"
        #expect(try session.rows(text) == (try file.rows(text)), "\(text)")
      }
    }
  }

  @Test(
    "rows that a join finds by a value that many have are the same ones",
    arguments: [
      ("Person", "nick", "name, b.age, b.born"), ("Person", "age", "name, b.nick"),
      ("Person_tags", "value", "position, b.owner"), ("Person_tags", "owner", "position, b.value"),
      ("Person_attrs", "owner", "key, b.value"), ("Dog", "owner", "name, b.age"),
    ])
  func equalValues(table: String, column: String, others: String) throws {
    let session = try Realms.session("zoo.realm")
    let start = "select a.rowid, b.rowid, b.\(others) from \(table) a join \(table) b on"
    for comparison in ["=", "is"] {
      let rows = try session.rows("\(start) b.\(column) \(comparison) a.\(column) order by 1, 2")
      #expect(rows == (try session.rows("\(start) +b.\(column) \(comparison) a.\(column) order by 1, 2")))
      #expect(rows.count > 2, "\(rows)")
    }
  }

  @Test("the query engine makes the groups of a statement where it means the same")
  func enginesGroups() throws {
    // SQLite's sum is too large before it has come to the end.
    let sum = "select sum(int_o) is null from Indexed"
    #expect(try Realms.session("alltypes.realm").rows(sum) == ["0"])
    #expect(try Realms.session("alltypes.realm", pushesDown: false).refusal(sum) != nil)
    let session = try Realms.session("zoo.realm")
    #expect(!session.functionNames.contains { $0.hasPrefix("realm_group") })
    #expect(session.refusal("select realm_group_count(age) from Person") != nil)
    let quoted = "select 'count(x)' as \"count(y)\", count(*) /* sum( */ from Person where age > ?1"
    #expect(try session.rows(quoted, SQLParameters([.integer(1000)])) == ["'count(x)'|0"])
    let types = "select realm_type(active), count(*) from Person group by active order by 2"
    #expect(try session.rows(types) == ["'bool'|67", "'bool'|133"])
  }

  @Test("a statement that counts leaves nothing behind, and knows its parameters")
  func countsInTurn() throws {
    let session = try Realms.session("zoo.realm")
    let text = "select count(*) from Person where age > ?1"
    let counts = try [20, 40, 200].map { try session.rows(text, SQLParameters([.integer($0)])) }
    let expected = try [20, 40, 200].map {
      try session.rows("select sum(age > ?1) from Person", SQLParameters([.integer($0)]))
    }
    #expect(counts == expected)
    #expect(counts[0] != counts[1] && counts[2] == ["0"])
    #expect(try session.rows("select 7") == ["7"])
  }
}

extension SQLSession {
  /// Values that stand in a column, as SQL writes them.
  func values(of column: String, in table: String) throws -> [String] {
    try rows("select distinct quote(\(column)) from \(table) limit 40").map {
      let text = String($0.dropFirst().dropLast())
      // What SQLite writes for infinity it does not read.
      return ["Inf": "9e999", "-Inf": "-9e999"][text] ?? text
    }
  }
}
