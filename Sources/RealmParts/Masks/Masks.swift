// Values that look like others and say nothing of them: with one key the same value has the same mask wherever it stands, another
// value another one. Layer: Masks.

package import RealmEngine

/// Masks under one key.
package struct Masks: Sendable {
  fileprivate let permutation: KeyedPermutation
  fileprivate let kinds = CharacterKinds()
  /// All dates move by so many seconds.
  fileprivate let dateOffset: Int64

  private static let label = "realm-cli mask"
  /// Less than ten years and more than a day, in seconds.
  private static let offsets: Range<UInt64> = 86_400..<315_360_000

  package init(_ key: EncryptionKey) throws(EngineError) {
    let secret = try key.subkey(for: Self.label)
    func word(_ index: Int) -> UInt64 {
      secret[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    permutation = KeyedPermutation(hash: KeyedHash(low: word(0), high: word(1)))
    let span = UInt64(Self.offsets.count)
    let seconds = Int64(Self.offsets.lowerBound + (word(2) >> 1) % span)
    dateOffset = word(2) & 1 == 0 ? seconds : -seconds
  }
}

extension Masks: ValueReplacement {
  package func makeWorker() -> any ValueReplacing { MaskWorker(self) }
}

/// Masks the values that one thread comes to.
private final class MaskWorker: ValueReplacing {
  private var mask: ValueMask

  fileprivate init(_ masks: Masks) { mask = ValueMask(masks) }

  func replacement(of value: Value) -> Value { mask.replacement(of: value) }

  func replacement(of link: ObjectLink) -> ObjectLink { link }

  func replaceValues(
    of leaf: Leaf, in snapshot: Snapshot, into buffer: LeafBuffer
  ) throws(EngineError) {
    try mask.replaceValues(of: leaf, in: snapshot, into: buffer)
  }
}

/// Masks values one after the other; what it needs for one is used for the next.
private struct ValueMask: ~Copyable {
  private let permutation: KeyedPermutation
  private let dateOffset: Int64
  private var numbers: NumberMask
  private var texts: TextMask

  init(_ masks: Masks) {
    permutation = masks.permutation
    dateOffset = masks.dateOffset
    numbers = NumberMask(masks.permutation)
    texts = TextMask(masks.permutation, masks.kinds)
  }

  /// The years 1 to 9999, in seconds.
  private static let calendar: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  private func mask(_ date: Timestamp) -> Timestamp {
    // A date at an end of time, or of the years that have a calendar form, moves the other way.
    let (sum, isOver) = date.seconds.addingReportingOverflow(dateOffset)
    let losesForm = Self.calendar.contains(date.seconds) && !Self.calendar.contains(sum)
    let seconds = isOver || losesForm ? date.seconds - dateOffset : sum
    let nanoseconds = Int64(date.nanoseconds)
    // Both have the same sign.
    if seconds > 0, nanoseconds < 0 {
      return Timestamp(seconds: seconds - 1, nanoseconds: Int32(nanoseconds + Self.nanosecondsPerSecond))
    }
    if seconds < 0, nanoseconds > 0 {
      return Timestamp(seconds: seconds + 1, nanoseconds: Int32(nanoseconds - Self.nanosecondsPerSecond))
    }
    return Timestamp(seconds: seconds, nanoseconds: date.nanoseconds)
  }

  private func mask(_ id: ObjectID) -> ObjectID {
    let half: UInt64 = 1 << 48
    let pair = permutation.permute(
      (id.high >> 16, (id.high & 0xFFFF) << 32 | UInt64(id.low)), below: (half, half),
      tweak: MaskTweak.objectID)
    return ObjectID(high: pair.0 << 16 | pair.1 >> 32, low: UInt32(truncatingIfNeeded: pair.1))
  }

  /// Version and variant stay.
  private func mask(_ id: UUIDValue) -> UUIDValue {
    let version: UInt64 = 0xF000
    let variant: UInt64 = 3 << 62
    let high = (id.high >> 16) << 12 | id.high & 0xFFF
    let pair = permutation.permute(
      (high, id.low & ~variant), below: (1 << 60, 1 << 62),
      tweak: MaskTweak.uuid | (id.high & version) << 8 | (id.low & variant) >> 8)
    return UUIDValue(
      high: (pair.0 >> 12) << 16 | id.high & version | pair.0 & 0xFFF, low: id.low & variant | pair.1)
  }

  mutating func replacement(of value: Value) -> Value {
    switch value {
    case .int(let number): return .int(numbers.mask(number))
    // There are only two, so that a mask of them would tell them apart.
    case .bool: return .bool(false)
    case .float(let number): return .float(numbers.mask(number))
    case .double(let number): return .double(numbers.mask(number))
    case .decimal(let number): return .decimal(numbers.mask(number))
    case .date(let date): return .date(mask(date))
    case .objectID(let id): return .objectID(mask(id))
    case .uuid(let id): return .uuid(mask(id))
    case .string(let text):
      texts.removeAll()
      texts.append(maskOfText: text.bytes)
      return .string(ByteString(copying: texts.result.span))
    case .data(let data):
      texts.removeAll()
      texts.append(maskOfData: data.bytes)
      return .data(ByteString(copying: texts.result.span))
    case .null, .link, .list, .dictionary: return value
    }
  }

  mutating func replaceValues(
    of leaf: Leaf, in snapshot: Snapshot, into buffer: LeafBuffer
  ) throws(EngineError) {
    switch leaf {
    case .integers(let leaf):
      try Self.fill(
        buffer, leaf.count, { row throws(EngineError) in leaf[row] },
        { number throws(EngineError) in try buffer.append(int: numbers.mask(number)) })
    case .bools(let leaf):
      try Self.fill(
        buffer, leaf.count, { row throws(EngineError) in leaf[row] },
        { _ throws(EngineError) in try buffer.append(bool: false) })
    case .doubles(let leaf):
      try Self.fill(
        buffer, leaf.count, { row throws(EngineError) in leaf[row] },
        { number throws(EngineError) in try buffer.append(double: numbers.mask(number)) })
    case .dates(let leaf):
      try Self.fill(
        buffer, leaf.count, { row throws(EngineError) in leaf[row] },
        { date throws(EngineError) in try buffer.append(date: mask(date)) })
    case .strings(let leaf):
      try fillTexts(
        buffer, leaf.count, { row throws(EngineError) in try leaf.bytes(row, in: snapshot) },
        { texts, text in texts.append(maskOfText: text) })
    case .data(let leaf):
      try fillTexts(
        buffer, leaf.count, { row throws(EngineError) in try leaf.bytes(row, in: snapshot) },
        { texts, data in texts.append(maskOfData: data) })
    default:
      for row in 0..<leaf.count {
        try buffer.append(replacement(of: try leaf.value(row, in: snapshot)))
      }
    }
  }

  /// Nulls stay nulls; all other values of a leaf are appended by `append`.
  @inline(__always)
  private static func fill<T>(
    _ buffer: LeafBuffer, _ count: Int, _ value: (Int) throws(EngineError) -> T?,
    _ append: (T) throws(EngineError) -> Void
  ) throws(EngineError) {
    for row in 0..<count {
      if let value = try value(row) { try append(value) } else { try buffer.appendNull() }
    }
  }

  /// So many bytes of masks are gathered before they are handed over.
  private static let gatheredSizeMax = 1 << 20

  /// As `fill`, but many texts at once.
  @inline(__always)
  private mutating func fillTexts(
    _ buffer: LeafBuffer, _ count: Int, _ value: (Int) throws(EngineError) -> ByteString?,
    _ append: (inout TextMask, RawBytes) -> Void
  ) throws(EngineError) {
    texts.removeAll()
    for row in 0..<count {
      if let value = try value(row) { append(&texts, value.bytes) } else { texts.appendNull() }
      guard row == count - 1 || texts.result.count >= Self.gatheredSizeMax else { continue }
      try buffer.append(texts: texts.result.span, endingAt: texts.resultEnds)
      texts.removeAll()
    }
  }
}
