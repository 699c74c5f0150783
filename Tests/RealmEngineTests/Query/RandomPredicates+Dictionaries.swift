import RealmEngine

// Conditions on dictionaries and on the types of values.

extension RandomPredicates {
  /// On an entry, some value, a key or the number of entries.
  mutating func entries(on table: Table) -> String? {
    guard let path = path(from: table, where: { $0.collection == .dictionary && !$0.isLink }) else {
      return nil
    }
    let relation = pick(["==", "!=", "<", ">=", "IN"])
    func compared(_ literal: String) -> String {
      relation == "IN" ? "IN {\(literal), NULL}" : "\(relation) \(literal)"
    }
    let key = key(of: path)
    switch below(6) {
    case 0: return "\(path.text)[\(key)] \(compared(literal(for: path)))"
    case 1: return "\(pick(["", "ANY ", "ALL ", "NONE "]))\(path.text).@keys \(compared(key))"
    case 2: return "\(pick(["ANY ", "ALL ", "NONE "]))\(path.text).@values \(compared(literal(for: path)))"
    case 3: return "\(path.text).@count \(pick(["==", ">", "!="])) \(below(3))"
    case 4: return "\(path.text)[\(key)].@type \(pick(["==", "!="])) '\(typeName)'"
    default: return "\(pick(["", "ALL ", "NONE "]))\(path.text).@values.@type == '\(typeName)'"
    }
  }

  /// On what a mixed value is, or how long.
  mutating func types(on table: Table) -> String? {
    guard let path = path(from: table, where: { $0.type == .mixed && $0.collection != .dictionary }) else {
      return nil
    }
    if oneIn(3) {
      let size = pick(["0", "1", "3", "5", "NULL"])
      return "\(quantifier(for: path))\(path.text).@size \(pick(["==", "!=", "<", ">="])) \(size)"
    }
    return "\(quantifier(for: path))\(path.text).@type \(pick(["==", "!="])) '\(typeName)'"
  }

  private var typeName: String {
    mutating get { pick(["int", "string", "null", "numeric", "link", "collection", "bool"]) }
  }

  /// A key that some dictionary has, or none.
  private mutating func key(of path: Path) -> String {
    var keys: [String] = ["''", "'no such key'"]
    let evaluator = RowEvaluator(realm)
    var cursor = path.table.blocks()
    guard let block = try? cursor.next() else { return pick(keys) }
    for row in 0..<min(20, block.count) {
      let position = ObjectPosition(block: block, row: row)
      let operand = BoundOperand.path(BoundPath(end: .dictionaryKeys(path.property)))
      let values = try? evaluator.evaluate(operand, in: path.table, at: position).values
      keys += (values ?? []).compactMap { key in
        guard case .string(let text) = key, text.text.allSatisfy(\.isLetter) else { return nil }
        return "'\(text.text)'"
      }
    }
    return pick(keys)
  }
}
