// Breaks realms in small ways, the same way for the same seed. The header of the file and the headers of nodes are
// hit far more often than their share of bytes: they are what a reader believes first.

package import RealmEngine
import TestSupport

/// Makes damaged copies of sound realms.
package struct Mutator: Sendable {
  private let corpus: [Specimen]

  package init(_ corpus: [Specimen]) { self.corpus = corpus }

  /// The mutant of a seed.
  package func mutant(_ seed: UInt64) throws -> (name: String, bytes: [UInt8], key: EncryptionKey?) {
    var random = SplitMix64(state: seed)
    let specimen = corpus[Int(random.next() % UInt64(corpus.count))]
    let isEncrypted = specimen.key == nil && random.next() % 8 == 0
    var mutation = Mutation(specimen, random)
    mutation.run()
    guard isEncrypted, mutation.bytes.count >= PageGeometry.pageSize else {
      return (specimen.name, mutation.bytes, specimen.key)
    }
    // Damage below an encryption that is sound.
    guard let key = EncryptionKey([UInt8](repeating: 5, count: 64)) else {
      preconditionFailure("a key has 64 bytes")
    }
    return ("\(specimen.name), encrypted", try mutation.encrypted(key), key)
  }
}

/// A sound realm and where its nodes are.
package struct Specimen: Sendable {
  package let name: String
  let bytes: [UInt8]
  /// Offsets that look like the beginning of a node.
  let nodes: [Int]
  let key: EncryptionKey?

  /// What reading it gives while it is sound.
  package func exercised() -> ExerciseOutcome { Exercise.run(bytes, key: key) }

  /// `key` is the one of bytes that are encrypted; most specimens are plain.
  package init(_ name: String, _ bytes: [UInt8], key: EncryptionKey? = nil) {
    self.name = name
    self.bytes = bytes
    self.key = key
    nodes = stride(from: 24, to: max(24, bytes.count - 8), by: 8).filter {
      bytes[$0] == 0x41 && bytes[$0 + 1] == 0x41 && bytes[$0 + 2] == 0x41 && bytes[$0 + 3] == 0x41
    }
  }
}

private struct Mutation {
  private let specimen: Specimen
  private var random: SplitMix64
  private(set) var bytes: [UInt8]

