// Random realms, as dumps, and random chains of migration steps for them. What a step does fits the schema that the
// steps before it leave; whether it fits the objects is left to chance.

import TestSupport

/// A property while steps change it.
struct RandomProperty {
  var name: String
  /// As schemas spell it: `int?`, `list<string>`, `B?`.
  var type: String
  var isIndexed = false

  var base: String {
    let inner = type.split(whereSeparator: { $0 == "<" || $0 == ">" }).last ?? ""
    return String(inner.filter { $0 != "?" })
  }
  var isOptional: Bool { type.hasSuffix("?") }
  var isCollection: Bool { type.contains("<") }
}

struct RandomClass {
  var properties: [RandomProperty]
  var primaryKey: String?
  var isEmbedded = false

  func named(_ types: [String]) -> [RandomProperty] { properties.filter { types.contains($0.type) } }
}

/// A realm and the steps that it is taken through.
struct RandomChain {
  private(set) var dump = ""
  private(set) var steps: [String] = []

  var random: SplitMix64
  var classes: [String: RandomClass] = [:]
  var nameCount = 0

  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    dump = makeRealm()
    for version in 0..<random.below(4) + 1 {
      var text = "realm_migration: 1\nfrom: \(version)\nto: \(version + 1)\nup:\n"
      for _ in 0..<random.below(3) + 1 { text += "  - \(operation())\n" }
      steps.append(text)
    }
  }

  // MARK: Choosing

  mutating func pick<Item>(_ items: [Item]) -> Item? {
    items.isEmpty ? nil : items[random.below(items.count)]
  }

  mutating func chance(_ share: Int) -> Bool { random.oneIn(share) }

  mutating func newName(_ prefix: String) -> String {
    nameCount += 1
    return "\(prefix)\(nameCount)"
  }

  mutating func pickClass(_ isFitting: (RandomClass) -> Bool = { _ in true }) -> String? {
    pick(classes.filter { isFitting($0.value) }.keys.sorted())
  }

  // MARK: The realm

  private static let plainTypes = [
    "int", "int?", "string", "string?", "bool", "double", "double?", "date", "date?", "list<int>",
    "list<string?>",
    "set<string>", "dictionary<int>", "mixed",
  ]

  mutating func makeRealm() -> String {
    let names = ["A", "B", "C"]
    for (index, name) in names.enumerated() {
      var properties = [RandomProperty(name: "id", type: chance(2) ? "int" : "string")]
      for _ in 0..<random.below(6) + 2 {
        properties.append(RandomProperty(name: newName("p"), type: pick(Self.plainTypes) ?? "int"))
      }
      for target in names where chance(2) && target != name {
        properties.append(
          RandomProperty(name: newName("l"), type: chance(2) ? "\(target)?" : "list<\(target)>"))
      }
      let isKeyed = chance(2)
      if isKeyed { properties[0].isIndexed = true }
      classes[name] = RandomClass(properties: properties, primaryKey: isKeyed ? "id" : nil)
      if index == 2, chance(3) { break }
    }
    let counts = Dictionary(uniqueKeysWithValues: classes.keys.sorted().map { ($0, random.below(9)) })
    var lines = ["{\"realm\":{\"file_format\":24,\"schema_version\":0}}"]
    for name in classes.keys.sorted() { lines.append(line(of: name, counts[name] ?? 0)) }
    for name in classes.keys.sorted() {
      for key in 0..<(counts[name] ?? 0) { lines.append(object(name, key, counts)) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  func line(of name: String, _ count: Int) -> String {
    let known = classes[name] ?? RandomClass(properties: [])
    let properties = known.properties.map { property in
      var text = "{\"name\":\"\(property.name)\""
      let isLink = property.base.first?.isUppercase ?? false
      text += ",\"type\":\"\(isLink ? "object" : property.base)\""
      let isElementOptional = property.type.contains("?")
      if isElementOptional || property.base == "mixed" { text += ",\"optional\":true" }
      if property.isCollection { text += ",\"collection\":\"\(property.type.prefix { $0 != "<" })\"" }
      if isLink { text += ",\"target\":\"\(property.base)\"" }
      if property.isIndexed { text += ",\"indexed\":true" }
      return text + "}"
    }
    let key = known.primaryKey.map { "\"\($0)\"" } ?? "null"
    return
      "{\"class\":\"\(name)\",\"kind\":\"object\",\"primary_key\":\(key),\"properties\":[\(properties.joined(separator: ","))],\"count\":\(count)}"
  }

  mutating func object(_ name: String, _ key: Int, _ counts: [String: Int]) -> String {
    var values: [String] = []
    for property in classes[name]?.properties ?? [] {
      if property.name == "id" {
        values.append("\"id\":" + (property.type == "int" ? "\(key * 3)" : "\"k\(key)\""))
      } else {
        values.append("\"\(property.name)\":\(value(property, counts))")
      }
    }
    return "{\"object\":\"\(name)\",\"key\":\(key),\"values\":{\(values.joined(separator: ","))}}"
  }

  mutating func value(_ property: RandomProperty, _ counts: [String: Int]) -> String {
    let type = property.type
    guard property.isCollection else { return single(property.base, type.hasSuffix("?"), counts) }
    let isOptional = type.contains("?")
    var elements: [String] = []
    for _ in 0..<random.below(4) {
      let element = single(property.base, isOptional, counts)
      if element != "null" || isOptional { elements.append(element) }
    }
    if type.hasPrefix("set") { return "{\"$set\":[\(Set(elements).sorted().joined(separator: ","))]}" }
    if type.hasPrefix("dict") {
      let entries = elements.enumerated().map { "\"k\($0.offset)\":\($0.element)" }
      return "{\"$dict\":{\(entries.joined(separator: ","))}}"
    }
    return "[\(elements.joined(separator: ","))]"
  }

  mutating func single(_ base: String, _ isOptional: Bool, _ counts: [String: Int]) -> String {
    if isOptional, chance(3) { return "null" }
    switch base {
    case "int": return "\(random.below(7) - 2)"
    case "string": return pick(["\"\"", "\"a\"", "\"7\"", "\"x,y\"", "\"Bø\""]) ?? "\"\""
    case "bool": return chance(2) ? "true" : "false"
    case "double": return pick(["0.0", "1.5", "-2.0", "1e300"]) ?? "0.0"
    case "date": return "{\"$date\":\"20\(10 + random.below(20))-01-31T12:00:00.123Z\"}"
    case "mixed": return pick(["null", "1", "\"m\"", "true", "[1,\"z\"]"]) ?? "null"
    default:
      let count = counts[base] ?? 0
      return count == 0 ? "null" : "{\"$link\":{\"class\":\"\(base)\",\"key\":\(random.below(count))}}"
    }
  }
}
