// The spec of a table of formats 2–9: what its columns are, and where their roots stand (L4 to L7). Layer: RealmInspection.
// Invariant: specs of tables in columns are read once each, and nest as deep as their nodes do.

import RealmFiles

/// What a column of a table of formats 2–9 holds; raw values are its type in the spec.
enum OldColumnType: Int64 {
  case int = 0
  case bool = 1
  case text = 2
  case enumerated = 3
  case data = 4
  case table = 5
  case mixed = 6
  case seconds = 7
  case date = 8
  case float = 9
  case double = 10
  case link = 12
  case links = 13
  case incoming = 14
}

/// One column of a spec.
struct OldColumnSpec {
  let index: Int
  /// Empty where the names stand in a leaf that no engine used for them.
  let name: String
  let type: OldColumnType
  let isNullable: Bool
  /// Where its root stands in the array of columns.
  let slot: Int
  let isIndexed: Bool
  /// The table that links lead to or come from.
  var linkTable: Int?
  /// The columns of the tables in it.
  var columns: [OldColumnSpec] = []
  /// The distinct texts of an enumerated column.
  var distinctTexts: Int?
}

extension SnapshotInspection {
  private enum OldSpecSlot {
    static let types = 0
    static let names = 1
    static let attributes = 2
    static let details = 3
    static let texts = 4
    static let counts = 3...5
  }

  private static let oldSpecDepthMax = 64
  private static let oldColumnsMax = 65535

  /// The columns that `spec` tells of. Nil, with a finding, where the table's columns cannot be told apart.
  func inspectOldSpec(_ spec: RawNode, depth: Int = 0) -> [OldColumnSpec]? {
    guard depth < Self.oldSpecDepthMax,
      walk.checked(spec, spec.isSlots && OldSpecSlot.counts.contains(spec.count), "3 to 5 refs", kind: .spec)
        != nil,
      let types = walk.requiredNumbers(spec, OldSpecSlot.types),
      let names = walk.requiredChild(spec, OldSpecSlot.names).flatMap({ openOldTexts($0) }),
      let attributes = walk.requiredNumbers(spec, OldSpecSlot.attributes)
    else { return nil }
    validateOldTexts(names)
    guard attributes.count == types.count, names.count <= types.count, types.count <= Self.oldColumnsMax
    else {
      walk.report(
        .spec, at: spec.offset, expected: "as many attributes as the \(types.count) types and no more names",
        found: "\(attributes.count) and \(names.count)")
      return nil
    }
    var details = OldSpecDetails(
      links: list(spec, OldSpecSlot.details), texts: list(spec, OldSpecSlot.texts))
    var columns: [OldColumnSpec] = []
    var slot = 0
    for index in 0..<types.count {
      guard let type = OldColumnType(rawValue: types.number(index)),
        (0..<RawColumnKey.list).contains(attributes.number(index)),
        (type == .incoming) == (index >= names.count)
      else {
        walk.report(
          .columnKey, at: types.offset, element: index,
          expected: "a type of column, and names for all but hidden ones",
          found: "the type \(types.number(index)), and \(names.count) names")
        return nil
      }
      let isIndexed = attributes.number(index) & RawColumnKey.indexed != 0
      var column = OldColumnSpec(
        index: index, name: oldText(names, index), type: type,
        isNullable: attributes.number(index) & RawColumnKey.nullable != 0,
        slot: slot, isIndexed: isIndexed)
      guard complete(&column, from: &details, depth: depth) else {
        walk.report(
          .spec, at: spec.offset, element: index, expected: "the details of the column", found: "none")
        return nil
      }
      columns.append(column)
      slot += isIndexed ? 2 : 1
    }
    if !details.isUsedUp {
      walk.report(.spec, at: spec.offset, expected: "as many details as columns need", found: "more")
    }
    return columns
  }

  private func list(_ spec: RawNode, _ slot: Int) -> RawNode? {
    guard let list = walk.child(spec, slot) else { return nil }
    return walk.checked(list, list.isSlots, "details of columns", kind: .spec)
  }

  /// Fills in what stands beside type and attributes. False: it does not.
  private func complete(
    _ column: inout OldColumnSpec, from details: inout OldSpecDetails, depth: Int
  ) -> Bool {
    switch column.type {
    case .table:
      guard case .ref(let offset)? = details.nextLink(), let spec = walk.node(offset),
        let columns = inspectOldSpec(spec, depth: depth + 1)
      else { return false }
      column.columns = columns
    case .enumerated:
      guard case .ref(let offset)? = details.nextTexts() else { return false }
      column.distinctTexts = offset
    case .link, .links:
      guard case .tagged(let table)? = details.nextLink() else { return false }
      column.linkTable = Int(clamping: table)
    case .incoming:
      guard case .tagged(let table)? = details.nextLink(), case .tagged? = details.nextLink() else {
        return false
      }
      column.linkTable = Int(clamping: table)
    default: break
    }
    return true
  }
}

/// Hands out the details of columns in their order.
private struct OldSpecDetails {
  let links: RawNode?
  let texts: RawNode?
  private var linksUsed = 0
  private var textsUsed = 0

  init(links: RawNode?, texts: RawNode?) {
    self.links = links
    self.texts = texts
  }

  mutating func nextLink() -> RawSlot? {
    linksUsed += 1
    return links?.slot(linksUsed - 1)
  }

  mutating func nextTexts() -> RawSlot? {
    textsUsed += 1
    return texts?.slot(textsUsed - 1)
  }

  var isUsedUp: Bool { linksUsed == links?.count ?? 0 && textsUsed == texts?.count ?? 0 }
}
