// What can stand at a place in a condition: operands, operators that fit the type of what stands before them, values.
// Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// Candidates inside `where …`.
struct ConditionCandidates {
  let names: SchemaNames
  let path: [TypedStep]
  let className: String

  typealias Words = ArraySlice<StatementPlace.Word>

  /// `words` stand between `where` and the cursor.
  func all(_ words: Words, whatFollows: [String]) -> [Candidate] {
    guard let last = words.last else { return operands(words) }
    if let indexed = words.indexedPath { return behindBracket(words, indexed) }
    if isOperator(words) { return values(words) }
    switch last.kind {
    case .openParenthesis, .doubleAmpersand, .doubleBar, .exclamation, .comma, .plus, .minus, .star, .slash,
      .percent, .doubleQuestion:
      return operands(words)
    case .word where Self.beforeOperands.contains(last.keyword):
      return last.keyword == .not ? behindNot(words) : operands(words)
    case .word where last.keyword == .is && operand(words.dropLast()) != nil:
      return Candidate.keywords(["null", "not null"])
    case .word, .atWord, .closeParenthesis, .closeBracket:
      guard let operand = operand(words), !hasOperator(words[..<operand.start]) else {
        return connectors(words, whatFollows)
      }
      return Candidate.keywords(operators(behind: end(of: operand.steps, words)))
    case .closeBrace, .argument: return connectors(words, whatFollows)
    default: return last.kind.isLiteral ? connectors(words, whatFollows) : []
    }
  }

  // MARK: Places

  private static let beforeOperands: Set<Keyword> = [.and, .or, .not, .any, .some, .all, .noneOf]

  /// The path that `words` end with.
  private func operand(_ words: Words) -> (steps: [TypedStep], start: Int)? {
    guard let last = words.last, !Self.beforeOperands.contains(last.keyword) else { return nil }
    let path = words.path(endingAt: words.endIndex)
    // The list of `in ['a']` is no index.
    return path.steps.isEmpty || isOperator(words[...path.start]) ? nil : path
  }

  /// Where a path leads. Inside `SUBQUERY(dogs, $d, …)` the variable `$d` stands for objects of another class.
  private func end(of path: [TypedStep], _ words: Words) -> PathEnd? {
    guard case .name(let variable)? = path.first, variable.hasPrefix("$"),
      let declaration = words.indices.last(where: {
        words[$0].text == variable && words.isDeclaration(at: $0)
      })
    else { return names.end(of: path, from: className) }
    let collection = words.path(endingAt: declaration - 1).steps
    guard let described = names.objects(at: end(of: collection, words[..<declaration])) else { return nil }
    return names.end(of: path.dropFirst(), from: described.name)
  }

  private func isOperator(_ words: Words) -> Bool { operatorIndex(words) != nil }

  /// Whether the comparison that `words` end in has its operator.
  private func hasOperator(_ words: Words) -> Bool {
    var rest = words
    while let last = rest.last {
      if isOperator(rest) { return true }
      switch last.kind {
      case .doubleAmpersand, .doubleBar, .openParenthesis, .openBrace, .openBracket, .comma: return false
      case .word where last.keyword == .and || last.keyword == .or: return false
      case .closeParenthesis, .closeBrace, .closeBracket:
        guard let open = rest.dropLast().openBracketIndex else { return false }
        rest = rest[..<open]
      default: rest = rest.dropLast()
      }
    }
    return false
  }

  /// The index of the operator that `words` end with; `[c]` belongs to the one before it.
  private func operatorIndex(_ words: Words) -> Int? {
    guard let last = words.last else { return nil }
    if last.kind == .closeBracket, let open = words.dropLast().openBracketIndex, words.endIndex - open == 3,
      ["c", "d", "cd", "dc"].contains(words[open + 1].word)
    {
      return operatorIndex(words[..<open])
    }
    switch last.kind {
    case .singleEqual, .doubleEqual, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return words.indices.last
    case .word:
      // A property may bear the name of an operator; one that stands behind an operand is none.
      guard last.keyword.isOperator, last.keyword != .is, words.count > 1,
        words[words.endIndex - 2].kind != .dot
      else { return nil }
      let before = words.dropLast()
      let isNegated = before.last?.keyword == .not && operand(before.dropLast()) != nil
      let isBehindOperand = isNegated || ![.and, .or, .not].contains(words[words.endIndex - 2].keyword)
      return isBehindOperand ? words.indices.last : nil
    default: return nil
    }
  }

