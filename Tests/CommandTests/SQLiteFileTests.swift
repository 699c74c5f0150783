// Realms as files of SQLite and back: every fixture, the proof, and what the proof must find.

import Foundation
import RealmEngine
import RealmSQL
import TestSupport
import Testing

@Suite("Files of SQLite")
struct SQLiteFileTests {
  private static let realms = [
    "alltypes.realm", "bare.realm", "empty.realm", "evolved.realm", "legacy9-small.realm", "place.realm",
    "zoo.realm",
  ]

  private func exported(_ realm: String, in folder: ScratchFolder, _ options: [String] = []) throws
    -> ProcessResult
  {
    let source = RealmProcess.fixtures.appendingPathComponent(realm).path
    return try RealmProcess.run(["export", source, "-o", "out.sqlite"] + options, in: folder.url)
  }

  private func connection(_ folder: ScratchFolder, _ access: SQLConnection.Access = .readOnly) throws
    -> SQLConnection
  {
    try SQLConnection(Array(folder.url.appendingPathComponent("out.sqlite").path.utf8), access)
  }

  private func rows(_ query: String, _ connection: SQLConnection) throws -> [[SQLValue]] {
    let statement = try connection.prepare(query)
    var rows: [[SQLValue]] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columnCount).map { index in
          if case .text(let text) = statement.value(index) {
            .text(ByteString(text.text))
          } else {
            statement.value(index)
          }
        })
    }
    return rows
  }

  @Test("a realm comes out whole and back in the same", arguments: realms)
  func roundTrip(realm: String) throws {
    let folder = try ScratchFolder()
    let result = try exported(realm, in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.errorText.contains("0 differences"))
    let source = RealmProcess.fixtures.appendingPathComponent(realm).path
    let proof = try RealmProcess.run(["verify", source, "out.sqlite"], in: folder.url)
    #expect(proof.status == 0, "\(proof)")
    let made = try RealmProcess.run(["create", "back.realm", "--from", "out.sqlite"], in: folder.url)
    #expect(made.status == 0, "\(made)")
    let documents = try [source, "back.realm"].map { file in
      let schema = try RealmProcess.run(["schema", file, "--format", "json"], in: folder.url).outputText
      let objects = try RealmProcess.run(["export", file, "--format", "json", "--typed"], in: folder.url)
      // Embedded objects and those with primary keys get other object keys.
      return schema + Self.withoutObjectKeys(objects.outputText)
    }
    #expect(documents[0] == documents[1])
  }

  private static func withoutObjectKeys(_ text: String) -> String {
    text.replacingOccurrences(of: "\"key\":[0-9]+", with: "\"key\":_", options: .regularExpression)
  }

  /// A realm made of the exported zoo after `change`.
  private func remade(_ change: String, in folder: ScratchFolder) throws -> ProcessResult {
    _ = try exported("zoo.realm", in: folder, ["--force"])
    try connection(folder, .readWrite).execute(change)
    return try RealmProcess.run(["create", "made.realm", "--from", "out.sqlite", "--force"], in: folder.url)
  }

  @Test("what was changed in an exported file counts, also where SQLite did not hold the value")
  func edited() throws {
    let folder = try ScratchFolder()
    let result = try remade(
      "update Person set extra = 'edited' where _id in (3, 4, 5); update Person set weight = 5.5 where _id = 13; update Person_attrs set value = 'x' where owner = 9 and key = 'ratio'",
      in: folder)
    #expect(result.status == 0 && !result.errorText.contains("warning"), "\(result)")
    let rows = try RealmProcess.run(
      ["made.realm", "--csv", "Person where _id in {3, 5, 13} select extra, weight"], in: folder.url)
    #expect(rows.outputText == "extra,weight\nedited,40.75\nedited,41.25\n1,5.5\n", "\(rows)")
  }

  @Test("what was added to an exported file, or is missing in it, is said")
  func added() throws {
    let folder = try ScratchFolder()
    let more = try remade(
      "create table Extra(a); alter table Dog add column weight; insert into Person_tags values(999, 0, 'x')",
      in: folder)
    #expect(more.status == 0)
    for word in [
      "Extra: the realm has no such class", "Dog.weight: the realm", "Person_tags: 1 row left out",
    ] {
      #expect(more.errorText.contains(word), "\(more)")
    }
    let less = try remade("alter table Person drop column nick", in: folder)
    #expect(less.status != 0 && less.errorText.contains("no such column: Person.nick"), "\(less)")
    let source = RealmProcess.fixtures.appendingPathComponent("zoo.realm").path
    _ = try exported("zoo.realm", in: folder, ["--force"])
    try connection(folder, .readWrite).execute("drop table _realm")
    let proof = try RealmProcess.run(["verify", source, "out.sqlite"], in: folder.url)
    #expect(proof.status == 9 && proof.outputText.contains("_realm: there is no such table"), "\(proof)")
  }

  @Test("a reference that leads nowhere is told by its table and row")
  func nowhere() throws {
    let folder = try ScratchFolder()
    try connection(folder, .create).execute(
      """
      create table a(id integer primary key); insert into a values (1), (2);
      create table b(r integer references a(id)); insert into b values (1), (2), (3);
      """)
    let made = try RealmProcess.run(["create", "made.realm", "--from", "out.sqlite"], in: folder.url)
    #expect(made.status != 0)
    #expect(
      made.errorText.contains("out.sqlite – table b, row 3, r: a has no object with this primary key (id 3)"),
      "\(made)")
  }

  @Test("embedded objects go with their owners, of several classes too", arguments: [[], ["--for", "grdb"]])
  func owned(options: [String]) throws {
    let folder = try ScratchFolder()
    for arguments in [
      ["create", "a.realm"],
      [
        "-w", "a.realm",
        "create class A embedded { city: string }; create class P { id: string primary key, home: A };"
          + "create class Q { places: list<A> }; insert P {\"id\": \"x\", \"home\": {\"city\": \"Oslo\"}};"
          + "insert Q {\"places\": [{\"city\": \"Rome\"}, {\"city\": \"Bonn\"}]}",
      ], ["export", "a.realm", "-o", "out.sqlite"] + options,
    ] {
      let result = try RealmProcess.run(arguments, in: folder.url)
      #expect(result.status == 0, "\(result)")
    }
    let connection = try connection(folder, .readWrite)
    try connection.execute("delete from P")
    #expect(try rows("select city from A order by 1", connection).map(\.[0].text) == ["Bonn", "Rome"])
    try connection.execute("delete from Q")
    #expect(try rows("select city from A", connection).isEmpty)
  }

  @Test("references that no link can be are values")
  func references() throws {
    let folder = try ScratchFolder()
    try connection(folder, .create).execute(
      """
      create table person(id integer primary key, name text);
      insert into person values (7, 'Ann'), (8, 'Bob');
      create table employee(id integer primary key references person(id), salary int);
      insert into employee values (7, 100), (8, 200);
      create table task(id integer primary key, who int references employee(id), gone int references nowhere(id));
      insert into task values (1, 8, 3);
      create table flag(a boolean primary key, t text); insert into flag values (1, 'yes'), (0, 'no');
      create table f(fl references flag(a)); insert into f values (1);
      create table d(a date, b date); insert into d values ('2021-02-29', '2021-02-28');
      create table p(r references person(id)); insert into p values ('8');
      create view vw as select name from person where name <> "x";
      create table "Ä"(id integer primary key, n text); insert into "Ä" values (1, 'large');
      create table "ä"(id integer primary key, n text); insert into "ä" values (1, 'small');
      create table w(r references "ä", s real references person(id)); insert into w values (1, 7.0);
      """)
    let made = try RealmProcess.run(["create", "made.realm", "--from", "out.sqlite"], in: folder.url)
    #expect(made.status == 0, "\(made)")
    #expect(made.errorText.contains("vw: a view, which is left out"), "\(made)")
    let view = try RealmProcess.run(
      ["import", "made.realm", "V", "out.sqlite", "--table", "vw", "--create"], in: folder.url)
    #expect(view.status == 0, "\(view)")
    let rows = try RealmProcess.run(
      [
        "made.realm", "--csv", "--noheader", "task select who.salary, gone", "f",
        "d where a == '2021-02-29' select a",
        "count d where b > 2021-02-27", "p select r.name", "count V", "w select r.n, s.name",
      ], in: folder.url)
    #expect(rows.outputText == "200,3\n1\n2021-02-29\n1\nBob\n2\nsmall,Ann\n", "\(rows)")
  }

  @Test(
    "a changed value, a missing row and a missing table are found",
    arguments: ["alltypes.realm", "zoo.realm"])
  func flipped(realm: String) throws {
    let folder = try ScratchFolder()
    _ = try exported(realm, in: folder)
    let source = RealmProcess.fixtures.appendingPathComponent(realm).path
    let names = try rows(
      "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'",
      try connection(folder)
    ).map { $0.map(\.text) }
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for pair in names.shuffled(using: &random).prefix(6) {
      let (table, column) = (SQLText.quoted(name: pair[0]), SQLText.quoted(name: pair[1]))
      guard
        case .integer(let count) = try rows("SELECT count(*) FROM \(table)", try connection(folder))[0][0],
        count > 0
      else { continue }
      let original = try Data(contentsOf: folder.url.appendingPathComponent("out.sqlite"))
      let row = Int64.random(in: 0..<count, using: &random)
      let place = "rowid = (SELECT rowid FROM \(table) LIMIT 1 OFFSET \(row))"
      // No primary key has this value.
      try connection(folder, .readWrite).execute(
        "UPDATE \(table) SET \(column) = CASE WHEN \(column) IS 7777 THEN 7778 ELSE 7777 END WHERE \(place)")
      let proof = try RealmProcess.run(["verify", source, "out.sqlite"], in: folder.url)
      #expect(proof.status == 9, "seed \(seed), \(pair) row \(row): \(proof)")
      #expect(proof.outputText.contains(pair[0]))
      try original.write(to: folder.url.appendingPathComponent("out.sqlite"))
    }
    let table = SQLText.quoted(name: names[0][0])
    try connection(folder, .readWrite).execute(
      "DELETE FROM \(table) WHERE rowid = (SELECT max(rowid) FROM \(table))")
    #expect(try RealmProcess.run(["verify", source, "out.sqlite"], in: folder.url).status == 9)
    try connection(folder, .readWrite).execute("DROP TABLE \(table)")
    let proof = try RealmProcess.run(["verify", source, "out.sqlite", "--json"], in: folder.url)
    #expect(proof.status == 9)
    #expect(proof.outputText.contains("there is no such table"))
  }

  @Test(
    "what is exported of an encrypted realm is told to be plain, and is for its owner alone",
    arguments: [
      ("out.sqlite", []), ("out.csv", ["Dog"]), ("out.json", []), ("out.sql", []), ("out/Dog.csv", []),
    ])
  func encrypted(output: String, operands: [String]) throws {
    let folder = try ScratchFolder()
    let fixtures = RealmProcess.fixtures
    let isDirectory = output.contains("/")
    let target = isDirectory ? "out/" : output
    if !isDirectory { try Data("former".utf8).write(to: folder.url.appendingPathComponent(output)) }
    let result = try RealmProcess.run(
      ["export", fixtures.appendingPathComponent("zoo-encrypted.realm").path] + operands
        + ["--key-file", fixtures.appendingPathComponent("key.hex").path, "-o", target, "--force"],
      in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(result.errorText.contains("not encrypted"), "\(result)")
    let file = folder.url.appendingPathComponent(output).path
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("standard input becomes standard output")
  func pipe() throws {
    let folder = try ScratchFolder()
    let realm = try Data(contentsOf: RealmProcess.fixtures.appendingPathComponent("zoo.realm"))
    let result = try RealmProcess.run(
      RealmProcess.executable, ["export", "-", "--format", "sqlite"], input: realm, in: folder.url)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.starts(with: SQLiteSource.signature))
    try result.output.write(to: folder.url.appendingPathComponent("out.sqlite"))
    #expect(try rows("SELECT count(*) FROM Person", try connection(folder)) == [[.integer(200)]])
  }

  @Test("nothing is left of a file that cannot be finished")
  func failure() throws {
    let folder = try ScratchFolder()
    let source = RealmProcess.fixtures.appendingPathComponent("zoo.realm").path
    let result = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "ulimit -f 20; trap '' XFSZ; exec \"$0\" export \"$1\" -o out.sqlite",
        RealmProcess.executable.path, source,
      ],
      in: folder.url)
    #expect(result.status == 10, "\(result)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("tables of any file become classes, and rows of one objects")
  func foreign() throws {
    let folder = try ScratchFolder()
    try SQLConnection(Array(folder.url.appendingPathComponent("out.sqlite").path.utf8), .create).execute(
      """
      CREATE TABLE city(id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, capital BOOLEAN, founded DATE);
      CREATE TABLE person(id TEXT PRIMARY KEY, city INT REFERENCES city, photo BLOB, height REAL, note);
      INSERT INTO city VALUES (1, 'Paris', 1, '0250-01-01'), (2, 'Lyon', 0, NULL);
      INSERT INTO person VALUES ('a', 2, x'00ff', 1.5, 7), ('b', NULL, NULL, 2, 'seven'), ('c', 1, x'', NULL, NULL);
      """)
    let made = try RealmProcess.run(["create", "made.realm", "--from", "out.sqlite"], in: folder.url)
    #expect(made.status == 0, "\(made)")
    let schema = try RealmProcess.run(["schema", "made.realm"], in: folder.url).outputText
    for word in ["capital", "bool", "date", "data", "double", "mixed", "city"] {
      #expect(schema.contains(word))
    }
    let people = try RealmProcess.run(["export", "made.realm", "person", "--format", "csv"], in: folder.url)
    #expect(people.outputText == "id,city,photo,height,note\na,2,AP8=,1.5,7\nb,,,2.0,seven\nc,1,\"\",,\n")
    let imported = try RealmProcess.run(
      ["import", "other.realm", "Town", "out.sqlite", "--table", "city", "--create", "--primary-key", "id"],
      in: folder.url)
    #expect(imported.status == 0, "\(imported)")
    let towns = try RealmProcess.run(["export", "other.realm", "Town", "--format", "csv"], in: folder.url)
    #expect(towns.outputText.contains("1,Paris,true,"), "\(towns)")
  }
}

extension SQLValue {
  fileprivate var text: String { if case .text(let text) = self { text.text } else { "" } }
}
