// Random predicates that fit the schema of any realm, with constants taken from its data.

import RealmEngine
import TestSupport

/// Writes predicates on the objects of one class.
struct RandomPredicates {
  let realm: ReadTransaction
  private(set) var random: SplitMix64
  private var stored: [String: [Value]] = [:]

  /// A path to values, as text.
  struct Path {
    let text: String
    let table: Table
    /// The property at its end.
    let property: Property
    /// Whether it can have several values.
    let isSeveral: Bool
    /// Whether a link stands before the property.
    let hasLinks: Bool
  }

  init(_ realm: ReadTransaction, seed: UInt64) {
    self.realm = realm
    random = SplitMix64(state: seed)
  }

  mutating func below(_ limit: Int) -> Int { random.below(limit) }
  mutating func oneIn(_ chances: Int) -> Bool { random.oneIn(chances) }
  mutating func pick<Item>(_ items: [Item]) -> Item { items[random.below(items.count)] }

  /// A condition of any kind. `depth` limits AND, OR, NOT and SUBQUERY.
  mutating func condition(on table: Table, depth: Int = 2) -> String {
    if depth > 0 {
      switch below(8) {
      case 0:
        return "(\(condition(on: table, depth: depth - 1)) AND \(condition(on: table, depth: depth - 1)))"
      case 1:
        return "(\(condition(on: table, depth: depth - 1)) OR \(condition(on: table, depth: depth - 1)))"
      case 2: return "NOT (\(condition(on: table, depth: depth - 1)))"
      case 3: if let subquery = subquery(on: table, depth: depth - 1) { return subquery }
      default: break
      }
    }
    for _ in 0..<20 {
      let condition: String? =
        switch below(19) {
        case 0, 1, 2: comparison(on: table)
        case 11, 12, 13: calculation(on: table)
        case 14: propertyPair(on: table)
        case 15: reversed(on: table)
        case 16, 17: entries(on: table)
        case 18: types(on: table)
        case 3: membership(on: table)
        case 4: range(on: table)
        case 5: pair(on: table)
        case 6: count(on: table)
        case 7: aggregate(on: table)
        case 8: incoming(on: table)
        case 9: words(on: table)
        default: arithmetic(on: table)
        }
      if let condition { return condition }
    }
    return "TRUEPREDICATE"
  }

  // MARK: Parts

  /// Links from `table`, as the text before a property; `isSeveral` when there may be several objects.
  private mutating func links(
    from table: Table, hopsMax: Int
  ) -> (text: String, table: Table, isSeveral: Bool) {
    var (text, table, isSeveral) = ("", table, false)
    for _ in 0..<below(hopsMax + 1) {
      let links = table.schema.properties.filter { $0.isLink && $0.target.flatMap(realm.table) != nil }
      if oneIn(4), let (path, origin) = incomingLinks(to: table) {
        text += path + "."
        (table, isSeveral) = (origin, true)
      } else if let property = links.randomElement(using: &random),
        let target = property.target.flatMap(realm.table)
      {
        text += property.writtenName + "."
        (table, isSeveral) = (target, isSeveral || property.collection != nil)
      }
    }
    return (text, table, isSeveral)
  }

  /// The links of some class to `table`, as text.
  private mutating func incomingLinks(to table: Table) -> (text: String, origin: Table)? {
    guard let column = table.schema.backlinks.randomElement(using: &random),
      let origin = column.originTable.flatMap(realm.table), origin.schema.isClass,
      let property = origin.schema.properties.first(where: { $0.columnKey == column.originColumn }),
      property.isLink
    else { return nil }
    return ("@links.\(origin.schema.name).\(property.writtenName)", origin)
  }

  mutating func path(
    from table: Table, hopsMax: Int = 2, where fits: (Property) -> Bool = { _ in true }
  ) -> Path? {
    let links = links(from: table, hopsMax: hopsMax)
    guard let property = links.table.schema.properties.filter(fits).randomElement(using: &random) else {
      return nil
    }
    return Path(
      text: links.text + property.writtenName, table: links.table, property: property,
      isSeveral: links.isSeveral || property.collection != nil, hasLinks: !links.text.isEmpty)
  }

  /// A constant of the property's type, mostly one that is stored.
  mutating func literal(for path: Path) -> String {
    if path.property.isLink { return "NULL" }
    let values = values(of: path)
    if !values.isEmpty, !oneIn(8), let literal = pick(values).literal { return literal }
    if oneIn(4) { return "NULL" }
    return random.value(path.property.type).literal ?? "NULL"
  }

