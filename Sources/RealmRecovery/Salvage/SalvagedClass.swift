// One class as it is to be made anew: its rows out of all versions that have some, each key once. Layer: RealmRecovery, Salvage.
// Invariants: placed blocks are in key order and have no key in common; what an older version lends stands in a range that all
// newer ones have lost.

package import RealmEngine

/// A class's table in one version, with its properties in the order of the class.
struct SalvagedSource {
  let version: SalvagedVersion
  let table: SalvagedTable
  /// Nil where that version has no such property.
  let properties: [Property?]
}

/// Rows of one source.
struct PlacedBlock {
  let source: Int
  let block: SalvagedBlock
}

extension [PlacedBlock] {
  /// The block and row with `key`, where blocks are in key order.
  fileprivate func rowOf(_ key: Int64) -> (block: Int, row: Int)? {
    let low = (0..<count).partitionPoint { self[$0].block.firstKey <= key }
    guard low > 0, let row = self[low - 1].block.row(of: key) else { return nil }
    return (low - 1, row)
  }
}

extension PlacedBlock {
  /// The same rows with keys that are none.
  fileprivate var withoutKeys: PlacedBlock {
    guard case .cluster(let cluster) = block.place else { return self }
    let plain = Cluster(node: cluster.node, count: cluster.count, keyOffset: 0, relativeKeys: nil)
    return PlacedBlock(
      source: source,
      block: SalvagedBlock(place: .cluster(plain), rows: block.rows, isUnverified: block.isUnverified))
  }
}

