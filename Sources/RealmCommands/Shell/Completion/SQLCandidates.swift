// What can stand in a statement of SQL: tables, columns, functions and words. Layer: RealmCommands, Shell, Completion.

import ByteText
import RealmEngine
import RealmSQL

/// Candidates at a place of a statement.
struct SQLCandidates {
  let names: SchemaNames
  let place: SQLPlace

  /// Names that are written in quotes.
  private static let reserved: Set<String> = [
    "select", "from", "where", "group", "order", "by", "having", "limit", "offset", "join", "left", "on",
    "using", "as", "and", "or", "not", "in", "is", "null", "between", "like", "glob", "case", "when", "then",
    "else", "end", "distinct", "union", "all", "except", "intersect", "with", "recursive", "values", "over",
    "partition", "asc", "desc", "collate", "exists", "cast", "table", "index", "to", "set", "default",
  ]

  private static let functions = [
    "abs", "avg", "coalesce", "concat", "concat_ws", "count", "date", "datetime", "decimal_cmp",
    "decimal_sum", "format", "group_concat", "geo_within", "hex", "ifnull",
    "iif", "instr", "json_each", "json_extract", "json_group_array", "julianday", "lag", "lead", "length",
    "lower", "max", "median",
    "min", "nullif", "quote", "rank", "realm_link", "realm_type", "regexp", "replace", "round", "row_number",
    "stddev", "strftime", "string_agg",
    "substr", "sum", "time", "total", "trim", "typeof", "unixepoch", "upper",
  ]

  var all: [Candidate] {
    if !place.path.isEmpty { return place.clause == "from" ? [] : columnsBehindPoint.map(Self.name) }
    switch place.clause {
    case "from", "join":
      if place.isBehindOpening { return Candidate.keywords(["select"]) }
      return place.isBeforeTable ? tableNames.map(Self.name) : behindOperand(Self.behindTable)
    case "select": return place.isBeforeOperand ? operands : behindOperand(["as", "from"] + Self.operators)
    case "where": return place.isBeforeOperand ? operands : behindOperand(Self.operators + Self.endings)
    case "on":
      return place.isBeforeOperand ? operands : behindOperand(Self.operators + Self.joins + ["where"])
    case "having":
      return place.isBeforeOperand ? operands : behindOperand(Self.operators + ["order by", "limit"])
    case "by": return place.isBeforeOperand ? operands : behindOperand(behindKey)
    case "using":
      return place.isBeforeOperand ? columnsInScope.map(Self.name) : behindOperand(Self.behindTable)
    case "limit": return place.behind.isEmpty ? [] : Candidate.keywords(["offset"])
    case "union", "except", "intersect":
      return Candidate.keywords(["select", "values"] + (place.behind.isEmpty ? ["all"] : []))
    case "with":
      return Candidate.keywords(
        place.behind.isEmpty
          ? ["recursive"] : place.isBehindClosing ? ["select"] : ["as ("])
    case "query": return Candidate.keywords(["plan"])
    case "plan": return Candidate.keywords(["select", "with", "values"])
    default: return []
    }
  }

  // MARK: Words

  private static let operators = [
    "and", "or", "not", "in (", "is null", "is not null", "between", "like", "glob", "collate nocase",
    "over (", "union", "union all", "except", "intersect",
  ]
  private static let endings = ["group by", "order by", "limit"]
  private static let joins = ["join", "left join"]
  private static let behindTable =
    ["as"] + joins + ["on", "using (", "where", "union", "union all", "except", "intersect"] + endings

  private var behindKey: [String] {
    switch place.leader {
    case "group": ["having", "order by", "limit"]
    case "partition": ["order by"]
    default: ["asc", "desc", "collate nocase", "limit"]
    }
  }

  /// Behind AS a new name is due, which nobody knows.
  private func behindOperand(_ words: some Sequence<String>) -> [Candidate] {
    if place.behind.last?.word == "as" { return [] }
    let isInCase =
      place.behind.lastIndex { $0.word == "case" || $0.word == "end" }
      .map { place.behind[$0].word == "case" } ?? false
    return Candidate.keywords(Array(words) + (isInCase ? ["when", "then", "else", "end"] : []))
  }

  private var operands: [Candidate] {
    let isFirst = place.isBehindOpening || place.clause == "select" && place.behind.isEmpty
    let words =
      ["case", "not", "null", "exists (", "cast ("] + (isFirst ? ["distinct"] : [])
      + (place.isBehindOpening ? ["select", "partition by", "order by"] : [])
    let aliases = place.tables.map { Candidate(text: Self.spelled($0.alias), suffix: ".") }
    return columnsInScope.map(Self.name) + aliases
      + Self.functions.map { Candidate(text: "\($0)(", suffix: "") } + Candidate.keywords(words)
  }

  private static func name(_ name: String) -> Candidate { Candidate(text: spelled(name)) }

  // MARK: Tables

  /// Classes with their side tables.
  private var tableNames: [String] {
    place.commonTables
      + names.classes.flatMap { described in
        [described.name] + sideTables(of: described).map { Self.sideTable(of: described, $0) }
      }
  }

  private func sideTables(of described: ClassDefinition) -> [PropertyDefinition] {
    described.properties.filter { property in
      property.type.collection != nil && property.type.target.flatMap { names[$0] }?.kind != .embedded
    }
  }

  private static func sideTable(of described: ClassDefinition, _ property: PropertyDefinition) -> String {
    "\(described.name)_\(property.name)"
  }

  /// Nil for a table that the realm does not have.
  private func columns(ofTable name: String) -> [String]? {
    let wanted = name.lowercased()
    for described in names.classes {
      if described.name.lowercased() == wanted { return columns(of: described) }
      let side = sideTables(of: described).first { Self.sideTable(of: described, $0).lowercased() == wanted }
      if let side { return ["owner", side.type.collection == .dictionary ? "key" : "position", "value"] }
    }
    return nil
  }

  private func columns(of described: ClassDefinition) -> [String] {
    let owner = described.kind == .embedded ? ["owner"] : []
    return described.properties.map(\.name) + owner + ["_key"]
  }

  /// Of the tables that the statement names; of all as long as it names none.
  private var columnsInScope: [String] {
    let known = place.tables.compactMap { columns(ofTable: $0.name) }
    return known.isEmpty ? names.classes.flatMap { columns(of: $0) } : known.flatMap { $0 }
  }

  private var columnsBehindPoint: [String] {
    guard place.path.count == 1, case .name(let alias)? = place.path.first else { return columnsInScope }
    let named = place.tables.first { $0.alias.lowercased() == alias.lowercased() }
    return columns(ofTable: named?.name ?? alias) ?? columnsInScope
  }

  /// As SQL takes it.
  private static func spelled(_ name: String) -> String {
    return name.utf8.allSatisfy(\.isNameByte) && name.first?.isNumber == false
      && !reserved.contains(name.lowercased())
      ? name : SQLText.quoted(name: name)
  }
}
