// `alter class`, and the policies behind its changes. Layer: StatementSyntax.

extension Parser {
  /// `alter class Person …`
  mutating func alterClass() throws(QueryError) -> StatementKind {
    try expectClass(after: advance())
    let name = try className()
    switchMode(.expression)
    return .alterClass(name, try alteration())
  }

  /// `rename Person to Human`, or `rename Person.nick to handle`: what `alter class` says with more words.
  mutating func renaming() throws(QueryError) -> StatementKind {
    advance()
    let name = try className()
    if take(.dot) {
      switchMode(.expression)
      return .alterClass(name, try propertyRenaming())
    }
    try expectWord("to")
    return .alterClass(name, .renameClass(to: try className()))
  }

  private mutating func alteration() throws(QueryError) -> ClassAlteration {
    let isIndex = isWord("index", at: 1)
    switch statementWord {
    case "add" where isIndex && peek(2).kind != .colon:
      advance()
      advance()
      let property = try declaredName("a property")
      return .addIndex(property, takeWord("fulltext") ? .fulltext : .general)
    case "add":
      advance()
      return .add(try propertyDeclaration(takesDefault: true))
    case "drop":
      let isDropIndex = isIndex && peek(2).kind == .word
      advance()
      if isDropIndex {
        advance()
        return .dropIndex(try declaredName("a property"))
      }
      if statementWord == "column", peek(1).kind == .word {
        let name = source.text(in: peek(1).range)
        throw unexpected("a property", hint: "write drop \(name)")
      }
      var names = [try declaredName("a property")]
      while take(.comma) { names.append(try declaredName("a property")) }
      return .drop(names)
    case "rename":
      advance()
      if !isWord("to", at: 1), takeWord("to") { return .renameClass(to: try className()) }
      return try propertyRenaming()
    case "alter": return try change()
    case "primary":
      advance()
      try expectWord("key")
      if current.kind == .null {
        advance()
        return .changePrimaryKey(nil, duplicates: nil)
      }
      return .changePrimaryKey(try declaredName("a property"), duplicates: try duplicates())
    case "embedded": return .makeEmbedded(try embedding())
    case "object":
      advance()
      guard takeWord("primary") else { return .makeObject(primaryKey: nil) }
      try expectWord("key")
      let key = try propertyDeclaration(takesDefault: true)
      guard key.defaultValue != nil else {
        throw unexpected("default", hint: "give a value for existing objects: default uuid()")
      }
      return .makeObject(primaryKey: key)
    default: throw unexpected("add, drop, rename, alter, primary key, embedded or object")
    }
  }

  /// `nick to handle`, and what the property becomes by it.
  private mutating func propertyRenaming() throws(QueryError) -> ClassAlteration {
    let property = try declaredName("a property, or to and a new class name")
    try expectWord("to", hint: "write rename \(source.text(in: property.range)) to NAME")
    let newName = try declaredName("a new name")
    let isOptional = takeWord("optional")
    let index: IndexWord? = takeWord("indexed") ? .general : takeWord("fulltext") ? .fulltext : nil
    return .rename(property, to: newName, isOptional: isOptional, index: index)
  }

  /// `alter nick optional`, `required` or `to` another type.
  private mutating func change() throws(QueryError) -> ClassAlteration {
    advance()
    let property = try declaredName("a property")
    if takeWord("optional") { return .makeOptional(property) }
    if takeWord("to") {
      let type = try type()
      try expectWord("value")
      let value = try expression()
      let nulls = try valuePolicy("nulls", [.keep, .fail])
      let unparsable = try valuePolicy("unparsable", [.fail, .null])
      return .changeType(
        property, TypeChange(type: type, value: value, nulls: nulls, unparsable: unparsable))
    }
    guard takeWord("required") else { throw unexpected("required, optional or to and a type") }
    if takeWord("default") { return .require(property, nulls: .value(try expression())) }
    return .require(property, nulls: try valuePolicy("nulls", [.fail, .delete]) ?? .word(.fail))
  }

  // MARK: Policies

  /// `linked nullify`: a field, then one of its words; the first goes without saying.
  mutating func policy(_ field: String, _ words: [PolicyWord]) throws(QueryError) -> PolicyWord {
    takeWord(field) ? try policyWord(words) : words[0]
  }

  private mutating func policyWord(_ words: [PolicyWord], or other: String? = nil) throws(QueryError)
    -> PolicyWord
  {
    let isNull = current.kind == .null
    guard let word = isNull ? .null : PolicyWord(rawValue: statementWord), words.contains(word) else {
      let wanted = words.map(\.rawValue) + (other.map { [$0] } ?? [])
      throw unexpected(wanted.joined(separator: " or "))
    }
    advance()
    return word
  }

  /// `nulls delete`, or `nulls value 0`; nil where the field is not there.
  private mutating func valuePolicy(
    _ field: String, _ words: [PolicyWord]
  ) throws(QueryError) -> ValuePolicy? {
    guard takeWord(field) else { return nil }
    if takeWord("value") { return .value(try expression()) }
    return .word(try policyWord(words, or: "value"))
  }

  /// `duplicates keep last order by updatedAt relink max 10`
  private mutating func duplicates() throws(QueryError) -> KeptDuplicate? {
    guard takeWord("duplicates") else { return nil }
    if takeWord("fail") { return nil }
    guard takeWord("keep") else { throw unexpected("fail or keep") }
    let keepsFirst = takeWord("first")
    guard keepsFirst || takeWord("last") else { throw unexpected("first or last") }
    var order: [SortKey] = []
    if takeWord("order") {
      try expectWord("by")
      order = try sortKeys(needsDirection: false)
    }
    return KeptDuplicate(
      keepsFirst: keepsFirst, order: order, relinks: takeWord("relink"), countMax: try countMax())
  }

  /// `embedded primary key drop orphans delete max 10 shared duplicate`
  private mutating func embedding() throws(QueryError) -> EmbeddingPolicy {
    advance()
    var primaryKey = PolicyWord.fail
    if takeWord("primary") { primaryKey = try policy("key", [.fail, .drop]) }
    let orphans = try policy("orphans", [.fail, .delete])
    return EmbeddingPolicy(
      primaryKey: primaryKey, orphans: orphans, orphanCountMax: orphans == .delete ? try countMax() : nil,
      shared: try policy("shared", [.fail, .duplicate]))
  }

  private mutating func countMax() throws(QueryError) -> Int? {
    guard takeWord("max") else { return nil }
    guard current.kind == .integer, let count = LiteralDecoder.int64(in: source, current.range.bounds),
      count >= 0
    else { throw unexpected("a whole number, 0 or more") }
    advance()
    return Int(count)
  }
}
