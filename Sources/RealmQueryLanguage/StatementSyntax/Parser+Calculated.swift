// Names of calculated columns, as conditions and orders of groups say them. Layer: StatementSyntax.

extension Parser {
  /// The word, unless it is the name of what is counted.
  mutating func takeDistinct() -> Bool {
    guard current.kind == .word, current.keyword == .distinct, isBeforeValue() else { return false }
    advance()
    return true
  }

  /// Whether a value begins behind the current token. A minus that touches what follows alone is its sign: `distinct -age`
  /// counts different numbers, `distinct - age` differences.
  private mutating func isBeforeValue() -> Bool {
    let (next, range) = (peek(1), current.range)
    switch next.kind {
    case .word, .openParenthesis: return true
    case .minus:
      return range.end < next.range.offset && next.range.end == peek(2).range.offset
    default: return false
    }
  }

  /// `avg age` as the name of a column of groups; nil where a name of one word stands here.
  mutating func calculatedColumn() throws(QueryError) -> Expression? {
    let function = AggregateFunction(rawValue: source.text(in: current.range).lowercased())
    let hasPercent = function == .percentile && [.integer, .double].contains(peek(1).kind)
    guard function != nil, hasPercent || peek(1).kind == .word, !peek(1).isReserved,
      !["asc", "desc", "as"].contains(source.text(in: peek(1).range).lowercased())
    else { return nil }
    let start = advance()
    if hasPercent { advance() }
    if current.keyword == .distinct { _ = takeDistinct() }
    isOfGroups = false
    defer { isOfGroups = true }
    _ = try coalescing(wanted: "a property")
    let range = range(from: start.range)
    let name = Name(source.text(in: range), isQuoted: true, range: range)
    let path = PropertyPath(steps: [PathStep(.name(name), range: range)], range: range)
    return Expression(.property(nil, PropertyReference(path: path, range: range)), range: range)
  }
}
