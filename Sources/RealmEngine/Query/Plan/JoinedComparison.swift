// Comparisons of two values of which one at least stands behind links, in the form in which they run.
// Layer: Query, Plan.

/// How two values must relate that to-one links lead to; through a link that leads nowhere a value is null.
package struct JoinedComparison: Sendable {
  let left: BoundSortPath
  let comparison: ComparisonOperator
  let right: BoundSortPath

  /// Nil where the values are not of one type that words say all of.
  init?(_ comparison: BoundComparison) {
    guard !comparison.comparesTypes, case .path(let left) = comparison.left,
      case .path(let right) = comparison.right, comparison.relation.folding == .none,
      let relation = comparison.relation.comparison, let left = BoundSortPath(left),
      let right = BoundSortPath(right), Self.areAlike(left.property, right.property)
    else { return nil }
    self.left = left
    self.comparison = relation
    self.right = right
  }

  /// Whether values of both can be compared by their words. Numbers are not among them: they meet other types, and
  /// what is no number has an order of its own. Nor are links and mixed values.
  private static func areAlike(_ left: Property, _ right: Property) -> Bool {
    left.collection == nil && right.collection == nil && left.type == right.type
      && left.type.jsonForm != nil && !left.type.isNumber
  }

  /// The columns of the row that it reads.
  var properties: [Property] { [left, right].map { $0.links.first?.property ?? $0.property } }

  /// The classes that its links lead to.
  var tables: [TableKey] { (left.links + right.links).map(\.target) }

  /// Links that are followed for each row.
  var linkCount: Int { left.links.count + right.links.count }
}

extension BoundSortPath {
  /// Nil where the path is more than to-one links and a property.
  fileprivate init?(_ path: BoundPath) {
    guard path.steps.isEmpty, path.conversion == nil, path.quantifier == nil,
      case .value(let property) = path.end
    else { return nil }
    var links: [(property: Property, target: TableKey)] = []
    for hop in path.hops {
      guard case .toOne(let link, let target) = hop, link.type == .object else { return nil }
      links.append((link, target))
    }
    self.init(links: links, property: property)
  }
}
