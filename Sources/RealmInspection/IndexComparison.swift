// Whether a large index of values is sound, and holds every object of its table once, each under the chunks of its value, lists in
// order. Layer: RealmInspection. It only tells whether all is well, in two passes of several threads: each entry of the index notes at
// the object that it names by how many chunks it is filed there, then the leaves of the column are read in their order. Both
// passes sum up what these chunks are: no entry is kept.
// Memory: a byte an object. What is rare (a list of values that only begin alike) is not told apart from damage.

import RealmFiles
import Synchronization

/// What an index says of an object's value, or what follows from the value: equal where they agree.
private struct IndexMark {
  /// How many chunks it is of; 0 for none, so that no object without a mark has one.
  private(set) var levels: UInt8 = 0
  private var hash: UInt64 = 0

  private static let wholeValue: UInt8 = 0xFF

  /// As many chunks as an index has levels fit: `wholeValue` is greater.
  static let levelsMax = UInt8(IndexPath.offsetMax / IndexPath.chunkSize + 1)

  init() {}

  /// Of a whole value, for a list.
  init(whole path: IndexPath) {
    levels = Self.wholeValue
    hash = PairSum.mix(path.wordHash &+ UInt64(path.count) &* 2 &+ (path.isNull ? 1 : 0))
  }

  /// Of so many chunks of a value; nil where there is no such mark.
  init?(_ path: IndexPath, levels: UInt8) {
    if levels == Self.wholeValue {
      self.init(whole: path)
    } else {
      guard levels > 0, levels <= Self.levelsMax else { return nil }
      self.init()
      for level in 0..<levels { extend(by: path.chunk(Int(level))) }
    }
  }

  mutating func extend(by chunk: Int32) {
    hash = levels == 0 ? UInt64(UInt32(bitPattern: chunk)) : IndexPath.extend(hash, chunk)
    levels += 1
  }

  /// Of so many chunks.
  var word: UInt64 { hash << 8 | UInt64(levels) }
}

/// Compares one index with one column.
struct IndexComparison {
  private let column: IndexedColumn
  private let shared: SharedInspection

  private static let clustersPerPiece = 64

  init(_ column: IndexedColumn, _ shared: SharedInspection) {
    self.column = column
    self.shared = shared
  }

  /// Claims the index, whose root is claimed. False also where it cannot be told.
  func holds(_ root: RawNode, _ walk: Walk) -> Bool {
    guard let pieces = IndexShares(of: root, walk)?.pieces,
      let levels = MemoryImage.reserving(size: column.directory.count)
    else { return false }
    let (column, shared) = (column, shared)
    let total = Mutex((met: InspectionStatistics(), marks: PairSum()))
    let isMarked = shared.all(
      pieces.count, own: { IndexMarking(column, shared.claimingWalk(), shared.peekingWalk(), levels) },
      piece: { number, marking in
        guard marking.mark(pieces[number]) else { return false }
        let (met, marks) = marking.takeSums()
        total.withLock {
          $0.met.add(met)
          $0.marks.add(marks)
        }
        return true
      })
    let (met, marks) = total.withLock { $0 }
    walk.statistics.add(met)
    // As many entries as there are objects: where each object has noted one, none has two.
    guard isMarked, met.indexEntryCount == column.directory.count else { return false }
    let clusterCount = column.directory.clusters.count
    let pieceCount = (clusterCount + Self.clustersPerPiece - 1) / Self.clustersPerPiece
    let expected = Mutex(PairSum())
    let areMarked = shared.all(
      pieceCount, own: { shared.peekingWalk() },
      piece: { piece, walk in
        let start = piece * Self.clustersPerPiece
        var sum = PairSum()
        for number in start..<min(clusterCount, start + Self.clustersPerPiece) {
          guard column.add(ofCluster: number, levels, to: &sum, walk) else { return false }
        }
        expected.withLock { [sum] in $0.add(sum) }
        return true
      })
    return areMarked && expected.withLock { $0 } == marks
  }
}

