// Random comparisons of what is calculated from a row's own properties.

import RealmEngine
import TestSupport

extension RandomPredicates {
  private mutating func relation() -> String { pick(["==", "!=", "<", "<=", ">", ">="]) }

  private mutating func number() -> String {
    pick(["0", "1", "2", "-3", "0.5", "7", "100", "9007199254740993"])
  }

  /// A number of each row, as text; nil where the class has no property for it.
  private mutating func operand(on table: Table, depth: Int) -> String? {
    let numbers: [ValueType] = [.int, .float, .double]
    switch below(depth > 0 ? 8 : 5) {
    case 0, 1, 2:
      return path(from: table, hopsMax: oneIn(6) ? 1 : 0) {
        $0.collection == nil && (numbers.contains($0.type) || $0.type == .decimal128)
      }?.text
    case 3:
      let path = path(from: table, hopsMax: oneIn(6) ? 1 : 0) {
        $0.collection != nil && $0.collection != .dictionary || [.string, .data].contains($0.type)
      }
      return path.map { "\($0.text).@count" }
    case 4:
      let path = path(from: table, hopsMax: 0) { $0.collection != nil && numbers.contains($0.type) }
      return path.map { "\($0.text).\(pick(["@sum", "@min", "@max", "@avg"]))" }
    default:
      guard let left = operand(on: table, depth: depth - 1) else { return nil }
      let right = oneIn(2) ? number() : operand(on: table, depth: depth - 1) ?? number()
      let sides = oneIn(4) ? (right, left) : (left, right)
      return "(\(sides.0) \(pick(["+", "-", "*", "/"])) \(sides.1))"
    }
  }

  /// Numbers calculated from each element of a list or each value of a dictionary, or from a value that may not be there.
  private mutating func severalNumbers(on table: Table) -> String? {
    let values: [ValueType] = [.int, .float, .double, .decimal128, .mixed]
    let path = path(from: table, hopsMax: oneIn(3) ? 1 : 0) { values.contains($0.type) }
    guard let path else { return nil }
    let number = oneIn(2) ? number() : operand(on: table, depth: 0) ?? number()
    let quantifier = path.isSeveral ? pick(["", "ANY ", "ALL ", "NONE "]) : ""
    return "(\(quantifier)\(path.text) \(pick(["+", "-", "*", "/"])) \(number))"
  }

  /// Numbers of a row compared with each other, with constants and with lists of these.
  mutating func calculation(on table: Table) -> String? {
    guard let left = oneIn(4) ? severalNumbers(on: table) : operand(on: table, depth: 2) else { return nil }
    switch below(5) {
    case 0: return "\(left) IN {\((0..<below(10)).map { _ in number() }.joined(separator: ", "))}"
    // BETWEEN takes no expression.
    case 1 where !left.hasPrefix("("): return "\(left) BETWEEN {\(number()), \(number())}"
    case 2: return "\(left) \(relation()) \(oneIn(5) ? "NULL" : number())"
    default:
      guard let right = operand(on: table, depth: 1) else { return nil }
      return "\(left) \(relation()) \(right)"
    }
  }

  /// Two properties of a row that can be compared.
  mutating func propertyPair(on table: Table) -> String? {
    guard let (links, table) = oneIn(3) ? toOneLinks(from: table) : ("", table),
      let left = path(from: table, hopsMax: 0, where: { $0.collection == nil })
    else { return nil }
    let right = path(from: table, hopsMax: 0) {
      $0.collection == nil && $0.isLink == left.property.isLink
        && ($0.type == left.property.type || Self.isOneMixed($0, left.property))
    }
    guard let right else { return nil }
    if left.property.isLink { return "\(links)\(left.text) \(pick(["==", "!="])) \(links)\(right.text)" }
    let texts = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "==[c]", "ENDSWITH[c]"]
    let isText = [.string, .data].contains(left.property.type) && right.property.type == left.property.type
    return "\(links)\(left.text) \(isText && oneIn(3) ? pick(texts) : relation()) \(links)\(right.text)"
  }

  /// A link or two that lead to one object, as the text before a property.
  mutating func toOneLinks(from table: Table) -> (text: String, table: Table)? {
    var (text, table) = ("", table)
    for _ in 0..<1 + below(2) {
      let links = table.schema.properties.filter {
        $0.isLink && $0.collection == nil && $0.target.flatMap(realm.table) != nil
      }
      guard !links.isEmpty else { break }
      let link = pick(links)
      guard let target = link.target.flatMap(realm.table) else { break }
      text += link.writtenName + "."
      table = target
    }
    return text.isEmpty ? nil : (text, table)
  }

  private static func isOneMixed(_ one: Property, _ other: Property) -> Bool {
    (one.type == .mixed || other.type == .mixed) && !one.isLink && !other.isLink
  }

  /// A constant before a property.
  mutating func reversed(on table: Table) -> String? {
    guard let path = path(from: table, hopsMax: 0, where: { $0.collection == nil && !$0.isLink }) else {
      return nil
    }
    let texts = ["BEGINSWITH", "CONTAINS", "LIKE", "==[c]"]
    return
      "\(literal(for: path)) \(path.property.type == .string && oneIn(2) ? pick(texts) : relation()) \(path.text)"
  }
}
