import RealmEngine
import TestSupport
import Testing

/// Files of formats 2–9 that contradict their format: they must be refused, soon, and never read past an end.
struct OldDamageTests {
  typealias Column = OldFileBuilder.Column

  private func expectDamage(
    _ columns: (OldFileBuilder) -> [Column], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: EngineError.self, sourceLocation: sourceLocation) {
      let builder = OldFileBuilder()
      let reading = try builder.open(columns(builder))
      var report = OldWalk()
      try report.read(reading.realm)
    }
    #expect(error?.kind == .damaged, sourceLocation: sourceLocation)
  }

  @Test("columns of one table with different numbers of rows")
  func counts() {
    expectDamage {
      [
        Column(name: "a", type: 0, root: $0.integers([1])),
        Column(name: "b", type: 0, root: $0.integers([1, 2])),
      ]
    }
  }

  @Test("an inner node that is its own child")
  func cycle() {
    expectDamage { builder in
      let ref = builder.integers([1])
      // The next node will stand here.
      let own = builder.bytes.count
      let tree = builder.compactTree([own, ref], perChild: 1, total: 2)
      precondition(tree == own)
      return [Column(type: 0, root: tree)]
    }
  }

  @Test("a total that the leaves do not have", arguments: [2, 1 << 20, 1 << 37, 1 << 60])
  func total(_ total: Int) {
    expectDamage { [Column(type: 0, root: $0.compactTree([$0.integers([1])], perChild: 1000, total: total))] }
    expectDamage {
      [
        Column(
          type: 0, root: $0.compactTree([$0.integers([1]), $0.integers([1])], perChild: 1, total: total + 1))
      ]
    }
    expectDamage {
      [
        Column(
          type: 0, root: $0.generalTree([$0.integers([1]), $0.integers([1])], ends: [1], total: total + 1))
      ]
    }
  }

  @Test("one leaf used for a billion rows")
  func sharedLeaf() {
    expectDamage { builder in
      let leaf = builder.integers([Int64](repeating: 0, count: 1000), width: 0)
      let level1 = builder.compactTree(Array(repeating: leaf, count: 1000), perChild: 1000, total: 1_000_000)
      let level2 = builder.compactTree(
        Array(repeating: level1, count: 1000), perChild: 1_000_000, total: 1_000_000_000)
      return [Column(type: 0, root: level2)]
    }
  }

  @Test("a leaf with more elements than any engine put into one")
  func hugeLeaf() {
    expectDamage { [Column(type: 0, root: $0.node([], kind: .bits, width: 0, count: 16_000_000))] }
    expectDamage { [Column(type: 2, root: $0.node([], kind: .bytes, width: 0, count: 16_000_000))] }
  }

  @Test("offsets that do not rise, elements per child of zero")
  func offsets() {
    expectDamage { builder in
      [
        Column(
          type: 0,
          root: builder.generalTree(
            [builder.integers([1]), builder.integers([2]), builder.integers([3])], ends: [2, 1], total: 3))
      ]
    }
    expectDamage {
      [Column(type: 0, root: $0.compactTree([$0.integers([1]), $0.integers([2])], perChild: 0, total: 2))]
    }
    expectDamage {
      [
        Column(
          type: 0, root: $0.compactTree([$0.integers([1]), $0.integers([2])], perChild: 1 << 61, total: 2))
      ]
    }
  }

  @Test("leaves of the wrong kind")
  func kinds() {
    expectDamage { [Column(type: 0, root: $0.refs([0]))] }
    expectDamage { [Column(type: 0, root: $0.floats([0]))] }
    expectDamage { [Column(type: 9, root: $0.doubles([0]))] }
    expectDamage { [Column(type: 2, root: $0.integers([1]))] }
    expectDamage { [Column(type: 4, root: $0.integers([1]))] }
    expectDamage { [Column(type: 13, details: [OldFileBuilder.tagged(0)], root: $0.integers([0]))] }
    expectDamage { [Column(type: 8, root: $0.refs([$0.nullable([1], sentinel: 3), $0.integers([1, 2])]))] }
    expectDamage { [Column(type: 0, attributes: 16, root: $0.integers([]))] }
  }

  @Test("texts and data whose ends lie outside their blob")
  func ends() {
    for ends: [Int64] in [[9], [-1], [4, 1], [.max], [.min]] {
      expectDamage { [Column(type: 2, root: $0.refs([$0.integers(ends), $0.blob([1, 2, 3, 0])]))] }
    }
    for ends: [Int64] in [[9], [-1], [4, 1], [.max], [.min]] {
      expectDamage { [Column(type: 4, root: $0.refs([$0.integers(ends), $0.blob([1, 2, 3, 0])]))] }
    }
    expectDamage {
      [Column(type: 2, attributes: 16, root: $0.refs([$0.integers([1]), $0.blob([0]), $0.integers([])]))]
    }
  }

  @Test("padding longer than a short text")
  func padding() {
    expectDamage { [Column(type: 2, root: $0.node([0, 0, 0, 9], kind: .bytes, width: 4, count: 1))] }
  }

  @Test("mixed values of unknown type, without their payload, untagged")
  func mixed() {
    for (type, number) in [(13, 1), (2, 1), (4, 3), (8, 1), (0, 2)] {
      expectDamage {
        [
          Column(
            type: 6, root: $0.refs([$0.integers([Int64(type)]), $0.integers([Int64(number)], refs: true)]))
        ]
      }
    }
  }

  @Test("refs that are no refs, to lists and blobs")
  func refs() {
    expectDamage {
      [Column(type: 13, details: [OldFileBuilder.tagged(0)], root: $0.integers([4], refs: true))]
    }
    expectDamage {
      [Column(type: 13, details: [OldFileBuilder.tagged(0)], root: $0.integers([1 << 40], refs: true))]
    }
    expectDamage { [Column(type: 2, root: $0.integers([12], refs: true, context: true))] }
    expectDamage { builder in
      let nested = builder.spec([Column(type: 0)])
      return [Column(type: 5, details: [nested], root: builder.refs([builder.refs([0])]))]
    }
  }

  @Test("a list that holds itself")
  func listCycle() {
    expectDamage { builder in
      let nested = builder.spec([Column(type: 0)])
      let own = builder.bytes.count
      let list = builder.refs([own])
      precondition(list == own)
      return [Column(type: 5, details: [nested], root: builder.refs([list]))]
    }
  }

  @Test("specs that do not add up")
  func specs() {
    // More details than columns need, too few, of the wrong kind.
    expectDamage { [Column(type: 0, details: [OldFileBuilder.tagged(0)], root: $0.integers([1]))] }
    expectDamage { [Column(type: 12, root: $0.integers([1]))] }
    expectDamage { [Column(type: 5, details: [OldFileBuilder.tagged(0)], root: $0.refs([0]))] }
    expectDamage { builder in [Column(type: 12, details: [builder.integers([])], root: builder.integers([1]))]
    }
    // A hidden column with a name, a named column that is hidden, an unknown type.
    expectDamage {
      [Column(type: 14, details: [OldFileBuilder.tagged(0), OldFileBuilder.tagged(0)], root: $0.refs([0]))]
    }
    expectDamage { [Column(name: nil, type: 0, root: $0.integers([1]))] }
    expectDamage { [Column(type: 11, root: $0.integers([1]))] }
    // A column for which the array of columns has none.
    expectDamage { _ in [Column(type: 0, root: 0)] }
  }

  @Test("files with bytes changed at random are refused or read, never more", arguments: [1, 2, 3])
  func mutations(_ seed: UInt64) throws {
    let sound = try OldWalk.everyKind()
    var report = OldWalk()
    try report.read(OldFileReading(sound).realm)
    #expect(report.valueCount > 40)
    var random = SplitMix64(state: seed)
    var refused = 0
    for round in 0..<OldWalk.rounds {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let offset = Int.random(in: 24..<bytes.count, using: &random)
        bytes[offset] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : bytes[offset] ^ 1
      }
      do {
        var report = OldWalk()
        try report.read(OldFileReading(bytes).realm)
      } catch let error as EngineError {
        refused += 1
        #expect(
          [.damaged, .upgradeNeeded].contains(error.kind), "seed \(seed), round \(round): \(error.message)")
      }
    }
    #expect(refused > OldWalk.rounds / 10)
  }
}
