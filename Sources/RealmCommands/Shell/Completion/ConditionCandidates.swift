// What can stand at a place in a condition: operands, operators that fit the type of what stands before them, values.
// Layer: RealmCommands, Shell, Completion.

import RealmEngine
import RealmQueryLanguage

/// Candidates inside `where …`.
struct ConditionCandidates {
  let names: SchemaNames
  let path: [String]
  let className: String

  typealias Words = ArraySlice<StatementPlace.Word>

  /// `words` stand between `where` and the cursor.
  func all(_ words: Words, whatFollows: [String]) -> [Candidate] {
    let scope = scope(words)
    guard let last = words.last else { return operands(scope) }
    if isOperator(words) { return values(words, scope) }
    switch last.kind {
    case .openParenthesis, .doubleAmpersand, .doubleBar, .exclamation, .comma, .plus, .minus, .star, .slash:
      return operands(scope)
    case .closeParenthesis, .closeBrace, .closeBracket, .argument: return connectors(words, whatFollows)
    case .word where [.and, .or, .not, .any, .some, .all, .noneOf].contains(last.keyword):
      return operands(scope)
    case .word, .atWord:
      if isValue(words) { return connectors(words, whatFollows) }
      return Candidate.keywords(operators(behind: words.path(endingAt: words.endIndex), scope))
    default: return last.kind.isLiteral ? connectors(words, whatFollows) : []
    }
  }

  // MARK: Places

  /// Inside `SUBQUERY(dogs, $d, …)` the variable `$d` stands for objects of another class.
  private func scope(_ words: Words) -> String {
    guard let variable = path.first ?? words.path(endingAt: words.endIndex).first, variable.hasPrefix("$"),
      let index = words.lastIndex(where: { $0.text == variable && $0.kind == .word }),
      let declaration = words[...index].firstIndex(where: { $0.text == variable }),
      declaration - 1 >= words.startIndex, words[declaration - 1].kind == .comma
    else { return className }
    return names.target(words.path(endingAt: declaration - 1), of: className)?.name ?? className
  }

  private func relative(_ path: [String]) -> [String] {
    path.first.map { $0.hasPrefix("$") } ?? false ? Array(path.dropFirst()) : path
  }

  private func isOperator(_ words: Words) -> Bool { operatorIndex(words) != nil }

  /// Whether the last word is the right side of a comparison.
  private func isValue(_ words: Words) -> Bool {
    let end = words.endIndex - (words.path(endingAt: words.endIndex).count * 2 - 1)
    return isOperator(words[words.startIndex..<max(words.startIndex, end)])
  }

  /// The index of the last word where it is an operator; `[c]` belongs to the one before it.
  private func operatorIndex(_ words: Words) -> Int? {
    guard let last = words.last else { return nil }
    if last.kind == .closeBracket, let open = words.dropLast().lastIndex(where: { $0.kind == .openBracket }),
      operatorIndex(words[words.startIndex..<open]) != nil
    {
      return words.indices.last
    }
    switch last.kind {
    case .singleEqual, .doubleEqual, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      return words.indices.last
    case .word:
      let wordOperators: Set<Keyword> = [
        .in, .beginsWith, .endsWith, .contains, .like, .matches, .text, .between, .geoWithin,
      ]
      // A property may bear the name of an operator; one that stands behind an operand is none.
      guard wordOperators.contains(last.keyword), words.count > 1,
        words[words.endIndex - 2].kind != .dot
      else { return nil }
      let isBehindOperand = ![.and, .or, .not].contains(words[words.endIndex - 2].keyword)
      return isBehindOperand ? words.indices.last : nil
    default: return nil
    }
  }

  // MARK: Candidates

  private func operands(_ scope: String) -> [Candidate] {
    let found = PathCandidates(names: names, className: scope, path: relative(path)).all
    guard path.isEmpty else { return found }
    return found + Candidate.keywords(["any", "all", "none", "not", "subquery(", "@links"])
      + Candidate.functions
  }

  private func operators(behind path: [String], _ scope: String) -> [String] {
    if path.last?.hasPrefix("@") ?? false { return Self.orderOperators }
    guard let property = names.property(relative(path), of: scope) else {
      return path.isEmpty ? [] : ["==", "!="]
    }
    switch property.type.type {
    case .string:
      let words = ["==", "!=", "contains", "beginswith", "endswith", "like", "in", "<", "<=", ">", ">="]
      return property.index == .fullText ? words + ["text"] : words
    case .data: return ["==", "!=", "contains", "beginswith", "endswith", "in"]
    case .bool: return ["==", "!="]
    case .object, .typedLink: return ["==", "!=", "in"]
    case .mixed: return Self.orderOperators + ["contains", "beginswith", "endswith", "like"]
    default: return Self.orderOperators
    }
  }

  private static let orderOperators = ["==", "!=", "<", "<=", ">", ">=", "between", "in"]

  /// What can stand right of the operator that `words` end with.
  private func values(_ words: Words, _ scope: String) -> [Candidate] {
    if words.last?.keyword == .in || words.last?.keyword == .between { return [Candidate(text: "{")] }
    var end = words.endIndex - 1
    if words.last?.kind == .closeBracket, let open = words.lastIndex(where: { $0.kind == .openBracket }) {
      end = open - 1
    }
    let left = names.property(relative(words.path(endingAt: end)), of: scope)?.type
    var literals = left?.type == .bool ? ["true", "false"] : []
    if left?.isOptional ?? false { literals.append("null") }
    let paths = PathCandidates(names: names, className: scope, path: relative(path)).all
    return (path.isEmpty ? Candidate.keywords(literals) : []) + paths
  }

  private func connectors(_ words: Words, _ whatFollows: [String]) -> [Candidate] {
    Candidate.keywords(["and", "or"] + (words.openBracketIndex == nil ? whatFollows : []))
  }
}
