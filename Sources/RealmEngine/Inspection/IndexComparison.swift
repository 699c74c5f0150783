// Whether a large index of values holds every object of its table once, each under the chunks of its value, lists in order.
// Layer: Inspection. It only tells whether all is well, in two passes of several threads: each entry of the index leaves a mark at
// the object that it names, then the leaves of the column are read in their order and compared with the marks.
// Memory: 8 bytes an object. What is rare (a list of values that only begin alike) is not told apart from damage.

import Synchronization

/// What an index says of an object's value, or what follows from the value: equal where they agree.
private struct IndexMark {
  /// How many chunks it is of; 0 for none, so that no mark is 0.
  private(set) var levels = 0
  private var hash: UInt64 = 0

  private static let wholeValue: UInt64 = 0xFF

  /// As many chunks as an index has levels fit: `wholeValue` is greater.
  static let levelsMax = IndexPath.offsetMax / IndexPath.chunkSize + 1

  mutating func extend(by chunk: Int32) {
    hash = levels == 0 ? UInt64(UInt32(bitPattern: chunk)) : IndexPath.extend(hash, chunk)
    levels += 1
  }

  /// Of so many chunks.
  var word: UInt64 { hash << 8 | UInt64(levels) }

  /// Of the first chunks of a value.
  static func word(of path: IndexPath, levels: Int) -> UInt64 {
    var mark = IndexMark()
    for level in 0..<levels { mark.extend(by: path.chunk(level)) }
    return mark.word
  }

  /// Of a whole value.
  static func word(ofWhole path: IndexPath) -> UInt64 {
    let content = path.wordHash &+ UInt64(path.count) &* 2 &+ (path.isNull ? 1 : 0)
    return PairSum.mix(content) << 8 | wholeValue
  }

  /// Whether the mark `word` is what follows from the value.
  static func isMark(_ word: UInt64, of value: RawValue) -> Bool {
    let path = IndexPath(value)
    let levels = word & 0xFF
    guard levels > 0 else { return false }
    let isWhole = levels == wholeValue
    return word == (isWhole ? self.word(ofWhole: path) : self.word(of: path, levels: Int(levels)))
  }
}

/// Compares one index with one column.
struct IndexComparison: Sendable {
  private let column: IndexedColumn
  private let image: FileImage
  private let limit: Int
  private let format: Int

  private static let entriesPerPiece = 256
  private static let clustersPerPiece = 64

  init(_ column: IndexedColumn, _ walk: Walk) {
    self.column = column
    (image, limit, format) = (walk.image, walk.limit, walk.format)
  }

  /// Claims and reports nothing. False also where it cannot be told.
  func holds(_ root: RawNode) -> Bool {
    guard let pieces = pieces(of: root),
      let marks = MemoryImage.reserving(size: column.directory.count * 8)
    else { return false }
    let entryCount = Counter()
    let isMarked = allHold(pieces.count) { () -> (Int) -> Bool in
      var marking = IndexMarking(column, peekingWalk(), marks)
      return { number in
        let before = marking.entryCount
        let piece = pieces[number]
        let isSound = marking.mark(piece.node, piece.entries, piece.path)
        entryCount.add(marking.entryCount - before)
        return isSound
      }
    }
    // As many entries as there are objects: where each object has a mark, none has two.
    guard isMarked, entryCount.value == column.directory.count else { return false }
    let clusterCount = column.directory.clusters.count
    return allHold((clusterCount + Self.clustersPerPiece - 1) / Self.clustersPerPiece) {
      () -> (Int) -> Bool in
      let walk = peekingWalk()
      return { piece in
        let start = piece * Self.clustersPerPiece
        return (start..<min(clusterCount, start + Self.clustersPerPiece))
          .allSatisfy { agrees($0, with: marks, walk) }
      }
    }
  }

