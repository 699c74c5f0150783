// Objects with their values, one after the other, as they are to be written. Layer: RealmRecovery, Salvage.
// Invariants: every value stood in the file; a link leads to an object that comes back; an embedded object has one owner.

package import RealmEngine

/// Reads the classes of a plan. Each reader starts with all embedded objects free.
package final class SalvageReader {
  let classes: [SalvagedClass]
  /// What links name the classes by, in the new realm.
  let targets: [TableKey]
  /// What their properties are called there; nil for those that it does not have.
  private let names: [[String?]]
  /// By class, the property that takes the names of unverified ones.
  private let marks: [String?]
  /// For each version its tables' classes.
  private let classIndexes: [ObjectIdentifier: [TableKey: Int]]
  /// The block of each class and source that was opened last.
  private var open: [OpenKey: (offset: Int, rows: Range<Int>, block: OpenBlock)] = [:]

  private struct OpenKey: Hashable {
    let classIndex: Int
    let source: Int
  }

  /// `targets` nil: nobody will write what is read.
  package init(
    _ classes: [SalvagedClass], targets: [TableKey]? = nil, names: [[String?]]? = nil,
    marks: [String?]? = nil
  ) {
    self.classes = classes
    self.names = names ?? classes.map { $0.schema.properties.map(\.name) }
    self.marks = marks ?? classes.map { _ in nil }
    self.targets = targets ?? classes.indices.compactMap { TableKey(Int64($0)) }
    var indexes: [ObjectIdentifier: [TableKey: Int]] = [:]
    let byName = Dictionary(
      classes.enumerated().map { ($1.schema.tableName, $0) }, uniquingKeysWith: { first, _ in first })
    for version in classes.flatMap({ $0.sources.map(\.version) })
    where indexes[ObjectIdentifier(version)] == nil {
      indexes[ObjectIdentifier(version)] = version.namesByKey.compactMapValues { byName[$0] }
    }
    classIndexes = indexes
    for version in classes.flatMap({ $0.sources.map(\.version) }) { version.allowance.beginPass() }
    for item in classes {
      item.taken = [:]
      item.counts.clear(propertyCount: item.schema.properties.count)
    }
  }

  func classIndex(of table: TableKey, in version: SalvagedVersion) -> Int? {
    classIndexes[ObjectIdentifier(version)]?[table]
  }

  // MARK: Objects

  /// Calls `body` with every object that stands in a class, in key order; nil for a key that is lost, and for a value. Behind
  /// an object's key there is room for those that are lost.
  package func forEachObject(
    of index: Int, _ body: (ObjectKey?, SalvagedObject) throws(EngineError) -> Void
  ) throws(EngineError) {
    let item = classes[index]
    let gap = item.rowBehindGap
    for number in 0..<item.placed.count {
      let block = item.block(number)
      for row in block.block.rows {
        if let gap, gap == (number, row) { try forEachUnplaced(of: index, body) }
        try hand(index, number, row, body)
      }
    }
    if gap == nil { try forEachUnplaced(of: index, body) }
  }

  private func forEachUnplaced(
    of index: Int, _ body: (ObjectKey?, SalvagedObject) throws(EngineError) -> Void
  ) throws(EngineError) {
    let item = classes[index]
    for number in item.placed.count..<item.blockCount {
      for row in item.block(number).block.rows { try hand(index, number, row, body) }
    }
  }

  private func hand(
    _ index: Int, _ number: Int, _ row: Int, _ body: (ObjectKey?, SalvagedObject) throws(EngineError) -> Void
  ) throws(EngineError) {
    let item = classes[index]
    guard !item.isSetAside(number, row) else { return }
    let isPlaced = number < item.placed.count
    let block = item.block(number)
    let object = try object(index, number, row)
    if let key = item.schema.primaryKeyIndex, object.found[key].value == nil {
      item.setAside[number, default: []].insert(row)
      return
    }
    let key = isPlaced ? block.block.key(row) : nil
    item.counts.note(object, block, key: key, inKeyOrder: true)
    try body(key.map { ObjectKey($0) }, object)
  }

  /// Visits objects that cannot stand in their class: those without a primary key of their own, and embedded ones
  /// without an owner.
  package func forEachSetAside(
    of index: Int, _ body: (SalvagedObject) throws(EngineError) -> Void
  ) throws(EngineError) {
    let item = classes[index]
    for number in 0..<item.blockCount {
      let block = item.block(number)
      for row in block.block.rows where isLeftOver(item, number, row) {
        let object = try object(index, number, row)
        item.counts.noteSetAside(object)
        try body(object)
      }
    }
  }

  private func isLeftOver(_ item: SalvagedClass, _ block: Int, _ row: Int) -> Bool {
    item.isEmbedded ? item.take(block, row) : item.isSetAside(block, row)
  }

  /// The values of a row, by the properties of the class.
  private func object(_ index: Int, _ number: Int, _ row: Int, depth: Int = 0) throws(EngineError)
    -> SalvagedObject
  {
    let item = classes[index]
    let block = item.block(number)
    let open = try opened(index, block)
    let source = item.sources[block.source]
    var values: [SalvagedValue] = []
    for (position, wanted) in item.schema.properties.enumerated() {
      var value = SalvagedValue()
      if let property = source.properties[position], let column = open.columns[position],
        let (leaf, offset) = column.place(of: row)
      {
        let place = ValuePlace(
          property: property, wanted: wanted, version: source.version, className: item.name,
          ownerKey: number < item.placed.count ? block.block.key(row) : nil)
        value = try self.value(
          leaf, offset, place, isUnverified: open.isUnverified || column.isUnverified, depth: depth)
      }
      // What another version has for a primary key may be another object's by now.
      let mayBeOlder = position != item.schema.primaryKeyIndex || item.isSetAside(number, row)
      if value.value == nil, number < item.placed.count, mayBeOlder {
        let older = try olderValue(index, position, block, block.block.key(row), depth: depth)
        if older.value != nil {
          value = older
          value.isOlder = true
        }
      }
      values.append(value)
    }
    return SalvagedObject(found: values)
  }

  private func opened(_ index: Int, _ block: PlacedBlock) throws(EngineError) -> OpenBlock {
    let key = OpenKey(classIndex: index, source: block.source)
    let offset = block.block.offset
    if let known = open[key], known.offset == offset, known.rows == block.block.rows { return known.block }
    let item = classes[index]
    let new = try item.sources[block.source].open(block.block, className: item.name)
    open[key] = (offset, block.block.rows, new)
    return new
  }

  /// What an older version has for a value that is lost.
  private func olderValue(
    _ index: Int, _ position: Int, _ block: PlacedBlock, _ key: Int64, depth: Int
  ) throws(EngineError) -> SalvagedValue {
    let item = classes[index]
    for number in item.sources.indices.dropFirst(block.source + 1) {
      let source = item.sources[number]
      guard let property = source.properties[position], let (found, row) = source.table.rows.find(key) else {
        continue
      }
      let place = ValuePlace(
        property: property, wanted: item.schema.properties[position], version: source.version,
        className: item.name, ownerKey: key)
      let older = PlacedBlock(source: number, block: source.table.rows.blocks[found])
      let open = try opened(index, older)
      guard let column = open.columns[position], let (leaf, offset) = column.place(of: row) else { continue }
      let value = try value(
        leaf, offset, place, isUnverified: open.isUnverified || column.isUnverified, depth: depth)
      if value.value != nil { return value }
    }
    return SalvagedValue()
  }

  /// The embedded object that a link leads to, with all it owns; nil where it is not there or is somebody else's.
  func embedded(_ key: Int64, _ index: Int, _ place: ValuePlace, depth: Int) throws(EngineError) -> NewValue?
  {
    let item = classes[index]
    guard depth < Nesting.levelsMax, let (number, row) = item.find(key),
      !isAnothers(key, index, at: number, row, place), item.take(number, row)
    else { return nil }
    let object = try object(index, number, row, depth: depth + 1)
    item.counts.note(object, item.block(number), key: key, inKeyOrder: false)
    var values: [(property: String, value: NewValue)] = []
    for (name, value) in zip(names[index], object.found) {
      if let name, let value = value.value { values.append((name, value)) }
    }
    if let mark = marks[index] { values.append((mark, object.unverifiedNames(names[index]))) }
    return .embedded(values)
  }
}