extension IndexedColumn {
  /// Adds what follows from the values of a cluster's objects. False: an object is not in the index, or a value cannot be read.
  fileprivate func add(
    ofCluster number: Int, _ levels: MemoryImage, to sum: inout PairSum, _ walk: Walk
  ) -> Bool {
    let cluster = directory.clusters[number]
    guard let node = walk.child(cluster.node, slot),
      let leaf = walk.openLeaf(node, layout, count: cluster.count)
    else { return false }
    let first = directory.ordinals[number]
    for row in 0..<cluster.count {
      guard let value = leaf.value(row, walk),
        let mark = IndexMark(IndexPath(value), levels: levels.bytes[first + row])
      else { return false }
      sum.add(UInt64(first + row), mark.word)
    }
    return true
  }
}

// MARK: Pieces

/// A node of an index whose shape is sound.
private struct IndexNode: Sendable {
  let node: RawNode
  let chunks: RawNode

  /// Claims the chunks of a node. Nil: no sound node of an index.
  init?(_ node: RawNode, _ walk: Walk, isRoot: Bool = false) {
    guard node.kind == .bits, node.hasRefs, node.hasContext, node.count > 0,
      let chunks = walk.requiredNumbers(node, 0), chunks.width == 32, chunks.count == node.count - 1,
      chunks.count <= Walk.treeFanOutMax, chunks.count > 0 || isRoot
    else { return nil }
    for index in 1..<max(1, chunks.count) where chunks.number(index - 1) >= chunks.number(index) {
      return nil
    }
    self.node = node
    self.chunks = chunks
  }

  var entries: Range<Int> { 0..<chunks.count }

  /// The object that an entry stands for by itself; nil for one that leads on.
  func key(_ entry: Int) -> Int64? {
    guard !node.isInner, case .tagged(let key) = node.slot(entry + 1) else { return nil }
    return key
  }

  func chunk(_ entry: Int) -> Int32 { Int32(truncatingIfNeeded: chunks.number(entry)) }
}

/// A part of an index.
private enum IndexPart: Sendable {
  case key(Int64, IndexMark)
  case list(RawNode, IndexMark)
  /// Entries of a node, what leads to it, and how many inner nodes stand above it for the same chunk.
  case entries(IndexNode, Range<Int>, IndexMark, innerLevel: Int)

  /// What an entry of a node leads to. Nil: what no sound index has.
  init?(_ parent: IndexNode, _ entry: Int, _ path: IndexMark, innerLevel: Int, _ walk: Walk) {
    let chunk = parent.chunk(entry)
    if parent.node.isInner {
      guard innerLevel < Walk.innerLevelsMax, let child = walk.requiredChild(parent.node, entry + 1),
        let node = IndexNode(child, walk), node.chunk(node.chunks.count - 1) == chunk
      else { return nil }
      self = .entries(node, node.entries, path, innerLevel: innerLevel + 1)
      return
    }
    var path = path
    path.extend(by: chunk)
    switch parent.node.slot(entry + 1) {
    case .tagged(let key): self = .key(key, path)
    case .ref(let offset):
      guard path.levels < IndexMark.levelsMax, let child = walk.node(offset) else { return nil }
      guard child.hasContext else {
        self = .list(child, path)
        return
      }
      guard let node = IndexNode(child, walk) else { return nil }
      self = .entries(node, node.entries, path, innerLevel: 0)
    default: return nil
    }
  }

  /// How many parts are directly below, at least.
  var count: Int { if case .entries(_, let entries, _, _) = self { entries.count } else { 1 } }
}

/// Enough parts of an index for all threads; values often begin alike, so that the first levels have a few entries only.
private struct IndexShares {
  private(set) var pieces: [IndexPart]

  private static let entriesMin = 256
  private static let levelsMax = 20

  /// Claims what stands above the pieces. Nil: something there is not sound.
  init?(of root: RawNode, _ walk: Walk) {
    guard let root = IndexNode(root, walk, isRoot: true) else { return nil }
    pieces = [.entries(root, root.entries, IndexMark(), innerLevel: 0)]
    for _ in 0..<Self.levelsMax where pieces.reduce(0, { $0 + $1.count }) < Self.entriesMin {
      guard split(walk) else { return nil }
    }
    cut()
  }