  private func peekingWalk() -> Walk {
    let walk = Walk(
      image: image, limit: limit, format: format, names: PlaceNames(), coverage: nil, log: nil)
    // Without marks of nodes a walk may go in circles.
    walk.remainingCount = limit / RawHeader.size
    return walk
  }

  /// Whether all pieces hold, on several threads, each of which has a checker of its own.
  private func allHold(_ count: Int, _ makeChecker: @escaping @Sendable () -> (Int) -> Bool) -> Bool {
    let (next, failed) = (Counter(), Counter())
    ParallelWork.run(workers: min(ParallelWork.workerCount, count)) { _ in
      let check = makeChecker()
      while failed.value == 0, case let piece = next.take(), piece < count {
        if !check(piece) { _ = failed.take() }
      }
    }
    return failed.value == 0
  }

  // MARK: Index

  /// Some entries of a node.
  private struct Piece: Sendable {
    let node: RawNode
    let entries: Range<Int>
    /// What leads to the node.
    let path: IndexMark
  }

  /// Enough pieces for all threads; values often begin alike, so that the first levels have a few entries only. Nil: no
  /// nodes of an index, or more than a sound one has.
  private func pieces(of root: RawNode) -> [Piece]? {
    let walk = peekingWalk()
    var pieces: [Piece] = []
    guard addPieces(of: root, IndexMark(), walk, depth: 0, to: &pieces) else { return nil }
    for _ in 0..<Self.splitsMax where pieces.count < Self.piecesMin {
      var smaller: [Piece] = []
      for piece in pieces {
        guard split(piece, walk, to: &smaller) else { return nil }
      }
      pieces = smaller
    }
    return pieces
  }

  private static let piecesMin = 64
  private static let splitsMax = 20

  private func addPieces(
    of node: RawNode, _ path: IndexMark, _ walk: Walk, depth: Int, to pieces: inout [Piece]
  ) -> Bool {
    guard node.kind == .bits, node.hasRefs, node.hasContext, depth <= Walk.innerLevelsMax,
      pieces.count <= column.directory.count
    else { return false }
    guard node.isInner else {
      for start in stride(from: 1, to: node.count, by: Self.entriesPerPiece) {
        let entries = start..<min(node.count, start + Self.entriesPerPiece)
        pieces.append(Piece(node: node, entries: entries, path: path))
      }
      return true
    }
    return (1..<max(1, node.count)).allSatisfy { index in
      guard case .ref(let offset) = node.slot(index), let child = walk.node(offset) else { return false }
      return addPieces(of: child, path, walk, depth: depth + 1, to: &pieces)
    }
  }

  /// Adds each entry of a piece by itself, or what is below a single one.
  private func split(_ piece: Piece, _ walk: Walk, to pieces: inout [Piece]) -> Bool {
    guard piece.entries.count == 1 else {
      for index in piece.entries {
        pieces.append(Piece(node: piece.node, entries: index..<index + 1, path: piece.path))
      }
      return true
    }
    let index = piece.entries.lowerBound
    guard case .ref(let offset) = piece.node.slot(index), let child = walk.node(offset), child.hasContext,
      let chunks = IndexMarking.chunks(of: piece.node, walk), piece.path.levels < IndexMark.levelsMax
    else {
      pieces.append(piece)
      return true
    }
    var path = piece.path
    path.extend(by: Int32(truncatingIfNeeded: chunks.number(index - 1)))
    return addPieces(of: child, path, walk, depth: 0, to: &pieces)
  }

  // MARK: Column

  /// Whether the values of a cluster's objects are what the index says of them.
  private func agrees(_ number: Int, with marks: MemoryImage, _ walk: Walk) -> Bool {
    let cluster = column.directory.clusters[number]
    guard let node = walk.child(cluster.node, column.slot),
      let leaf = walk.openLeaf(node, column.layout, count: cluster.count)
    else { return false }
    let start = column.directory.ordinals[number] * 8
    let words = marks.bytes.slice(start, cluster.count * 8)
    return (0..<cluster.count).allSatisfy { row in
      guard let value = leaf.value(row, walk) else { return false }
      return IndexMark.isMark(words.load(UInt64.self, at: row * 8), of: value)
    }
  }
}

