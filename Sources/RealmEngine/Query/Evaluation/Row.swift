// One object as the reference evaluator sees it: its class, its place, its values. Layer: Query, Evaluation.

/// An object that conditions are tested on.
struct Row: Sendable {
  let table: Table
  let position: ObjectPosition

  var link: ObjectLink { ObjectLink(table: table.schema.tableKey, key: position.key) }

  private var snapshot: Snapshot { table.snapshot }

  /// The value of a property that has one.
  func value(_ property: Property) throws(EngineError) -> Value {
    try position.block.leaf(property).value(position.row, in: snapshot, target: property.target)
  }

  /// Where a collection is stored; nil for one that never was, which is empty.
  func collectionRoot(_ property: Property) throws(EngineError) -> Ref? {
    guard case .collections(let leaf) = try position.block.leaf(property) else { return nil }
    return try leaf.root(position.row)
  }

  /// The chosen elements of a list or set.
  func elements(_ property: Property, _ choice: ElementChoice) throws(EngineError) -> [Value] {
    guard let root = try collectionRoot(property) else { return [] }
    var picker = ElementPicker(choice)
    try snapshot.forEachElement(of: property, at: root) { picker.take($0) }
    return picker.values
  }

  func entries(_ property: Property) throws(EngineError) -> [DictionaryEntry] {
    guard let root = try collectionRoot(property) else { return [] }
    return try snapshot.entries(of: property, at: root)
  }

  /// The value under `key`; null where there is no such key.
  func entry(_ property: Property, _ key: ByteString) throws(EngineError) -> Value {
    try entries(property).value(forKey: key)
  }

  /// The objects that link here through `column`, once for each link.
  func origins(_ column: BacklinkColumn) throws(EngineError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    try snapshot.forEachOrigin(try position.block.backlinks(column)[position.row]) { key in
      keys.append(key)
      return true
    }
    return keys
  }
}

/// Keeps the elements that a choice means from those that pass by.
struct ElementPicker {
  private let choice: ElementChoice
  private var index = 0
  private(set) var values: [Value] = []

  init(_ choice: ElementChoice) { self.choice = choice }

  /// Whether more elements are needed.
  mutating func take(_ value: Value) -> Bool {
    defer { index += 1 }
    switch choice {
    case .all: values.append(value)
    case .last: values = [value]
    case .first:
      values = [value]
      return false
    case .at(let wanted):
      if index < wanted { return true }
      values = [value]
      return false
    }
    return true
  }
}

extension [DictionaryEntry] {
  /// Null where there is no such key.
  func value(forKey key: ByteString) -> Value { first { $0.key == .string(key) }?.value ?? .null }
}
