// The operations of random chains: each fits the schema that those before it leave.

extension RandomChain {
  /// One that fits the schema, which is changed with it.
  mutating func operation() -> String {
    while true { if let text = tried(random.below(22)) { return text } }
  }

  private mutating func tried(_ kind: Int) -> String? {
    switch kind {
    case 0...2: return addProperty()
    case 3: return dropProperty()
    case 4: return renameProperty()
    case 5, 6: return changeType()
    case 7: return changeOptionality()
    case 8: return changeIndex()
    case 9: return changePrimaryKey()
    case 10: return changeKeyValues()
    case 11: return renameClass()
    case 12: return addClasses()
    case 13: return dropClass()
    case 14: return embed()
    case 15, 16: return update()
    case 17: return delete()
    case 18: return create()
    case 19: return copy()
    case 20: return insert()
    default: return findOrCreate()
    }
  }

  /// An expression of a type, from the properties of a class.
  private mutating func expression(_ type: String, _ known: RandomClass) -> String? {
    switch type {
    case "int":
      if let name = pick(known.named(["int"]))?.name, chance(2) { return "\(name) * 2 + 1" }
      if let name = pick(known.named(["list<int>"]))?.name, chance(2) {
        return "sum(map(\(name), it + index))"
      }
      if let name = pick(known.named(["date"]))?.name { return "milliseconds(\(name)) % 1000" }
      return "length('abc')"
    case "string":
      if let name = pick(known.named(["string", "string?"]))?.name { return "upper(\(name) ?? 'none')" }
      if let name = pick(known.named(["mixed"]))?.name { return "type(\(name)) ?? 'nothing'" }
      if let name = pick(known.named(["int", "double"]))?.name { return "format('{}!', \(name))" }
      return "'text'"
    case "list<string>":
      guard let name = pick(known.named(["string", "string?"]))?.name else { return "list('a', 'b')" }
      return pick([
        "split(\(name), ',')", "list(\(name), 'z')", "sort(map(split(\(name) ?? 'q', ','), lower(it)))",
      ])
    default: return nil
    }
  }

  private mutating func addProperty() -> String? {
    guard let name = pickClass(), let known = classes[name] else { return nil }
    let property = newName("n")
    var type =
      pick(["int", "string", "list<string>", "int?", "set<int>", "dictionary<string>", "mixed"]) ?? "int"
    var value = ""
    if let expression = expression(type, known) { value = ", value: \"\(expression)\"" }
    if type == "dictionary<string>" { value = ", value: { a: \"'x'\", b: \"'y'\" }" }
    let isIndexed = (type == "int" || type == "string") && chance(3)
    if chance(6), let target = pickClass({ !$0.isEmbedded }) { (type, value) = ("\(target)?", "") }
    classes[name]?.properties.append(RandomProperty(name: property, type: type, isIndexed: isIndexed))
    return
      "add_property: { class: \(name), name: \(property), type: \"\(type)\"\(value)\(isIndexed ? ", indexed: true" : "") }"
  }

  private mutating func dropProperty() -> String? {
    guard let name = pickClass({ $0.properties.count > 3 }), let known = classes[name],
      let property = pick(known.properties.filter { $0.name != known.primaryKey })
    else { return nil }
    classes[name]?.properties.removeAll { $0.name == property.name }
    return "drop_property: { class: \(name), name: \(property.name) }"
  }

  private mutating func change(
    _ className: String, _ property: String, _ body: (inout RandomProperty) -> Void
  ) {
    guard let index = classes[className]?.properties.firstIndex(where: { $0.name == property }) else {
      return
    }
    body(&classes[className]!.properties[index])
  }

  private mutating func renameProperty() -> String? {
    guard let name = pickClass(), let property = pick(classes[name]?.properties ?? []) else { return nil }
    let to = newName("r")
    change(name, property.name) { $0.name = to }
    if classes[name]?.primaryKey == property.name { classes[name]?.primaryKey = to }
    return "rename_property: { class: \(name), from: \(property.name), to: \(to) }"
  }