/// A class that is to come back.
package final class SalvagedClass {
  package let name: String
  package let schema: ClassSchema
  /// The newest first.
  let sources: [SalvagedSource]
  /// What the newest version has.
  private var rows: SalvagedRows
  /// Rows with their keys.
  private(set) var placed: [PlacedBlock] = []
  /// Rows whose keys are lost: they get new ones.
  private(set) var unplaced: [PlacedBlock] = []
  /// Rows that cannot stand in the class, by block: placed ones first, unplaced ones behind them.
  var setAside: [Int: Set<Int>] = [:]
  /// Embedded objects that have an owner by now, by block.
  var taken: [Int: Set<Int>] = [:]
  package let counts = SalvageCounts()
  /// Objects that did not come back.
  private(set) var lost = LostObjects()

  /// `first` is where the class was met; others follow in the order of their age.
  init(_ name: String, _ tables: [(version: SalvagedVersion, table: SalvagedTable)]) {
    self.name = name
    schema = tables[0].table.schema
    let properties = schema.properties
    sources = tables.map { version, table in
      let others = table.schema.properties
      return SalvagedSource(
        version: version, table: table,
        properties: properties.map { wanted in
          others.first { $0.columnKey == wanted.columnKey && $0.name == wanted.name }
            ?? others.first {
              $0.name == wanted.name && $0.type == wanted.type && $0.collection == wanted.collection
            }
        })
    }
    rows = tables[0].table.rows
    placed = rows.blocks.map { PlacedBlock(source: 0, block: $0) }
    unplaced = rows.unplaced.map { PlacedBlock(source: 0, block: $0) }
  }

  /// Takes from older versions what is lost in the newest and was not found, and counts what is lost in all.
  func lend() {
    let own = Set((placed + unplaced).map(\.block.offset))
    // Where all are found an older version has none that are missing.
    let isMissing = rows.statedCount.map { foundCount < $0 } ?? true
    var open =
      !isMissing ? [] : rows.lostKeys.without(placed.map { $0.block.firstKey..<$0.block.lastKey + 1 })
    if rows.statedCount == nil { lost = LostObjects(open) }
    for (index, source) in sources.enumerated().dropFirst() {
      let lent = source.table.rows.blocks.within(open).map { PlacedBlock(source: index, block: $0) }
      // Rows of formats 2–9 have no place of their own.
      placed += lent.filter { $0.block.offset == 0 || !own.contains($0.block.offset) }
      open = open.common(with: source.table.rows.lostKeys)
    }
    placed.sort { $0.block.firstKey < $1.block.firstKey }
    if let stated = rows.statedCount {
      counts.knownLost = max(0, stated - foundCount)
    } else {
      counts.isLostUncertain = !open.isEmpty
    }
  }

  /// Notes that something names an object of the class; nothing comes of it where that is there.
  func noteMissing(_ key: Int64) {
    guard lost.isWanted, placed.rowOf(key) == nil else { return }
    lost.note(key)
  }

  /// Counts the objects that others name and that did not come back. Rows whose keys are lost may be some of them.
  func countLost() {
    guard !lost.keys.isEmpty else { return }
    let rekeyed = unplaced.reduce(0) { $0 + $1.block.rows.count }
    counts.knownLost = max(counts.knownLost, lost.keys.count - rekeyed)
    // What is named by nobody may have been there too.
    counts.isLostUncertain = true
  }

  private var foundCount: Int {
    placed.reduce(0) { $0 + $1.block.rows.count } + unplaced.reduce(0) { $0 + $1.block.rows.count }
  }

  /// Whether objects may be found that nothing leads to.
  var mayHaveLost: Bool { foundCount < rows.statedCount ?? 0 || !rows.lostKeys.isEmpty }

  /// Whether no rows are known yet.
  var isEmpty: Bool { placed.isEmpty && unplaced.isEmpty }

  /// Whether nothing of the newest version's rows can be reached.
  var hasLostRoot: Bool { rows.lostKeys == [SalvagedRows.allKeys] && isEmpty }

  /// Takes the newest version's tree of rows, to which nothing led.
  func adopt(_ found: SalvagedRows) {
    rows = found
    placed = rows.blocks.map { PlacedBlock(source: 0, block: $0) }
    unplaced = rows.unplaced.map { PlacedBlock(source: 0, block: $0) }
  }

  /// Gives away the rows of the newest version whose keys are lost.
  func takeUnplaced() -> [PlacedBlock] {
    let taken = unplaced
    unplaced = []
    return taken
  }

  /// Adds rows that nothing leads to. Those whose keys were not lost get new ones.
  func add(placed found: [PlacedBlock], unplaced others: [PlacedBlock]) {
    unplaced += others
    for block in found {
      let (first, last) = (block.block.firstKey, block.block.lastKey)
      if rows.lostKeys.contains(where: { $0.contains(first) && $0.contains(last) }) {
        insert(block)
      } else {
        unplaced.append(block.withoutKeys)
      }
    }
  }

  /// Puts others in the place of placed blocks, by their numbers.
  func replace(_ moved: [Int: PlacedBlock]) {
    // Where they stood others may have stood.
    for number in moved.keys {
      let low = number > 0 ? placed[number - 1].block.lastKey + 1 : 0
      let high =
        number + 1 < placed.count ? placed[number + 1].block.firstKey : SalvagedRows.allKeys.upperBound
      rows.lostKeys = rows.lostKeys.without([low..<high])
      if low < high { rows.lostKeys.append(low..<high) }
    }
    rows.lostKeys.sort { $0.lowerBound < $1.lowerBound }
    placed = placed.enumerated().filter { moved[$0.offset] == nil }.map(\.element)
    for (_, block) in moved.sorted(by: { $0.key < $1.key }) { insert(block) }
  }

  /// Puts a block between those before and behind it, where they leave room.
  func insert(_ block: PlacedBlock) {
    let keys = block.block.firstKey...block.block.lastKey
    var place = placed.count
    while place > 0, placed[place - 1].block.firstKey > keys.lowerBound { place -= 1 }
    let isFree =
      keys.lowerBound >= 0 && (place == 0 || placed[place - 1].block.lastKey < keys.lowerBound)
      && (place == placed.count || placed[place].block.firstKey > keys.upperBound)
    if isFree { placed.insert(block, at: place) } else { unplaced.append(block.withoutKeys) }
  }

  var isEmbedded: Bool { schema.kind == .embedded }

  /// Whether every object that the file says it had stands in the class.
  var isComplete: Bool {
    rows.lostKeys.isEmpty && unplaced.isEmpty && setAside.isEmpty && counts.knownLost == 0
  }

  /// All blocks, by the numbers that `setAside` and `taken` use.
  var blockCount: Int { placed.count + unplaced.count }

  private static let keyEnd: Int64 = 1 << 62

  /// The placed row before which there is room for the keys of all rows that have none; nil where that is behind the last, as
  /// it is unless engines made keys of hashes.
  var rowBehindGap: (block: Int, row: Int)? {
    let wanted = Int64(unplaced.reduce(0) { $0 + $1.block.rows.count })
    guard wanted > 0, let last = placed.last?.block.lastKey, last > Self.keyEnd - wanted - 1 else {
      return nil
    }
    var before: Int64 = -1
    for (number, block) in placed.enumerated() {
      for row in block.block.rows {
        let key = block.block.key(row)
        if key - before > wanted { return (number, row) }
        before = key
      }
    }
    return nil
  }

  func block(_ number: Int) -> PlacedBlock {
    number < placed.count ? placed[number] : unplaced[number - placed.count]
  }

  /// The block and row of the object with `key`, if it stands in the class.
  func find(_ key: Int64) -> (block: Int, row: Int)? {
    placed.rowOf(key).flatMap { isSetAside($0.block, $0.row) ? nil : $0 }
  }

  func isSetAside(_ block: Int, _ row: Int) -> Bool { setAside[block]?.contains(row) ?? false }

  /// The table that links of a property lead to; nil where that is lost.
  package func targetName(of property: Property) -> String? {
    property.target.flatMap { sources[0].version.namesByKey[$0] }
  }

  /// Gives an embedded object to its first owner.
  func take(_ block: Int, _ row: Int) -> Bool { taken[block, default: []].insert(row).inserted }
}