  init(_ specimen: Specimen, _ random: SplitMix64) {
    self.specimen = specimen
    self.random = random
    bytes = specimen.bytes
  }

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }
  private mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: random.next()) }
  private mutating func node() -> Int {
    specimen.nodes.isEmpty ? 24 : specimen.nodes[below(specimen.nodes.count)]
  }

  mutating func run() {
    for _ in 0...below(3) { step() }
  }

  private mutating func step() {
    switch below(28) {
    case 20, 21: halveCount()
    case 22...24: breakList()
    case 25: breakCounter()
    case 26, 27: exchangeRefs()
    case 0: breakHeader()
    case 1: store(interesting(), at: below(2) * 8)
    case 2...6: breakFlags()
    case 7...10: breakCount()
    case 11...14: breakElement()
    case 15: exchangeNodes()
    case 16: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
    case 17: store(interesting(), at: below(bytes.count / 8) * 8)
    case 18: cut()
    default: copyRun()
    }
  }

  /// Any byte of the header, or another format: the same nodes then mean something else.
  private mutating func breakHeader() {
    if below(2) == 0 {
      bytes[below(min(24, bytes.count))] = byte()
    } else if bytes.count >= 22 {
      let format = Self.formats[below(Self.formats.count)]
      (bytes[20], bytes[21]) = (format, format)
    }
  }

  private static let formats: [UInt8] = Array(2...11) + Array(20...24)

  private mutating func breakFlags() {
    let place = node() + 4
    guard place < bytes.count else { return }
    if below(2) == 0 { bytes[place] ^= 1 << UInt8(below(8)) } else { bytes[place] = byte() }
  }

  private mutating func breakCount() {
    let place = node() + 5
    guard place + 3 <= bytes.count else { return }
    let old = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
    let new: Int
    switch below(6) {
    case 0: new = 0
    case 1: new = old + 1
    case 2: new = max(0, old - 1)
    case 3: new = 0xFF_FFFF
    case 4: new = below(2000)
    default: new = below(1 << 24)
    }
    bytes[place] = UInt8(new >> 16 & 0xFF)
    bytes[place + 1] = UInt8(new >> 8 & 0xFF)
    bytes[place + 2] = UInt8(new & 0xFF)
  }

  private mutating func halveCount() {
    let place = node() + 5
    guard place + 3 <= bytes.count else { return }
    let count = (Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])) / 2
    for index in 0..<3 { bytes[place + index] = UInt8(count >> (8 * (2 - index)) & 0xFF) }
  }

  // MARK: What writers trust

  /// Where the elements of the node at `place` begin and how many bytes each has; nil where they have less than one.
  private func elements(_ place: Int) -> (start: Int, size: Int, count: Int)? {
    guard place >= 24, place + 8 <= bytes.count else { return nil }
    let width = (1 << Int(bytes[place + 4] & 7)) >> 1
    let count = Int(bytes[place + 5]) << 16 | Int(bytes[place + 6]) << 8 | Int(bytes[place + 7])
    guard width >= 8, count > 0, place + 8 + count * width / 8 <= bytes.count else { return nil }
    return (place + 8, width / 8, count)
  }

  private func number(_ place: Int, size: Int) -> Int {
    (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } & (1 << 40 - 1)
  }

  private var top: Int {
    guard bytes.count >= 24 else { return 0 }
    return number(8 * Int(bytes[23] & 1), size: 8)
  }

  /// One number of the lists of free space, or of the top array itself.
  private mutating func breakList() {
    guard let slots = elements(top) else { return }
    let slot = [3, 4, 5, 2, below(slots.count)][below(5)]
    guard slot < slots.count else { return }
    let place = slots.start + slot * slots.size
    guard below(3) > 0, let list = elements(number(place, size: slots.size)) else {
      return change(place, size: slots.size)
    }
    change(list.start + below(list.count) * list.size, size: list.size)
  }

  /// A number becomes one near it, or any other.
  private mutating func change(_ place: Int, size: Int) {
    let old = number(place, size: size)
    let new =
      switch below(4) {
      case 0: old + 8 * (below(64) - 32)
      case 1: old ^ 1 << below(min(20, 8 * size))
      case 2: node()
      default: Int(truncatingIfNeeded: interesting())
      }
    for index in 0..<size { bytes[place + index] = UInt8(truncatingIfNeeded: new >> (8 * index)) }
  }

  /// A number that writers count up, at its end: in the top array or in a table's.
  private mutating func breakCounter() {
    var node = top
    if below(3) > 0, let slots = elements(top), slots.count > 1,
      let tables = elements(number(slots.start + slots.size, size: slots.size))
    {
      node = number(tables.start + below(tables.count) * tables.size, size: tables.size)
    }
    guard let slots = elements(node) else { return }
    let slot = [5, 6, 9][below(3)]
    guard slot < slots.count else { return }
    for index in 0..<slots.size { bytes[slots.start + slot * slots.size + index] = 0xFF }
  }

  /// Two elements of a node change places.
  private mutating func exchangeRefs() {
    guard let slots = elements(node()), slots.count > 1 else { return }
    let left = slots.start + below(slots.count) * slots.size
    let right = slots.start + below(slots.count) * slots.size
    for index in 0..<slots.size { bytes.swapAt(left + index, right + index) }
  }

  /// The file as it is when it is encrypted.
  func encrypted(_ key: EncryptionKey) throws -> [UInt8] {
    let file = try MemoryBacking()
    let writer = try DataWriter(file, key: key)
    try writer.extend(to: bytes.count)
    try bytes.withRawBytes { bytes throws(EngineError) in try writer.write(bytes, at: 0) }
    try writer.flush()
    return try file.content().bytes.array()
  }

  /// Overwrites some bytes behind a node's header.
  private mutating func breakElement() {
    let place = node() + 8 + below(48)
    let value = interesting()
    let size = 1 << below(4)
    for index in 0..<size where place + index < bytes.count {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  /// Numbers at the edges of what readers check, and refs of nodes that are elsewhere.
  private mutating func interesting() -> UInt64 {
    switch below(9) {
    case 0: 0
    case 1: 1
    case 2: .max
    case 3: 1 << 63
    case 4: UInt64(Int64.max)
    case 5: UInt64(bytes.count) &- UInt64(below(32))
    case 6: UInt64(node()) + UInt64(below(2) * 4)
    case 7: UInt64(below(1000)) << 1 | 1
    default: random.next()
    }
  }

  private mutating func store(_ value: UInt64, at place: Int) {
    for index in 0..<8 where place + index < bytes.count {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  /// One node's header before another node's elements.
  private mutating func exchangeNodes() {
    let (left, right) = (node(), node())
    guard max(left, right) + 8 <= bytes.count else { return }
    for index in 4..<8 { bytes.swapAt(left + index, right + index) }
  }

  private mutating func cut() {
    let size = below(4) == 0 ? below(bytes.count) : below(bytes.count / 8) * 8
    bytes.removeLast(bytes.count - max(1, size))
  }

  private mutating func copyRun() {
    let length = min(8 << below(6), bytes.count / 2)
    let (source, target) = (below(bytes.count - length), below(bytes.count - length))
    bytes.replaceSubrange(target..<target + length, with: Array(bytes[source..<source + length]))
  }
}
