// The forms of statements, for `.help` and for realm-statements(7). Layer: RealmCommands, Shell.

import Arguments

/// What stands where in a statement, and what it does.
enum StatementGrammar {
  static let reading = [
    Explanation(
      "CLASS [where CONDITION] [CLAUSE…] [select COLUMN, …]", "objects; all of a class without where"),
    Explanation("sort(VALUE [asc|desc], …)", "a clause: their order"),
    Explanation("distinct(VALUE, …)", "a clause: only the first of each combination"),
    Explanation("limit(N), offset(N)", "clauses: so many of them, behind so many"),
    Explanation("VALUE [as NAME]", "a column: name, address.city, dogs.@count as dogs, @key"),
    Explanation(
      "count CLASS [where CONDITION] [by VALUE, …]", "how many there are, or how many of each group"),
    Explanation(
      "AGGREGATE VALUE, … of CLASS [where CONDITION] [by VALUE, …]",
      "one row of all, or one of each group: sum avg min max median stddev count, count distinct"),
    Explanation("having CONDITION", "a clause behind by: only some groups"),
    Explanation("summarize CLASS", "each property: its ends, mean and most frequent values"),
    Explanation("explain STATEMENT", "how it would be answered"),
  ]

  static let objects = [
    Explanation("insert CLASS { \"name\": VALUE, … }", "makes an object; [ {…}, {…} ] makes several"),
    Explanation("upsert CLASS { \"_id\": KEY, … }", "changes the object with this primary key, or makes it"),
    Explanation(
      "update CLASS [where CONDITION] set NAME = VALUE, …",
      "changes objects; values see them as they were before; home.city sets a part of them"),
    Explanation("delete CLASS [where CONDITION]", "removes objects, and the embedded ones they own"),
  ]

  static let transactions = [
    Explanation("begin", "what follows is kept or dropped together"),
    Explanation("commit", "keeps it"),
    Explanation("rollback", "drops it"),
  ]

  static let classes = [
    Explanation(
      "create class CLASS [embedded] { PROPERTY, … }",
      "makes a class; several in a row may link to each other"),
    Explanation(
      "NAME: TYPE [primary key] [indexed|fulltext]", "a property: _id: int primary key, nick: string? indexed"
    ),
    Explanation("alter class CLASS add PROPERTY", "gives it one more property"),
    Explanation("alter class CLASS drop NAME", "takes a property with all its values away"),
    Explanation("alter class CLASS rename NAME to NAME", "names a property anew"),
    Explanation("alter class CLASS alter NAME required default VALUE", "makes it one that is never null"),
    Explanation("alter class CLASS alter NAME optional", "makes it one that may be null"),
    Explanation(
      "alter class CLASS add index NAME [fulltext]", "looks values up faster; fulltext finds words"),
    Explanation("alter class CLASS drop index NAME", "does not any more"),
    Explanation("alter class CLASS primary key NAME", "finds objects by this property; its values differ"),
    Explanation("alter class CLASS rename to CLASS", "names the class anew"),
    Explanation("rename CLASS to CLASS", "the same"),
    Explanation("rename CLASS.NAME to NAME", "names a property anew"),
    Explanation("drop class CLASS", "removes a class with all its objects"),
  ]

  static let types = [
    Explanation("bool int float double decimal128", "true or false; numbers"),
    Explanation("string data date objectId uuid", "text, bytes, a point in time, identifiers"),
    Explanation("mixed", "a value of any of these types, a link, a list or a dictionary"),
    Explanation("CLASS?", "a link to an object of a class, or an embedded object; null where there is none"),
    Explanation("TYPE?", "the same, or null"),
    Explanation(
      "list<TYPE> set<TYPE> dictionary<TYPE>", "several of them; the keys of a dictionary are texts"),
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
