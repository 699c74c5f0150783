// Finds the first row of each combination of values, by hashing. Layer: Query.
// Invariant: two rows are the same here if and only if their values have the same place in the stored order; property
// types for which hashes cannot tell that are refused.

/// Tells rows with new values from those whose values were seen before.
struct DistinctFilter {
  private let properties: [Property]
  private let snapshot: Snapshot
  private let hash = SeededHash()
  /// The values seen, `properties.count` of them in a row.
  private var seen: [DistinctPart] = []
  /// Hashes of the combinations seen.
  private var hashes: [UInt64] = []
  /// By hash: the number of a combination, from 1; 0 where there is none. At most half of them are taken.
  private var slots = [UInt32](repeating: 0, count: 1024)
  /// Texts among those seen that are not the snapshot's own bytes.
  private var owned: [ByteString] = []

  /// Nil where a value is not the row's own, or may equal one of another type.
  init?(_ paths: [BoundSortPath], in snapshot: Snapshot) {
    let hashable: [ValueType] = [
      .int, .bool, .float, .double, .date, .string, .data, .objectID, .uuid, .object,
    ]
    for path in paths {
      guard path.links.isEmpty, path.dictionaryKey == nil, path.property.collection == nil,
        hashable.contains(path.property.type)
      else { return nil }
    }
    guard !paths.isEmpty else { return nil }
    properties = paths.map(\.property)
    self.snapshot = snapshot
  }

  /// Those rows whose values no row before had.
  mutating func firstRows(of hits: BlockHits) throws(EngineError) -> [Int32] {
    let rows = hits.rows
    let stride = properties.count
    var parts = [DistinctPart](repeating: .null, count: rows.count * stride)
    var rowHashes = [UInt64](repeating: hash.start, count: rows.count)
    // Texts that must be kept while the parts are looked at, by part.
    var texts: [Int: ByteString] = [:]
    for (column, property) in properties.enumerated() {
      try forEachPart(of: try hits.block.leaf(property), rows) { number, part, text in
        let index = number * stride + column
        parts[index] = part
        rowHashes[number] = part.mixed(into: rowHashes[number], hash)
        if let text { texts[index] = text }
      }
    }
    var firstRows: [Int32] = []
    for number in rows.indices where insert(parts, number * stride, stride, rowHashes[number]) {
      firstRows.append(rows[number])
      guard !texts.isEmpty else { continue }
      for index in number * stride..<(number + 1) * stride {
        if let text = texts[index] { owned.append(text) }
      }
    }
    return firstRows
  }

