import RealmEngine
import TestSupport
import Testing

@Suite("Free space over many commits")
struct FreeSpaceTests {
  /// A file of nodes without content: commits replace some of them.
  private struct File {
    var nodes: [Extent] = []
    var free: [Extent] = []
    var logicalSize = 24

    /// Puts nodes of `sizes` into the file; those at `positions` are free afterwards.
    mutating func commit(_ sizes: [Int], replacing positions: Set<Int> = []) throws {
      var space = FreeSpace(free, logicalSize: logicalSize)
      space.prefer(sizes.reduce(0, +))
      let new = sizes.map { Extent(offset: space.take($0), size: $0) }
      space.trim()
      for node in new {
        try #require(node.offset / FreeSpace.sectionSize == (node.end - 1) / FreeSpace.sectionSize)
      }
      let freed = positions.map { nodes[$0] }
      nodes = nodes.indices.filter { !positions.contains($0) }.map { nodes[$0] } + new
      free = FreeSpace.merged((space.remaining + freed).sorted { $0.offset < $1.offset })
      logicalSize = space.logicalSize
    }

    /// Every byte is in one node or one free block.
    func check() {
      let parts = (nodes + free).sorted { $0.offset < $1.offset }
      var end = 24
      for part in parts {
        #expect(part.offset == end)
        end = part.end
      }
      #expect(end == logicalSize)
    }

    var liveSize: Int { nodes.reduce(0) { $0 + $1.size } }
  }

  private static func size(_ random: inout SplitMix64) -> Int {
    8 * (1 + random.below(random.oneIn(10) ? 600 : 40))
  }

  @Test(
    "small commits do not let a file grow, whatever they replace",
    arguments: TestScale.current == .fast ? [1] : [1, 2, 3])
  func smallCommits(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    var file = File()
    try file.commit((0..<5000).map { _ in Self.size(&random) })
    for round in 0..<1500 {
      let positions = Set((0..<12).map { _ in random.below(file.nodes.count) })
      // Most nodes keep their size or nearly so, some become any other.
      let sizes = positions.map { position in
        random.oneIn(4)
          ? Self.size(&random) : max(16, file.nodes[position].size + 8 * (random.below(3) - 1))
      }
      try file.commit(sizes, replacing: positions)
      if round % 500 == 0 { file.check() }
    }
    file.check()
    #expect(file.logicalSize < file.liveSize * 3 / 2, "\(file.logicalSize) for \(file.liveSize)")
    #expect(file.free.count < 500, "\(file.free.count) free blocks for \(file.nodes.count) nodes")
  }

  @Test("large commits use what is free before the file grows")
  func largeCommits() throws {
    var random = SplitMix64(state: 4)
    var file = File()
    try file.commit((0..<2000).map { _ in 8 * (1 + random.below(600)) })
    for _ in 0..<50 {
      let positions = Set((0..<1000).map { _ in random.below(file.nodes.count) })
      try file.commit(positions.map { file.nodes[$0].size }, replacing: positions)
      file.check()
    }
    #expect(file.logicalSize < file.liveSize * 2, "\(file.logicalSize) for \(file.liveSize)")
  }

  @Test("no node crosses a section, and the space before one is not lost")
  func sections() throws {
    var file = File()
    let large = 5 << 20
    for _ in 0..<30 { try file.commit([large, 24, large, 4096]) }
    file.check()
    #expect(file.logicalSize > 4 * FreeSpace.sectionSize)
    let size = file.logicalSize
    try file.commit(Array(repeating: 1 << 20, count: 8))
    file.check()
    #expect(file.logicalSize == size)
    try file.commit([FreeSpace.sectionSize])
    file.check()
  }

  @Test("a block of the very size is taken, and else one of which a useful rest remains")
  func bestFit() {
    let sizes = [64, 40, 104, 48, 4000]
    var offset = 1024
    var free: [Extent] = []
    for size in sizes {
      free.append(Extent(offset: offset, size: size))
      offset += size + 8
    }
    var space = FreeSpace(free, logicalSize: 1 << 16)
    space.prefer(64)
    #expect(space.take(40) == free[1].offset)
    #expect(space.take(32) == free[0].offset)
    #expect(space.take(48) == free[3].offset)
    #expect(space.take(56) == free[4].offset)
    #expect(space.take(96) == free[4].offset + 56)
    #expect(space.remaining.contains(free[2]))
    #expect(space.logicalSize == 1 << 16)
  }
}
