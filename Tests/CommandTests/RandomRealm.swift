// Statements that make a realm with every kind of value, and others that change it in any way, from a seed.

import TestSupport

/// Writes statements.
struct RandomRealm {
  private var random: SplitMix64
  /// Keys of objects that should be there; objects that are not are made.
  private var keyed: [Int] = []
  private var plain: [Int] = []
  private var nextPlain = 0
  private(set) var isCompacted = false

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
  private mutating func chance(_ percent: Int) -> Bool { number(100) < percent }
  private mutating func pick<T>(_ items: [T]) -> T { items[number(items.count)] }

  mutating func beginning() -> String {
    var text = """
      create class Inner embedded { n: int, any: mixed, plain: Plain?, deeper: Deeper? }
      create class Deeper embedded { t: string?, keyed: Keyed? }
      create class Keyed {
        id: \(pick(["int", "string", "uuid"])) primary key, n: int, on: int? indexed, b: bool, ob: bool?, f: float, of: float?,
        d: double, od: double?, dec: decimal128, odec: decimal128?, s: string indexed, os: string? fulltext, bin: data,
        obin: data?, t: date, ot: date?, oid: objectId, ooid: objectId?, u: uuid, ou: uuid?, any: mixed,
        friend: Keyed?, other: Plain?, inner: Inner?
      }
      create class Plain {
        n: int, ls: list<string>, lo: list<int?>, ss: set<string?>, si: set<date>, ds: dictionary<int?>, da: dictionary<mixed>,
        la: list<mixed>, lk: list<Keyed>, sk: set<Keyed>, dk: dictionary<Keyed?>, lp: list<Plain>, li: list<Inner>,
        di: dictionary<Inner?>, next: Plain?
      }
      create class Small { word: string?, keyed: Keyed? }

      """
    keyType = text.contains("id: int") ? .int : text.contains("id: string") ? .string : .uuid
    for _ in 0..<(chance(10) ? 600 : number(40)) { text += insertion() }
    for _ in 0..<number(30) { text += change() }
    if chance(50) { text += "alter schema version \(number(9))\n" }
    return text
  }

  private enum KeyType { case int, string, uuid }
  private var keyType = KeyType.int

  private func key(_ number: Int) -> String {
    switch keyType {
    case .int: "\(number)"
    case .string: "\"key \(number)\""
    case .uuid: "\"123e4567-e89b-12d3-a456-4266141\(10000 + number)\""
    }
  }

  mutating func changes() -> String {
    var text = ""
    isCompacted = chance(30)
    for _ in 0..<number(25) { text += chance(40) ? insertion() : chance(40) ? deletion() : change() }
    guard chance(40) else { return text }
    text += schemaChanges.shuffled(using: &random).prefix(1 + number(4)).joined()
    if chance(10) { text += "alter class Keyed primary key null\n" }
    return text + (chance(20) ? "alter class Small rename to Tiny\n" : "")
  }

  // MARK: Statements

  private mutating func insertion() -> String {
    switch number(5) {
    case 0, 1:
      let id = number(800)
      guard !keyed.contains(id) else { return "" }
      keyed.append(id)
      return "upsert Keyed { \"id\": \(key(id)), \(required()) }\n"
    case 2, 3:
      // Keys far apart and close together.
      nextPlain += chance(20) ? 1 + number(5000) : 1
      plain.append(nextPlain)
      return "insert Plain @\(nextPlain) { \"n\": \(integer()), \(plainValues()) }\n"
    default: return "insert Small { \"word\": \(pick(["null", text()])) }\n"
    }
  }

  private mutating func change() -> String {
    if chance(50), !keyed.isEmpty {
      return "upsert Keyed { \"id\": \(key(pick(keyed))), \(keyedValues()) }\n"
    }
    guard !plain.isEmpty else { return "" }
    return "upsert Plain @\(pick(plain)) { \(plainValues()) }\n"
  }

  private mutating func deletion() -> String {
    guard chance(50), !plain.isEmpty else { return "" }
    let index = number(plain.count)
    let key = plain.remove(at: index)
    return "delete Plain @\(key)\n"
  }

  /// Any of them in any order is a change that works.
  private let schemaChanges = [
    "alter class Keyed drop of\n", "alter class Keyed rename od to odd\n",
    "alter class Plain add extra: int default 7\n", "alter class Plain add more: list<string>\n",
    "alter class Inner add zip: string?\n", "alter class Inner drop n\n",
    "alter class Inner add code: int default 5\n", "alter class Small add note: string default ''\n",
    "alter class Keyed alter n optional\n", "alter class Keyed alter on required default 0\n",
    "alter class Keyed drop index s\n", "alter class Keyed add index n\n",
    "create class New { id: string primary key, plain: Plain? }; insert New {\"id\": \"x\"}\n",
    "alter class Keyed primary key null\nalter class Keyed primary key id\n",
    "alter schema version 77\n",
    "alter class Plain drop ls; alter class Plain add ls: int?\n",
    "alter class Plain drop lp; alter class Plain add lp: list<Keyed>\n",
  ]