  // MARK: Candidates

  private func operands(_ words: Words) -> [Candidate] {
    let found = PathCandidates(names: names, end: end(of: path, words)).all
    guard path.isEmpty else { return found }
    return found + Candidate.keywords(["any", "all", "none", "not", "subquery("]) + Candidate.functions
      + variables(words)
  }

  /// Those of the subqueries that the cursor is in.
  private func variables(_ words: Words) -> [Candidate] {
    words.openBracketIndices.filter { $0 > words.startIndex && words[$0 - 1].keyword == .subquery }
      .compactMap { open in (open..<words.endIndex).first { words.isDeclaration(at: $0) } }
      .map { Candidate(text: words[$0].text, suffix: ".") }
  }

  /// An index of a path, or the options of an operator.
  private func behindBracket(_ words: Words, _ indexed: [TypedStep]) -> [Candidate] {
    guard path.isEmpty else { return [] }
    if isOperator(words.dropLast()) { return ["c", "d", "cd"].map { Candidate(text: $0, suffix: "] ") } }
    return PathCandidates(names: names, end: end(of: indexed, words)).indices
  }

  private func behindNot(_ words: Words) -> [Candidate] {
    let before = words.dropLast()
    if before.last?.keyword == .is { return Candidate.keywords(["null"]) }
    guard let operand = operand(before) else { return operands(words) }
    let operators = operators(behind: end(of: operand.steps, words))
    return Candidate.keywords(operators.filter { Keyword(word: $0).isNegatable })
  }

  private func operators(behind end: PathEnd?) -> [String] {
    guard case .value(let type, let index)? = end else {
      if case .object? = end { return ["==", "!=", "in"] }
      return Self.orderOperators + Self.textOperators
    }
    let isNullable = type.collection == nil && (type.isOptional || type.type == .mixed)
    return operators(of: type) + (index == .fullText ? ["text"] : [])
      + (isNullable ? ["is null", "is not null"] : [])
  }

  private func operators(of type: PropertyType) -> [String] {
    switch type.type {
    case .string, .mixed: Self.orderOperators + Self.textOperators
    case .data: ["==", "!=", "in"] + Self.textOperators
    case .bool: ["==", "!="]
    case .object, .typedLink: ["==", "!=", "in"] + (isPlace(type) ? ["geowithin"] : [])
    default: Self.orderOperators
    }
  }

  /// Whether its objects are points of GeoJSON.
  private func isPlace(_ type: PropertyType) -> Bool {
    guard let described = type.target.flatMap({ names[$0] }), described.kind == .embedded else {
      return false
    }
    return Set(["type", "coordinates"]).isSubset(of: described.properties.map(\.name))
  }

  private static let orderOperators = ["==", "!=", "<", "<=", ">", ">=", "between", "in"]
  private static let textOperators = ["contains", "beginswith", "endswith", "like", "matches"]

  /// What can stand right of the operator that `words` end with.
  private func values(_ words: Words) -> [Candidate] {
    guard let index = operatorIndex(words) else { return [] }
    switch words[index].keyword {
    case .in, .between: return [Candidate(text: "{")]
    case .geoWithin: return Candidate.keywords(["geobox(", "geocircle(", "geopolygon("])
    default: break
    }
    let isNegated = index > words.startIndex && words[index - 1].keyword == .not
    let left = words.path(endingAt: isNegated ? index - 1 : index).steps
    let paths = PathCandidates(names: names, end: end(of: path, words)).all
    guard path.isEmpty, case .value(let type, _)? = end(of: left, words) else { return paths }
    let literals: [String] =
      (type.type == .bool ? ["true", "false"] : []) + (type.isOptional ? ["null"] : [])
    return Candidate.keywords(literals) + paths
  }

  private func connectors(_ words: Words, _ whatFollows: [String]) -> [Candidate] {
    Candidate.keywords(["and", "or"] + (words.openBracketIndex == nil ? whatFollows : []))
  }
}