  private mutating func changeType() -> String? {
    guard let name = pickClass(), let known = classes[name] else { return nil }
    let plain = known.properties.filter { $0.name != known.primaryKey }
    let (from, to, rest): (String, String, String)
    switch random.below(6) {
    case 0: (from, to, rest) = ("int", "string", "value: string(old)")
    case 1: (from, to, rest) = ("string", "int", "value: int(old), unparsable: { value: \"-1\" }")
    case 2: (from, to, rest) = ("string", "int?", "value: int(old), unparsable: null")
    case 3:
      (from, to, rest) = ("string?", "int", "value: int(old), unparsable: fail, nulls: { value: \"0\" }")
    case 4: (from, to, rest) = ("string", "list<string>", "value: \"split(old, ',')\"")
    default: (from, to, rest) = ("date", "int", "value: milliseconds(old)")
    }
    guard let property = pick(plain.filter { $0.type == from }) else { return nil }
    change(name, property.name) { changed in
      changed.type = to
      if to.hasPrefix("list") { changed.isIndexed = changed.isIndexed && to == "list<string>" }
    }
    return "change_type: { class: \(name), property: \(property.name), to: \"\(to)\", \(rest) }"
  }

  private mutating func changeOptionality() -> String? {
    guard let name = pickClass(), let known = classes[name],
      let property = pick(
        known.properties.filter {
          ["int", "string", "int?", "string?"].contains($0.type) && $0.name != known.primaryKey
        })
    else { return nil }
    guard property.isOptional else {
      change(name, property.name) { $0.type += "?" }
      return "make_optional: { class: \(name), property: \(property.name) }"
    }
    change(name, property.name) { $0.type.removeLast() }
    let value = property.base == "int" ? "0" : "''"
    let policy = pick(["fail", "{ value: \"\(value)\" }", known.isEmbedded ? "fail" : "delete"]) ?? "fail"
    return "make_required: { class: \(name), property: \(property.name), nulls: \(policy) }"
  }

  private mutating func changeIndex() -> String? {
    guard let name = pickClass(), let known = classes[name],
      let property = pick(known.named(["int", "string", "date"]).filter { $0.name != known.primaryKey })
    else { return nil }
    change(name, property.name) { $0.isIndexed.toggle() }
    return
      "\(property.isIndexed ? "drop_index" : "add_index"): { class: \(name), property: \(property.name) }"
  }

  private mutating func duplicates(_ known: RandomClass, key: String) -> String {
    if chance(3) { return "" }
    var merges: [String] = []
    for property in known.properties where property.name != key && chance(3) {
      if property.type == "int" { merges.append("\(property.name): sum") }
      if property.type.hasPrefix("list<") { merges.append("\(property.name): union") }
      if property.type == "string?" { merges.append("\(property.name): last") }
    }
    let merge = merges.isEmpty ? "" : ", merge: { \(merges.joined(separator: ", ")) }"
    return ", duplicates: { keep: \(chance(2) ? "first" : "last"), relink: true\(merge) }"
  }

  private mutating func changePrimaryKey() -> String? {
    guard let name = pickClass({ !$0.isEmbedded }), let known = classes[name] else { return nil }
    if let key = known.primaryKey, chance(3) {
      classes[name]?.primaryKey = nil
      change(name, key) { $0.isIndexed = false }
      return "change_primary_key: { class: \(name), to: null }"
    }
    guard let property = pick(known.named(["int", "string"]).filter { $0.name != known.primaryKey }) else {
      return nil
    }
    let policy = duplicates(known, key: property.name)
    if let key = known.primaryKey { change(name, key) { $0.isIndexed = false } }
    classes[name]?.primaryKey = property.name
    change(name, property.name) { $0.isIndexed = true }
    return "change_primary_key: { class: \(name), to: \(property.name)\(policy) }"
  }

  private mutating func changeKeyValues() -> String? {
    guard let name = pickClass({ $0.primaryKey != nil }), let known = classes[name],
      let key = known.primaryKey,
      let type = known.properties.first(where: { $0.name == key })?.type
    else { return nil }
    let value =
      type.hasPrefix("int")
      ? pick(["old + 100", "old / 2"]) : pick(["upper(old ?? '')", "(old ?? '') + '!'"])
    return "change_key_values: { class: \(name), value: \"\(value ?? "old")\"\(duplicates(known, key: key)) }"
  }

  private mutating func renameClass() -> String? {
    guard let name = pickClass(), let known = classes[name] else { return nil }
    let to = newName("K")
    classes[name] = nil
    classes[to] = known
    retarget(name, to: to)
    return "rename_class: { from: \(name), to: \(to) }"
  }

  private mutating func retarget(_ old: String, to new: String) {
    for (name, known) in classes {
      for property in known.properties where property.base == old {
        change(name, property.name) { $0.type = $0.type.contains("<") ? "list<\(new)>" : "\(new)?" }
      }
    }
  }