/// Leaves marks for what one thread meets of an index.
private struct IndexMarking {
  private let column: IndexedColumn
  private let walk: Walk
  private let marks: MemoryImage
  private var reader: ColumnReader
  private(set) var entryCount = 0

  init(_ column: IndexedColumn, _ walk: Walk, _ marks: MemoryImage) {
    self.column = column
    self.walk = walk
    self.marks = marks
    reader = ColumnReader(column, walk)
  }

  static func chunks(of node: RawNode, _ walk: Walk) -> RawNode? {
    guard case .ref(let offset) = node.slot(0), let chunks = walk.node(offset), chunks.isNumbers,
      chunks.width == 32, chunks.count == node.count - 1
    else { return nil }
    return chunks
  }

  /// False: something is wrong, or cannot be told.
  mutating func mark(_ node: RawNode, _ entries: Range<Int>, _ path: IndexMark) -> Bool {
    guard let chunks = Self.chunks(of: node, walk) else { return false }
    for index in entries {
      var path = path
      path.extend(by: Int32(truncatingIfNeeded: chunks.number(index - 1)))
      switch node.slot(index) {
      case .tagged(let key):
        guard mark(key, path.word) else { return false }
      case .ref(let offset):
        guard let child = walk.node(offset) else { return false }
        guard child.hasContext ? mark(below: child, path, innerLevel: 0) : mark(list: child, path) else {
          return false
        }
      default: return false
      }
    }
    return true
  }

  private mutating func mark(below node: RawNode, _ path: IndexMark, innerLevel: Int) -> Bool {
    guard node.kind == .bits, node.hasRefs, node.hasContext, node.count > 1,
      path.levels < IndexMark.levelsMax, innerLevel <= Walk.innerLevelsMax
    else { return false }
    guard node.isInner else { return mark(node, 1..<node.count, path) }
    for index in 1..<node.count {
      guard case .ref(let offset) = node.slot(index), let child = walk.node(offset),
        mark(below: child, path, innerLevel: innerLevel + 1)
      else { return false }
    }
    return true
  }

  /// One list holds the objects of one value, in the order of their keys.
  private mutating func mark(list: RawNode, _ path: IndexMark) -> Bool {
    guard !column.isPrimaryKey, path.levels < IndexMark.levelsMax else { return false }
    var word: UInt64?
    var previous: Int64?
    var isSound = true
    walk.walkTree(list) { node, _ in
      guard node.isNumbers, isSound else { return nil }
      for index in 0..<node.count {
        let key = node.number(index)
        if word == nil { word = wordOfList(firstKey: key, path) }
        guard let word, previous.map({ $0 < key }) ?? true, mark(key, word) else {
          isSound = false
          return nil
        }
        previous = key
      }
      return node.count
    }
    return isSound && previous != nil
  }

  /// The mark of all objects in a list; nil where the first one does not belong there.
  private mutating func wordOfList(firstKey: Int64, _ path: IndexMark) -> UInt64? {
    guard let value = reader.value(of: firstKey)?.value else { return nil }
    let whole = IndexPath(value)
    guard IndexMark.word(of: whole, levels: path.levels) == path.word else { return nil }
    return IndexMark.word(ofWhole: whole)
  }

  private mutating func mark(_ key: Int64, _ word: UInt64) -> Bool {
    guard let ordinal = column.directory.ordinal(of: key) else { return false }
    entryCount += 1
    marks.setWord(ordinal, to: word)
    return true
  }
}

/// Counts for several threads.
private final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add(_ count: Int) { number.add(count, ordering: .relaxed) }

  /// The number before one was added.
  func take() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
}
