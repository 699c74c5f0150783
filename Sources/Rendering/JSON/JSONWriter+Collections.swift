// Links, lists, sets and dictionaries as JSON. Layer: Rendering, JSON.

import ByteText
import RealmEngine
import TextFormats

extension JSONWriter {
  /// Writes a link: an embedded object in full, another by its name. `isTyped`: the property leads to one class
  /// only, so that a primary key alone names the object.
  @inline(never)
  mutating func writeLink(
    _ table: TableKey?, _ key: ObjectKey, isTyped: Bool, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard let table, let template = template(table) else {
      // Only a damaged file links to a class that it does not have.
      out.text.append(literal: "{\"$link\":{\"class\":null,\"key\":")
      out.text.append(decimal: key.value)
      return out.text.append(UInt8(ascii: "}"), UInt8(ascii: "}"))
    }
    if template.isEmbedded { return try writeEmbedded(template, key, to: &out) }
    if try writeLinked(template, key, to: &out) { return }
    let position = try template.table.find(key)
    if namesLinks { return try writeNamed(key, position, of: template.table, to: &out) }
    if format.style == .plain, isTyped {
      guard let property = template.table.schema.primaryKey else {
        return out.text.append(decimal: key.value)
      }
      if let position, try !isNull(property, position) { return try writeName(property, position, to: &out) }
    }
    if let form {
      if try writeIdentity(template, key, form, to: &out) { return }
    } else if format.style == .plain, let property = template.table.schema.primaryKey, let position,
      try !isNull(property, position)
    {
      return try writeIdentity(template.table.schema, property, position, to: &out)
    }
    format.append(link: key, head: template.linkHead, to: &out.text)
  }

  /// Writes a link as people say it.
  private mutating func writeNamed(
    _ key: ObjectKey, _ position: ObjectPosition?, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard let position else {
      out.text.append(text: table.schema.name.visible)
      out.text.append(literal: " @")
      return out.text.append(decimal: key.value)
    }
    try nameInWalk(of: position, in: table).write(as: table.schema, to: &out)
  }

  /// Writes the primary key that a link stands as. Many links may lead to one object, whose key is no part of the walk.
  mutating func writeName(
    _ property: Property, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    let leaf = try position.block.leaf(property)
    guard case .strings(let texts) = leaf, let text = try texts.bytes(position.row, in: snapshot) else {
      return try write(leaf, position.row, of: property, to: &out)
    }
    // The leaf is not charged here, so that it does not matter whether the text is a blob of its own or lies with others.
    try budget.charge(nameOfSize: text.count)
    format.append(text: text, to: &out.text)
  }

  /// A primary key that is null would look like no link.
  private func isNull(_ property: Property, _ position: ObjectPosition) throws(EngineError) -> Bool {
    guard property.isOptional else { return false }
    return try position.block.leaf(property).value(position.row, in: snapshot, target: nil) == .null
  }

  /// Writes the collection of `property` whose root is given; nil is an empty one.
  mutating func writeCollection(
    _ root: Ref?, of property: Property, to out: inout OutputBuffer
  ) throws(EngineError) {
    switch property.collection {
    case .dictionary:
      let entries = try root.map { root throws(EngineError) in
        try snapshot.entries(of: property, at: root, budget: budget)
      }
      try write(entries ?? [], isTyped: property.isLink, to: &out)
    case .set where format.style == .typed:
      out.text.append(literal: "{\"$set\":")
      if isCanonical {
        try writeSortedElements(root, of: property, to: &out)
      } else {
        try writeElements(root, of: property, to: &out)
      }
      out.text.append(UInt8(ascii: "}"))
    default:
      try writeElements(root, of: property, to: &out)
    }
  }

  private mutating func writeElements(
    _ root: Ref?, of property: Property, to out: inout OutputBuffer
  ) throws(EngineError) {
    // A list of names needs no brackets where it stands alone.
    let isNamed = namesLinks && depth == 0 && property.isLink && template(property)?.isEmbedded == false
    if !isNamed { out.text.append(UInt8(ascii: "[")) }
    if let root {
      try nest()
      var isFirst = true
      let (snapshot, budget) = (snapshot, budget)
      try snapshot.forEachElementLeaf(root, property.elementLayout, budget: budget) {
        leaf throws(EngineError) in
        for index in 0..<leaf.count {
          // Objects that do not exist (yet) are left out, as the SDKs do.
          if case .links(let links) = leaf, let key = links[index], key.value < 0 { continue }
          if !isFirst { out.text.append(literal: isNamed ? ", " : ",") }
          isFirst = false
          try write(leaf, index, of: property, to: &out)
          try out.flushIfLarge()
        }
        return true
      }
      depth -= 1
    }
    if !isNamed { out.text.append(UInt8(ascii: "]")) }
  }