  /// A pattern of LIKE, mostly one that a stored text matches.
  private mutating func pattern(for path: Path) -> String {
    var characters: [String] = ["a", "b"]
    if let value = values(of: path).randomElement(using: &random), case .string(let text) = value {
      characters = text.text.map(String.init)
    }
    if oneIn(2), characters.count > 2 {
      characters = Array(characters[below(characters.count - 2)...].prefix(3))
    }
    for index in characters.indices where oneIn(4) { characters[index] = pick(["?", "*", "", "*?"]) }
    var pattern = characters.joined()
    if oneIn(2) { pattern = "*" + pattern }
    if oneIn(2) { pattern += "*" }
    let value = Value.string(ByteString(pattern))
    return (path.property.type == .data ? Value.data(ByteString(pattern)) : value).literal ?? "''"
  }

  mutating func nonNullLiteral(for path: Path) -> String? {
    for _ in 0..<5 {
      let literal = literal(for: path)
      if literal != "NULL", literal != "nan" { return literal }
    }
    return nil
  }

  /// Some of the values that are stored under a property.
  private mutating func values(of path: Path) -> [Value] {
    let name = path.table.schema.name + "." + path.property.name
    if let known = stored[name] { return known }
    var values: [Value] = []
    let evaluator = RowEvaluator(realm)
    var cursor = path.table.blocks()
    while values.count < 60, let block = try? cursor.next() {
      for row in 0..<min(60, block.count) {
        let position = ObjectPosition(block: block, row: row)
        values +=
          (try? evaluator.evaluate(.path(path.property.ownPath), in: path.table, at: position).values) ?? []
      }
    }
    values = values.filter { $0.literal != nil }
    stored[name] = values
    return values
  }

  mutating func quantifier(for path: Path) -> String {
    path.isSeveral && oneIn(2) ? pick(["ANY ", "ALL ", "NONE "]) : ""
  }

  private mutating func relation(for property: Property) -> String {
    if property.isLink { return pick(["==", "!="]) }
    let orders = ["==", "!=", "==", "<", "<=", ">", ">="]
    guard [.string, .data].contains(property.type), property.collection != .dictionary, oneIn(2) else {
      return pick(orders)
    }
    return pick([
      "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==[c]", "!=[c]", "BEGINSWITH[c]", "CONTAINS[c]",
      "==[cd]", "CONTAINS[d]", "LIKE", "LIKE[c]", "LIKE[c]", "ENDSWITH[c]",
    ])
  }
}

// MARK: Conditions

extension RandomPredicates {
  mutating func comparison(on table: Table) -> String? {
    guard let path = path(from: table, where: { !$0.isLink || $0.collection == nil }) else { return nil }
    if path.property.isLink {
      if path.isSeveral, oneIn(2) { return "\(path.text).@count \(pick(["==", ">"])) \(below(3))" }
      return "\(quantifier(for: path))\(path.text) \(pick(["==", "!="])) NULL"
    }
    if oneIn(3), let element = element(of: path) { return element }
    let relation = relation(for: path.property)
    let isFolded = relation.contains("[") && path.property.type == .data
    let isPattern = relation.hasPrefix("LIKE") && oneIn(4) == false
    let literal = isFolded ? "binary('a*')" : isPattern ? pattern(for: path) : literal(for: path)
    if relation.first?.isLetter == true, literal == "NULL", path.isSeveral { return nil }
    return oneIn(8) && relation.first?.isLetter == false
      ? "\(literal) \(relation) \(quantifier(for: path))\(path.text)"
      : "\(quantifier(for: path))\(path.text) \(relation) \(literal)"
  }

  /// A condition on one element of a list.
  private mutating func element(of path: Path) -> String? {
    guard path.property.collection == .list else { return nil }
    let element = "\(quantifier(for: path))\(path.text)[\(pick(["0", "1", "FIRST", "LAST"]))]"
    if oneIn(4) { return "\(element) IN {\(literal(for: path)), \(literal(for: path))}" }
    return "\(element) \(pick(["==", "!=", "<", ">="])) \(literal(for: path))"
  }

  private mutating func membership(on table: Table) -> String? {
    guard let path = path(from: table, where: { !$0.isLink }) else { return nil }
    var literals: [String] = []
    for _ in 0..<(oneIn(4) ? 12 : below(5)) { literals.append(literal(for: path)) }
    let list = "{" + literals.joined(separator: ", ") + "}"
    switch below(5) {
    case 0: return "\(path.text) \(pick(["==", "<", ">=", "!="])) \(list)"
    case 1: return "\(quantifier(for: path))\(path.text) == \(pick(["", "ANY ", "ALL ", "NONE "]))\(list)"
    case 2: return "\(quantifier(for: path))\(path.text) != \(pick(["", "ANY ", "ALL ", "NONE "]))\(list)"
    case 3 where path.isSeveral: return "\(literal(for: path)) IN \(path.text)"
    default: return "\(quantifier(for: path))\(path.text) IN \(list)"
    }
  }

  private mutating func range(on table: Table) -> String? {
    guard let path = path(from: table, where: { !$0.isLink && $0.type != .bool }),
      let low = nonNullLiteral(for: path), let high = nonNullLiteral(for: path)
    else { return nil }
    return
      "\(path.property.collection == nil ? quantifier(for: path) : "ALL ")\(path.text) BETWEEN {\(low), \(high)}"
  }

