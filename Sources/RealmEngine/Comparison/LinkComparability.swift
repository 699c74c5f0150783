// Which links mean the same object where their numbers are the same. Layer: Comparison.

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
