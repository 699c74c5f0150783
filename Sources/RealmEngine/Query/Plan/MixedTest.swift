// Conditions on mixed values, most of which are answered by the type of the value alone. Layer: Query, Plan.

/// What a mixed value is asked for.
package struct MixedTest: Sendable {
  private enum Question: Sendable {
    case test(PropertyCondition.Test)
    case types(TypeNames, isNegated: Bool)
  }

  private let question: Question
  /// Bits by the kinds that leaves tell apart: all values of the kind are accepted, or none of them. The others have to
  /// be read; so do all links, which are null where they lead nowhere.
  private var accepted: UInt32 = 0
  private var refused: UInt32 = 0
  /// What is asked of integers, where it is a comparison with a number.
  private let integers: IntegerRange?

  init(_ test: PropertyCondition.Test) {
    question = .test(test)
    if case .compare(let relation, let constant) = test, let comparison = relation.comparison {
      integers = IntegerRange(comparison, constant)
    } else {
      integers = nil
    }
    for (kind, sample) in Self.samples where !test.dependsOnValues(like: sample) {
      note(kind, test.holds(sample))
    }
  }

  /// Whether the value has one of these types, or none of them.
  init(_ types: TypeNames, isNegated: Bool) {
    question = .types(types, isNegated: isNegated)
    integers = nil
    for (kind, sample) in Self.samples {
      note(kind, types.isDisjoint(with: TypeNames(of: sample)) == isNegated)
    }
  }

  private mutating func note(_ kind: MixedLeaf.Kind, _ isAccepted: Bool) {
    if isAccepted { accepted |= 1 << kind.number } else { refused |= 1 << kind.number }
  }

  /// A value of each kind but links.
  private static let samples: [(MixedLeaf.Kind, Value)] = [
    (.null, .null), (.value(.int), .int(0)), (.value(.bool), .bool(false)),
    (.value(.string), .string(ByteString(borrowing: .empty))),
    (.value(.data), .data(ByteString(borrowing: .empty))),
    (.value(.date), .date(Timestamp(seconds: 0, nanoseconds: 0))), (.value(.float), .float(0)),
    (.value(.double), .double(0)), (.value(.decimal128), .decimal(.zero)),
    (.value(.objectID), .objectID(ObjectID(high: 0, low: 0))),
    (.value(.uuid), .uuid(UUIDValue(high: 0, low: 0))),
    (.list, .list(NestedCollection(rootOffset: 0))),
    (.dictionary, .dictionary(NestedCollection(rootOffset: 0))),
  ]

  /// The answer for null.
  var acceptsNull: Bool { accepted & 1 << MixedLeaf.Kind.null.number != 0 }

  /// Whether the value at `index` of `leaf` is accepted. `target` is what a link without a table leads to.
  @inline(__always)
  func accepts(
    _ leaf: borrowing MixedLeaf, _ index: Int, in snapshot: Snapshot, target: TableKey?
  ) throws(EngineError) -> Bool {
    if let answer = answer(forKind: leaf.kindNumber(index)) { return answer }
    if let integers, let value = leaf.inlineInteger(index) { return integers.accepts(value) }
    return accepts(try leaf.value(index, in: snapshot, untypedTarget: target))
  }

  /// The answer for all values of a kind, which may not be known; nil where the value has to be read.
  @inline(__always)
  func answer(forKind kind: Int?) -> Bool? {
    guard let kind else { return nil }
    let bit: UInt32 = 1 &<< UInt32(kind)
    return accepted & bit != 0 ? true : refused & bit != 0 ? false : nil
  }

  func accepts(_ value: Value) -> Bool {
    switch question {
    case .test(let test): test.holds(value)
    case .types(let types, let isNegated): types.isDisjoint(with: TypeNames(of: value)) == isNegated
    }
  }
}

extension PropertyCondition.Test {
  /// Whether values of the kind that `sample` is of can differ in their answers: null and values of other kinds than
  /// the constants are cannot.
  fileprivate func dependsOnValues(like sample: Value) -> Bool {
    if sample == .null { return false }
    let constants: [Value] =
      switch self {
      case .compare(let relation, let constant) where relation.isTextOperator && constant == .null: [sample]
      case .compare(_, let constant): [constant]
      case .isOneOf(let constants): constants
      case .isBetween(let low, _): [low]
      }
    return constants.contains { $0.storedRank == sample.storedRank }
  }
}
