// Where in a statement of SQL the cursor stands, and which tables the statement names. Only as much of the grammar as
// completion needs: what is wrong, SQLite says. Layer: RealmCommands, Shell, Completion.

import RealmQueryLanguage

/// The part of a statement that the cursor is in: a SELECT in parentheses is one of its own.
struct SQLPlace {
  typealias Words = ArraySlice<StatementPlace.Word>

  /// A table behind FROM or JOIN.
  struct NamedTable {
    let name: String
    /// What columns are told apart by; its name where it has no other.
    let alias: String
  }

  /// What stands before the cursor with a point.
  let path: [TypedStep]
  /// The last word that begins a clause; empty before the first one.
  let clause: String
  /// The word before `clause`, which `by` is told apart by.
  let leader: String
  /// What stands between the clause's word and the cursor.
  let behind: Words
  let tables: [NamedTable]
  /// The names that WITH gives to SELECTs.
  let commonTables: [String]

  /// `ahead` stands behind the cursor.
  init(words: Words, path: [TypedStep], ahead: [UInt8]) {
    self.path = path
    let starts = words.openBracketIndices.map { $0 + 1 }
    let start = starts.first { $0 < words.endIndex && SQLWords.beginnings.contains(words[$0].word) }
    let inner = words[(start ?? words.startIndex)...]
    let index = Self.clauseIndex(inner)
    clause = index.map { inner[$0].word } ?? ""
    leader = index.map { $0 > inner.startIndex ? inner[$0 - 1].word : "" } ?? ""
    behind = inner[(index.map { $0 + 1 } ?? inner.startIndex)...]
    let whole = Array(inner) + (StatementPlace(ahead)?.words ?? [])
    tables = Self.namedTables(whole)
    commonTables = words.first?.word == "with" ? Self.commonTables(words) : []
  }

  /// Whether a table is due where the clause names tables.
  var isBeforeTable: Bool { behind.last.map { $0.kind == .comma } ?? true }
  var isBehindOpening: Bool { behind.last?.kind == .openParenthesis }
  var isBehindClosing: Bool { behind.last?.kind == .closeParenthesis }

  /// Whether a value is due at the cursor.
  var isBeforeOperand: Bool {
    guard let last = behind.last else { return true }
    switch last.kind {
    case .star: return behind.dropLast().last.map { !$0.isBeforeValue && $0.kind != .dot } ?? false
    case .singleEqual, .doubleEqual, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .doubleBar:
      return true
    default: return last.isBeforeValue || Self.beforeOperands.contains(last.word)
    }
  }

  private static let clauses: Set<String> = [
    "select", "from", "join", "where", "on", "using", "by", "having", "limit", "offset", "union", "except",
    "intersect", "with", "values", "query", "plan",
  ]
  private static let beforeOperands: Set<String> = [
    "and", "or", "not", "in", "between", "like", "glob", "case", "when", "then", "else", "distinct", "is",
  ]

  /// What is closed already is passed over.
  private static func clauseIndex(_ words: Words) -> Int? {
    var rest = words
    while let last = rest.last {
      if last.kind == .closeParenthesis, let open = rest.dropLast().openBracketIndex {
        rest = rest[..<open]
        continue
      }
      if clauses.contains(last.word) { return rest.endIndex - 1 }
      rest = rest.dropLast()
    }
    return nil
  }

  private static func namedTables(_ words: [StatementPlace.Word]) -> [NamedTable] {
    var found: [NamedTable] = []
    var isInFrom = false
    for (index, word) in words.enumerated() {
      if clauses.contains(word.word) { isInFrom = word.word == "from" || word.word == "join" }
      let isBeforeTable = isInFrom && (clauses.contains(word.word) || word.kind == .comma)
      guard isBeforeTable, index + 1 < words.count, let name = name(words[index + 1]) else { continue }
      let rest = words[(index + 2)...]
      let alias = rest.first?.word == "as" ? rest.dropFirst().first : rest.first
      found.append(NamedTable(name: name, alias: alias.flatMap(Self.name) ?? name))
    }
    return found
  }

  /// The name that a word is, unless it goes on with the statement.
  private static func name(_ word: StatementPlace.Word) -> String? {
    if word.kind == .string { return String(word.text.dropFirst().dropLast()) }
    let goesOn =
      clauses.contains(word.word) || ["left", "inner", "cross", "order", "group"].contains(word.word)
    return word.kind == .word && !goesOn ? word.text : nil
  }

  private static func commonTables(_ words: Words) -> [String] {
    words.indices.dropFirst().dropLast()
      .filter { words[$0].word == "as" && words[$0 + 1].kind == .openParenthesis }
      .compactMap { name(words[$0 - 1]) }
  }
}
