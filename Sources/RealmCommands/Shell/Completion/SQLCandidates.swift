// What can stand in a statement of SQL: tables, columns, functions and words. Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmSQL

/// Where exactly each may stand only SQLite knows, so all of them are offered everywhere.
struct SQLCandidates {
  let names: SchemaNames

  private static let words = [
    "select", "from", "where", "group by", "order by", "having", "limit", "offset", "join", "left join", "on",
    "using",
    "as", "and", "or", "not", "in", "is null", "is not null", "between", "like", "glob", "case", "when",
    "then", "else",
    "end", "distinct", "union", "union all", "except", "intersect", "with", "recursive", "values", "over",
    "partition by", "asc", "desc", "collate nocase", "exists", "cast",
  ]

  private static let functions = [
    "abs", "avg", "coalesce", "count", "date", "datetime", "format", "group_concat", "geo_within", "hex",
    "ifnull",
    "iif", "instr", "json_each", "json_extract", "json_group_array", "julianday", "lag", "lead", "length",
    "lower", "max",
    "min", "nullif", "quote", "rank", "realm_link", "realm_type", "replace", "round", "row_number",
    "strftime",
    "substr", "sum", "time", "total", "trim", "typeof", "unixepoch", "upper",
  ]

  var all: [Candidate] {
    var columns: Set<String> = ["_key"]
    var tables: [String] = []
    for described in names.classes {
      tables.append(described.name)
      for property in described.properties {
        columns.insert(property.name)
        if property.type.collection != nil { tables.append("\(described.name)_\(property.name)") }
      }
    }
    return (tables + columns.sorted()).map { Candidate(text: Self.spelled($0)) }
      + Self.functions.map { Candidate(text: "\($0)(", suffix: "") } + Candidate.keywords(Self.words)
  }

  /// As SQL takes it.
  private static func spelled(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || $0 >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    return isPlain && name.first?.isNumber == false && !words.contains(name.lowercased())
      ? name : SQLText.quoted(name: name)
  }
}
