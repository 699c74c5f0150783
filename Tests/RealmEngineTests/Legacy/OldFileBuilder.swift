import RealmEngine
import TestSupport

/// Builds files of formats 2–9 node by node.
final class OldFileBuilder {
  // What stands between nodes is garbage in real files.
  private var realm = RealmBytes(padding: 0xEE)

  var bytes: [UInt8] { realm.bytes }

  enum Kind: UInt8 { case bits, bytes, blob }

  /// Appends a node and gives its ref.
  func node(
    _ payload: [UInt8], kind: Kind, width: Int, count: Int, inner: Bool = false, refs: Bool = false,
    context: Bool = false
  ) -> Int {
    realm.node(
      inner: inner, refs: refs, context: context, kind: kind.rawValue,
      widthCode: RealmBytes.widthCode(width), count: count, payload: payload)
  }

  /// `width` nil: as narrow as the values allow.
  func integers(
    _ values: [Int64], width: Int? = nil, inner: Bool = false, refs: Bool = false, context: Bool = false
  ) -> Int {
    realm.integers(values, width: width, inner: inner, refs: refs, context: context)
  }

  static func tagged(_ number: Int) -> Int { number << 1 | 1 }

  func refs(_ refs: [Int], context: Bool = false) -> Int {
    integers(refs.map(Int64.init), refs: true, context: context)
  }

  /// A leaf with its null sentinel in front.
  func nullable(_ values: [Int64?], sentinel: Int64, width: Int? = nil) -> Int {
    integers([sentinel] + values.map { $0 ?? sentinel }, width: width)
  }

  func floats(_ bits: [UInt32]) -> Int {
    node(bits.flatMap { Self.littleEndian($0) }, kind: .bytes, width: 4, count: bits.count)
  }

  func doubles(_ bits: [UInt64]) -> Int {
    node(bits.flatMap { Self.littleEndian($0) }, kind: .bytes, width: 8, count: bits.count)
  }

  static func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<MemoryLayout<T>.size).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
  }

  func blob(_ bytes: [UInt8]) -> Int { node(bytes, kind: .blob, width: 0, count: bytes.count) }

  /// Texts padded to `width`; null is stored as the width itself.
  func shortTexts(_ texts: [String?], width: Int) -> Int { realm.shortTexts(texts, width: width) }

  /// Texts in one blob. Old null marks say what is not null; without them nothing is.
  func mediumTexts(_ texts: [String?], marksNulls: Bool) -> Int {
    var ends: [Int64] = []
    var joined: [UInt8] = []
    for text in texts {
      joined += Array((text ?? "").utf8) + [0]
      ends.append(Int64(joined.count))
    }
    var slots = [integers(ends), blob(joined)]
    if marksNulls { slots.append(integers(texts.map { $0 == nil ? 0 : 1 })) }
    return refs(slots)
  }

  func bigTexts(_ texts: [String?]) -> Int {
    refs(texts.map { $0.map { blob(Array($0.utf8) + [0]) } ?? 0 }, context: true)
  }

  /// Data in one blob; here the marks say what is null.
  func smallData(_ data: [[UInt8]?], marksNulls: Bool) -> Int {
    var ends: [Int64] = []
    var joined: [UInt8] = []
    for bytes in data {
      joined += bytes ?? []
      ends.append(Int64(joined.count))
    }
    var slots = [integers(ends), blob(joined)]
    if marksNulls { slots.append(integers(data.map { $0 == nil ? 1 : 0 })) }
    return refs(slots)
  }

  func bigData(_ data: [[UInt8]?]) -> Int { refs(data.map { $0.map(blob) ?? 0 }, context: true) }

  /// Children that all hold `perChild` elements, but for the last.
  func compactTree(_ children: [Int], perChild: Int, total: Int) -> Int {
    integers(
      ([Self.tagged(perChild)] + children + [Self.tagged(total)]).map(Int64.init), inner: true, refs: true)
  }

  /// Children of any size; `ends` counts their elements up to each but the last.
  func generalTree(_ children: [Int], ends: [Int], total: Int) -> Int {
    let offsets = integers(ends.map(Int64.init))
    return integers(
      ([offsets] + children + [Self.tagged(total)]).map(Int64.init), inner: true, refs: true)
  }

  /// A column of a table to be built.
  struct Column {
    var name: String? = "value"
    var type: Int
    var attributes = 0
    /// Entries in the list of what links and subtables need, tagged where they are numbers.
    var details: [Int] = []
    var texts: Int?
    var root = 0
    /// The index's root; only with the attribute.
    var index = 0
  }

  func spec(_ columns: [Column]) -> Int {
    let details = columns.flatMap(\.details)
    let texts = columns.compactMap(\.texts)
    var slots = [
      integers(columns.map { Int64($0.type) }), shortTexts(columns.compactMap(\.name), width: 32),
      integers(columns.map { Int64($0.attributes) }),
    ]
    if !details.isEmpty || !texts.isEmpty { slots.append(details.isEmpty ? 0 : refs(details)) }
    if !texts.isEmpty { slots.append(refs(texts)) }
    return refs(slots)
  }

  func roots(_ columns: [Column]) -> Int {
    refs(columns.flatMap { $0.attributes & 1 == 1 ? [$0.root, $0.index] : [$0.root] })
  }

  func table(_ columns: [Column]) -> Int { refs([spec(columns), roots(columns)]) }

  /// Closes the file with a group of these tables.
  func file(format: UInt8 = 9, _ tables: [(name: String, ref: Int)]) -> [UInt8] {
    let names = shortTexts(tables.map(\.name), width: 64)
    let group = refs(tables.map(\.ref))
    let top = integers(
      [names, group, Self.tagged(bytes.count + 8 + 3 * 4)].map(Int64.init), width: 32, refs: true)
    // The logical size: everything up to here.
    var file = bytes
    let size = Self.littleEndian(UInt32(Self.tagged(file.count)))
    file.replaceSubrange(top + 8 + 8..<top + 8 + 12, with: size)
    file.replaceSubrange(0..<8, with: Self.littleEndian(UInt64(top)))
    file.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    file[20] = format
    file[21] = format
    return file
  }

  /// Opens a file of one class "A".
  func open(format: UInt8 = 9, _ columns: [Column]) throws -> OldFileReading {
    try OldFileReading(file(format: format, [("class_A", table(columns))]))
  }
}

