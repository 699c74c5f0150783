// The columns of a file: a tree of fields, and the leaves that values go to. Layer: Parquet.
// Every field may be null, so that files of different origin can be read as one table.

/// What a leaf holds.
package enum ParquetType: Sendable, Hashable {
  case bool, int64, float, double
  /// Any bytes.
  case bytes
  /// Text in UTF-8.
  case text
  /// Text in UTF-8 that is JSON.
  case json
  /// Microseconds since 1970, or nanoseconds.
  case timestamp(isNanoseconds: Bool)

  /// The number of the physical type.
  var physicalCode: Int {
    switch self {
    case .bool: 0
    case .int64, .timestamp: 2
    case .float: 4
    case .double: 5
    case .bytes, .text, .json: 6
    }
  }

  /// What readers of before logical types know; nil: nothing.
  fileprivate var convertedCode: Int? {
    switch self {
    case .text: 0
    case .timestamp(false): 10
    case .json: 19
    case .bool, .int64, .float, .double, .bytes, .timestamp(true): nil
    }
  }

  fileprivate func writeLogical(to thrift: inout ThriftWriter) {
    switch self {
    case .text: thrift.field(1) { _ in }
    case .json: thrift.field(12) { _ in }
    case .timestamp(let isNanoseconds):
      thrift.field(8) { thrift in
        thrift.field(1, true)
        thrift.field(2) { $0.field(isNanoseconds ? 3 : 2) { _ in } }
      }
    case .bool, .int64, .float, .double, .bytes: break
    }
  }

  fileprivate var hasLogical: Bool {
    switch self {
    case .text, .json, .timestamp: true
    case .bool, .int64, .float, .double, .bytes: false
    }
  }
}

/// A column, or a group of them.
package struct ParquetField: Sendable, Hashable {
  package indirect enum Content: Sendable, Hashable {
    case leaf(ParquetType)
    case group([ParquetField])
    /// Elements, which may be null.
    case list(Content)
    /// Keys are text and never null, values may be.
    case map(Content)
  }

  package let name: String
  package let content: Content

  package init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }
}

extension ParquetField.Content {
  /// How many leaves are below it.
  package var leafCount: Int {
    switch self {
    case .leaf: 1
    case .list(let element): element.leafCount
    case .map(let value): 1 + value.leafCount
    case .group(let fields): fields.reduce(0) { $0 + $1.content.leafCount }
    }
  }

  /// What holds the values of both, which have the groups of both; nil where some field has two types.
  package func united(with other: ParquetField.Content) -> ParquetField.Content? {
    switch (self, other) {
    case (.leaf(let type), .leaf(let otherType)): type == otherType ? self : nil
    case (.list(let element), .list(let other)): element.united(with: other).map { .list($0) }
    case (.map(let value), .map(let other)): value.united(with: other).map { .map($0) }
    case (.group(let fields), .group(let others)):
      ParquetField.united(fields, others) { _ in nil }.map { .group($0) }
    default: nil
    }
  }
}

extension ParquetField {
  /// The fields of both by name, in the order in which they are met. `clash`: what becomes of a field that has two types; nil
  /// where nothing can.
  package static func united(
    _ fields: [ParquetField], _ others: [ParquetField], _ clash: (String) -> Content?
  ) -> [ParquetField]? {
    var united = fields
    var places = Dictionary(fields.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for field in others {
      guard let place = places[field.name] else {
        places[field.name] = united.count
        united.append(field)
        continue
      }
      guard let content = united[place].content.united(with: field.content) ?? clash(field.name) else {
        return nil
      }
      united[place] = ParquetField(field.name, content)
    }
    return united
  }
}

/// A leaf: where it stands, and which levels mean what.
struct LeafColumn: Sendable {
  let path: [String]
  let type: ParquetType
  /// The definition level of a value that is there.
  let definitionMax: Int
  let repetitionMax: Int
}

/// How a field of the tree is written down.
struct SchemaElement {
  enum Repetition: Int {
    case required = 0
    case optional, repeated
  }

  let name: String
  let repetition: Repetition
  var type: ParquetType?
  var childCount = 0
  /// 3 for LIST, 1 for MAP; nil for neither.
  var convertedCode: Int?

  func write(to thrift: inout ThriftWriter) {
    if let type { thrift.field(1, int32: type.physicalCode) }
    thrift.field(3, int32: repetition.rawValue)
    thrift.field(4, name)
    if type == nil { thrift.field(5, int32: childCount) }
    if let code = convertedCode ?? type?.convertedCode { thrift.field(6, int32: code) }
    if convertedCode == Self.list { thrift.field(10) { $0.field(3) { _ in } } }
    if convertedCode == Self.map { thrift.field(10) { $0.field(2) { _ in } } }
    if let type, type.hasLogical { thrift.field(10) { type.writeLogical(to: &$0) } }
  }

  static let map = 1
  static let list = 3
}

/// The tree and its leaves, in the order in which a file has them.
struct SchemaTree {
  private(set) var elements: [SchemaElement] = []
  private(set) var leaves: [LeafColumn] = []

  init(_ fields: [ParquetField]) {
    elements.append(SchemaElement(name: "schema", repetition: .required, childCount: fields.count))
    for field in fields { add(field.name, field.content, .optional, path: [], definition: 0, repetition: 0) }
  }

  private mutating func add(
    _ name: String, _ content: ParquetField.Content, _ own: SchemaElement.Repetition, path: [String],
    definition: Int, repetition: Int
  ) {
    let path = path + [name]
    let definition = definition + (own == .required ? 0 : 1)
    switch content {
    case .leaf(let type):
      elements.append(SchemaElement(name: name, repetition: own, type: type))
      leaves.append(
        LeafColumn(path: path, type: type, definitionMax: definition, repetitionMax: repetition))
    case .group(let fields):
      elements.append(SchemaElement(name: name, repetition: own, childCount: fields.count))
      for field in fields {
        add(
          field.name, field.content, .optional, path: path, definition: definition, repetition: repetition)
      }
    case .list(let element):
      elements.append(
        SchemaElement(name: name, repetition: own, childCount: 1, convertedCode: SchemaElement.list))
      elements.append(SchemaElement(name: "list", repetition: .repeated, childCount: 1))
      add(
        "element", element, .optional, path: path + ["list"], definition: definition + 1,
        repetition: repetition + 1)
    case .map(let value):
      elements.append(
        SchemaElement(name: name, repetition: own, childCount: 1, convertedCode: SchemaElement.map))
      elements.append(SchemaElement(name: "key_value", repetition: .repeated, childCount: 2))
      for (name, content, own) in [
        ("key", ParquetField.Content.leaf(.text), SchemaElement.Repetition.required),
        ("value", value, .optional),
      ] {
        add(
          name, content, own, path: path + ["key_value"], definition: definition + 1,
          repetition: repetition + 1)
      }
    }
  }
}
