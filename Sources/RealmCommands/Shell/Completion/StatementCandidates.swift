// What can stand at a place in a statement. Layer: RealmCommands, Shell, Completion.

import ByteText
import RealmEngine
import RealmQueryLanguage
import TextFormats

/// Candidates for the word behind `place`; `path` are the names that stand before it with dots: `owner.` is ["owner"].
struct StatementCandidates {
  let names: SchemaNames
  let place: StatementPlace
  let path: [String]

  private typealias Words = ArraySlice<StatementPlace.Word>

  var all: [Candidate] {
    let words = place.words[...]
    guard let first = words.first else { return beginnings }
    let rest = words.dropFirst()
    switch first.word {
    case "count" where rest.first?.kind != .comma && !rest.contains { $0.word == "of" }:
      let columns: [Candidate] = rest.isEmpty ? Candidate.keywords(["distinct", "of"]) : []
      return selection(rest, clauses: ["by"]) + columns
    case "select", "with", "values", "query": return SQLCandidates(names: names).all
    case "summarize": return selection(rest, clauses: [])
    case "delete": return selection(rest, clauses: [])
    case "update": return selection(rest, clauses: ["set"])
    case "insert", "upsert": return insertion(rest)
    case "create": return creation(rest)
    case "alter": return alteration(rest)
    case "rename": return renaming(rest)
    case "drop": return dropping(rest)
    case "begin", "commit", "rollback": return []
    case _ where StatementWords.aggregates.contains(first.word): return aggregate(rest)
    default: return selection(words, clauses: ["select"])
    }
  }

  /// The keys that an object to insert can have, as they stand in JSON.
  var documentKeys: [Candidate] {
    let words = place.words[...]
    guard ["insert", "upsert"].contains(words.first?.word), words.count > 2,
      [.openBrace, .comma].contains(words.last?.kind), let named = names[words[words.startIndex + 1].text]
    else { return [] }
    return named.properties.map { property in
      var key = ByteBuffer()
      key.append(jsonString: property.name)
      return Candidate(text: key.text, suffix: ": ")
    }
  }

  private var beginnings: [Candidate] { Candidate.keywords(StatementWords.offered) + classes }

  private var classes: [Candidate] {
    names.classes.map { Candidate(text: spelledName($0.name, as: .className)) }
  }

  private var types: [Candidate] {
    Candidate.keywords(StatementWords.types).map { Candidate(text: $0.text, suffix: "") }
      + names.classes.map { Candidate(text: spelledName($0.name, as: .type)) }
  }

  // MARK: Statements

  private func aggregate(_ rest: Words) -> [Candidate] {
    if let index = rest.firstIndex(where: { $0.word == "of" }) {
      return selection(rest[(index + 1)...], clauses: ["by"])
    }
    if rest.last?.kind == .comma { return Candidate.keywords(AggregateFunction.allCases.map(\.rawValue)) }
    let isBeforePath = rest.last.map { StatementWords.aggregates.contains($0.word) || $0.word == "distinct" }
    guard isBeforePath ?? true else { return Candidate.keywords(["of", "as"]) }
    let numbers = names.classes.flatMap(\.properties).filter { $0.type.type.isOrdered }
    return numbers.map { Candidate(text: spelledName($0.name, as: .property)) }
  }

  private func insertion(_ rest: Words) -> [Candidate] {
    guard rest.count >= 1 else { return classes }
    return rest.count == 1 ? [Candidate(text: "{")] : documentKeys
  }

  private func dropping(_ rest: Words) -> [Candidate] {
    switch rest.count {
    case 0: Candidate.keywords(["class"])
    case 1: classes
    case 2: Candidate.keywords(["empty"])
    default: []
    }
  }

  /// A class, or a property behind its class and a point.
  private func renaming(_ rest: Words) -> [Candidate] {
    if rest.isEmpty { return path.isEmpty ? classes : path.count == 1 ? properties(of: path[0]) : [] }
    let isNamed = rest.count == 1 || rest.count == 3 && rest[rest.startIndex + 1].kind == .dot
    return isNamed ? Candidate.keywords(["to"]) : []
  }

  private func creation(_ rest: Words) -> [Candidate] {
    guard let last = rest.last else { return Candidate.keywords(["class"]) }
    if rest.openBracketIndex == nil {
      return rest.count == 2 ? Candidate.keywords(["embedded", "{"]) : []
    }
    switch last.kind {
    case .colon, .less:
      return types
    case .word, .question, .greater: return Candidate.keywords(["primary key", "indexed", "fulltext"])
    default: return []
    }
  }

