// Runs the kernel of a condition over one leaf: the column of a block, or a run of a list's elements.
// Layer: Query, Run, Scanning.

/// Marks the elements of leaves that meet a condition.
final class LeafFilter {
  private let snapshot: Snapshot
  private let scratch = SelectionMask()
  private let partMask = SelectionMask()
  private let values: ValueFilter

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    values = ValueFilter(snapshot)
  }

  /// `condition` is one on a single property. `textScratch` serves this condition alone.
  func mark(
    _ condition: PlannedCondition, _ leaf: Leaf, textScratch: TextTestScratch, into mask: SelectionMask
  ) throws(EngineError) {
    if let test = NumberPredicate(condition) {
      guard test.mark(leaf, scratch: scratch, into: mask) else { throw mismatch(condition) }
      return
    }
    switch (condition, leaf) {
    case (.texts(_, let test), .strings(let leaf)):
      try leaf.mark(test, in: snapshot, scratch: textScratch, into: mask)
    case (.texts(_, let test), .data(let leaf)):
      try leaf.mark(test, in: snapshot, scratch: textScratch, into: mask)
    case (.identifier(_, let test), .objectIDs(let leaf)), (.identifier(_, let test), .uuids(let leaf)):
      leaf.mark(test, into: mask)
    case (.mixed(let property, let test), .mixed(let leaf)):
      try mask.mark(leaf.count) { row throws(EngineError) in
        try test.accepts(leaf, row, in: snapshot, target: property.target)
      }
    case (.tested(let condition), _): try values.mark(condition, leaf, into: mask)
    case (.isNull, .strings(let leaf)):
      try leaf.mark(.isNull, in: snapshot, scratch: textScratch, into: mask)
    case (.isNull, .data(let leaf)):
      try leaf.mark(.isNull, in: snapshot, scratch: textScratch, into: mask)
    case (.isNull, _): try markNulls(leaf, into: mask)
    case (.constant(let isTrue), _): mask.fill(isTrue, count: leaf.count)
    case (.and(let parts), _):
      // Both ends of a range.
      mask.fill(true, count: leaf.count)
      for part in parts {
        try mark(part, leaf, textScratch: scratchOfPart(leaf, textScratch), into: partMask)
        mask.formIntersection(partMask)
      }
    case (.anyOf(_, let parts), _):
      mask.fill(false, count: leaf.count)
      for part in parts {
        try mark(part, leaf, textScratch: scratchOfPart(leaf, textScratch), into: partMask)
        mask.formUnion(partMask)
      }
    case (.not(let inner), _):
      try mark(inner, leaf, textScratch: textScratch, into: mask)
      mask.invert()
    default: throw mismatch(condition)
    }
  }

  /// What is known about distinct texts belongs to one part.
  private func scratchOfPart(_ leaf: Leaf, _ whole: TextTestScratch) -> TextTestScratch {
    leaf.isEnumerated ? TextTestScratch() : whole
  }

  private func mismatch(_ condition: PlannedCondition) -> EngineError {
    guard let property = condition.firstProperty else { preconditionFailure("kernels read one property") }
    return property.mismatch
  }

  /// Not for links, of which `NumberPredicate` says which are null.
  private func markNulls(_ leaf: Leaf, into mask: SelectionMask) throws(EngineError) {
    switch leaf {
    case .integers(let leaf): leaf.markNulls(into: mask)
    case .dates(let leaf): leaf.seconds.markNulls(into: mask)
    case .floats(let leaf): leaf.markNulls(into: mask)
    case .doubles(let leaf): leaf.markNulls(into: mask)
    case .bools(let leaf): leaf.mark(acceptsFalse: false, acceptsTrue: false, acceptsNull: true, into: mask)
    default:
      mask.resize(leaf.count)
      for row in 0..<leaf.count { mask[row] = try leaf.value(row, in: snapshot) == .null }
    }
  }
}

extension Property {
  /// The complaint about a leaf of another type.
  var mismatch: EngineError {
    EngineError(damage: "'\(name)' holds no values of type \(type.name)")
  }
}

extension Leaf {
  fileprivate var isEnumerated: Bool { if case .strings(.enumerated) = self { true } else { false } }
}