  private mutating func template(_ property: Property) -> ObjectTemplate? {
    if let target = property.target { template(target) } else { nil }
  }

  /// Writes the elements of a set, which hold no collections, in the byte order of their texts.
  private mutating func writeSortedElements(
    _ root: Ref?, of property: Property, to out: inout OutputBuffer
  ) throws(EngineError) {
    var texts: [[UInt8]] = []
    if let root {
      let (snapshot, budget) = (snapshot, budget)
      var element = OutputBuffer()
      try snapshot.forEachElementLeaf(root, property.elementLayout, budget: budget) {
        leaf throws(EngineError) in
        for index in 0..<leaf.count {
          if case .links(let links) = leaf, let key = links[index], key.value < 0 { continue }
          try write(leaf, index, of: property, to: &element)
          texts.append(element.text.bytes)
          element.text.removeAll()
        }
        return true
      }
    }
    out.text.append(UInt8(ascii: "["))
    for (index, text) in texts.sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
      if index > 0 { out.text.append(UInt8(ascii: ",")) }
      out.text.append(text)
      try out.flushIfLarge()
    }
    out.text.append(UInt8(ascii: "]"))
  }

  /// Writes a list that stands inside a mixed value.
  mutating func write(list: NestedCollection, to out: inout OutputBuffer) throws(EngineError) {
    try nest()
    out.text.append(UInt8(ascii: "["))
    var isFirst = true
    let (snapshot, budget) = (snapshot, budget)
    try snapshot.forEachElement(ofNested: list, budget: budget) { value throws(EngineError) in
      if !isFirst { out.text.append(UInt8(ascii: ",")) }
      isFirst = false
      try write(value, to: &out)
      try out.flushIfLarge()
      return true
    }
    out.text.append(UInt8(ascii: "]"))
    depth -= 1
  }

  /// Writes a dictionary with its keys in byte order.
  mutating func write(
    _ entries: [DictionaryEntry], isTyped: Bool, to out: inout OutputBuffer
  ) throws(EngineError) {
    try nest()
    let entries = entries.sorted(by: DictionaryEntry.comesFirst)
    let isTagged = format.style == .typed || form != nil && (entries.first?.key.looksLikeTag ?? false)
    if isTagged { out.text.append(literal: "{\"$dict\":") }
    out.text.append(UInt8(ascii: "{"))
    var isFirst = true
    for entry in entries {
      if !isFirst { out.text.append(UInt8(ascii: ",")) }
      isFirst = false
      writeKey(entry.key, to: &out)
      out.text.append(UInt8(ascii: ":"))
      if case .link(let link) = entry.value {
        try writeLink(link.table, link.key, isTyped: isTyped, to: &out)
      } else {
        try write(entry.value, to: &out)
      }
      try out.flushIfLarge()
    }
    out.text.append(UInt8(ascii: "}"))
    if isTagged { out.text.append(UInt8(ascii: "}")) }
    depth -= 1
  }

  private func writeKey(_ key: Value, to out: inout OutputBuffer) {
    switch key {
    case .string(let text):
      _ = out.text.append(jsonString: text.bytes.span)
    case .int(let number):
      out.text.append(UInt8(ascii: "\""))
      out.text.append(decimal: number)
      out.text.append(UInt8(ascii: "\""))
    default: out.text.append(literal: "\"\"")
    }
  }
}

extension Value {
  /// Whether a dictionary that begins with this key could be taken for a value that is announced, such as `{"$link":…}`.
  fileprivate var looksLikeTag: Bool {
    guard case .string(let text) = self else { return false }
    return text.count > 0 && text.bytes.span[0] == UInt8(ascii: "$")
  }
}

extension DictionaryEntry {
  /// The order in which entries are written: by key, text in byte order.
  static func comesFirst(_ left: DictionaryEntry, _ right: DictionaryEntry) -> Bool {
    switch (left.key, right.key) {
    case (.string(let left), .string(let right)): left < right
    case (.int(let left), .int(let right)): left < right
    default: false
    }
  }
}