/// What can be seen of a file's first class.
struct OldFileReading {
  let realm: ReadTransaction

  init(_ bytes: [UInt8]) throws {
    realm = try Database(RealmFile(stream: bytes, path: FilePath("test"), key: nil)).transaction
  }

  func table(_ name: String = "A") throws -> Table {
    guard let table = realm.table(named: name, allTables: true) else {
      throw EngineError(.unknownClass, name)
    }
    return table
  }

  /// All values of a property, through blocks; the same through `find` must be equal.
  func values(_ property: String = "value", of name: String = "A") throws -> [Value] {
    let table = try table(name)
    guard let property = table.schema.property(named: property) else {
      throw EngineError(.unknownProperty, property)
    }
    var values: [Value] = []
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property, budget: cursor.budget)
      guard leaf.count == block.count else { throw EngineError(.other, "a leaf of another length") }
      for row in 0..<block.count {
        let value = try leaf.value(row, in: realm.snapshot, target: property.target)
        guard let position = try table.find(block.key(row)),
          Self.areSame(
            try position.block.leaf(property).value(
              position.row, in: realm.snapshot, target: property.target), value)
        else { throw EngineError(.other, "find gives another value for \(block.key(row))") }
        values.append(Self.owned(value))
      }
    }
    return values
  }

  /// The elements of a list property, object by object.
  func lists(_ property: String = "value", of name: String = "A") throws -> [[Value]] {
    let table = try table(name)
    guard let property = table.schema.property(named: property) else {
      throw EngineError(.unknownProperty, property)
    }
    var lists: [[Value]] = []
    for block in try table.allBlocks() {
      guard case .collections(let leaf) = try block.leaf(property) else {
        throw EngineError(.other, "no lists")
      }
      for row in 0..<block.count {
        var elements: [Value] = []
        if let root = try leaf.root(row) {
          try realm.snapshot.forEachElement(of: property, at: root) {
            elements.append(Self.owned($0))
            return true
          }
          let count = try realm.snapshot.elements(root, property.elementLayout).count
          guard count == elements.count else { throw EngineError(.other, "\(count) elements") }
        }
        lists.append(elements)
      }
    }
    return lists
  }
}

extension OldFileReading {
  /// A value that outlives the file.
  static func owned(_ value: Value) -> Value {
    switch value {
    case .string(let bytes): .string(bytes.owned())
    case .data(let bytes): .data(bytes.owned())
    default: value
    }
  }

  /// Equality under which a NaN equals itself.
  static func areSame(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    default: left == right
    }
  }
}

func text(_ text: String) -> Value { .string(ByteString(text)) }
func data(_ bytes: [UInt8]) -> Value { .data(ByteString(copying: bytes)) }
