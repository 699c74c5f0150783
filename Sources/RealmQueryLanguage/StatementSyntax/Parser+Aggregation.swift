// Statements over many objects at once: `count, avg age of Person where … by city`. Layer: StatementSyntax.

extension Parser {
  /// What begins with the name of a calculation.
  mutating func aggregation() throws(QueryError) -> Aggregation {
    let items: [AggregateItem]
    if let counted = try countOfClass() {
      items = [counted]
    } else {
      items = try aggregateItems()
      guard statementWord == "of" else {
        let sample = sample(items)
        throw unexpected("',' or 'of'", hint: "write \(sample)")
      }
      advance()
      switchMode(.predicate)
    }
    let clauses = try clauses(.groups)
    return Aggregation(items: items, selection: clauses.selection, groups: clauses.groups)
  }

  /// How these items are written for the class that follows, which SQL writes after `from`.
  private mutating func sample(_ items: [AggregateItem]) -> String {
    let name = wordsAhead(2).first { $0.lowercased() != "from" }
    guard let name, let first = items.first, let last = items.last else {
      return "\(items.last?.function.rawValue ?? "count") age of Person where …"
    }
    let text = source.text(in: SourceRange(first.range.offset..<last.range.end))
    // `sum Person age` has the class first, as `count Person` has it.
    let words = text.split(separator: " ")
    if words.count == 2, words[1].first?.isUppercase == true, name.first?.isLowercase == true {
      return "\(words[0]) \(name) of \(words[1])"
    }
    return "\(text) of \(name)"
  }

  /// `count(*) from Dog` and `count(Dog)` are SQL's.
  private mutating func refuseCountOfSQL() throws(QueryError) {
    guard peek(1).kind == .openParenthesis else { return }
    let words = wordsAhead(4, from: 2).filter { !["from", "of", "distinct"].contains($0.lowercased()) }
    let inner = peek(2).kind == .word ? words.first : nil
    let name = inner == nil ? words.first : words.dropFirst().first
    let sample = [inner, name].compactMap { $0 }.joined(separator: " of ")
    let count = source.text(in: current.range)
    throw QueryError(
      .expectation, "expected a class after '\(count)', found '('", at: peek(1).range,
      hint: "write \(count)" + (othersBesideCount() ?? " \(sample.isEmpty ? "Person" : sample)"))
  }

  /// What stands behind `count(*)` or `count()`, if other calculations follow.
  private mutating func othersBesideCount() -> String? {
    var index = 2
    if peek(index).kind == .star { index += 1 }
    guard peek(index).kind == .closeParenthesis, peek(index + 1).kind == .comma else { return nil }
    return source.text(in: SourceRange(peek(index + 1).range.offset..<end))
  }

  /// How a count and what stands behind the comma after its class are written.
  mutating func countWithOthers(of selection: Selection) -> String? {
    guard current.kind == .comma else { return nil }
    var other = self
    other.advance()
    guard let items = try? other.aggregateItems(), let first = items.first, let last = items.last else {
      return nil
    }
    let others = source.text(in: SourceRange(first.range.offset..<last.range.end))
    return "write count, \(others) of \(source.text(in: selection.className.range))"
  }

  /// `count`, where the class that is counted stands behind it.
  private mutating func countOfClass() throws(QueryError) -> AggregateItem? {
    guard statementWord == "count" else { return nil }
    // What stands there are columns, if `of` stands behind them.
    var other = self
    if (try? other.aggregateItems()) != nil, other.statementWord == "of" { return nil }
    guard peek(1).kind != .comma else { return nil }
    try refuseCountOfSQL()
    let word = advance()
    return AggregateItem(.count, range: word.range)
  }

  /// `count, avg age as mean, …`
  mutating func aggregateItems() throws(QueryError) -> [AggregateItem] {
    var items: [AggregateItem] = []
    repeat {
      guard let function = AggregateFunction(rawValue: statementWord) else {
        let names = AggregateFunction.allCases.map(\.rawValue)
        throw unexpected(names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1])
      }
      let start = advance()
      switchMode(.expression)
      let isPlain =
        function == .count
        && (current.kind == .comma || current.kind == .end || ["of", "as"].contains(statementWord))
      let isDistinct = !isPlain && function == .count && takeDistinct()
      let percent = function == .percentile ? try percent() : nil
      if !isPlain { try refuseMissingProperty(from: start) }
      let operand = isPlain ? nil : try expression(wanted: "a property")
      let range = range(from: start.range)
      items.append(
        AggregateItem(
          function, isDistinct: isDistinct, percent: percent, of: operand, alias: try alias(), range: range))
    } while take(.comma)
    return items
  }

  /// `max of Person`: the word is no property where the class follows it.
  private mutating func refuseMissingProperty(from start: Token) throws(QueryError) {
    guard statementWord == "of" else { return }
    let next = peek(1)
    let isClass = next.kind == .word && !["of", "as"].contains(source.text(in: next.range).lowercased())
    guard isClass || next.kind == .end || next.kind == .semicolon else { return }
    let name = isClass ? source.text(in: next.range) : "CLASS"
    throw unexpected(
      "a property", hint: "write \(source.text(in: range(from: start.range))) PROPERTY of \(name)")
  }

  /// The number behind `percentile`.
  private mutating func percent() throws(QueryError) -> Double {
    let start = current
    let wanted = "a number from 0 to 100"
    guard start.kind == .integer || start.kind == .double else {
      throw unexpected(wanted, hint: "write percentile 90 age")
    }
    let percent: Double =
      switch try takeLiteral() {
      case .int(let number): Double(number)
      case .double(let number, _): number
      default: -1
      }
    guard (0...100).contains(percent) else {
      throw QueryError(.expectation, "percentile needs \(wanted)", at: start.range)
    }
    return percent
  }
}
