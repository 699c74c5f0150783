// A leaf of mixed values, opened: a composite number an element, payloads in parallel arrays. Layer: RealmInspection.

import RealmFiles

/// Values of any type. A class, because it is large and passed around.
final class RawMixed {
  let offset: Int
  let composites: RawNode
  var integers: RawNode?
  var pairs: RawNode?
  var texts: RawTexts?
  var collections: RawNode?
  var keys: RawNode?
  var hasKeySlot = false

  init(offset: Int, composites: RawNode) {
    self.offset = offset
    self.composites = composites
  }

  var count: Int { composites.count }

  /// Where the payload of an element is kept.
  enum Home: Int, CaseIterable {
    case inline, integers, pairs, texts, collections
  }

  static let listType = 19
  static let dictionaryType = 21

  /// The type, home and payload that an element's composite names; nil for one that no engine writes.
  struct Composite {
    let type: Int
    let home: Home
    let payload: Int64

    init?(_ number: Int64) {
      type = Int(number & 0x1F) - 1
      guard let home = Home(rawValue: Int(number >> 5 & 7)), Self.homes(type).contains(home) else {
        return nil
      }
      self.home = home
      payload = number >> 8
    }

    private static func homes(_ type: Int) -> [Home] {
      if type == listType || type == dictionaryType { return [.collections] }
      switch ValueType(rawValue: UInt8(truncatingIfNeeded: type)) {
      case .int: return [.inline, .integers]
      case .bool: return [.inline]
      case .float, .double, .object: return [.integers]
      case .string, .data, .objectID, .uuid: return [.texts]
      case .date, .decimal128, .typedLink: return [.pairs]
      case .mixed, .backlink, nil: return []
      }
    }
  }

  /// How many payloads a home holds.
  func payloadCount(_ home: Home) -> Int {
    switch home {
    case .inline: 0
    case .integers: integers?.count ?? 0
    case .pairs: (pairs?.count ?? 0) / 2
    case .texts: texts?.count ?? 0
    case .collections: collections?.count ?? 0
    }
  }

  /// The payload's position, where it is one that its home has.
  func position(_ composite: Composite) -> Int? {
    guard composite.payload >= 0, composite.payload < Int64(payloadCount(composite.home)) else { return nil }
    return Int(composite.payload)
  }

  /// Nil for a damaged element.
  func value(_ index: Int, _ walk: Walk) -> RawValue? {
    let number = composites.number(index)
    if number == 0 { return .null }
    guard let composite = Composite(number) else { return nil }
    if composite.home == .inline {
      return composite.type == Int(ValueType.bool.rawValue)
        ? .bool(composite.payload != 0) : .int(composite.payload)
    }
    guard let position = position(composite) else { return nil }
    if composite.home == .collections {
      guard let root = collections?.slot(position) else { return nil }
      let offset: Int
      switch root {
      case .ref(let place): offset = place
      case .empty: offset = 0
      default: return nil
      }
      return composite.type == Self.listType ? .list(offset) : .dictionary(offset)
    }
    return single(composite, position, walk)
  }

  private func single(_ composite: Composite, _ position: Int, _ walk: Walk) -> RawValue? {
    switch ValueType(rawValue: UInt8(truncatingIfNeeded: composite.type)) {
    case .int: return integers.map { .int($0.number(position)) }
    case .float:
      return integers.map { .float(Float(bitPattern: UInt32(truncatingIfNeeded: $0.number(position)))) }
    case .double: return integers.map { .double(Double(bitPattern: UInt64(bitPattern: $0.number(position)))) }
    case .object: return integers.map { .link($0.number(position)) }
    case .date: return pair(position).map { .date(seconds: $0.0, nanoseconds: $0.1) }
    case .decimal128:
      return pair(position).map {
        .decimal(Decimal128(low: UInt64(bitPattern: $0.0), high: UInt64(bitPattern: $0.1)))
      }
    case .typedLink: return pair(position).map { .typedLink(table: $0.0, key: $0.1) }
    case .string: return bytes(position, walk).map { .text($0) }
    case .data: return bytes(position, walk).map { .data($0) }
    case .objectID: return bytes(position, walk, size: ObjectID.byteCount).map { .objectID($0) }
    case .uuid: return bytes(position, walk, size: UUIDValue.byteCount).map { .uuid($0) }
    default: return nil
    }
  }

  private func pair(_ position: Int) -> (Int64, Int64)? {
    pairs.map { ($0.number(2 * position), $0.number(2 * position + 1)) }
  }

  private func bytes(_ position: Int, _ walk: Walk, size: Int? = nil) -> RawBytes? {
    guard case .bytes(let bytes)? = texts?.element(position, walk), size == nil || bytes.count == size else {
      return nil
    }
    return bytes
  }
}