  /// Replaces nodes by what is below them.
  private mutating func split(_ walk: Walk) -> Bool {
    var smaller: [IndexPart] = []
    for piece in pieces {
      guard case .entries(let node, let entries, let path, let innerLevel) = piece else {
        smaller.append(piece)
        continue
      }
      for entry in entries {
        guard let part = IndexPart(node, entry, path, innerLevel: innerLevel, walk) else { return false }
        smaller.append(part)
      }
    }
    pieces = smaller
    return true
  }

  /// Cuts rows of entries in short ones.
  private mutating func cut() {
    let length = max(1, pieces.reduce(0, { $0 + $1.count }) / Self.entriesMin)
    pieces = pieces.flatMap { piece -> [IndexPart] in
      guard case .entries(let node, let entries, let path, let innerLevel) = piece else { return [piece] }
      return stride(from: entries.lowerBound, to: entries.upperBound, by: length).map {
        .entries(node, $0..<min(entries.upperBound, $0 + length), path, innerLevel: innerLevel)
      }
    }
  }
}

// MARK: Marks

/// Leaves marks for what one thread meets of an index.
private final class IndexMarking {
  private let column: IndexedColumn
  private let walk: Walk
  private let levels: MemoryImage
  private var marks = PairSum()
  private var reader: ColumnReader

  init(_ column: IndexedColumn, _ walk: Walk, _ peekingWalk: Walk, _ levels: MemoryImage) {
    self.column = column
    self.walk = walk
    self.levels = levels
    reader = ColumnReader(column, peekingWalk)
  }

  /// What was met since the last time.
  func takeSums() -> (met: InspectionStatistics, marks: PairSum) {
    defer {
      walk.statistics = InspectionStatistics()
      marks = PairSum()
    }
    return (walk.statistics, marks)
  }

  /// False: something is wrong, or cannot be told.
  func mark(_ part: IndexPart) -> Bool { markAll(part) && walk.isQuiet }

  private func markAll(_ part: IndexPart) -> Bool {
    switch part {
    case .key(let key, let path): return mark(key, path)
    case .list(let list, let path): return mark(list: list, path)
    case .entries(let node, let entries, let path, let innerLevel):
      for entry in entries {
        // Most entries are keys, and a part costs as much as what is done with it.
        if let key = node.key(entry) {
          var path = path
          path.extend(by: node.chunk(entry))
          guard mark(key, path) else { return false }
        } else {
          guard let part = IndexPart(node, entry, path, innerLevel: innerLevel, walk), markAll(part) else {
            return false
          }
        }
      }
      return true
    }
  }

  /// One list holds the objects of one value, in the order of their keys.
  private func mark(list: RawNode, _ path: IndexMark) -> Bool {
    guard !column.isPrimaryKey, path.levels < IndexMark.levelsMax else { return false }
    var whole: IndexMark?
    var previous: Int64 = .min
    var isSound = true
    walk.walkTree(list) { node, _ in
      guard node.isNumbers, node.count <= Walk.treeFanOutMax, isSound else { return nil }
      for index in 0..<node.count {
        let key = node.number(index)
        if whole == nil { whole = markOfList(firstKey: key, path) }
        guard let whole, previous < key, mark(key, whole) else {
          isSound = false
          return nil
        }
        previous = key
      }
      return node.count
    }
    return isSound && whole != nil
  }

  /// The mark of all objects in a list; nil where the first one does not belong there.
  private func markOfList(firstKey: Int64, _ path: IndexMark) -> IndexMark? {
    guard let value = reader.value(of: firstKey)?.value else { return nil }
    let whole = IndexPath(value)
    guard IndexMark(whole, levels: path.levels)?.word == path.word else { return nil }
    return IndexMark(whole: whole)
  }

  private func mark(_ key: Int64, _ mark: IndexMark) -> Bool {
    guard let ordinal = column.directory.ordinal(of: key) else { return false }
    walk.statistics.indexEntryCount += 1
    levels.setByte(ordinal, to: mark.levels)
    marks.add(UInt64(ordinal), mark.word)
    return true
  }
}