  private func alteration(_ rest: Words) -> [Candidate] {
    guard rest.count >= 2 else {
      guard let what = rest.first?.word else { return Candidate.keywords(["class", "schema version"]) }
      return what == "class" ? classes : []
    }
    let className = rest[rest.startIndex + 1].text
    let clause = rest.dropFirst(2)
    let properties = self.properties(of: className)
    guard let verb = clause.first?.word else {
      return Candidate.keywords(["add", "drop", "rename", "alter", "primary key", "embedded", "object"])
    }
    switch (verb, clause.count) {
    case ("add", 1): return Candidate.keywords(["index"])
    case ("drop", 1): return Candidate.keywords(["index"]) + properties
    case ("rename", 1): return Candidate.keywords(["to"]) + properties
    case ("rename", 2): return Candidate.keywords(["to"])
    case ("alter", 1): return properties
    case ("alter", 2): return Candidate.keywords(["required", "optional", "to"])
    case ("alter", 3) where clause.last?.word == "to": return types
    case ("alter", 3): return Candidate.keywords(["default", "nulls"])
    case ("primary", 3): return Candidate.keywords(["duplicates"])
    case ("primary", 1): return Candidate.keywords(["key"])
    case ("primary", 2): return properties
    case ("add", 2) where clause.last?.word == "index": return properties
    case ("drop", 2) where clause.last?.word == "index": return properties
    case _ where clause.last?.kind == .colon:
      return types
    default: return []
    }
  }

  // MARK: Selections

  /// `Person where … sort(…)`, then the clauses that this statement has.
  private func selection(_ words: Words, clauses: [String]) -> [Candidate] {
    guard let named = words.first else { return classes }
    let rest = words.dropFirst()
    let orderings = ["sort(", "distinct(", "limit("]
    if rest.isEmpty { return Candidate.keywords(["where"] + orderings + clauses) }
    if let open = rest.openBracketIndex, open > rest.startIndex,
      [.sort, .distinct, .limit].contains(rest[open - 1].keyword)
    {
      let names = groupNames(rest[..<(open - 1)]) ?? paths(of: named.text) + functions
      return ordering(rest[(open + 1)...], rest[open - 1].keyword, among: names)
    }
    let clause = rest.lastIndex { ["where", "select", "set", "by", "having"].contains($0.word) }
    let behind = rest[(clause.map { $0 + 1 } ?? rest.startIndex)...]
    switch clause.map({ rest[$0].word }) {
    case "select", "by":
      if behind.last?.isBeforeValue ?? true { return paths(of: named.text) + functions }
      let used = Set(rest.map(\.word))
      let others =
        ["where"].filter { !used.contains($0) }
        + (clauses.contains("by") ? ["having", "sort(", "limit(", "offset("] : orderings)
      return Candidate.keywords(behind.last?.kind == .closeParenthesis ? others : ["as"] + others)
    case "having":
      if behind.last?.isBeforeValue ?? true { return groupNames(rest) ?? [] }
      return Candidate.keywords(["==", ">", "<", "and", "or", "sort(", "limit(", "offset("])
    case "set": return assignment(behind, of: named.text)
    case "where":
      return ConditionCandidates(names: names, path: path, className: named.text).all(
        behind, whatFollows: orderings + clauses)
    default: return Candidate.keywords(orderings + clauses)
    }
  }

  private func ordering(_ words: Words, _ keyword: Keyword, among names: [Candidate]) -> [Candidate] {
    if keyword == .limit { return [] }
    if words.last?.isBeforeValue ?? true { return names }
    return keyword == .sort ? Candidate.keywords(["asc", "desc"]) : []
  }

  /// What the groups of a statement with BY can be sorted by: the names of its items, and what is calculated. Nil where
  /// there are no groups.
  private func groupNames(_ words: Words) -> [Candidate]? {
    guard let by = words.lastIndex(where: { $0.word == "by" }), let first = place.words.first else {
      return nil
    }
    let items = words[(by + 1)...].prefix {
      ![.sort, .distinct, .limit].contains($0.keyword) && $0.word != "having" && $0.word != "offset"
    }
    func names(_ items: Words, separator: String) -> [String] {
      items.split { $0.kind == .comma }.map { item in
        let alias = item.lastIndex { $0.word == "as" }.map { item[($0 + 1)...] }
        return (alias ?? item).map(\.text).joined(separator: separator)
      }
    }
    let keys = names(items, separator: "")
    let calculated = place.words.firstIndex { $0.word == "of" }.map {
      names(place.words[..<$0], separator: " ")
    }
    let all = keys + (calculated ?? [first.word])
    let begun = path.map { "\($0)." }.joined()
    return all.filter { $0.hasPrefix(begun) }
      .map { Candidate(text: String($0.dropFirst(begun.count))) }
  }

  private func assignment(_ words: Words, of className: String) -> [Candidate] {
    guard let last = words.last else { return targets(of: className) }
    let names = properties(of: className)
    switch last.kind {
    case .comma where words.openBracketIndex == nil: return targets(of: className)
    case .word, .openParenthesis, .closeParenthesis:
      return last.kind == .openParenthesis ? names + functions : []
    default: return last.kind.isLiteral ? [] : names + functions
    }
  }

  /// Properties that can be set.
  private func targets(of className: String) -> [Candidate] {
    properties(of: className).map { Candidate(text: $0.text, suffix: " = ") }
  }

  private func properties(of className: String) -> [Candidate] {
    (names[className]?.properties ?? []).map {
      Candidate(text: spelledName($0.name, as: .property))
    }
  }

  /// Where a name has been begun, nothing but its properties can follow.
  private var functions: [Candidate] { path.isEmpty ? Candidate.functions : [] }

  private func paths(of className: String) -> [Candidate] {
    PathCandidates(names: names, className: className, path: path).all
  }
}

extension ValueType {
  /// Whether values of this type are smaller or larger than others.
  var isOrdered: Bool { isNumber || self == .date }
}
