// What realms look like as tables.

import RealmEngine
import RealmSQL
import TestSupport
import Testing

@Suite("Realms as tables")
struct TableTests {
  @Test("every table of every fixture can be read, with all columns", arguments: Realms.names)
  func everyTable(name: String) throws {
    let session = try Realms.session(name)
    for table in session.schema.tables {
      let columns = table.columns.map { SQLText.quoted(name: $0.name) }.joined(separator: ", ")
      let rows = try session.rows("select \(columns) from \(SQLText.quoted(name: table.name))")
      let count = try session.rows("select count(*) from \(SQLText.quoted(name: table.name))")
      #expect(count == ["\(rows.count)"])
      if case .objects = table.rows { #expect(rows.count == table.table.count) }
    }
  }

  @Test(
    "functions of other databases",
    arguments: [
      ("'Ada' regexp '^a'", "0"), ("'Ada' regexp '(?i)^a'", "1"), ("'x1y' regexp '[0-9]|z'", "1"),
      ("'a' || char(10) || 'b' regexp 'b$'", "1"), ("regexp(null, 'a') is null", "1"), ("12 regexp '2'", "1"),
      ("concat(1, null, 'a', 2.5)", "'1a2.5'"), ("concat_ws('-', 1, null, 'a', '')", "'1-a-'"),
      ("concat_ws(null, 1, 2)", "NULL"),
      ("decimal_cmp('0.10', '0.1')", "0"), ("decimal_cmp('12345678901234567890.1', 2)", "1"),
      ("decimal_cmp(1, null)", "NULL"),
    ])
  func functions(call: String, result: String) throws {
    #expect(try Realms.session("zoo.realm").rows("select \(call)") == [result], "\(call)")
  }

  @Test("aggregates of other databases, of groups and of nothing")
  func aggregates() throws {
    let session = try Realms.session("zoo.realm")
    let values =
      "(select column1 a, column2 g from (values (1, 'x'), (4, 'x'), (null, 'x'), ('2.5', 'y')))"
    let all = "median(a), stddev(a), decimal_sum(a), string_agg(a, ',')"
    #expect(
      try session.rows("select \(all) from \(values) group by g order by g")
        == ["2.5|2.1213203435596424|'5'|'1,4'", "2.5|NULL|'2.5'|'2.5'"])
    #expect(try session.rows("select \(all) from \(values) where g = 'z'") == ["NULL|NULL|NULL|NULL"])
    #expect(
      try session.rows("select decimal_sum(column1) from (values ('0.1'), ('0.2'), ('1e20'))")
        == ["'100000000000000000000.3'"])
    // As the statements of a class have them: neither the sum in the middle nor what squares lose counts.
    #expect(
      try session.rows("select median(column1) from (values (1.5e308), (1.7e308))") == ["1.6e+308"])
    #expect(
      try session.rows("select stddev(1e15 + column1) from (values (1), (2), (3))") == ["1.0"])
    #expect(session.refusal("select median('abc')") == "median: 'abc' is not a number")
    #expect(session.refusal("select decimal_sum('abc')") == "decimal_sum: 'abc' is not a decimal")
    #expect(session.refusal("select 'a' regexp '('") != nil)
  }

  @Test(
    "types of what is the greatest of values are those of the values, or refused where SQLite forgets them")
  func typesOfChoices() throws {
    let session = try Realms.session("zoo.realm")
    #expect(try session.rows("select realm_type(max(born)) from Person") == ["'date'"])
    #expect(session.refusal("select realm_type(max(born)) from Person group by _id + 1") != nil)
    #expect(session.refusal("select realm_type(max(born) over (order by _id)) from Person") != nil)
    #expect(try session.rows("select realm_type(count(*)) from Person group by _id + 1 limit 1") == ["'int'"])
  }

  @Test("names differ for SQLite, which knows no case")
  func names() throws {
    for name in Realms.names {
      let tables = try Realms.session(name).schema.tables
      #expect(Set(tables.map { $0.name.lowercased() }).count == tables.count)
      for table in tables {
        #expect(Set(table.columns.map { $0.name.lowercased() }).count == table.columns.count)
      }
    }
  }

  @Test("functions tell what SQL does not know")
  func functions() throws {
    let session = try Realms.session("zoo.realm")
    let within = "geo_within('[7.5, 46.9]', 'geoCircle([7.5, 46.9], 0.01)')"
    #expect(
      try session.rows("select \(within), geo_within('[50, 0]', 'geoCircle([7.5, 46.9], 0.01)')") == ["1|0"])
    #expect(
      try session.rows("select realm_type(1), realm_type('a'), realm_type(null)") == ["'int'|'string'|'null'"]
    )
    #expect(
      try session.rows("select realm_link('Person 4711'), realm_link('Person @471100')") == ["NULL|NULL"])
    #expect(session.refusal("select realm_link('Preson 7')") == "realm_link: there is no class 'Preson'")
    #expect(session.refusal("select realm_link('Person')") != nil)
    #expect(session.refusal("select realm_link('Person @x')") != nil)
    #expect(session.refusal("select geo_within(1, 'garbage')") != nil)
    #expect(session.refusal("select geo_within('[1, 2]', 'circle')") != nil)
  }

  @Test("tables have the columns, types and keys of an exported file", arguments: Realms.names)
  func columns(name: String) throws {
    let folder = try ScratchFolder(inMemory: true)
    let text = """
      select m.name, p.name, p.type, p."notnull", p.pk from sqlite_master m, pragma_table_info(m.name) p
      where m.type = 'table' and m.name <> '_realm' order by m.name, p.cid
      """
    let columns = try Realms.session(name).rows(text)
    #expect(columns == (try Realms.exported(name, in: folder).rows(text)))
    #expect(columns.contains { $0.hasSuffix("1|1") }, "\(columns)")
  }

  @Test(
    "a session for one text has the tables that it may mean, however it spells them",
    arguments: ["zoo.realm", "alltypes.realm"])
  func mentioned(name: String) throws {
    let transaction = try Realms.open(name)
    func session(_ text: String?) throws -> SQLSession {
      try SQLSession([SQLSource(name: nil, .realm(transaction))], only: text.map { Array($0.utf8)[...] })
    }
    let all = try session(nil)
    let tables = try all.rows("select name from sqlite_master")
    #expect(try session("select name from SQLITE_MASTER").rows("select name from sqlite_master") == tables)
    #expect(try session("select 1").rows("select name from sqlite_master") == [])
    for table in all.tables where table.refusal == nil {
      for quoted in [SQLText.quoted(name: table.name), "[\(table.name.uppercased())]"] {
        let text = "select count(*) from \(quoted)"
        #expect(try session(text).rows(text) == all.rows(text))
      }
    }
  }

  @Test(
    "nothing of a statement stays when it has ended, wherever it ended",
    arguments: [
      "select name from Person", "select name from Person order by name",
      "select name from Person order by name limit 3",
      "select max(age) from Person",
    ])
  func leftOvers(statement: String) throws {
    weak var realm: ReadTransaction?
    func run() throws {
      let open = try Realms.open("zoo.realm")
      realm = open
      #expect(try !SQLSession([SQLSource(name: nil, .realm(open))]).rows(statement).isEmpty)
    }
    try run()
    #expect(realm == nil)
  }
}