  private mutating func addClasses() -> String? {
    let (first, second) = (newName("N"), newName("N"))
    classes[first] = RandomClass(
      properties: [
        RandomProperty(name: "id", type: "int", isIndexed: true),
        RandomProperty(name: "x", type: "\(second)?"),
      ],
      primaryKey: "id")
    classes[second] = RandomClass(
      properties: [
        RandomProperty(name: "t", type: "string?"), RandomProperty(name: "y", type: "list<\(first)>"),
      ])
    return
      "add_classes: { classes: { \(first): { primary_key: id, properties: { id: int, x: \"\(second)?\" } }, \(second): { properties: { t: \"string?\", y: \"list<\(first)>\" } } } }"
  }

  private mutating func dropClass() -> String? {
    guard classes.count > 2, let name = pickClass() else { return nil }
    classes[name] = nil
    for (other, known) in classes {
      classes[other]?.properties = known.properties.filter { $0.base != name }
    }
    return "drop_class: { class: \(name), linked: nullify }"
  }

  private mutating func embed() -> String? {
    if let name = pickClass(\.isEmbedded) {
      classes[name]?.isEmbedded = false
      return "make_object: { class: \(name) }"
    }
    guard let name = pickClass({ !$0.isEmbedded }), let known = classes[name] else { return nil }
    if let key = known.primaryKey { classes[name]?.properties.removeAll { $0.name == key } }
    classes[name]?.primaryKey = nil
    classes[name]?.isEmbedded = true
    return "make_embedded: { class: \(name), primary_key: drop, orphans: delete, shared: duplicate }"
  }

  private mutating func update() -> String? {
    guard let name = pickClass(), let known = classes[name] else { return nil }
    var sets: [String] = []
    for property in known.properties where property.name != known.primaryKey && chance(2) {
      if let value = expression(property.type, known) { sets.append("\(property.name): \"\(value)\"") }
    }
    guard !sets.isEmpty else { return nil }
    let condition = pick(known.named(["int"])).map { ", where: \"\($0.name) > 0\"" } ?? ""
    return "update: { class: \(name)\(condition), set: { \(sets.joined(separator: ", ")) } }"
  }

  private mutating func delete() -> String? {
    guard let name = pickClass({ !$0.isEmbedded }),
      let property = pick(classes[name]?.named(["int", "int?"]) ?? [])
    else { return nil }
    return
      "delete: { class: \(name), where: \"\(property.name) == \(random.below(4) - 1)\", max: \(random.below(6)) }"
  }

  private mutating func create() -> String? {
    guard let source = pickClass({ !$0.isEmbedded }), let known = classes[source] else { return nil }
    guard let target = pickClass({ !$0.isEmbedded && $0.primaryKey == nil }), let made = classes[target]
    else { return nil }
    var sets: [String] = []
    for property in made.properties {
      if let value = expression(property.type, known) {
        sets.append("\(property.name): \"\(value)\"")
      } else if !property.isOptional, !property.isCollection, property.base != "mixed" {
        return nil
      }
    }
    guard !sets.isEmpty else { return nil }
    let link = pick(known.properties.filter { $0.base == target }).map { ", link: \($0.name)" } ?? ""
    let isDistinct = chance(2) && !made.properties.contains { $0.isCollection }
    return
      "create: { class: \(target), for_each: \(source), set: { \(sets.joined(separator: ", ")) }\(isDistinct ? ", distinct: true" : "")\(link) }"
  }

  private mutating func copy() -> String? {
    guard let name = pickClass({ !$0.isEmbedded && $0.primaryKey == nil }) else { return nil }
    return "copy_objects: { from: \(name), to: \(name) }"
  }

  private mutating func insert() -> String? {
    guard let name = pickClass({ $0.properties.count == 2 && $0.primaryKey == "id" && !$0.isEmbedded }) else {
      return nil
    }
    return
      "insert: { class: \(name), existing: \(pick(["fail", "keep", "update"]) ?? "fail"), objects: [ { id: 1 }, { id: \(random.below(3)) } ] }"
  }

  private mutating func findOrCreate() -> String? {
    guard
      let target = pickClass({ known in
        !known.isEmbedded && known.primaryKey == nil
          && known.properties.allSatisfy { $0.isOptional || $0.isCollection || $0.base == "mixed" }
      }), let key = pick(classes[target]?.named(["string?"]) ?? []),
      let name = pickClass({ !$0.named(["string", "string?"]).isEmpty }),
      let property = pick(classes[name]?.named(["string", "string?"]) ?? [])
    else { return nil }
    let link = newName("f")
    classes[name]?.properties.append(RandomProperty(name: link, type: "\(target)?"))
    return
      "add_property: { class: \(name), name: \(link), type: \"\(target)?\", value: \"find(\(target), '\(key.name)', \(property.name))\", missing: create }"
  }
}
