// One column of a batch as SQLite's cells. Layer: RealmSQL, Tables.

import ByteText
import RealmEngine
import Rendering

/// What `realm_type` knows of a value beside what SQLite says of it.
enum RealmSubtype {
  /// What SQLite's own functions take for JSON.
  static let json = UInt8(ascii: "J")
  /// A list or dictionary in a mixed value, which is a text for SQLite's functions as it is in an exported file.
  static let collection: UInt8 = .max

  /// Nil where SQLite's type says it.
  static func of(_ type: ValueType) -> UInt8? {
    switch type {
    case .int, .double, .string, .data, .mixed: nil
    default: type.rawValue + 1
    }
  }

  static func of(_ value: Value) -> UInt8? {
    switch value {
    case .list, .dictionary: collection
    default: value.type.flatMap(of)
    }
  }
}

extension CellBuffer {
  /// Says of all cells what the type of the property says.
  func setSubtype(of property: Property) {
    guard let subtype = RealmSubtype.of(property.type) else { return }
    for index in 0..<count { setSubtype(index, subtype) }
  }
}

/// Reads columns of objects.
struct ColumnReader {
  let realm: ReadTransaction
  private var values: SQLValues
  private var writer: JSONWriter
  private var integers: [Int64] = []
  /// Where texts end that stand one behind the other.
  private var ends: [Int] = []
  /// As many numbers from 0 on as the longest leaf of elements had.
  private var allRows: [Int32] = []
  /// By class that links lead to.
  private var names: [TableKey: LinkNames] = [:]

  init(_ realm: ReadTransaction) {
    self.realm = realm
    values = SQLValues(realm)
    writer = JSONWriter(realm, style: .plain)
  }

  /// What names an object.
  mutating func name(of link: ObjectLink) throws(EngineError) -> SQLValue { try values.name(of: link) }

  /// What names the objects of a batch.
  mutating func readNames(
    of table: Table, _ batch: ObjectBatch, into buffer: CellBuffer
  ) throws(EngineError) {
    guard let key = table.schema.primaryKey else { return readKeys(of: batch, into: buffer) }
    try read(key, of: batch, into: buffer)
  }

  /// Adds a single value.
  mutating func append(_ value: Value, to buffer: CellBuffer) throws(EngineError) {
    buffer.grow(by: 1)
    try set(buffer, buffer.count - 1, value)
  }

  /// Adds the elements of a leaf of a list or set.
  mutating func append(_ leaf: Leaf, of property: Property, to buffer: CellBuffer) throws(EngineError) {
    let count = leaf.count
    while allRows.count < count { allRows.append(Int32(allRows.count)) }
    let (rows, place) = (allRows, buffer.count)
    buffer.grow(by: count)
    linkNames(of: property)?.expect(count)
    try read(leaf, rows.span.extracting(first: count), of: property, into: buffer, at: place)
  }

  /// A single value, with what `realm_type` knows of it.
  private mutating func set(_ buffer: CellBuffer, _ index: Int, _ value: Value) throws(EngineError) {
    buffer.set(index, try values.sql(value))
    if let subtype = RealmSubtype.of(value) { buffer.setSubtype(index, subtype) }
  }

  /// Reads the values of a property.
  mutating func read(
    _ property: Property, of batch: ObjectBatch, into buffer: CellBuffer
  ) throws(EngineError) {
    buffer.reset(count: batch.count)
    linkNames(of: property)?.expect(batch.count)
    try batch.forEachLeaf(of: property) { leaf, rows, place throws(EngineError) in
      try read(leaf, rows, of: property, into: buffer, at: place)
    }
    if let order = batch.order { buffer.permute(order) }
    buffer.setSubtype(of: property)
  }

  private mutating func read(
    _ leaf: Leaf, _ rows: borrowing Span<Int32>, of property: Property, into buffer: CellBuffer, at place: Int
  ) throws(EngineError) {
    let snapshot = realm.snapshot
    switch leaf {
    case .integers(let leaf):
      leaf.values.gather(rows, into: &integers)
      let null = leaf.nullSentinel
      for index in rows.indices where integers[index] != null { buffer.set(place + index, integers[index]) }
    case .doubles(let leaf):
      for index in rows.indices {
        if let value = leaf[Int(rows[index])] { buffer.set(place + index, value) }
      }
    case .bools(let leaf):
      for index in rows.indices {
        if let value = leaf[Int(rows[index])] { buffer.set(place + index, Int64(value ? 1 : 0)) }
      }
    case .strings(.short(let leaf)):
      for index in rows.indices {
        if let bytes = try leaf.bytes(Int(rows[index])) { buffer.set(place + index, text: bytes) }
      }
    case .strings(let leaf):
      for index in rows.indices {
        if let text = try leaf.bytes(Int(rows[index]), in: snapshot) {
          buffer.set(place + index, .text(text))
        }
      }
    case .links(let leaf):
      guard let names = linkNames(of: property) else { return }
      leaf.values.gather(rows, into: &integers)
      let keys = integers.map { $0 < leaf.bias ? -1 : $0 - leaf.bias }
      if try names.copy(keys, to: buffer, at: place, &self) { return }
      for (index, key) in keys.enumerated() where key >= 0 {
        let link = ObjectLink(table: names.target.schema.tableKey, key: ObjectKey(key))
        buffer.set(place + index, try name(of: link))
      }
    case .dates, .decimals, .objectIDs, .uuids:
      // One piece of memory for the texts of all.
      var texts = ByteBuffer()
      ends.removeAll(keepingCapacity: true)
      for index in rows.indices {
        _ = texts.append(spelled: try leaf.value(Int(rows[index]), in: snapshot, target: property.target))
        ends.append(texts.count)
      }
      let all = ByteString(copying: texts.span)
      buffer.keep(all)
      var start = 0
      for (index, end) in ends.enumerated() {
        if end > start { buffer.set(place + index, text: all.bytes.slice(start, end - start)) }
        start = end
      }
    default:
      for index in rows.indices {
        try set(
          buffer, place + index, try leaf.value(Int(rows[index]), in: snapshot, target: property.target))
      }
    }
  }

