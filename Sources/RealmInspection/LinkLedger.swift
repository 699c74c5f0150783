// Compares two records of the same facts without keeping either: links with the incoming links that record them,
// words of texts with the index of them (F-68, F-69, F-75, F-76). Layer: RealmInspection.
// Each side is summed up in numbers that do not depend on the order; only where they differ are the facts of that
// one relation collected, in parts that fit in memory.

import RealmFiles

/// Sums that are equal exactly when the same pairs were added the same number of times (but for a chance that
/// never comes).
struct PairSum: Equatable, Sendable {
  /// With repetitions.
  private var count = 0
  /// Without those that came in one go.
  private(set) var additionCount = 0
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  static func == (left: PairSum, right: PairSum) -> Bool {
    left.count == right.count && left.first == right.first && left.second == right.second
  }

  mutating func add(_ left: UInt64, _ right: UInt64, times: Int = 1) {
    let one = PairSum.mix(left &* 0x9E37_79B9_7F4A_7C15 ^ right)
    let two = PairSum.mix(right &* 0xC2B2_AE3D_27D4_EB4F &+ left ^ 0x1656_67B1_9E37_79F9)
    count += times
    additionCount += 1
    first &+= one &* UInt64(times)
    second &+= two &* UInt64(times)
  }

  mutating func add(_ other: PairSum) {
    count += other.count
    additionCount += other.additionCount
    first &+= other.first
    second &+= other.second
  }

  /// Spreads every input bit over all output bits.
  static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// One fact: a link's origin and target, or a word's hash and the object that has it.
struct LedgerPair: Hashable {
  let origin: Int64
  let target: Int64
}

/// Facts that are recorded twice.
struct LedgerRelation: Sendable {
  enum Kind: Hashable, Sendable {
    /// Links of one column to one table, and the incoming column there.
    case links(originTable: Int, originColumn: Int, targetTable: Int)
    /// Words of a column's texts, and its index.
    case words(table: Int, column: Int)
    /// Links to embedded objects, and the objects: each has one. Facts have the origin 0.
    case owners(table: Int)
  }

  let kind: Kind
  /// Position of the recording column among the target table's columns; nil while none was found.
  var incomingColumn: Int?
  var forward = PairSum()
  var backward = PairSum()

  var isBalanced: Bool { forward == backward }
}

/// All relations of a snapshot.
final class LinkLedger {
  private(set) var relations: [LedgerRelation] = []
  private var numbers: [LedgerRelation.Kind: Int] = [:]
  /// While the facts of one relation are collected, all others are passed over.
  private var collector: Collector?

  private struct Collector {
    let relation: Int
    /// Which of how many parts, told apart by the target.
    let part: Int
    let partCount: Int
    /// How many more facts than records of them.
    var surplus: [LedgerPair: Int] = [:]
  }

  /// The number of the relation, made when it is new.
  func relation(_ kind: LedgerRelation.Kind) -> Int {
    if let number = numbers[kind] { return number }
    relations.append(LedgerRelation(kind: kind))
    numbers[kind] = relations.count - 1
    return relations.count - 1
  }

  var isBalanced: Bool { relations.allSatisfy(\.isBalanced) }

  /// Gives the facts added so far, of relations that have any, and begins anew.
  func takeSums() -> [LedgerRelation] {
    let sums = relations.filter { $0.forward.additionCount + $0.backward.additionCount > 0 }
    for number in relations.indices {
      relations[number].forward = PairSum()
      relations[number].backward = PairSum()
    }
    return sums
  }

  /// Adds the facts of another ledger of the same snapshot.
  func add(_ others: [LedgerRelation]) {
    for other in others {
      let number = relation(other.kind)
      relations[number].forward.add(other.forward)
      relations[number].backward.add(other.backward)
    }
  }

  /// Notes the column that records a relation. False: another column does already.
  func setIncomingColumn(_ column: Int, of relation: Int) -> Bool {
    guard relations[relation].incomingColumn == nil else { return false }
    relations[relation].incomingColumn = column
    return true
  }

  func addForward(_ relation: Int, origin: Int64, target: Int64) {
    if collector == nil {
      relations[relation].forward.add(UInt64(bitPattern: origin), UInt64(bitPattern: target))
    } else {
      collect(relation, origin, target, 1)
    }
  }

  func addBackward(_ relation: Int, origin: Int64, target: Int64, times: Int = 1) {
    if collector == nil {
      relations[relation].backward.add(
        UInt64(bitPattern: origin), UInt64(bitPattern: target), times: times)
    } else {
      collect(relation, origin, target, -times)
    }
  }

  private func collect(_ relation: Int, _ origin: Int64, _ target: Int64, _ times: Int) {
    guard let state = collector, relation == state.relation else { return }
    let hash = PairSum.mix(UInt64(bitPattern: target))
    guard state.partCount == 1 || Int(hash % UInt64(state.partCount)) == state.part else { return }
    let pair = LedgerPair(origin: origin, target: target)
    let sum = (collector?.surplus[pair] ?? 0) + times
    collector?.surplus[pair] = sum == 0 ? nil : sum
  }

  func startCollecting(_ relation: Int, part: Int, of partCount: Int) {
    collector = Collector(relation: relation, part: part, partCount: partCount)
  }

  /// The facts that are not recorded (above 0) and the records without a fact (below 0), ordered.
  func stopCollecting() -> [(pair: LedgerPair, surplus: Int)] {
    let found = collector?.surplus ?? [:]
    collector = nil
    return found.map { ($0.key, $0.value) }.sorted {
      ($0.pair.target, $0.pair.origin) < ($1.pair.target, $1.pair.origin)
    }
  }
}
