// What a column holds, told by its leaves alone. Layer: RealmRecovery, Salvage.
// Invariant: what fits two types is neither's: it is told by values that only one of them can have, or not at all.

import RealmEngine

/// Tells types by what leaves look like.
struct LeafKinds {
  private let snapshot: Snapshot
  /// Made files may name one leaf in many places.
  private let work: SearchWork

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    work = SearchWork(snapshot)
  }

  /// A column's type.
  struct Kind: Hashable {
    let type: ValueType
    let isNullable: Bool
    var collection: CollectionKind?

    var layout: LeafLayout {
      LeafLayout(type: type, isNullable: isNullable, isCollectionColumn: collection != nil)
    }
  }

  /// Leaves of one column, or of its collections.
  private typealias Leaves = [(node: NodeView, rowCount: Int?)]

  /// Types whose leaves look like no other's come first. A number is one where it is neither a bool nor null.
  private static let kinds = [
    Kind(type: .date, isNullable: true), Kind(type: .mixed, isNullable: true),
    Kind(type: .string, isNullable: true), Kind(type: .data, isNullable: true),
    Kind(type: .objectID, isNullable: true), Kind(type: .uuid, isNullable: true),
    Kind(type: .decimal128, isNullable: true), Kind(type: .double, isNullable: true),
    Kind(type: .float, isNullable: true), Kind(type: .bool, isNullable: false),
    Kind(type: .bool, isNullable: true), Kind(type: .int, isNullable: true),
    Kind(type: .int, isNullable: false),
  ]
  /// The highest byte of nearly all numbers of a kind, without the sign: those that are neither huge nor next to nothing.
  private static let highestBytes: [ValueType: ClosedRange<UInt8>] = [
    .decimal128: 0x2E...0x34, .float: 0x35...0x50, .double: 0x38...0x48,
  ]
  private static let numbersPerMiss = 4
  private static let rootsMax = 64
  private static let elementsMax = 4096

  /// The type of a column; nil where its leaves do not tell.
  func kind(of column: Int, in clusters: [Cluster]) -> Kind? {
    let leaves = leaves(of: column, in: clusters)
    if let kind = single(leaves) { return kind }
    return collection(leaves)
  }

  /// Leaves that can be read.
  private func leaves(of column: Int, in clusters: [Cluster]) -> Leaves {
    clusters.compactMap { cluster in
      guard let ref = (try? cluster.leafRef(column)) ?? nil, let node = try? snapshot.node(ref) else {
        return nil
      }
      return (node, cluster.count)
    }
  }

  /// Whether a leaf of `column` holds refs to what its objects have; nil where none can be read.
  func hasRefs(_ column: Int, in clusters: [Cluster]) -> Bool? {
    leaves(of: column, in: clusters).first?.node.hasRefs
  }

  /// Whether some column may be one of incoming links: numbers of objects, each by itself or in a leaf.
  func mayHaveBacklinks(_ clusters: [Cluster]) -> Bool {
    clusters.contains { cluster in
      (1..<max(1, cluster.node.count)).contains { slot in
        guard let ref = (try? cluster.node.refIfPresent(slot)) ?? nil,
          case .backlinks(let leaf)? = try? snapshot.leaf(
            ref, .backlinks, rowCount: cluster.count)
        else { return false }
        guard work.take(leaf.count) else { return true }
        return (0..<leaf.count).contains { row in
          switch try? leaf[row] {
          case .one: true
          case .many(let origins): (try? snapshot.integersNode(origins)) != nil
          default: false
          }
        }
      }
    }
  }

  /// Whether some number of a column is below 0.
  func hasNegative(_ column: Int, in clusters: [Cluster]) -> Bool {
    leaves(of: column, in: clusters).contains { node, _ in
      guard let numbers = (try? snapshot.integersNode(node.ref))?.integers, work.take(numbers.count) else {
        return false
      }
      return (0..<numbers.count).contains { numbers[$0] < 0 }
    }
  }

  private func single(_ leaves: Leaves) -> Kind? {
    guard !leaves.isEmpty else { return nil }
    return Self.kinds.first { kind in
      var isTold = false
      for (node, rowCount) in leaves {
        guard let leaf = try? snapshot.leaf(node, kind.layout, rowCount: rowCount),
          leaf.count <= Self.elementsMax, work.take(leaf.count),
          let tells = tells(leaf, kind, node, isElement: rowCount == nil)
        else { return false }
        isTold = isTold || tells
      }
      return isTold
    }
  }

  /// Nil where a leaf cannot be one of its type, else whether some value of it shows that it is.
  private func tells(_ leaf: Leaf, _ kind: Kind, _ node: NodeView, isElement: Bool) -> Bool? {
    if let bytes = Self.highestBytes[kind.type] { return areAlike(node, leaf.count, bytes) }
    switch leaf {
    case .integers(let integers):
      // The first number of a leaf with nulls stands for them, and is the largest of its width.
      if isElement, kind.isNullable, integers.nullSentinel != Self.largest(node) { return nil }
      return node.header.width > (kind.isNullable ? 0 : 1)
    case .bools(let bools):
      guard node.header.width <= 2 else { return nil }
      let stored = Set((0..<bools.count).map { bools.values[$0] })
      let wanted: Set<Int64> = kind.isNullable ? [0, 1, BoolLeaf.nullPattern] : [0, 1]
      return stored.isSubset(of: wanted) ? stored == wanted : nil
    case .data(let data):
      // Texts end in a zero byte, and data seldom does.
      return (0..<data.count).contains { index in
        guard let bytes = (try? data.bytes(index, in: snapshot)) ?? nil, bytes.count > 0,
          work.take(bytes.count)
        else { return false }
        return bytes.bytes[bytes.count - 1] != 0
      }
    default: break
    }
    var isTold = false
    for index in 0..<leaf.count {
      guard let value = try? leaf.salvagedValue(index, in: snapshot) else { return nil }
      switch value {
      case .null: continue
      case .string(let text):
        guard work.take(text.count) else { return nil }
        let isPadded = !node.hasRefs && text.bytes.array().contains(0)
        guard text.bytes.isUTF8, !isPadded else { return nil }
        isTold = true
      default: isTold = true
      }
    }
    return isTold
  }

  private static func largest(_ node: NodeView) -> Int64 {
    PackedIntegers.upperBound(width: node.header.width)
  }

  /// Nil where numbers do not look like those of a kind, false where none is other than 0.
  private func areAlike(_ node: NodeView, _ count: Int, _ wanted: ClosedRange<UInt8>) -> Bool? {
    let size = node.header.width
    let numbers = (0..<count).map { node.payload.slice($0 * size, size).array() }
    let highest = numbers.filter { $0.contains { $0 != 0 } }.map { $0[size - 1] & 0x7F }
    guard !highest.isEmpty else { return false }
    let misses = highest.count { !wanted.contains($0) && $0 < Self.noNumber }
    guard misses * Self.numbersPerMiss <= highest.count else { return nil }
    return highest.contains(where: wanted.contains)
  }

  /// From here on stand infinity, what is no number, and null.
  private static let noNumber: UInt8 = 0x78

  // MARK: Collections

  /// What lists, or dictionaries by text, hold. That a list is a set nothing tells.
  private func collection(_ leaves: Leaves) -> Kind? {
    var roots: [NodeView] = []
    for (node, rowCount) in leaves {
      guard node.hasRefs, !node.isInner, !node.header.contextFlag, node.count == rowCount else { return nil }
      for row in 0..<node.count where roots.count < Self.rootsMax {
        guard let ref = try? node.refIfPresent(row) else { continue }
        if let root = try? snapshot.node(ref) { roots.append(root) }
      }
    }
    guard !roots.isEmpty else { return nil }
    let values = roots.compactMap(values)
    let isDictionary = values.count == roots.count
    let elements = (isDictionary ? values : roots).compactMap(firstLeaf)
    guard var kind = single(elements.map { ($0, nil) }) else { return nil }
    kind.collection = isDictionary ? .dictionary : .list
    return kind
  }

  /// The tree of a dictionary's values, beside one of texts.
  private func values(_ root: NodeView) -> NodeView? {
    guard root.hasRefs, !root.isInner, root.count == 2,
      let keys = (try? root.ref(0)).flatMap({ try? snapshot.node($0) }).flatMap(firstLeaf),
      !keys.holdsTextNumbers, (try? StringLeaf(keys, in: snapshot)) != nil
    else { return nil }
    return (try? root.ref(1)).flatMap { try? snapshot.node($0) }
  }

  private func firstLeaf(_ root: NodeView) -> NodeView? {
    var node = root
    for _ in 0..<BPlusTree.depthMax {
      guard node.isInner else { return node }
      guard let child = (try? node.ref(1)).flatMap({ try? snapshot.node($0) }) else { return nil }
      node = child
    }
    return nil
  }
}