  /// Whether the combination of `stride` parts from `first` on is a new one.
  @inline(__always)
  private mutating func insert(
    _ parts: [DistinctPart], _ first: Int, _ stride: Int, _ combinationHash: UInt64
  ) -> Bool {
    var slot = Int(truncatingIfNeeded: combinationHash) & (slots.count - 1)
    search: while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      slot = (slot + 1) & (slots.count - 1)
      guard hashes[number] == combinationHash else { continue }
      for column in 0..<stride where seen[number * stride + column] != parts[first + column] {
        continue search
      }
      return false
    }
    hashes.append(combinationHash)
    seen += parts[first..<first + stride]
    slots[slot] = UInt32(hashes.count)
    if hashes.count * 2 > slots.count { grow() }
    return true
  }

  private mutating func grow() {
    let mask = slots.count * 2 - 1
    slots = [UInt32](repeating: 0, count: mask + 1)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(number + 1)
    }
  }

  /// Calls `body` with the number and the value of each of `rows`, and with the text that the value borrows from
  /// where that is not the snapshot's.
  @inline(__always)
  private func forEachPart(
    of leaf: Leaf, _ rows: [Int32], _ body: (Int, DistinctPart, ByteString?) -> Void
  ) throws(EngineError) {
    switch leaf {
    case .integers(let leaf):
      for number in rows.indices {
        body(number, DistinctPart(leaf[Int(rows[number])].map(UInt64.init(bitPattern:))), nil)
      }
    case .bools(let leaf):
      for number in rows.indices {
        body(number, DistinctPart(leaf[Int(rows[number])].map { UInt64($0 ? 1 : 0) }), nil)
      }
    case .floats(let leaf):
      for number in rows.indices { body(number, DistinctPart(leaf[Int(rows[number])].map(Double.init)), nil) }
    case .doubles(let leaf):
      for number in rows.indices { body(number, DistinctPart(leaf[Int(rows[number])]), nil) }
    case .dates(let leaf):
      for number in rows.indices { body(number, DistinctPart(leaf[Int(rows[number])]), nil) }
    case .strings(.short(let leaf)):
      for number in rows.indices { body(number, DistinctPart(try leaf.bytes(Int(rows[number]))), nil) }
    case .strings(.medium(let leaf)):
      for number in rows.indices { body(number, DistinctPart(try leaf.bytes(Int(rows[number]))), nil) }
    case .strings(let leaf):
      for number in rows.indices {
        let text = try leaf.bytes(Int(rows[number]), in: snapshot)
        body(number, DistinctPart(text?.bytes), text)
      }
    case .data(let leaf):
      for number in rows.indices {
        let data = try leaf.bytes(Int(rows[number]), in: snapshot)
        body(number, DistinctPart(data?.bytes), data)
      }
    case .objectIDs(let leaf):
      for number in rows.indices {
        let id = leaf.objectID(Int(rows[number]))
        body(number, id.map { DistinctPart($0.high, UInt64($0.low)) } ?? .null, nil)
      }
    case .uuids(let leaf):
      for number in rows.indices {
        body(number, leaf.uuid(Int(rows[number])).map { DistinctPart($0.high, $0.low) } ?? .null, nil)
      }
    case .links(let leaf):
      for number in rows.indices {
        let key = leaf[Int(rows[number])].flatMap { $0.value >= 0 ? UInt64($0.value) : nil }
        body(number, DistinctPart(key), nil)
      }
    case .decimals, .mixed, .typedLinks, .backlinks, .collections:
      preconditionFailure("such properties are refused")
    }
  }
}

/// One value: two words, and for texts that these do not hold the bytes, which somebody else keeps.
private struct DistinctPart: Equatable {
  private enum Kind: UInt8 { case null, number, shortText, text }

  private let kind: Kind
  private let first: UInt64
  private let second: UInt64
  private let bytes: RawBytes

  /// Bytes of a text that fit in the words, beside its length.
  private static let shortMax = 15

  static let null = DistinctPart(kind: .null, first: 0, second: 0, bytes: .empty)

  private init(kind: Kind, first: UInt64, second: UInt64, bytes: RawBytes) {
    self.kind = kind
    self.first = first
    self.second = second
    self.bytes = bytes
  }

  @inline(__always)
  init(_ first: UInt64, _ second: UInt64) {
    self.init(kind: .number, first: first, second: second, bytes: .empty)
  }

  @inline(__always)
  init(_ number: UInt64?) {
    if let number { self.init(number, 0) } else { self = .null }
  }

  /// All NaNs are one value, and so are both zeros.
  @inline(__always)
  init(_ number: Double?) {
    self.init(number.map { $0.isNaN ? Double.nan.bitPattern : $0 == 0 ? 0 : $0.bitPattern })
  }

  @inline(__always)
  init(_ date: Timestamp?) {
    if let date {
      self.init(UInt64(bitPattern: date.seconds), UInt64(bitPattern: Int64(date.nanoseconds)))
    } else {
      self = .null
    }
  }

  @inline(__always)
  init(_ text: RawBytes?) {
    guard let text else {
      self = .null
      return
    }
    if text.count <= Self.shortMax {
      let second = text.count > 8 ? text.word(at: 8) : 0
      self.init(
        kind: .shortText, first: text.count > 0 ? text.word(at: 0) : 0,
        second: second | UInt64(text.count) << 56, bytes: .empty)
    } else {
      self.init(kind: .text, first: 0, second: 0, bytes: text)
    }
  }

  @inline(__always)
  static func == (left: DistinctPart, right: DistinctPart) -> Bool {
    left.kind == right.kind && left.first == right.first && left.second == right.second
      && (left.kind != .text || left.bytes.equals(right.bytes))
  }

  @inline(__always)
  func mixed(into state: UInt64, _ hash: SeededHash) -> UInt64 {
    kind == .text
      ? hash.mix(state, bytes) : hash.mix(hash.mix(state, first), second ^ UInt64(kind.rawValue))
  }
}
