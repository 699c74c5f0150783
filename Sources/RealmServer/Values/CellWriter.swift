// Values as the page takes them: JSON in which each value tells its type, integers are texts, and what is long is cut. Layer:
// RealmServer, Values. Invariants: what is written of one cell is limited whatever the file holds; every node is charged to a
// budget; nothing is written that could be taken for a value of another type.
//
//   null, true, false, "text", 1.5 (a double)   themselves
//   {"$int":"40"}  {"$float":1.5}  {"$double":"NaN"}  {"$date":"…"}  {"$decimal":"…"}  {"$oid":"…"}  {"$uuid":"…"}
//   {"$binary":{"bytes":n,"start":"base64"}}  {"$text":{"bytes":n,"start":"…"}} (cut)  {"$string":"base64"} (not UTF-8)
//   {"$link":{"class":"Person","key":"40","primary_key":…}}
//   {"$embedded":{"class":"Address","key":"3","values":{"street":…}}}
//   {"$list":{"count":n,"from":0,"items":[…]}}, "$set" alike, {"$dict":{"count":n,"from":0,"items":[["key",…],…]}}

package import ByteText
package import RealmEngine
import Rendering
import TextFormats

/// How much of a value is written.
package struct CellLimits: Sendable {
  /// Bytes of a text or of data.
  package var bytes: Int
  /// Elements of a collection, from one on.
  package var items: Int
  package var from = 0
  /// Objects and collections inside each other.
  package var levels: Int

  package init(bytes: Int, items: Int, levels: Int) {
    (self.bytes, self.items, self.levels) = (bytes, items, levels)
  }

  /// In a grid.
  package static let cell = CellLimits(bytes: 256, items: 4, levels: 2)
  /// On the page of an object.
  package static let object = CellLimits(bytes: 1 << 16, items: 100, levels: 8)
  /// One property alone.
  package static let whole = CellLimits(bytes: 1 << 24, items: 100, levels: Nesting.levelsMax)
}

