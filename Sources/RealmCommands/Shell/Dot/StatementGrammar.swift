// The forms of statements, for `.help` and for realm-statements(7). Layer: RealmCommands, Shell, Dot.

import Arguments

/// What stands where in a statement, and what it does.
enum StatementGrammar {
  static let reading = [
    Explanation(
      "CLASS [where CONDITION] [CLAUSE…] [select COLUMN, …]", "objects; without where, all objects of a class"
    ),
    Explanation(
      "CLASS KEY", "one object by its primary key, and what it links to; CLASS @7 by its object key"),
    Explanation("sort(VALUE [asc|desc], …)", "a clause: the order; also order by VALUE [asc|desc], …"),
    Explanation("distinct(VALUE, …)", "a clause: only the first of each combination"),
    Explanation("limit(N), offset(N)", "clauses: at most N objects, after skipping N; also limit N offset N"),
    Explanation("VALUE [as NAME]", "a column: name, address.city, dogs.@count as dogs, @key"),
    Explanation("unnest(LIST) [as NAME]", "a column: the elements of a list, set or dictionary, a row each"),
    Explanation(
      "count CLASS [where CONDITION] [by VALUE, …]",
      "the number of objects, or of objects per group; by a list, an object counts once for each element"),
    Explanation(
      "AGGREGATE VALUE, … of CLASS [where CONDITION] [by VALUE, …]",
      "one row for all, or one per group: sum avg min max median stddev count, count distinct, percentile 90 VALUE"
    ),
    Explanation("having CONDITION", "a clause after by: only some groups"),
    Explanation("summarize CLASS", "each property: its minimum, maximum, mean and most frequent values"),
    Explanation(
      "select …; with …; values …;",
      "a statement of SQL, which goes on until ';': see 'realm-cli sql --help'"),
    Explanation("explain STATEMENT", "show how it would be answered"),
  ]

  static let objects = [
    Explanation(
      "insert CLASS { \"name\": VALUE, … }",
      "insert an object; [ {…}, {…} ] inserts several; consecutive inserts of a script may link to each other"
    ),
    Explanation(
      "insert into CLASS [(NAME, …)] values (VALUE, …), …",
      "insert objects as rows; without names, all properties"),
    Explanation("upsert CLASS { \"_id\": KEY, … }", "update the object with this primary key, or insert it"),
    Explanation(
      "update CLASS [where CONDITION] set NAME = VALUE, …",
      "change objects; values refer to the objects before the change; home.city sets a part of an embedded object"
    ),
    Explanation(
      "NAME += VALUE, NAME -= VALUE", "in set: add to a number, text, list or set, or take away from it"),
    Explanation("NAME = KEY", "in set: link to the object with this primary key, or @7 its object key"),
    Explanation("delete CLASS KEY, …", "delete objects by their primary keys, or @7 their object keys"),
    Explanation("delete CLASS [where CONDITION]", "delete objects, and the embedded objects they own"),
  ]

  static let transactions = [
    Explanation("begin", "start a transaction: the following changes are saved or discarded together"),
    Explanation("commit", "save the changes"),
    Explanation("rollback", "discard the changes"),
  ]

  static let classes = [
    Explanation(
      "create class CLASS [embedded] { PROPERTY, … }",
      "create a class; consecutive ones may link to each other"),
    Explanation(
      "NAME: TYPE [primary key] [indexed|fulltext]", "a property: _id: int primary key, nick: string? indexed"
    ),
    Explanation("alter class CLASS add PROPERTY", "add a property"),
    Explanation("alter class CLASS drop NAME", "remove a property and its values"),
    Explanation("alter class CLASS rename NAME to NAME", "rename a property"),
    Explanation(
      "alter class CLASS alter NAME required default VALUE", "make a property required (never null)"),
    Explanation("alter class CLASS alter NAME optional", "make a property optional (may be null)"),
    Explanation(
      "alter class CLASS add index NAME [fulltext]", "add an index for fast lookups; fulltext finds words"),
    Explanation("alter class CLASS drop index NAME", "remove the index"),
    Explanation(
      "alter class CLASS primary key NAME", "make this property the primary key; its values must be unique"),
    Explanation("alter class CLASS rename to CLASS", "rename the class"),
    Explanation("rename CLASS to CLASS", "rename a class"),
    Explanation("rename CLASS.NAME to NAME", "rename a property"),
    Explanation("drop class CLASS", "remove a class and all its objects"),
  ]

  static let types = [
    Explanation("bool int float double decimal128", "true or false; numbers"),
    Explanation("string data date objectId uuid", "text, bytes, a point in time, identifiers"),
    Explanation("mixed", "a value of any of these types, a link, a list or a dictionary"),
    Explanation("CLASS?", "a link to an object of a class, or an embedded object; null where there is none"),
    Explanation("TYPE?", "a value of TYPE, or null"),
    Explanation(
      "list<TYPE> set<TYPE> dictionary<TYPE>", "collections; the keys of a dictionary are texts"),
  ]

  /// The rows about statements that begin with `word`.
  static func rows(about word: String) -> [(String, String)] {
    let all = reading + objects + transactions + classes
    let found = all.filter { $0.name.split { !$0.isLetter }.first.map(String.init) == word }
    guard !found.isEmpty else { return [] }
    let isShaping = ["create", "alter"].contains(word)
    let parts = isShaping ? classes.filter { $0.name.hasPrefix("NAME:") } + types : []
    return (found + parts).map { ($0.name, $0.meaning) }
  }
}
