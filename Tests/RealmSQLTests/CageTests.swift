// Statements of SQL can do nothing but read the realms and files that they were given.

import RealmEngine
import RealmSQL
import Testing

@Suite("What SQL cannot do")
struct CageTests {
  @Test(
    "statements stay in their cage",
    arguments: [
      "attach 'x.db' as x", "detach main", "create table t(a)", "create temp table t(a)", "drop table Person",
      "insert into Person(name) values('x')", "update Person set age = 1", "delete from Person", "begin",
      "pragma journal_mode=delete", "pragma writable_schema=1", "pragma user_version=3",
      "update sqlite_master set sql = ''",
      "pragma mmap_size=0", "pragma query_only", "pragma foreign_keys=1", "select * from pragma_user_version",
      "pragma temp_store_directory='/tmp'",
      "vacuum",
      "vacuum into 'x.db'", "analyze", "select load_extension('x')",
      "select readfile('/etc/passwd')",
      "select writefile('x', 'y')", "select fts3_tokenizer('simple')", "select edit('x')",
      "create virtual table v using fts5(a)", "create view v as select 1",
    ])
  func refused(text: String) throws {
    #expect(try Realms.session("zoo.realm").refusal(text) != nil)
  }

  @Test(
    "what only tells of tables is allowed",
    arguments: [
      "pragma table_info(Person)", "select name from pragma_table_xinfo('Person')", "pragma table_list",
      "select name from pragma_function_list", "select value from json_each('[1]')", "pragma database_list",
      "select name from sqlite_schema",
    ])
  func allowed(text: String) throws {
    #expect(try !Realms.session("zoo.realm").rows(text).isEmpty)
  }

  @Test(
    "a time limit ends what would take for ever",
    arguments: [
      "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
      "select count(*) from Person a, Person b, Person c, Person d, Person e, Person f, Person g, Person h, Person i",
    ])
  func timeLimit(text: String) throws {
    let start = SystemClock.nanoseconds
    let limits = SQLLimits(endNanoseconds: start + 50_000_000)
    let session = try SQLSession(
      [SQLSource(name: nil, .realm(try Realms.open("zoo.realm")))], limits)
    // A statement that is over before its time shows nothing.
    if session.refusal(text) != nil { #expect(SystemClock.nanoseconds - start < 40_000_000_000) }
  }

  @Test(
    "what is too long is refused",
    arguments: ["select zeroblob(2000000000)", "select hex(zeroblob(900000000))"])
  func tooLong(text: String) throws {
    #expect(try Realms.session("zoo.realm").refusal(text) != nil)
  }
}