  private mutating func pair(on table: Table) -> String? {
    guard let left = path(from: table, where: { !$0.isLink && $0.collection == nil }) else { return nil }
    let numbers: [ValueType] = [.int, .float, .double, .decimal128]
    let right = path(from: table, hopsMax: 1) {
      !$0.isLink && $0.collection == nil
        && ($0.type == left.property.type
          || numbers.contains($0.type) && numbers.contains(left.property.type))
    }
    guard let right else { return nil }
    return
      "\(quantifier(for: left))\(left.text) \(pick(["==", "!=", "<", ">="])) \(quantifier(for: right))\(right.text)"
  }

  private mutating func count(on table: Table) -> String? {
    let path = path(from: table) { property in
      property.collection != nil || property.isLink || [.string, .data, .mixed].contains(property.type)
    }
    guard let path else { return nil }
    return "\(path.text).@count \(pick(["==", "!=", "<", ">"])) \(below(4))"
  }

  /// How many objects link here: through one property, or through all.
  private mutating func incoming(on table: Table) -> String? {
    let links = links(from: table, hopsMax: 1)
    let test = "@count \(pick(["==", "!=", "<", ">"])) \(below(4))"
    guard oneIn(2), let (path, _) = incomingLinks(to: links.table) else {
      return "\(links.text)@links.\(test)"
    }
    let quantifier = links.isSeveral && oneIn(2) ? pick(["ANY ", "ALL ", "NONE "]) : ""
    return "\(quantifier)\(links.text)\(path).\(test)"
  }

  /// Words that a text must, or must not, have.
  private mutating func words(on table: Table) -> String? {
    guard let path = path(from: table, where: { $0.index == .fullText }) else { return nil }
    var stored: [String] = []
    for case .string(let text) in values(of: path) {
      stored += FullTextWords.words(in: text.bytes).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
    guard stored.contains(where: { !$0.isEmpty }) else { return nil }
    stored.removeAll(where: \.isEmpty)
    var words = [pick(stored)]
    if oneIn(2) { words.append(pick(stored)) }
    if oneIn(3) { words[0] = "\(words[0].prefix(2))*" }
    if oneIn(3) { words.append("-\(pick(stored))") }
    return "\(quantifier(for: path))\(path.text) TEXT '\(words.joined(separator: " "))'"
  }

  private mutating func aggregate(on table: Table) -> String? {
    let numbers: [ValueType] = [.int, .float, .double, .decimal128]
    let function = pick(["@min", "@max", "@sum", "@avg"])
    let relation = pick(["==", "!=", "<", ">="])
    if oneIn(2) {
      let path = path(from: table, hopsMax: 1) { numbers.contains($0.type) && $0.collection != nil }
      return path.map { "\($0.text).\(function) \(relation) \(literal(for: $0))" }
    }
    guard let links = path(from: table, hopsMax: 1, where: { $0.isLink }),
      let target = links.property.target.flatMap(realm.table),
      let value = path(from: target, hopsMax: 0, where: { numbers.contains($0.type) && $0.collection == nil })
    else { return nil }
    return "\(links.text).\(function).\(value.property.writtenName) \(relation) \(literal(for: value))"
  }

  private mutating func arithmetic(on table: Table) -> String? {
    let numbers: [ValueType] = [.int, .float, .double, .decimal128, .mixed]
    guard
      let path = path(
        from: table, hopsMax: 1, where: { numbers.contains($0.type) && $0.collection != .dictionary })
    else { return nil }
    let sum = "\(path.text) \(pick(["+", "-", "*", "/"])) \(pick(["1", "2", "0.5", "10", "0"]))"
    return "\(sum) \(pick(["==", "<", ">=", "!="])) \(pick(["0", "1", "7", "2.5", "100"]))"
  }

  private mutating func subquery(on table: Table, depth: Int) -> String? {
    if oneIn(3), let (links, origin) = incomingLinks(to: table) {
      let condition = condition(on: origin, depth: 0)
      return "SUBQUERY(\(links), $v, \(condition)).@count \(pick(["==", ">", "!="])) \(below(3))"
    }
    guard let links = path(from: table, hopsMax: 1, where: { $0.isLink && ($0.collection == .list) }),
      let target = links.property.target.flatMap(realm.table)
    else { return nil }
    return
      "SUBQUERY(\(links.text), $v, \(condition(on: target, depth: 0))).@count \(pick(["==", ">", "!="])) \(below(3))"
  }
}

extension Property {
  /// The name as predicates write it, where a bare one might be a keyword.
  var writtenName: String { name == "any" ? "#\(name)" : name }

  /// The path to its own values.
  var ownPath: BoundPath {
    switch collection {
    case nil: BoundPath(end: .value(self))
    case .list?, .set?: BoundPath(end: .elements(self, .all))
    case .dictionary?: BoundPath(end: .dictionaryValues(self))
    }
  }
}
