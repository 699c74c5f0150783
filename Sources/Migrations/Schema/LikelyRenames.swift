// Which of what went and what came may be one thing under two names. Layer: Migrations, Schema.
// Invariant: there are never more pairs than people read, however much went and came; few are all there.

import ByteText
import RealmEngine

/// Pairs of an old and a new name that may be a rename.
struct LikelyRenames {
  /// Numbers among what went and what came.
  struct Pair {
    let old: Int
    let new: Int
  }

  /// More pairs than this are not all there: then each old name has its likeliest alone.
  private static let countMax = 100
  private static let countPerNameMax = 3

  /// By what went, then by what came.
  let pairs: [Pair]
  /// How many more there are that could be renames.
  let omittedCount: Int

  /// Only things of one kind can be the same thing.
  init<Kind: Hashable>(_ old: [(kind: Kind, name: String)], _ new: [(kind: Kind, name: String)]) {
    let newOfKind = Dictionary(grouping: new.indices) { new[$0].kind }
    let count = old.reduce(0) { $0 + (newOfKind[$1.kind]?.count ?? 0) }
    guard count > Self.countMax else {
      pairs = old.indices.flatMap { index in
        (newOfKind[old[index].kind] ?? []).map { Pair(old: index, new: $0) }
      }
      omittedCount = 0
      return
    }
    let neighborhoods = newOfKind.mapValues { indices in
      NameNeighborhood(indices.map { (index: $0, name: new[$0].name) })
    }
    var likely: [(pair: Pair, distance: Int)] = []
    for (index, thing) in old.enumerated() {
      let name = Array(thing.name.unicodeScalars)
      let near = (neighborhoods[thing.kind]?.candidates(for: thing.name) ?? []).map { candidate in
        (
          pair: Pair(old: index, new: candidate),
          distance: EditDistance.between(name, Array(new[candidate].name.unicodeScalars))
        )
      }
      likely += near.sorted { ($0.distance, $0.pair.new) < ($1.distance, $1.pair.new) }
        .prefix(Self.countPerNameMax)
    }
    likely.sort { ($0.distance, $0.pair.old, $0.pair.new) < ($1.distance, $1.pair.old, $1.pair.new) }
    pairs = likely.prefix(Self.countMax).map(\.pair).sorted { ($0.old, $0.new) < ($1.old, $1.new) }
    omittedCount = count - pairs.count
  }
}

/// Names in the order of their beginnings and in that of their ends. The names that are most like another one mostly begin or end
/// as it does, so that looking at its neighbors there takes no time.
private struct NameNeighborhood {
  private struct Entry {
    let bytes: [UInt8]
    let index: Int
  }

  /// How far to look in each direction.
  private static let reach = 2

  private let byBeginning: [Entry]
  private let byEnd: [Entry]

  init(_ names: [(index: Int, name: String)]) {
    byBeginning = Self.sorted(names.map { Entry(bytes: Array($0.name.utf8), index: $0.index) })
    byEnd = Self.sorted(names.map { Entry(bytes: $0.name.utf8.reversed(), index: $0.index) })
  }

  private static func sorted(_ entries: [Entry]) -> [Entry] {
    entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// The indices of the few names that stand next to where `name` would.
  func candidates(for name: String) -> Set<Int> {
    Self.neighbors(of: Array(name.utf8), in: byBeginning)
      .union(Self.neighbors(of: name.utf8.reversed(), in: byEnd))
  }

  private static func neighbors(of bytes: [UInt8], in entries: [Entry]) -> Set<Int> {
    let place = entries.indices.partitionPoint { entries[$0].bytes.lexicographicallyPrecedes(bytes) }
    let near = max(0, place - reach)..<min(entries.count, place + reach)
    return Set(entries[near].map(\.index))
  }
}