  // MARK: Values

  private mutating func required() -> String {
    "\"n\": \(integer()), \"b\": true, \"f\": \(pick(floats)), \"d\": \(pick(doubles)), \"dec\": \(pick(decimals)), "
      + "\"s\": \(text()), \"bin\": \"AAEC\", \"t\": \(date()), \"oid\": \"0123456789abcdef01234567\", "
      + "\"u\": \"123e4567-e89b-12d3-a456-426614174000\""
  }

  private let floats = ["0", "-0.0", "1.5", "\"NaN\"", "3.4e38"]
  private let doubles = ["0", "-0.0", "0.1", "\"Infinity\"", "1e300"]
  private let decimals = ["\"0\"", "\"1.50\"", "\"1.5\"", "\"-9E+99\"", "\"Infinity\""]

  private mutating func integer() -> String {
    pick(["0", "1", "-1", "127", "70000", "-9223372036854775808", "9223372036854775807", "\(number(9))"])
  }

  private mutating func text() -> String {
    pick([
      "\"\"", "\"Ada\"", "\"{\\\"$link\\\":{\"", "\"$date\"", "\"a 'quoted'; text -- here\"",
      "\"\\u0000\\n\\t\"", "\"żółć 😀\"",
      "\"\(String(repeating: "long ", count: number(60)))\"",
    ])
  }

  private mutating func date() -> String {
    pick([
      "\"1970-01-01T00:00:00Z\"", "\"2020-01-31T12:00:00.123456789Z\"", "{\"$date\":[-99999999999999,-5]}",
    ])
  }

  private mutating func keyedLink() -> String { keyed.isEmpty ? "null" : key(pick(keyed)) }
  private mutating func plainLink() -> String {
    plain.isEmpty ? "null" : "{\"$link\":{\"class\":\"Plain\",\"key\":\(pick(plain))}}"
  }

  private mutating func mixed(_ depth: Int = 0) -> String {
    switch number(depth > 2 ? 8 : 11) {
    case 0: return "null"
    case 1: return integer()
    case 2: return text()
    case 3: return "{\"$float\":2.5}"
    case 4: return "{\"$decimal\":\"1.50\"}"
    case 5: return "{\"$binary\":\"AAEC\"}"
    case 6: return plainLink()
    case 7:
      return keyed.isEmpty ? "true" : "{\"$link\":{\"class\":\"Keyed\",\"primary_key\":\(key(pick(keyed)))}}"
    case 8: return "[\(mixed(depth + 1)), \(mixed(depth + 1))]"
    case 9: return "{\"$dict\":{\"a'$\": \(mixed(depth + 1)), \"b c\": \(mixed(depth + 1))}}"
    default: return "{\"$oid\":\"0123456789abcdef01234567\"}"
    }
  }

  private mutating func inner() -> String {
    "{\"n\": \(integer()), \"any\": \(mixed()), \"plain\": \(plainLink()), "
      + "\"deeper\": \(chance(50) ? "null" : "{\"t\": \(text()), \"keyed\": \(keyedLink())}")}"
  }

  private mutating func keyedValues() -> String {
    let all = [
      "\"n\": \(integer())", "\"on\": \(integer())", "\"b\": \(chance(50))", "\"ob\": null",
      "\"f\": \(pick(floats))",
      "\"d\": \(pick(doubles))", "\"dec\": \(pick(decimals))", "\"odec\": \(pick(decimals))",
      "\"s\": \(text())",
      "\"os\": \(text())", "\"obin\": \"AAEC\"", "\"t\": \(date())", "\"ot\": \(date())",
      "\"any\": \(mixed())",
      "\"friend\": \(keyedLink())", "\"other\": \(plainLink())",
      "\"inner\": \(chance(20) ? "null" : inner())",
    ]
    return some(of: all)
  }

  private mutating func plainValues() -> String {
    let links = (0..<number(4)).compactMap { _ in keyed.isEmpty ? nil : keyedLink() }.joined(separator: ", ")
    let plains = (0..<number(3)).compactMap { _ in plain.isEmpty ? nil : plainLink() }.joined(separator: ", ")
    let all = [
      "\"lo\": [null, \(integer()), 3]", "\"ss\": [null, \(text())]",
      "\"si\": [\"2020-01-01T00:00:00Z\"]", "\"ds\": {\"a\": null, \"b\": \(integer())}",
      "\"da\": {\"x\": \(mixed())}", "\"la\": [\(mixed()), \(mixed())]", "\"lk\": [\(links)]",
      "\"sk\": [\(links)]",
      "\"dk\": {\"k\": \(keyedLink())}", "\"lp\": [\(plains)]", "\"li\": [\(inner()), \(inner())]",
      "\"di\": {\"one\": \(inner()), \"two\": null}", "\"next\": \(plainLink())",
    ]
    return some(of: all)
  }

  private mutating func some(of all: [String]) -> String {
    let chosen = all.filter { _ in chance(40) }
    return (chosen.isEmpty ? [all[0]] : chosen).joined(separator: ", ")
  }
}