/// Writes values of one snapshot.
package struct CellWriter {
  private let realm: ReadTransaction
  private let snapshot: Snapshot
  private let format = ValueFormat(.typed)
  private let limits: CellLimits
  private var budget: TraversalBudget
  private var level = 0
  /// Bytes that a cell may still take: deep values of few elements each would be long together.
  private var sizeLeft = 0

  private static let cellSizeMax = 1 << 22

  package init(_ realm: ReadTransaction, _ limits: CellLimits) {
    self.realm = realm
    snapshot = realm.snapshot
    self.limits = limits
    budget = TraversalBudget(realm.snapshot)
  }

  /// Writes a property of one object.
  package mutating func write(
    _ property: Property, of position: ObjectPosition, to text: inout ByteBuffer
  ) throws(EngineError) {
    budget = TraversalBudget(snapshot)
    level = 0
    sizeLeft = text.count + max(Self.cellSizeMax, 8 * limits.bytes)
    try writeProperty(property, of: position, from: limits.from, to: &text)
  }

  /// Writes a value that stands alone.
  package mutating func write(alone value: Value, to text: inout ByteBuffer) throws(EngineError) {
    budget = TraversalBudget(snapshot)
    level = 0
    sizeLeft = text.count + Self.cellSizeMax
    try write(value, to: &text)
  }

  private mutating func writeProperty(
    _ property: Property, of position: ObjectPosition, from: Int, to text: inout ByteBuffer
  ) throws(EngineError) {
    let leaf = try position.block.leaf(property)
    guard case .collections(let roots) = leaf else {
      return try write(
        try leaf.value(position.row, in: snapshot, target: property.target), from: from, to: &text)
    }
    let root = try roots.root(position.row)
    if property.collection == .dictionary {
      var entries: [DictionaryEntry] = []
      if let root { entries = try snapshot.entries(of: property, at: root, budget: budget) }
      return try write(entries, from: from, to: &text)
    }
    var window = Window(from, isOpen(text) ? limits.items : 0)
    var count = 0
    if let root {
      count = try snapshot.elementCount(of: property, at: root)
      try snapshot.forEachElement(of: property, at: root, budget: budget) { window.take($0) }
    }
    try writeItems(property.collection == .set ? "$set" : "$list", count, window, to: &text)
  }

  /// Whether what is inside of something may still be written.
  private func isOpen(_ text: borrowing ByteBuffer) -> Bool { level < limits.levels && text.count < sizeLeft }

  /// Some of many elements, which are handed over one by one.
  private struct Window {
    let from: Int
    private let end: Int
    private var index = 0
    private(set) var items: [Value] = []

    init(_ from: Int, _ count: Int) { (self.from, end) = (from, from > .max - count ? .max : from + count) }

    /// False: there are enough.
    mutating func take(_ value: Value) -> Bool {
      if index >= from, index < end { items.append(value) }
      index += 1
      return index < end
    }
  }

  // MARK: Single values

  private mutating func write(
    _ value: Value, from: Int = 0, to text: inout ByteBuffer
  ) throws(EngineError) {
    switch value {
    case .int(let value): write("$int", value, to: &text)
    case .string(let value): write(value, to: &text)
    case .data(let value):
      open("$binary", to: &text)
      text.append(literal: "{\"bytes\":")
      text.append(decimal: Int64(value.count))
      text.append(literal: ",\"start\":\"")
      let bytes = value.bytes
      text.append(base64: bytes.span.extracting(0..<min(value.count, limits.bytes)))
      text.append(literal: "\"}}")
    case .link(let link): try write(link, to: &text)
    case .list(let list):
      var window = Window(from, isOpen(text) ? limits.items : 0)
      var count = 0
      if let root = Ref(Int64(list.rootOffset)) {
        count = try snapshot.elements(root, .mixedElements).count
        try snapshot.forEachElement(ofNested: list, budget: budget) { window.take($0) }
      }
      try writeItems("$list", count, window, to: &text)
    case .dictionary(let dictionary):
      try write(try snapshot.entries(ofNested: dictionary, budget: budget), from: from, to: &text)
    default: _ = format.append(single: value, to: &text)
    }
  }

  private func open(_ tag: StaticString, to text: inout ByteBuffer) {
    text.append(literal: "{\"")
    text.append(literal: tag)
    text.append(literal: "\":")
  }

  private func write(_ tag: StaticString, _ number: Int64, to text: inout ByteBuffer) {
    open(tag, to: &text)
    text.append(UInt8(ascii: "\""))
    text.append(decimal: number)
    text.append(literal: "\"}")
  }

  private func write(_ value: ByteString, to text: inout ByteBuffer) {
    guard value.count > limits.bytes else {
      return format.append(text: value, to: &text)
    }
    let bytes = value.bytes.span
    var end = limits.bytes
    // Not in the middle of a character.
    while end > max(0, limits.bytes - 4), bytes[end] & 0xC0 == 0x80 { end -= 1 }
    open("$text", to: &text)
    text.append(literal: "{\"bytes\":")
    text.append(decimal: Int64(value.count))
    text.append(literal: ",\"start\":")
    _ = text.append(jsonString: bytes.extracting(0..<end))
    text.append(literal: "}}")
  }

  // MARK: Links and embedded objects

  package mutating func write(_ link: ObjectLink, to text: inout ByteBuffer) throws(EngineError) {
    guard link.key.value >= 0 else { return text.append(literal: "null") }
    let table = realm.table(link.table)
    let isEmbedded = table?.schema.kind == .embedded
    if isEmbedded { open("$embedded", to: &text) } else { open("$link", to: &text) }
    text.append(literal: "{\"class\":")
    if let table { text.append(jsonString: table.schema.name) } else { text.append(literal: "null") }
    text.append(literal: ",\"key\":\"")
    text.append(decimal: link.key.value)
    text.append(UInt8(ascii: "\""))
    defer { text.append(literal: "}}") }
    guard let table, let position = try table.find(link.key) else {
      return text.append(literal: ",\"missing\":true")
    }
    if isEmbedded {
      guard level < limits.levels, text.count < sizeLeft else { return }
      level += 1
      defer { level -= 1 }
      text.append(literal: ",\"values\":")
      try writeValues(table.schema.properties, of: position, to: &text)
    } else if let property = table.schema.primaryKey {
      text.append(literal: ",\"primary_key\":")
      let value = try position.block.leaf(property).value(position.row, in: snapshot, target: nil)
      var short = CellWriter(realm, .cell)
      try short.write(alone: value, to: &text)
    }
  }

  private mutating func writeValues(
    _ properties: [Property], of position: ObjectPosition, to text: inout ByteBuffer
  ) throws(EngineError) {
    text.append(UInt8(ascii: "{"))
    for (index, property) in properties.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(jsonKey: property.name)
      try writeProperty(property, of: position, from: 0, to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }

  // MARK: Collections

  private mutating func writeItems(
    _ tag: StaticString, _ count: Int, _ window: Window, to text: inout ByteBuffer
  ) throws(EngineError) {
    writeHead(tag, count, window.from, to: &text)
    level += 1
    defer { level -= 1 }
    for (index, item) in window.items.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      try write(item, to: &text)
    }
    text.append(literal: "]}}")
  }

  private func writeHead(_ tag: StaticString, _ count: Int, _ from: Int, to text: inout ByteBuffer) {
    open(tag, to: &text)
    text.append(literal: "{\"count\":")
    text.append(decimal: Int64(count))
    text.append(literal: ",\"from\":")
    text.append(decimal: Int64(from))
    text.append(literal: ",\"items\":[")
  }

  private mutating func write(
    _ entries: [DictionaryEntry], from: Int, to text: inout ByteBuffer
  ) throws(EngineError) {
    writeHead("$dict", entries.count, from, to: &text)
    level += 1
    defer { level -= 1 }
    if level <= limits.levels, text.count < sizeLeft {
      let shown = entries.dropFirst(from).prefix(limits.items)
      for (index, entry) in shown.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "["))
        try write(entry.key, to: &text)
        text.append(UInt8(ascii: ","))
        try write(entry.value, to: &text)
        text.append(UInt8(ascii: "]"))
      }
    }
    text.append(literal: "]}}")
  }
}
