// Which slots tables of formats 2–9 stood in to which nothing leads: told by their links. Layer: RealmRecovery, Salvage.
// A column of links names the slot of the table that it leads to, and that table has a hidden column which names the slot and
// column that the links come from. So of many ways to put tables into slots one alone may fit.
// Invariant: a table gets a slot only where no other way is left.

import RealmEngine

struct OldTableSlots {
  /// What a table says of others.
  struct Links {
    /// The slots that links lead to, by column.
    private let targets: [Int: Int]
    private let origins: Set<Origin>
    /// Whether nothing of it is lost.
    private let isWhole: Bool

    private struct Origin: Hashable {
      let slot: Int
      let column: Int
    }

    init(_ spec: OldSpec) {
      var targets: [Int: Int] = [:]
      var origins: Set<Origin> = []
      var isWhole = true
      for (index, column) in spec.columns.enumerated() {
        let isLink = [OldSpecColumn.Number.link, OldSpecColumn.Number.linkList].contains(column.typeNumber)
        guard isLink || column.isHidden else { continue }
        if column.linkTable < 0 || column.originColumn < 0 { isWhole = false }
        if isLink { targets[index] = column.linkTable }
        if column.isHidden { origins.insert(Origin(slot: column.linkTable, column: column.originColumn)) }
      }
      (self.targets, self.origins, self.isWhole) = (targets, origins, isWhole)
    }

    /// The slots of other tables that this one has to do with.
    var slots: Set<Int> { Set(targets.values).union(origins.map(\.slot)) }

    /// Whether both say the same of their links, were this table in `slot` and the other in `otherSlot`.
    func agrees(in slot: Int, with other: Links, in otherSlot: Int) -> Bool {
      guard isWhole, other.isWhole else { return true }
      return columns(to: otherSlot) == other.columns(from: slot)
        && other.columns(to: slot) == columns(from: otherSlot)
    }

    private func columns(to slot: Int) -> Set<Int> { Set(targets.filter { $0.value == slot }.keys) }
    private func columns(from slot: Int) -> Set<Int> {
      Set(origins.filter { $0.slot == slot }.map(\.column))
    }
  }

  private let found: [Links]
  /// Slots that each table may still stand in.
  private var choices: [Set<Int>]

  /// What is compared: a made file may be full of tables.
  private static let workMax = 1 << 18

  /// `known` are the tables of other slots; `mayStand` tells whether a table may be in a slot for what else is known.
  init(_ found: [Links], known: [Int: Links], lost: Set<Int>, mayStand: (Int, Int) -> Bool) {
    self.found = found
    guard found.count * lost.count * (known.count + found.count + lost.count) <= Self.workMax else {
      choices = found.map { _ in [] }
      return
    }
    choices = found.enumerated().map { number, table in
      lost.filter { slot in
        mayStand(number, slot) && table.agrees(in: slot, with: table, in: slot)
          && known.allSatisfy { table.agrees(in: slot, with: $0.value, in: $0.key) }
      }
    }
    while narrow(lost) {}
  }

  /// The slots of the tables; nil where several are possible, or none.
  var slots: [Int?] {
    choices.enumerated().map { number, slots in
      guard slots.count == 1, let slot = slots.first else { return nil }
      return choices.enumerated().contains { $0.offset != number && $0.element.contains(slot) } ? nil : slot
    }
  }

  /// Whether a table has fewer choices than before.
  private mutating func narrow(_ lost: Set<Int>) -> Bool {
    let before = choices
    for (number, table) in found.enumerated() {
      choices[number] = choices[number].filter { slot in
        table.slots.intersection(lost).allSatisfy { other in
          other == slot || hasTable(for: other, that: number, in: slot)
        }
      }
    }
    for (number, slots) in choices.enumerated() where slots.count == 1 {
      for other in choices.indices where other != number && choices[other].count > 1 {
        choices[other].subtract(slots)
      }
    }
    // Where there are as many tables as slots, each slot has one.
    for slot in lost where found.count == lost.count {
      let candidates = choices.indices.filter { choices[$0].contains(slot) }
      if candidates.count == 1 { choices[candidates[0]] = [slot] }
    }
    return choices != before
  }

  /// Whether a table is left for a slot that agrees with what another one says of it.
  private func hasTable(for other: Int, that number: Int, in slot: Int) -> Bool {
    found.indices.contains { candidate in
      candidate != number && choices[candidate].contains(other)
        && found[number].agrees(in: slot, with: found[candidate], in: other)
    }
  }
}