/// Whose value is read.
struct ValuePlace {
  /// In the version that it is read from.
  let property: Property
  /// In the class as it is to be.
  let wanted: Property
  let version: SalvagedVersion
  let className: String
  /// Nil where the object has none that anybody knows it by.
  let ownerKey: Int64?

  var name: String { "\(className).\(wanted.name)" }
}

/// What was read of one property of one object.
struct SalvagedValue {
  /// Nil where it is lost.
  var value: NewValue?
  /// Whether elements of it are lost.
  var isPart = false
  /// Links in it that lead nowhere.
  var linkCount = 0
  var isOlder = false
  /// Whether it comes from an encrypted page whose check fails.
  var isUnverified = false
  /// How many collections stand around what is being read.
  var nesting = 0

  var isWhole: Bool { value != nil && !isPart && linkCount == 0 && !isOlder && !isUnverified }
}

/// What was read of one object.
package struct SalvagedObject {
  fileprivate let found: [SalvagedValue]

  /// By the properties of the class; nil for what is lost.
  package var values: [NewValue?] { found.map(\.value) }

  /// A list of the properties whose values come from unverified pages. `names`: what they are called now.
  package func unverifiedNames(_ names: [String?]) -> NewValue {
    .list(
      zip(names, found).compactMap { name, value in
        guard let name, value.isUnverified else { return nil }
        return .single(.string(ByteString(name)))
      })
  }
}

extension SalvageCounts {
  /// `key` nil: it is lost.
  fileprivate func note(_ object: SalvagedObject, _ block: PlacedBlock, key: Int64?, inKeyOrder: Bool) {
    if object.found.allSatisfy(\.isWhole) { sound += 1 } else { partial += 1 }
    if block.source > 0 { older += 1 }
    if key == nil { orphans += 1 }
    for (index, value) in object.found.enumerated() {
      properties[index].note(value)
      guard value.isUnverified, let key else { continue }
      unverifiedKeys[index].add(key, number: inKeyOrder ? sound + partial : nil)
    }
  }

  fileprivate func noteSetAside(_ object: SalvagedObject) {
    setAside += 1
    for (index, value) in object.found.enumerated() { setAsideProperties[index].note(value) }
  }
}

extension SalvageCounts.Lost {
  fileprivate mutating func note(_ value: SalvagedValue) {
    if value.value == nil { values += 1 }
    if value.isPart { parts += 1 }
    if value.isOlder { older += 1 }
    if value.isUnverified { unverified += 1 }
    links += value.linkCount
  }
}
