// What can stand at a place in a statement. Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// Candidates for the word behind `place`.
struct StatementCandidates {
  let names: SchemaNames
  let place: StatementPlace
  /// What stands behind the cursor; only SQL looks there, whose tables come after their columns.
  var ahead: [UInt8] = []

  private typealias Words = ArraySlice<StatementPlace.Word>

  private var path: [TypedStep] { place.path }

  var all: [Candidate] {
    let words = place.words[...]
    guard let first = words.first else { return beginnings }
    let rest = words.dropFirst()
    switch first.word {
    case "count" where isCountOfClass(rest):
      let columns: [Candidate] = rest.isEmpty ? Candidate.keywords(["distinct", "of"]) : []
      return selection(rest, clauses: ["by"]) + columns
    case "select", "with", "values", "pragma", "query":
      return SQLCandidates(names: names, place: SQLPlace(words: words, path: path, ahead: ahead)).all
    case "summarize": return selection(rest, clauses: [])
    case "delete":
      return (rest.isEmpty && path.isEmpty ? Candidate.keywords(["from"]) : [])
        + selection(rest.withoutLead("from"), clauses: [])
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
    guard ["insert", "upsert"].contains(words.first?.word) else { return [] }
    let target = words.dropFirst().withoutLead("into")
    guard let className = target.first?.text else { return [] }
    return DocumentCandidates(names: names, className: className).keys(target.dropFirst())
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

  /// Whether what follows `count` is the class that is counted, or may become it.
  private func isCountOfClass(_ rest: Words) -> Bool {
    guard let next = rest.first else { return path.isEmpty }
    return next.kind != .comma && next.word != "distinct" && !rest.contains { $0.word == "of" }
  }

  private func aggregate(_ rest: Words) -> [Candidate] {
    if let index = rest.firstIndex(where: { $0.word == "of" }) {
      return selection(rest[(index + 1)...], clauses: ["by"])
    }
    if rest.last?.kind == .comma { return Candidate.keywords(AggregateFunction.allCases.map(\.rawValue)) }
    let lead = (rest.last ?? place.words.first)?.word ?? ""
    let isCounting = lead == "count" || lead == "distinct"
    guard isCounting || StatementWords.aggregates.contains(lead) else {
      return Candidate.keywords(["of", "as"])
    }
    guard path.isEmpty else { return names.classes.flatMap { paths(of: $0.name) } }
    let columns = names.classes.flatMap(\.properties).filter { isCounting || $0.type.type.isOrdered }
    return columns.map { Candidate(text: spelledName($0.name, as: .property)) }
      + Candidate.keywords(lead == "count" ? ["of", "distinct"] : [])
  }

  private func insertion(_ rest: Words) -> [Candidate] {
    let target = rest.withoutLead("into")
    guard let named = target.first else {
      return path.isEmpty ? classes + Candidate.keywords(rest.isEmpty ? ["into"] : []) : []
    }
    let behind = target.dropFirst()
    if behind.isEmpty { return [Candidate(text: "{")] }
    if behind.openBracketIndices.last.map({ behind[$0].kind == .openParenthesis }) ?? false {
      let isList = !behind.contains { $0.word == "values" } && behind.last?.isBeforeValue ?? false
      return isList && path.isEmpty ? properties(of: named.text) : []
    }
    if behind.last?.kind == .closeParenthesis, !behind.contains(where: { $0.word == "values" }) {
      return Candidate.keywords(["values ("])
    }
    return documentKeys
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
    if rest.isEmpty {
      guard let named = path.first else { return classes }
      guard path.count == 1, case .name(let className) = named else { return [] }
      return properties(of: className)
    }
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

  private static let orderings = ["sort(", "order by", "distinct(", "limit(", "offset("]

  /// `Person where … sort(…)`, then the clauses that this statement has.
  private func selection(_ words: Words, clauses: [String]) -> [Candidate] {
    guard let named = words.first else { return path.isEmpty ? classes : [] }
    let rest = words.dropFirst()
    let others = Self.orderings + clauses
    if rest.isEmpty { return path.isEmpty ? Candidate.keywords(["where"] + others) : [] }
    if let open = rest.openBracketIndices.first(where: { $0 > rest.startIndex && isOrdering(rest[$0 - 1]) }) {
      let word = rest[open - 1]
      if word.keyword == .limit || word.word == "offset" { return [] }
      let directions = word.keyword == .sort ? ["asc", "desc"] : []
      return ordered(rest[(open + 1)...], before: rest[..<(open - 1)], of: named.text, then: directions)
    }
    let clause = rest.indices.last { isClause(at: $0, in: rest) }
    let behind = rest[(clause.map { $0 + 1 } ?? rest.startIndex)...]
    let unused = ["where"].filter { word in !rest.contains { $0.word == word } }
    switch clause.map({ rest[$0].word }) {
    case "by" where isOrderBy(at: behind.startIndex - 1, in: rest):
      let before = rest[..<(behind.startIndex - 2)]
      let isGrouped = groupNames(before) != nil
      return ordered(
        behind, before: before, of: named.text,
        then: ["asc", "desc"] + (isGrouped ? [] : unused) + others.filter { $0 != "order by" })
    case "select", "by":
      if isBeforeValue(behind) { return values(behind: behind, of: named.text) }
      let following =
        unused
        + (clauses.contains("by") ? ["having"] + Self.orderings.filter { $0 != "distinct(" } : Self.orderings)
      return Candidate.keywords(behind.last?.kind == .closeParenthesis ? following : ["as"] + following)
    case "having":
      if behind.last?.isBeforeValue ?? true { return groupNames(rest) ?? [] }
      return Candidate.keywords(["==", ">", "<", "and", "or"] + Self.orderings.filter { $0 != "distinct(" })
    case "set":
      return AssignmentCandidates(names: names, path: path, className: named.text)
        .all(behind, whatFollows: Self.orderings)
    case "where":
      return ConditionCandidates(names: names, path: path, className: named.text).all(
        behind, whatFollows: others)
    default: return path.isEmpty ? Candidate.keywords(unused + others) : []
    }
  }

  private func isOrdering(_ word: StatementPlace.Word) -> Bool {
    [.sort, .distinct, .limit].contains(word.keyword) || word.word == "offset"
  }

  private func isClause(at index: Int, in words: Words) -> Bool {
    let isName = index > words.startIndex && words[index - 1].kind == .dot
    return !isName && ["where", "select", "set", "by", "having"].contains(words[index].word)
  }

  private func isOrderBy(at index: Int, in words: Words) -> Bool {
    index > words.startIndex && words[index].word == "by" && words[index - 1].word == "order"
  }

  private func isBeforeValue(_ words: Words) -> Bool {
    words.indexedPath != nil || words.last?.isBeforeValue ?? true
  }

  /// What objects or groups are ordered by, and what stands behind that.
  private func ordered(
    _ words: Words, before: Words, of className: String, then following: [String]
  ) -> [Candidate] {
    guard !isBeforeValue(words) else { return groupNames(before) ?? values(behind: words, of: className) }
    let directions = ["asc", "desc"]
    let isDirected = directions.contains(words.last?.word ?? "")
    return path.isEmpty
      ? Candidate.keywords(following.filter { !isDirected || !directions.contains($0) }) : []
  }

  /// What the groups of a statement with BY can be sorted by: the names of its items, and what is calculated. Nil where
  /// there are no groups.
  private func groupNames(_ words: Words) -> [Candidate]? {
    let grouping = words.indices.first { words[$0].word == "by" && !isOrderBy(at: $0, in: words) }
    guard let grouping, let first = place.words.first else { return nil }
    let items = words[(grouping + 1)...].prefix {
      !isOrdering($0) && $0.word != "having" && $0.word != "order"
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
    let begun = path.map { step -> String in if case .name(let name) = step { "\(name)." } else { "" } }
      .joined()
    return all.filter { $0.hasPrefix(begun) }
      .map { Candidate(text: String($0.dropFirst(begun.count))) }
  }

  private func properties(of className: String) -> [Candidate] {
    (names[className]?.properties ?? []).map {
      Candidate(text: spelledName($0.name, as: .property))
    }
  }

  /// Where a name has been begun, nothing but its properties can follow.
  private var functions: [Candidate] { path.isEmpty ? Candidate.functions : [] }

  /// An index of the path that `words` end with, or a value.
  private func values(behind words: Words, of className: String) -> [Candidate] {
    guard let indexed = words.indexedPath else { return paths(of: className) + functions }
    return path.isEmpty
      ? PathCandidates(names: names, className: className, path: indexed).indices : []
  }

  private func paths(of className: String) -> [Candidate] {
    PathCandidates(names: names, className: className, path: path).all
  }
}

extension ArraySlice<StatementPlace.Word> {
  /// Without the word that SQL has before a class: `into` of `insert into Person`. Alone it may still become that.
  fileprivate func withoutLead(_ word: String) -> Self {
    guard first?.word == word, dropFirst().first.map({ $0.kind == .word }) ?? true else { return self }
    return dropFirst()
  }
}
