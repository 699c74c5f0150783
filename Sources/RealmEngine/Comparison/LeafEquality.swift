// Whether two values in leaves are the same without being written out. Layer: Comparison.
// Invariant: what is called equal has the same text; what is not may still have it.

extension Value {
  /// Whether it is the same value to the last bit: 0.0 is not -0.0, and 1.50 is not 1.5.
  func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.decimal(let left), .decimal(let right)): left.low == right.low && left.high == right.high
    // Collections are told by places, which say nothing in another file.
    case (.link, _), (.list, _), (.dictionary, _): false
    default: self == other
    }
  }

  /// Whether it is what a new property has that is never null.
  fileprivate var isDefault: Bool {
    switch self {
    case .null: true
    case .int(let value): value == 0
    case .bool(let value): !value
    case .string(let value), .data(let value): value.count == 0
    default: false
    }
  }
}

extension LinkComparability {
  /// Whether row `leftRow` of a leaf holds what row `rightRow` of the other one does. False: it has to be looked at closely.
  func isEqual(
    _ property: ComparedProperty, _ leftLeaf: Leaf, _ leftRow: Int, _ rightLeaf: Leaf, _ rightRow: Int,
    _ trees: TreeEquality, in snapshots: (left: Snapshot, right: Snapshot)
  ) throws(EngineError) -> Bool {
    switch (leftLeaf, rightLeaf) {
    case (.strings(let left), .strings(let right)):
      guard let left = try left.bytes(leftRow, in: snapshots.left) else {
        return try right.bytes(rightRow, in: snapshots.right) == nil
      }
      return try right.bytes(rightRow, in: snapshots.right) == left
    case (.links(let left), .links(let right)):
      let (left, right) = (left.existing(leftRow), right.existing(rightRow))
      return left == right && (left == nil || trusts(property))
    case (.collections(let left), .collections(let right)):
      guard let left = try left.root(leftRow), let right = try right.root(rightRow) else {
        let hasRight = try right.root(rightRow) != nil
        let hasLeft = try left.root(leftRow) != nil
        return !hasLeft && !hasRight
      }
      guard trustsBytes(property) else { return false }
      return try trees.isEqual(left, right)
    case (.collections, _), (_, .collections), (.links, _), (_, .links): return false
    default:
      let value = try leftLeaf.value(leftRow, in: snapshots.left)
      return value.isIdentical(to: try rightLeaf.value(rightRow, in: snapshots.right))
    }
  }

  /// Whether an object has what a new property gives it.
  static func isDefault(
    _ leaf: Leaf, _ row: Int, of property: Property, in snapshot: Snapshot
  ) throws(EngineError) -> Bool {
    switch leaf {
    case .links(let links): links.existing(row) == nil
    case .collections(let collections): try collections.root(row) == nil
    default:
      // A property that may be null begins with that.
      property.isOptional || property.type == .mixed
        ? try leaf.value(row, in: snapshot) == .null : try leaf.value(row, in: snapshot).isDefault
    }
  }
}

/// What is known of the object keys of two realms.
struct LinkComparability: Sendable {
  /// Tables of the right side whose object keys name the same objects on the left one.
  private let targets: Set<TableKey>
  /// Whether that holds for every class, and the classes have the same numbers.
  private let allTargets: Bool
  /// Whether values are stored in one way on both sides.
  let isSameFormat: Bool

  /// `targets`: see there.
  init(_ left: ReadTransaction, _ right: ReadTransaction, targets: Set<TableKey>) {
    self.targets = targets
    isSameFormat = left.snapshot.format == right.snapshot.format
    allTargets =
      left.tables.count == right.tables.count
      && zip(left.tables, right.tables).allSatisfy { left, right in
        guard let left, let right else { return left == nil && right == nil }
        return left.schema.tableKey == right.schema.tableKey && left.schema.name == right.schema.name
          && (!right.schema.isClass || targets.contains(right.schema.tableKey))
      }
  }

  /// Whether equal numbers of a property's links are equal links.
  func trusts(_ property: ComparedProperty) -> Bool {
    switch property.right.type {
    case .object: property.right.target.map(targets.contains) ?? false
    case .mixed, .typedLink: allTargets
    default: true
    }
  }

  /// Whether equal bytes of a property's leaves are equal values.
  func trustsBytes(_ property: ComparedProperty) -> Bool {
    isSameFormat && property.isSameLayout && trusts(property)
  }
}
