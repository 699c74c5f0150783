// The spec of a damaged table of formats 2–9, around the parts of it that are lost. Layer: RealmRecovery, Salvage.
// Invariant: types and attributes tell where columns stand, and have to be there; a column whose name is lost gets one, and one
// that lacks more is what its type alone says.

import RealmEngine

extension OldSpec {
  /// `note` gets what is lost.
  init(
    salvaging ref: Ref, in snapshot: Snapshot, budget: TraversalBudget, note: (EngineError) -> Void
  ) throws(EngineError) {
    guard try snapshot.refsNode(ref).count != Self.convertedSize else {
      self = try OldSpec(ref, in: snapshot, budget: budget)
      return
    }
    let head = try Head(ref, in: snapshot, budget: budget)
    let (node, types, attributes) = (head.node, head.types, head.attributes)
    let numbers = types.all.map { Int(clamping: $0) }
    let namedCount = numbers.prefix { $0 != OldSpecColumn.Number.backlink }.count
    let names = Self.names(node, count: namedCount, in: snapshot, note)
    let linkCount = numbers.reduce(0) { $0 + Self.linkDetails($1) }
    var links = Details(node, Slot.links, count: linkCount, in: snapshot, note)
    let textCount = numbers.count { $0 == OldSpecColumn.Number.enumerated }
    var texts = Details(node, Slot.texts, count: textCount, in: snapshot, note)
    var columns: [OldSpecColumn] = []
    for (index, type) in numbers.enumerated() {
      let isHidden = type == OldSpecColumn.Number.backlink
      let isLink = [OldSpecColumn.Number.link, OldSpecColumn.Number.linkList].contains(type) || isHidden
      var detail: Ref?
      if type == OldSpecColumn.Number.table { detail = links.nextRef() }
      if type == OldSpecColumn.Number.enumerated { detail = texts.nextRef() }
      columns.append(
        OldSpecColumn(
          name: isHidden ? "" : index < names.count ? names[index] ?? Self.foundName(index) : "",
          typeNumber: type,
          attributes: ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[index])),
          slot: columns.last.map { $0.slot + $0.slotCount } ?? 0,
          linkTable: isLink ? links.nextNumber() ?? Self.unknown : 0,
          originColumn: isHidden ? links.nextNumber() ?? Self.unknown : 0, detail: detail))
    }
    links.noteMissing(note)
    texts.noteMissing(note)
    self.init(columns: columns)
  }

  /// A position that no table and no column has.
  static let unknown = -1

  private static func foundName(_ index: Int) -> String { "property_\(index)" }

  /// Elements of the list of details that a column of a type has.
  private static func linkDetails(_ type: Int) -> Int {
    switch type {
    case OldSpecColumn.Number.table, OldSpecColumn.Number.link, OldSpecColumn.Number.linkList: 1
    case OldSpecColumn.Number.backlink: 2
    default: 0
    }
  }

  /// By column; nil for names that are lost.
  private static func names(
    _ node: NodeView, count: Int, in snapshot: Snapshot, _ note: (EngineError) -> Void
  ) -> [String?] {
    do throws(EngineError) {
      let leaf = try snapshot.node(try node.requiredRef(Slot.names))
      let names = try TableNames.texts(leaf, in: snapshot)
      guard names.count == count else {
        throw EngineError.damaged(
          at: leaf.ref.offset, expected: "names of \(count) columns", found: "\(names.count)")
      }
      return names
    } catch {
      note(error)
      return Array(repeating: nil, count: count)
    }
  }
}

/// What columns need beside their types, handed out in column order. A list of another length says nothing: whose its elements
/// are is told by their number alone.
private struct Details {
  private let node: NodeView?
  private var next = 0
  /// Elements that are none.
  private var missing = 0

  init(
    _ spec: NodeView, _ slot: Int, count: Int, in snapshot: Snapshot, _ note: (EngineError) -> Void
  ) {
    do throws(EngineError) {
      let node = try spec.refIfPresent(slot).map { ref throws(EngineError) in try snapshot.refsNode(ref) }
      guard node?.count ?? 0 == count else {
        throw EngineError.damaged(
          at: spec.ref.offset, expected: "\(count) details of columns", found: "\(node?.count ?? 0)")
      }
      self.node = node
    } catch {
      note(error)
      node = nil
    }
  }

  mutating func nextRef() -> Ref? {
    defer { next += 1 }
    guard let node, let ref = (try? node.refIfPresent(next)) ?? nil else {
      missing += 1
      return nil
    }
    return ref
  }

  mutating func nextNumber() -> Int? {
    defer { next += 1 }
    guard let node, let element = try? node.slot(next), element & 1 == 1 else {
      missing += 1
      return nil
    }
    return Int(element >> 1)
  }

  /// Of a list that is lost that was said before.
  func noteMissing(_ note: (EngineError) -> Void) {
    guard let node, missing > 0 else { return }
    note(
      .damaged(
        at: node.ref.offset, expected: "details of columns", found: "\(missing) elements that are none"))
  }
}
