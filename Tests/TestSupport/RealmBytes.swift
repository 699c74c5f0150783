// Realm files built node by node, sound or not, without any help of the engine under test. Layer: below all tests.

/// Bytes of a file that grows by a node at a time; refs are offsets into it.
package struct RealmBytes {
  package private(set) var bytes = [UInt8](repeating: 0, count: 24)
  /// What stands between nodes.
  private let padding: UInt8

  package init(padding: UInt8 = 0) { self.padding = padding }

  /// The form of a tagged number in a node of refs.
  package static func tagged(_ value: Int64) -> Int64 { value << 1 | 1 }

  // MARK: Nodes

  /// Appends a node with any header; returns its ref. `kind`: 0 bits, 1 bytes, 2 blob an element.
  package mutating func node(
    inner: Bool = false, refs: Bool = false, context: Bool = false, kind: UInt8 = 0, widthCode: UInt8,
    count: Int, payload: [UInt8]
  ) -> Int {
    let ref = bytes.count
    let flags = (inner ? 0x80 : 0) | (refs ? 0x40 : 0) | (context ? 0x20 : 0) | kind << 3 | widthCode
    bytes += [0x41, 0x41, 0x41, 0x41, flags]
    bytes += [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
    bytes += payload
    bytes += [UInt8](repeating: padding, count: (8 - payload.count % 8) % 8)
    return ref
  }

  /// Appends packed integers; `width` nil takes the least that holds them all.
  package mutating func integers(
    _ values: [Int64], width: Int? = nil, inner: Bool = false, refs: Bool = false, context: Bool = false
  ) -> Int {
    let width = width ?? values.map(Self.width).max() ?? 0
    var payload = [UInt8](repeating: 0, count: (values.count * width + 7) / 8)
    for (index, value) in values.enumerated() where width > 0 {
      for bit in 0..<width where value >> Int64(bit) & 1 == 1 {
        let position = index * width + bit
        payload[position / 8] |= 1 << UInt8(position % 8)
      }
    }
    return node(
      inner: inner, refs: refs, context: context, widthCode: Self.widthCode(width), count: values.count,
      payload: payload)
  }

  /// How a header says a width of 0, 1, 2, 4 … 64.
  package static func widthCode(_ width: Int) -> UInt8 {
    width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
  }

  /// The least width that holds `value`.
  private static func width(_ value: Int64) -> Int {
    switch value {
    case 0: 0
    case 1: 1
    case 2...3: 2
    case 4...15: 4
    case -128...127: 8
    case -32768...32767: 16
    case -2_147_483_648...2_147_483_647: 32
    default: 64
    }
  }

  /// Appends a node of refs and tagged numbers.
  package mutating func refs(_ elements: [Int64], inner: Bool = false, context: Bool = false) -> Int {
    integers(elements, inner: inner, refs: true, context: context)
  }

  package mutating func refs(to children: [Int], inner: Bool = false, context: Bool = false) -> Int {
    refs(children.map(Int64.init), inner: inner, context: context)
  }

  /// Appends short texts of one width, which is 0 or a power of two; nil is null.
  package mutating func shortTexts(_ texts: [String?], width: Int) -> Int {
    var payload: [UInt8] = []
    for text in texts where width > 0 {
      guard let text else {
        payload += [UInt8](repeating: 0, count: width - 1) + [UInt8(width)]
        continue
      }
      let padding = width - 1 - text.utf8.count
      payload += Array(text.utf8) + [UInt8](repeating: 0, count: padding) + [UInt8(padding)]
    }
    return node(kind: 1, widthCode: Self.widthCode(width), count: texts.count, payload: payload)
  }

  /// Appends elements of `width` bytes: floats, doubles, decimals.
  package mutating func elements(_ payload: [UInt8], width: Int, context: Bool = false, count: Int? = nil)
    -> Int
  {
    node(
      context: context, kind: 1, widthCode: Self.widthCode(width),
      count: count ?? payload.count / max(1, width), payload: payload)
  }

  package mutating func blob(_ content: [UInt8]) -> Int {
    node(kind: 2, widthCode: 1, count: content.count, payload: content)
  }

  /// Appends byte strings joined in one blob; `terminator` for texts.
  package mutating func smallBlobs(_ values: [[UInt8]?], terminator: Bool) -> Int {
    var joined: [UInt8] = []
    var ends: [Int64] = []
    for value in values {
      joined += (value ?? []) + (terminator ? [0] : [])
      ends.append(Int64(joined.count))
    }
    let parts = [integers(ends), blob(joined), integers(values.map { $0 == nil ? 1 : 0 })]
    return refs(to: parts)
  }

  // MARK: Files

  /// A table's column: its name, its key and the leaf of its only cluster.
  package struct Column {
    package let name: String
    package let key: Int64
    package let leaf: Int
    package var oppositeTable: Int64 = 0x7FFF_FFFF

    package init(_ name: String, key: Int64, leaf: Int, oppositeTable: Int64 = 0x7FFF_FFFF) {
      self.name = name
      self.key = key
      self.leaf = leaf
      self.oppositeTable = oppositeTable
    }
  }

  /// The key of a column: its leaf index, type number and attributes (16 nullable, 32 list, 64 dictionary, 128 set).
  package static func columnKey(_ index: Int64, type: Int64, attributes: Int64 = 0) -> Int64 {
    index | type << 16 | attributes << 22
  }

  /// Appends a cluster of `rowCount` rows with keys 0, 1, 2 …
  package mutating func cluster(rowCount: Int, leaves: [Int]) -> Int {
    refs([Self.tagged(Int64(rowCount))] + leaves.map(Int64.init))
  }

  /// Appends a table whose rows are the cluster tree at `clusters`.
  package mutating func table(
    slot: Int, columns: [Column], clusters: Int, isEmbedded: Bool = false, primaryKey: Int64? = nil
  ) -> Int {
    let names = shortTexts(columns.map(\.name), width: 32)
    let keys = integers(columns.map(\.key), width: 64)
    let types = integers(columns.map { $0.key >> 16 & 0x3F | ($0.key >> 28 & 1) << 17 })
    let attributes = integers(columns.map { $0.key >> 22 & 0xFF })
    let spec = refs([types, names, attributes, 0, 0, keys].map(Int64.init))
    let tables = integers(columns.map(\.oppositeTable), width: 32)
    let opposites = integers(columns.map { _ in Int64.max }, width: 64)
    let indexes = refs(columns.map { _ in Int64(0) })
    return refs([
      Int64(spec), 0, Int64(clusters), Self.tagged(Int64(slot)), Int64(indexes), 1, 1, Int64(tables),
      Int64(opposites), 1, 0, primaryKey.map(Self.tagged) ?? 0, Self.tagged(isEmbedded ? 1 : 0), 0,
    ])
  }

  /// Appends the top array of tables with these names; returns its ref.
  package mutating func top(_ names: [String], tables: [Int]) -> Int {
    let namesRef = shortTexts(names, width: 64)
    let tablesRef = refs(to: tables)
    // The size of the data is in the node itself, whose width must not depend on it.
    let size = Int64(bytes.count + 8 + 3 * 4)
    let rounded = (size + 7) / 8 * 8
    return integers(
      [Int64(namesRef), Int64(tablesRef), Self.tagged(rounded)], width: 32, refs: true)
  }

  /// Appends the top array of these tables and gives the whole file.
  package mutating func realm(_ names: [String], tables: [Int]) -> [UInt8] {
    let top = top(names, tables: tables)
    return file(top: top)
  }

  /// The file with `top` as its current snapshot in slot `slot`.
  package func file(top: Int, slot: Int = 1, format: UInt8 = 24) -> [UInt8] {
    var file = bytes
    for byte in 0..<8 { file[slot * 8 + byte] = UInt8(truncatingIfNeeded: top >> (8 * byte)) }
    file.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    file[20 + slot] = format
    file[23] = UInt8(slot)
    return file
  }

  /// The file in the form of a copy, with `top` named behind the data.
  package func streamingFile(top: Int, format: UInt8 = 24) -> [UInt8] {
    var file = bytes
    for byte in 0..<8 { file[byte] = 0xFF }
    file.replaceSubrange(16..<20, with: Array("T-DB".utf8))
    file[20] = format
    for byte in 0..<8 { file.append(UInt8(truncatingIfNeeded: top >> (8 * byte))) }
    return file + [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
  }
}