  /// Nil for a property that leads to no class.
  private mutating func linkNames(of property: Property) -> LinkNames? {
    guard property.isLink, let target = property.target.flatMap(realm.table) else { return nil }
    let known = names[target.schema.tableKey] ?? LinkNames(target)
    names[target.schema.tableKey] = known
    return known
  }

  func readKeys(of batch: ObjectBatch, into buffer: CellBuffer) {
    buffer.reset(count: batch.count)
    batch.forEachKey { buffer.set($0, $1.value) }
    if let order = batch.order { buffer.permute(order) }
  }

  /// Reads a list, set, dictionary or embedded object as JSON.
  mutating func readDocuments(
    _ property: Property, of table: Table, _ batch: ObjectBatch, into buffer: CellBuffer
  ) throws(EngineError) {
    buffer.reset(count: batch.count)
    try batch.forEachBlock { block, rows, place throws(EngineError) in
      for (index, row) in rows.enumerated() {
        var out = OutputBuffer()
        try writer.writeValue(
          of: property, ObjectPosition(block: block, row: Int(row)), of: table, to: &out)
        if out.text.span.count == 4, out.text[0] == UInt8(ascii: "n") { continue }
        buffer.set(place + index, .text(ByteString(copying: out.text.span)))
        buffer.setSubtype(place + index, RealmSubtype.json)
      }
    }
    if let order = batch.order { buffer.permute(order) }
  }
}

extension ColumnReader {
  /// As many names of a class are read sooner than one link is followed.
  private static let namesOfALink = 16

  /// The rows of a batch by what names the objects that they link to; nil where these are too many, or have no single names.
  mutating func rows(of batch: ObjectBatch, byLink link: Property) throws(EngineError) -> RowIndex? {
    guard let target = link.target.flatMap(realm.table),
      target.count / Self.namesOfALink <= batch.count, let names = linkNames(of: link)
    else { return nil }
    guard let (rows, byName) = try names.index(&self) else { return nil }
    let nameless = byName.emptyRow
    let numbers = CellBuffer()
    numbers.reset(count: batch.count)
    try batch.forEachLeaf(of: link) { leaf, links, place throws(EngineError) in
      guard case .links(let leaf) = leaf else { return }
      for index in links.indices {
        if let row = leaf.existing(Int(links[index])).flatMap({ rows.row(of: $0.value) }), row != nameless {
          numbers.set(place + index, Int64(row))
        }
      }
    }
    if let order = batch.order { numbers.permute(order) }
    return try RowIndex(numbers, of: byName)
  }
}

/// What names the objects of a class that links lead to: of all of them where there are many links.
private final class LinkNames {
  let target: Table
  private var count = 0
  private var all: (rows: RowIndex, names: CellBuffer)?

  init(_ target: Table) { self.target = target }

  /// So many names will be wanted.
  func expect(_ more: Int) { count += more }

  /// Sets cells to the names of objects with these keys; null for those that are not. False: they must be looked up.
  func copy(
    _ keys: [Int64], to buffer: CellBuffer, at place: Int, _ reader: inout ColumnReader
  ) throws(EngineError) -> Bool {
    if all == nil {
      guard count > max(16, target.count / 64), target.count <= RowsByValue.rowsMax else { return false }
      try readAll(&reader)
    }
    if let all { all.rows.copy(all.names, of: keys, to: buffer, at: place) }
    return true
  }

  /// The rows of all objects by their keys and by their names; nil where they are too many, or some have the same name.
  func index(_ reader: inout ColumnReader) throws(EngineError) -> (rows: RowIndex, byName: RowIndex)? {
    if all == nil, target.count <= RowsByValue.rowsMax { try readAll(&reader) }
    guard let known = all else { return nil }
    let byName = try RowIndex(known.names)
    if byName.isUnique { return (known.rows, byName) }
    // The names stand in another order now.
    all = nil
    return nil
  }

  private func readAll(_ reader: inout ColumnReader) throws(EngineError) {
    let batch = try ObjectBatch(all: target, in: reader.realm)
    let (keys, names) = (CellBuffer(), CellBuffer())
    reader.readKeys(of: batch, into: keys)
    try reader.readNames(of: target, batch, into: names)
    let rows = try RowIndex(keys)
    rows.arrange(names)
    all = (rows, names)
  }
}
