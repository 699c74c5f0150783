// One object for people: a property a line, what belongs to it and what it links to indented below.
// Layer: Rendering, Rows.
// Invariants: nothing but printable characters and line ends goes out; each object is shown once, whatever leads to it, and of
// long lists and texts only the beginning, so that the screen holds it.

import ByteText
package import RealmEngine

/// Writes objects as trees.
package struct ObjectTree {
  private let realm: ReadTransaction
  private let names: ObjectNames
  private let isColored: Bool
  private let linkLevels: Int
  private let format = ValueFormat(.plain)
  /// Objects that were shown, or begun.
  private var seen: Set<ObjectLink> = []

  private static let indentation = 2
  /// Elements of a list or dictionary.
  private static let elementsShownMax = 20
  private static let charactersShownMax = 1000
  /// Of a list of plain values in one line.
  private static let lineWidth = 60

  /// `followingLinks`: how many levels of links are shown as the objects they lead to.
  package init(_ realm: ReadTransaction, followingLinks linkLevels: Int, isColored: Bool) {
    self.realm = realm
    self.linkLevels = linkLevels
    self.isColored = isColored
    names = ObjectNames(realm)
  }

  package mutating func write(
    _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    let link = ObjectLink(table: table.schema.tableKey, key: position.key)
    seen = [link]
    out.text.append(text: try names.name(of: link), in: .bold, if: isColored)
    out.text.append(UInt8(ascii: "\n"))
    try writeProperties(position, of: table, depth: 1, levels: linkLevels, to: &out)
  }

  private mutating func writeProperties(
    _ position: ObjectPosition, of table: Table, depth: Int, levels: Int, to out: inout OutputBuffer
  ) throws(EngineError) {
    try Interruption.check()
    let labels = table.schema.properties.map(\.name.visible)
    let width = labels.map(TerminalWidth.width).max() ?? 0
    for (property, label) in zip(table.schema.properties, labels) {
      out.text.append(repeating: UInt8(ascii: " "), count: depth * Self.indentation)
      out.text.append(text: label, in: .bold, if: isColored)
      out.text.append(
        repeating: UInt8(ascii: " "), count: width - TerminalWidth.width(label) + Self.indentation)
      let leaf = try position.block.leaf(property)
      if case .collections(let roots) = leaf {
        let root = try roots.root(position.row)
        try write(try elements(of: property, root), depth: depth, levels: levels, to: &out)
      } else {
        let value = try leaf.value(position.row, in: realm.snapshot, target: property.target)
        try write(value, depth: depth, levels: levels, to: &out)
      }
      try out.flushIfLarge()
    }
  }

  // MARK: Values

  /// An element of a collection, with its key in a dictionary.
  private struct Element {
    let key: String?
    let value: Value
  }

  private struct Elements {
    var shown: [Element] = []
    var count = 0
    var isDictionary = false

    mutating func add(_ value: Value, key: String? = nil) {
      count += 1
      if shown.count < ObjectTree.elementsShownMax { shown.append(Element(key: key, value: value)) }
    }
  }

  private func elements(of property: Property, _ root: Ref?) throws(EngineError) -> Elements {
    var elements = Elements()
    elements.isDictionary = property.collection == .dictionary
    guard let root else { return elements }
    let budget = TraversalBudget(realm.snapshot)
    if elements.isDictionary {
      for entry in try realm.snapshot.entries(of: property, at: root, budget: budget) {
        elements.add(entry.value, key: text(of: entry.key))
      }
      return elements
    }
    try realm.snapshot.forEachElement(of: property, at: root, budget: budget) { value in
      elements.add(value)
      return true
    }
    return elements
  }

  private func elements(ofNested value: Value) throws(EngineError) -> Elements? {
    var elements = Elements()
    let budget = TraversalBudget(realm.snapshot)
    switch value {
    case .list(let list):
      try realm.snapshot.forEachElement(ofNested: list, budget: budget) { value in
        elements.add(value)
        return true
      }
    case .dictionary(let dictionary):
      elements.isDictionary = true
      for entry in try realm.snapshot.entries(ofNested: dictionary, budget: budget) {
        elements.add(entry.value, key: text(of: entry.key))
      }
    default: return nil
    }
    return elements
  }

  /// Writes what stands behind a name, and ends the line.
  private mutating func write(
    _ value: Value, depth: Int, levels: Int, to out: inout OutputBuffer
  ) throws(EngineError) {
    if let elements = try elements(ofNested: value) {
      return try write(elements, depth: depth, levels: levels, to: &out)
    }
    guard case .link(let link) = value, link.key.value >= 0 else {
      let isNull = value.isNullOrNoLink
      out.text.append(text: isNull ? "NULL" : text(of: value), in: .dim, if: isColored && isNull)
      return out.text.append(UInt8(ascii: "\n"))
    }
    let table = realm.table(link.table)
    let isEmbedded = table?.schema.kind == .embedded
    out.text.append(text: isEmbedded ? table?.schema.name.visible ?? "" : try names.name(of: link))
    out.text.append(UInt8(ascii: "\n"))
    guard isEmbedded || levels > 0, let table, depth < Nesting.levelsMax, !seen.contains(link),
      let position = try table.find(link.key)
    else { return }
    seen.insert(link)
    try writeProperties(
      position, of: table, depth: depth + 1, levels: isEmbedded ? levels : levels - 1, to: &out)
  }

  private mutating func write(
    _ elements: Elements, depth: Int, levels: Int, to out: inout OutputBuffer
  ) throws(EngineError) {
    let texts = elements.shown.map { $0.value.isPlain ? quoted($0.value) : "" }
    let isPlain = elements.shown.allSatisfy { $0.value.isPlain && $0.key == nil }
    let line = texts.joined(separator: ", ")
    if elements.count == 0 || isPlain && elements.count == texts.count && line.count <= Self.lineWidth {
      let brackets = elements.isDictionary ? ("{", "}") : ("[", "]")
      out.text.append(text: brackets.0 + line + brackets.1 + "\n")
      return
    }
    let noun = elements.isDictionary ? ("entry", "entries") : ("element", "elements")
    out.text.append(text: counted(elements.count, noun.0, noun.1) + "\n")
    guard depth < Nesting.levelsMax else { return }
    for element in elements.shown {
      out.text.append(repeating: UInt8(ascii: " "), count: (depth + 1) * Self.indentation)
      if let key = element.key { out.text.append(text: "\(key)  ") }
      try write(element.value, depth: depth + 1, levels: levels, to: &out)
    }
    guard elements.count > elements.shown.count else { return }
    out.text.append(repeating: UInt8(ascii: " "), count: (depth + 1) * Self.indentation)
    out.text.append(
      text: "… \(elements.count - elements.shown.count) more\n", in: .dim, if: isColored)
  }

  /// As it stands among others.
  private func quoted(_ value: Value) -> String {
    if case .string(let string) = value, string.count > 0 { return "\"\(text(of: value))\"" }
    return text(of: value)
  }

  /// A single value that is no link, in one line.
  private func text(of value: Value) -> String {
    var json = ByteBuffer()
    switch value {
    case .null, .link, .list, .dictionary: return "NULL"
    case .date(let date): FieldFormat.bare.append(date, to: &json)
    case .string(let text): return text.count == 0 ? "\"\"" : shortened(text.text.visible)
    case .data(let data): return data.count > Self.charactersShownMax ? "\(data.count) bytes" : base64(data)
    default: _ = format.append(single: value, to: &json)
    }
    let text = json.span.string
    return text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text
  }

  private func base64(_ data: ByteString) -> String {
    var text = ByteBuffer()
    text.append(base64: data.bytes.span)
    return text.span.string
  }

  private func shortened(_ text: String) -> String {
    guard text.utf8.count > Self.charactersShownMax, text.count > Self.charactersShownMax else { return text }
    return text.prefix(Self.charactersShownMax) + "…"
  }
}

extension Value {
  /// Whether it is neither a link to an object nor a collection.
  fileprivate var isPlain: Bool {
    switch self {
    case .link, .list, .dictionary: false
    default: true
    }
  }

  fileprivate var isNullOrNoLink: Bool {
    switch self {
    case .null: true
    case .link(let link): link.key.value < 0
    default: false
    }
  }
}