/// What became of a class's objects.
package final class SalvageCounts {
  /// What became of one property.
  package struct Lost: Sendable, Equatable {
    /// Objects whose value is lost.
    package var values = 0
    /// Objects of whose list, set or dictionary a part is lost.
    package var parts = 0
    /// Links to objects that are not there.
    package var links = 0
    /// Objects whose value is that of an older version.
    package var older = 0
    /// Objects whose value comes from an encrypted page that fails its check.
    package var unverified = 0

    package var isNothing: Bool { values + parts + links + older + unverified == 0 }
  }

  package var sound = 0
  package var partial = 0
  /// Objects that could not stand in their class.
  package var setAside = 0
  /// How many more objects there were, as the file says.
  package var knownLost = 0
  /// Whether there may have been more of which nothing is known.
  package var isLostUncertain = false
  /// Objects out of an older version.
  package var older = 0
  /// Objects that no tree leads to any more.
  package var orphans = 0
  /// By the class's properties.
  package var properties: [Lost] = []
  /// By the class's properties: which objects have unverified values.
  package var unverifiedKeys: [KeyRanges] = []
  /// Counts objects that are set aside.
  package var setAsideProperties: [Lost] = []

  package var isSound: Bool {
    partial == 0 && setAside == 0 && knownLost == 0 && !isLostUncertain && older == 0 && orphans == 0
  }

  /// Whether some objects have no value for a property.
  package func hasLost(_ property: Int) -> Bool { properties[property].values > 0 }

  /// Counts objects that are set aside.
  package func hasLostSetAside(_ property: Int) -> Bool { setAsideProperties[property].values > 0 }

  /// Of objects in their class and beside it.
  package var allProperties: [Lost] {
    zip(properties, setAsideProperties).map { left, right in
      Lost(
        values: left.values + right.values, parts: left.parts + right.parts, links: left.links + right.links,
        older: left.older + right.older, unverified: left.unverified + right.unverified)
    }
  }

  /// Adds what became of another class's objects; properties aside.
  func add(_ other: SalvageCounts) {
    sound += other.sound
    partial += other.partial
    setAside += other.setAside
    knownLost += other.knownLost
    isLostUncertain = isLostUncertain || other.isLostUncertain
    older += other.older
    orphans += other.orphans
  }

  /// Whether objects need a class beside their own.
  package var needsOwnClass: Bool { setAside > 0 }

  func clear(propertyCount: Int) {
    (sound, partial, setAside, older, orphans) = (0, 0, 0, 0, 0)
    properties = Array(repeating: Lost(), count: propertyCount)
    setAsideProperties = properties
    unverifiedKeys = Array(repeating: KeyRanges(), count: propertyCount)
  }
}

/// Keys of objects, in runs of objects that follow one another: leaves make long ones.
package struct KeyRanges: Sendable, Equatable {
  package private(set) var runs: [ClosedRange<Int64>] = []
  /// Of the object that came last.
  private var lastNumber = 0

  /// `number` counts the objects of the class; nil where they do not come in the order of their keys.
  mutating func add(_ key: Int64, number: Int?) {
    defer { lastNumber = number ?? 0 }
    if let last = runs.last, last.upperBound < key,
      number.map({ $0 == lastNumber + 1 }) ?? (last.upperBound + 1 == key)
    {
      runs[runs.count - 1] = last.lowerBound...key
    } else {
      runs.append(key...key)
    }
  }
}

extension [SalvagedBlock] {
  /// The rows whose keys are in one of the ranges; both are in key order.
  func within(_ ranges: [Range<Int64>]) -> [SalvagedBlock] {
    var result: [SalvagedBlock] = []
    var first = 0
    for block in self {
      while first < ranges.count, ranges[first].upperBound <= block.firstKey { first += 1 }
      var index = first
      while index < ranges.count, ranges[index].lowerBound <= block.lastKey {
        if let part = block.part(in: ranges[index]) { result.append(part) }
        index += 1
      }
    }
    return result
  }
}

extension [Range<Int64>] {
  /// What none of `others` has; both are in order.
  func without(_ others: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    var next = 0
    for range in self {
      var low = range.lowerBound
      while next < others.count, others[next].upperBound <= low { next += 1 }
      var index = next
      while index < others.count, others[index].lowerBound < range.upperBound {
        if low < others[index].lowerBound { result.append(low..<others[index].lowerBound) }
        low = Swift.max(low, others[index].upperBound)
        index += 1
      }
      if low < range.upperBound { result.append(low..<range.upperBound) }
    }
    return result
  }

  /// What both have; both are in order.
  func common(with others: [Range<Int64>]) -> [Range<Int64>] {
    var result: [Range<Int64>] = []
    var (left, right) = (0, 0)
    while left < count, right < others.count {
      let low = Swift.max(self[left].lowerBound, others[right].lowerBound)
      let high = Swift.min(self[left].upperBound, others[right].upperBound)
      if low < high { result.append(low..<high) }
      if self[left].upperBound < others[right].upperBound { left += 1 } else { right += 1 }
    }
    return result
  }
}
