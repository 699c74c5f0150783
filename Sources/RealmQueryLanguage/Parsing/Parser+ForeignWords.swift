// What is written here for conditions as SDKs, SQL and other query languages have them. Layer: Parsing.

extension Parser {
  /// Operators by other names, in lower case.
  private static let foreignOperators = [
    "startswith": "BEGINSWITH", "hasprefix": "BEGINSWITH", "beginswith": "BEGINSWITH",
    "endswith": "ENDSWITH", "hassuffix": "ENDSWITH", "contains": "CONTAINS", "includes": "CONTAINS",
    "ilike": "LIKE[c]", "like": "LIKE", "glob": "LIKE", "regexp": "MATCHES", "rlike": "MATCHES",
    "matches": "MATCHES",
    "equals": "==", "equalto": "==", "eq": "==", "ne": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=",
  ]

  /// The condition that is meant by what stands behind `operand`, where no operator does; nil where that cannot be told.
  mutating func foreignCondition(behind operand: Expression) -> String? {
    let left = source.text(in: operand.range)
    switch current.kind {
    case .word:
      let word = source.text(in: current.range).lowercased()
      if left.lowercased() == "exists" { return "\(source.text(in: current.range)).@count > 0" }
      return Self.foreignOperators[word].map {
        "\(left) \($0) \(shownValue(at: 1, isPattern: word == "ilike"))"
      }
    case .openParenthesis: return foreignCall(of: operand)
    case .dot where peek(1).kind == .word || peek(1).kind == .string:
      let next = source.text(in: peek(1).range)
      if case .constant(let constant) = operand.kind {
        if case .argument = constant.kind { return "\(next) without \(left)" }
        return isNameOfSQL(peek(1)) ? String(next.dropFirst().dropLast()) : next
      }
      return nil
    case .openBrace: return "\(left) IN {…}"
    default: return nil
    }
  }

  /// `name.startsWith('R')`, `dogs.isEmpty()`
  private mutating func foreignCall(of operand: Expression) -> String? {
    guard case .property(nil, let reference) = operand.kind, reference.path.steps.count > 1,
      case .name(let method)? = reference.path.steps.last?.kind
    else { return nil }
    let object = source.text(in: SourceRange(operand.range.offset..<method.range.offset)).dropLast()
    switch method.text.lowercased() {
    case "isempty": return "\(object).@count == 0"
    case "count", "size", "length": return "\(object).@count > 0"
    case let word where Aggregate(rawValue: word) != nil:
      let property = peek(1)
      return property.kind == .word
        ? "\(object).@\(word).\(source.text(in: property.range))" : "\(object).@\(word)"
    case "lowercased", "tolowercase", "lowercase": return "lower(\(object)) == '…', or \(object) ==[c] '…'"
    case "uppercased", "touppercase", "uppercase": return "upper(\(object)) == '…', or \(object) ==[c] '…'"
    case let word:
      let value = shownValue(at: 1, isPattern: word == "ilike")
      return Self.foreignOperators[word].map { "\(object) \($0) \(value)" }
    }
  }

  /// A pattern has `*` for SQL's `%`, and `?` for its `_`.
  private mutating func shownValue(at distance: Int, isPattern: Bool = false) -> String {
    let token = peek(distance)
    guard token.kind.isLiteral || token.kind == .argument else { return "…" }
    let text = source.text(in: token.range)
    guard isPattern else { return text }
    return String(text.map { $0 == "%" ? "*" : $0 == "_" ? "?" : $0 })
  }

  /// What IS is followed by where that is no null: the comparison that is meant.
  mutating func comparisonByIs(of left: String) -> String {
    var (symbol, place) = ("==", 1)
    if peek(1).keyword == .not { (symbol, place) = ("!=", 2) }
    switch source.text(in: peek(place).range).lowercased() {
    case "distinct":
      // IS DISTINCT FROM is the opposite, and takes null for a value, as == does here.
      return "\(left) \(symbol == "==" ? "!=" : "==") \(shownValue(at: place + 2))"
    case "empty": return "\(left) \(symbol) '' for a text, \(left).@count \(symbol) 0 for a list"
    default: return "\(left) \(symbol) \(shownValue(at: place))"
    }
  }

  /// `name == 'Rex' OR 'Bo'`: the list of both.
  mutating func listOfAlternatives(with operand: Expression) -> String? {
    // The last one may stand inside of the operand: `if(age == 3, 1, 2)`.
    guard let last = lastEquality, case .constant = last.right.kind,
      last.right.range.end <= operand.range.offset,
      source.text(in: SourceRange(last.right.range.end..<operand.range.offset)).lowercased()
        .filter({ !$0.isWhitespace }) == "or"
    else { return nil }
    let (left, first) = (source.text(in: last.left.range), source.text(in: last.right.range))
    return "\(left) IN {\(first), \(source.text(in: operand.range))}"
  }
}
