// Groups by the words of their keys: records in one piece of memory, found through a hash table. Layer: Kernels.
// A record is a hash, the words of a key and those of what is calculated. A table belongs to one thread.
// Safe: groups and places of words are checked, or come from the table itself.

import CPlatform

/// What a table's records look like.
package struct GroupLayout: Sendable {
  package let keyWidth: Int
  /// Where among the words of a key those of texts begin.
  package let texts: [Int]
  package let operations: [GroupOperation]
  /// Where among a record's words those of each calculation begin.
  package let places: [Int]
  package let recordWidth: Int
  package let hash = SeededHash()

  package init(keyWidth: Int, texts: [Int], operations: [GroupOperation]) {
    self.keyWidth = keyWidth
    self.texts = texts
    self.operations = operations
    var next = 1 + keyWidth
    places = operations.map { operation in
      defer { next += operation.width }
      return next
    }
    recordWidth = next
  }
}

/// Groups and what is calculated for them.
@safe package final class GroupTable: @unchecked Sendable {
  @unsafe private struct State {
    var records: UnsafeMutablePointer<UInt64>
    var capacity: Int
    var count: Int
    /// The upper half of a hash above the number of a group and one; 0 for none. Their count is a power of two.
    var slots: UnsafeMutablePointer<UInt64>
    var slotCount: Int
    /// The group of each row that was found last.
    var groups: UnsafeMutablePointer<UInt32>
    var groupCapacity: Int
  }

  package let layout: GroupLayout
  private let state: UnsafeMutablePointer<State>
  /// Copies of texts that do not live as long as the table; nil where all do.
  private let texts: KeptTexts?
  /// The groups of short texts, once some were found.
  private var known: KnownTexts?

  package init(_ layout: GroupLayout, keeping texts: KeptTexts? = nil, capacity: Int = 64) {
    self.layout = layout
    self.texts = texts
    var slotCount = 128
    while slotCount < 2 * capacity { slotCount *= 2 }
    unsafe state = .holding(
      State(
        records: .allocate(capacity: capacity * layout.recordWidth), capacity: capacity, count: 0,
        slots: .allocate(capacity: slotCount), slotCount: slotCount, groups: .allocate(capacity: 0),
        groupCapacity: 0))
    unsafe state.pointee.slots.initialize(repeating: 0, count: slotCount)
    // Without keys all rows are in one group, which is there even if there are none.
    if layout.keyWidth == 0 { addRecord() }
  }

  deinit {
    unsafe state.pointee.records.deallocate()
    unsafe state.pointee.slots.deallocate()
    unsafe state.pointee.groups.deallocate()
    unsafe state.release()
  }

  package var count: Int { unsafe state.pointee.count }

  package var byteCount: Int { unsafe state.pointee.count * layout.recordWidth * 8 }

  /// A word of a group's record.
  package func word(_ group: Int, _ place: Int) -> UInt64 {
    precondition(group >= 0 && group < count && place >= 0 && place < layout.recordWidth)
    return unsafe state.pointee.records[group &* layout.recordWidth &+ place]
  }

  private func record(_ group: Int) -> UnsafeMutablePointer<UInt64> {
    unsafe state.pointee.records + group &* layout.recordWidth
  }

  // MARK: Finding groups

  /// Finds the groups of the rows of `keys`, which are made where there are none.
  package func find(_ keys: GroupKeyVector) {
    precondition(keys.width == layout.keyWidth)
    let rowCount = keys.count
    if unsafe rowCount > state.pointee.groupCapacity { growGroups(rowCount) }
    let groups = unsafe state.pointee.groups
    // Without keys all are in group 0, which is what the numbers were when they were made.
    if layout.keyWidth == 0 { return }
    reserve(count + rowCount)
    let (words, hashes, width) = unsafe (keys.words, keys.hashes, layout.keyWidth)
    let (records, recordWidth) = unsafe (state.pointee.records + 1, layout.recordWidth)
    let (slots, mask) = unsafe (state.pointee.slots, state.pointee.slotCount &- 1)
    let isLarge = mask >= Self.slotCountOfLarge
    for row in 0..<rowCount {
      if isLarge, row &+ Self.slotsAhead < rowCount { unsafe prefetchSlot(hashes[row &+ Self.slotsAhead]) }
      let (key, hash) = unsafe (words + row &* width, hashes[row])
      // Mostly the first slot has the group.
      let entry = unsafe slots[Int(truncatingIfNeeded: hash) & mask]
      let group = Int(entry & 0xFFFF_FFFF) &- 1
      if (entry ^ hash) & ~0xFFFF_FFFF == 0, group >= 0,
        unsafe hasSameWords(records + group &* recordWidth, key, width)
      {
        unsafe groups[row] = UInt32(truncatingIfNeeded: group)
      } else {
        unsafe groups[row] = UInt32(truncatingIfNeeded: find(key, hash, isKept: texts == nil))
      }
    }
  }

  /// Finds the groups of the rows by a key that is one short text. False: not all of these are known, so that their words
  /// have to be looked for, after which they may be learnt.
  func findKnown(_ texts: PaddedTexts, _ rows: borrowing Span<Int32>) -> Bool {
    guard let known, !known.isFull else { return false }
    if unsafe rows.count > state.pointee.groupCapacity { growGroups(rows.count) }
    return unsafe known.find(texts, rows, state.pointee.groups)
  }

  /// Notes that the rows which were found last have these texts as their keys.
  func learn(_ texts: PaddedTexts, _ rows: borrowing Span<Int32>) {
    precondition(unsafe rows.count <= state.pointee.groupCapacity)
    if known == nil { known = KnownTexts() }
    unsafe known?.learn(texts, rows, state.pointee.groups)
  }

  @inline(__always)
  private func hasSameWords(
    _ left: UnsafePointer<UInt64>, _ right: UnsafePointer<UInt64>, _ width: Int
  ) -> Bool {
    if width == 3 {
      return unsafe (left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2]) == 0
    }
    var place = 0
    while place < width {
      if unsafe left[place] != right[place] { return false }
      place &+= 1
    }
    return true
  }

  /// Slots that are not in the processor's first caches.
  private static let slotCountOfLarge = 1 << 14
  /// Rows between asking for a slot and looking at it.
  private static let slotsAhead = 12

  @inline(__always)
  private func prefetchSlot(_ hash: UInt64) {
    unsafe platform_prefetch(
      state.pointee.slots + (Int(truncatingIfNeeded: hash) & (state.pointee.slotCount &- 1)))
  }

  /// The group of a row of the keys that were looked for last.
  package func foundGroup(_ row: Int) -> Int {
    precondition(unsafe row >= 0 && row < state.pointee.groupCapacity)
    return Int(unsafe state.pointee.groups[row])
  }

  /// The group with this key. There is room for one more.
  @inline(__always)
  private func find(_ key: UnsafePointer<UInt64>, _ hash: UInt64, isKept: Bool) -> Int {
    let (slots, mask) = unsafe (state.pointee.slots, state.pointee.slotCount &- 1)
    let tag = hash & ~0xFFFF_FFFF
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = unsafe slots[slot]
      if entry == 0 { break }
      if entry & ~0xFFFF_FFFF == tag {
        let group = Int(entry & 0xFFFF_FFFF) &- 1
        if unsafe isEqual(record(group) + 1, key) { return group }
      }
      slot = (slot &+ 1) & mask
    }
    let group = count
    unsafe slots[slot] = tag | UInt64(group &+ 1)
    addRecord()
    let target = unsafe record(group)
    unsafe target[0] = hash
    unsafe (target + 1).update(from: key, count: layout.keyWidth)
    if !isKept { unsafe keepTexts(of: target + 1) }
    return group
  }

  @inline(__always)
  private func isEqual(_ left: UnsafePointer<UInt64>, _ right: UnsafePointer<UInt64>) -> Bool {
    var place = 0
    while place < layout.keyWidth {
      if unsafe left[place] != right[place] {
        return unsafe !layout.texts.isEmpty && isEqualByTexts(left, right)
      }
      place &+= 1
    }
    return true
  }

  /// The same where equal texts may stand in two places.
  private func isEqualByTexts(_ left: UnsafePointer<UInt64>, _ right: UnsafePointer<UInt64>) -> Bool {
    var place = 0
    var text = 0
    while place < layout.keyWidth {
      if text < layout.texts.count, layout.texts[text] == place {
        let words = unsafe InlineText(left[place], left[place + 1], left[place + 2])
        let other = unsafe InlineText(right[place], right[place + 1], right[place + 2])
        guard words.first == other.first, words.second == other.second,
          words.address == other.address || words.longBytes.equals(other.longBytes)
        else { return false }
        text += 1
        place += 3
      } else {
        if unsafe left[place] != right[place] { return false }
        place += 1
      }
    }
    return true
  }

  private func keepTexts(of key: UnsafeMutablePointer<UInt64>) {
    guard let texts else { return }
    for place in layout.texts {
      guard unsafe key[place + 2] != 0 else { continue }
      let words = unsafe InlineText(key[place], key[place + 1], key[place + 2])
      unsafe key[place + 2] = texts.keep(words.longBytes)
    }
  }

  private func addRecord() {
    let group = unsafe state.pointee.count
    unsafe (state.pointee.records + group &* layout.recordWidth).initialize(
      repeating: 0, count: layout.recordWidth)
    unsafe state.pointee.count = group + 1
  }

  /// Makes room for `wanted` groups in all.
  private func reserve(_ wanted: Int) {
    if unsafe wanted > state.pointee.capacity {
      let capacity = max(wanted, unsafe 2 * state.pointee.capacity)
      let records = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * layout.recordWidth)
      unsafe records.update(from: state.pointee.records, count: count * layout.recordWidth)
      unsafe state.pointee.records.deallocate()
      unsafe state.pointee.records = records
      unsafe state.pointee.capacity = capacity
    }
    if unsafe 2 * wanted > state.pointee.slotCount { growSlots(wanted) }
  }

  private func growSlots(_ wanted: Int) {
    var slotCount = unsafe state.pointee.slotCount
    while slotCount < 2 * wanted { slotCount *= 2 }
    unsafe state.pointee.slots.deallocate()
    let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: slotCount)
    unsafe slots.initialize(repeating: 0, count: slotCount)
    unsafe state.pointee.slots = slots
    unsafe state.pointee.slotCount = slotCount
    for group in 0..<count {
      let hash = unsafe record(group)[0]
      var slot = Int(truncatingIfNeeded: hash) & (slotCount - 1)
      while unsafe slots[slot] != 0 { slot = (slot &+ 1) & (slotCount - 1) }
      unsafe slots[slot] = hash & ~0xFFFF_FFFF | UInt64(group &+ 1)
    }
  }

  private func growGroups(_ count: Int) {
    unsafe state.pointee.groups.deallocate()
    unsafe state.pointee.groups = .allocate(capacity: count)
    unsafe state.pointee.groups.initialize(repeating: 0, count: count)
    unsafe state.pointee.groupCapacity = count
  }

  // MARK: Putting together

  /// Adds all groups of another table of the same layout.
  package func merge(_ other: GroupTable) {
    unsafe merge(UnsafePointer(other.state.pointee.records), count: other.count)
  }

  /// Adds the groups of some records.
  package func merge(_ run: RecordBuffer) {
    let words = run.count
    unsafe run.withWords { unsafe merge($0, count: words / layout.recordWidth) }
  }

  private func merge(_ records: UnsafePointer<UInt64>, count: Int) {
    if layout.keyWidth > 0 { reserve(self.count + count) }
    let isLarge = unsafe state.pointee.slotCount >= Self.slotCountOfLarge
    for index in 0..<count {
      let other = unsafe records + index &* layout.recordWidth
      if isLarge, index &+ Self.slotsAhead < count {
        unsafe prefetchSlot(records[(index &+ Self.slotsAhead) &* layout.recordWidth])
      }
      let group = unsafe layout.keyWidth == 0 ? 0 : find(other + 1, other[0], isKept: true)
      let target = unsafe record(group)
      for (operation, place) in zip(layout.operations, layout.places) {
        unsafe GroupState(words: target + place).merge(operation, other + place)
      }
    }
  }

  /// Hands out all records by the upper bits of their hashes, and forgets them.
  package func deal(to runs: [RecordBuffer]) {
    precondition(runs.count > 0 && runs.count & (runs.count - 1) == 0 && runs.count <= 256)
    let mask = runs.count - 1
    unsafe RecordBuffer.deal(state.pointee.records, count: count, width: layout.recordWidth, to: runs) {
      Int($0 >> 56) & mask
    }
    unsafe state.pointee.count = 0
    known?.forget()
    unsafe state.pointee.slots.update(repeating: 0, count: state.pointee.slotCount)
  }

  /// Adds the records of some groups to a run.
  package func copy(_ groups: [Int32], to run: RecordBuffer) {
    for group in groups {
      precondition(group >= 0 && Int(group) < count)
      unsafe run.append(record(Int(group)), count: layout.recordWidth)
    }
  }

  // MARK: Calculating

  /// Adds the numbers at `rows` to the groups that were found for them, as calculation number `index` has it.
  package func add(
    _ index: Int, _ numbers: NumberVector, areInts: Bool, at rows: borrowing Span<Int32>
  ) {
    let operation = layout.operations[index]
    if layout.keyWidth == 0, rows.count == numbers.count {
      return unsafe numbers.add(operation, to: GroupState(words: record(0) + layout.places[index]), areInts)
    }
    switch operation {
    case .count:
      unsafe forEach(numbers, rows, index) {
        unsafe $0.words[0] &+= 1
        _ = $1
      }
    case .integerSum:
      let source = unsafe numbers.ints
      unsafe forEach(numbers, rows, index) { unsafe $0.addInteger(source[$1]) }
    case .sum:
      unsafe forEachNumber(numbers, areInts, rows, index) { unsafe $0.add($1) }
    case .squares:
      unsafe forEachNumber(numbers, areInts, rows, index) { unsafe $0.addSquare($1) }
    case .extreme(let isLeast, _) where areInts:
      let source = unsafe numbers.ints
      unsafe forEach(numbers, rows, index) {
        unsafe $0.take(UInt64(bitPattern: source[$1]) ^ (1 << 63), isLeast: isLeast)
      }
    case .extreme(let isLeast, _):
      unsafe forEachNumber(numbers, areInts, rows, index) { words, number in
        if !number.isNaN { unsafe words.take(OrderedNumber.word(number), isLeast: isLeast) }
      }
    case .extremeText: preconditionFailure("numbers are no texts")
    }
  }

  @inline(__always)
  private func forEachNumber(
    _ numbers: NumberVector, _ areInts: Bool, _ rows: borrowing Span<Int32>, _ index: Int,
    _ body: (GroupState, Double) -> Void
  ) {
    if areInts {
      let source = unsafe numbers.ints
      unsafe forEach(numbers, rows, index) { unsafe body($0, Double(source[$1])) }
    } else {
      let source = unsafe numbers.doubles
      unsafe forEach(numbers, rows, index) { unsafe body($0, source[$1]) }
    }
  }

  /// Calls `body` for each of the rows that is not null.
  @inline(__always)
  private func forEach(
    _ numbers: NumberVector, _ rows: borrowing Span<Int32>, _ index: Int, _ body: (GroupState, Int) -> Void
  ) {
    precondition(unsafe rows.count <= state.pointee.groupCapacity)
    let (records, groups) = unsafe (state.pointee.records + layout.places[index], state.pointee.groups)
    let (width, rowCount, hasNulls) = (layout.recordWidth, numbers.count, numbers.hasNulls)
    for position in 0..<rows.count {
      let row = Int(rows[position])
      precondition(row >= 0 && row < rowCount)
      if hasNulls, numbers.isNull(row) { continue }
      unsafe body(GroupState(words: records + Int(groups[position]) &* width), row)
    }
  }

  /// Adds values that are words.
  package func add(_ index: Int, _ values: GroupKeyVector) {
    precondition(unsafe values.count <= state.pointee.groupCapacity)
    let operation = layout.operations[index]
    let (words, nulls, width) = unsafe (values.words, values.nulls, values.width)
    for row in 0..<values.count where unsafe nulls[row] == 0 {
      let target = unsafe GroupState(words: record(Int(state.pointee.groups[row])) + layout.places[index])
      switch operation {
      case .count: unsafe target.words[0] &+= 1
      case .extreme(let isLeast, let count):
        unsafe target.take(words + row &* width, count: count, isLeast: isLeast)
      case .extremeText(let isLeast):
        unsafe target.takeText(words + row &* width, isLeast: isLeast) { [texts] text in
          unsafe texts?.keep(text) ?? UInt64(UInt(bitPattern: text.start))
        }
      case .integerSum, .sum, .squares: preconditionFailure("sums are of numbers")
      }
    }
  }

  /// Counts the rows that were found last.
  package func addRows(_ index: Int, count: Int) {
    precondition(unsafe count <= state.pointee.groupCapacity)
    let (place, width) = (layout.places[index], layout.recordWidth)
    let (records, groups) = unsafe (state.pointee.records, state.pointee.groups)
    if layout.keyWidth == 0 {
      unsafe records[place] &+= UInt64(count)
    } else {
      for row in 0..<count { unsafe records[Int(groups[row]) &* width &+ place] &+= 1 }
    }
  }
}
