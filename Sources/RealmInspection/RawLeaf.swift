// A leaf of any type, opened: its nodes are of the right kind and have the right counts; its elements are not
// looked at yet. Layer: RealmInspection. Invariant: `value(_:)` gives nil for an element that is not sound, never traps.

import RealmFiles

/// What must be known to open a leaf.
struct RawLayout: Sendable {
  var type: ValueType
  var isNullable: Bool
  /// The column holds roots of collections.
  var isCollectionColumn = false
  /// Links are stored without bias, as in lists and sets.
  var isInCollection = false
  /// The column's distinct texts, where it is enumerated.
  var distinctTexts: RawTexts?

  /// Elements of lists in mixed values and values of dictionaries.
  static let mixedElements = RawLayout(type: .mixed, isNullable: true, isInCollection: true)
  static let textKeys = RawLayout(type: .string, isNullable: true, isInCollection: true)
  static let integerKeys = RawLayout(type: .int, isNullable: false, isInCollection: true)
}

/// An opened leaf.
enum RawLeaf {
  /// With nulls, element 0 is what means null.
  case integers(RawNode, hasNulls: Bool)
  case bools(RawNode)
  case floats(RawNode)
  case doubles(RawNode)
  case texts(RawTexts)
  case data(RawBlobs)
  case dates(seconds: RawNode, nanoseconds: RawNode)
  case decimals(RawNode)
  case identifiers(RawNode, size: Int)
  case mixed(RawMixed)
  /// `bias` is what the stored number is above the key; with bias 1, 0 means null.
  case links(RawNode, bias: Int64)
  case typedLinks(RawNode)
  case backlinks(RawNode)
  case collections(RawNode)

  var count: Int {
    switch self {
    case .integers(let node, let hasNulls): node.count - (hasNulls ? 1 : 0)
    case .bools(let node), .floats(let node), .doubles(let node), .decimals(let node), .links(let node, _),
      .backlinks(let node), .collections(let node):
      node.count
    case .texts(let texts): texts.count
    case .data(let blobs): blobs.count
    case .dates(_, let nanoseconds): nanoseconds.count
    case .identifiers(let node, let size): RawLeaf.identifierCount(node.count, size: size)
    case .mixed(let mixed): mixed.count
    case .typedLinks(let node): node.count / 2
    }
  }

  static let floatNull: UInt32 = 0x7FC0_00AA
  static let doubleNull: UInt64 = 0x7FF8_0000_0000_00AA
  static let boolNull: Int64 = 3
  static let identifiersPerBlock = 8

  /// How many identifiers of `size` bytes a leaf of `byteCount` bytes holds: blocks of 8 behind a byte of marks.
  static func identifierCount(_ byteCount: Int, size: Int) -> Int {
    let blockSize = identifiersPerBlock * size + 1
    let rest = byteCount % blockSize
    return byteCount / blockSize * identifiersPerBlock + max(0, rest - 1) / size
  }

  /// The bytes that `count` identifiers take.
  static func identifierBytes(_ count: Int, size: Int) -> Int {
    count * size + (count + identifiersPerBlock - 1) / identifiersPerBlock
  }

  /// The value at `index`, which is below `count`. Nil where it is damaged, and for what is no single value.
  func value(_ index: Int, _ walk: Walk) -> RawValue? {
    switch self {
    case .integers(let node, let hasNulls):
      let value = node.number(hasNulls ? index + 1 : index)
      return hasNulls && value == node.number(0) ? .null : .int(value)
    case .bools(let node):
      let value = node.number(index)
      return value == Self.boolNull ? .null : .bool(value != 0)
    case .floats(let node):
      let bits = node.payload.load(UInt32.self, at: index * 4)
      return bits == Self.floatNull ? .null : .float(Float(bitPattern: bits))
    case .doubles(let node):
      let bits = node.payload.load(UInt64.self, at: index * 8)
      return bits == Self.doubleNull ? .null : .double(Double(bitPattern: bits))
    case .texts(let texts):
      switch texts.element(index, walk) {
      case .null: return .null
      case .bytes(let bytes): return .text(bytes)
      case .damaged: return nil
      }
    case .data(let blobs):
      switch blobs.element(index, walk) {
      case .null: return .null
      case .bytes(let bytes): return .data(bytes)
      case .damaged: return nil
      }
    case .dates(let seconds, let nanoseconds):
      let value = seconds.number(index + 1)
      return value == seconds.number(0)
        ? .null : .date(seconds: value, nanoseconds: nanoseconds.number(index))
    case .decimals(let node): return Self.decimal(node, index)
    case .identifiers(let node, let size): return Self.identifier(node, index, size: size)
    case .mixed(let mixed): return mixed.value(index, walk)
    case .links(let node, let bias):
      let value = node.number(index)
      return bias == 1 && value == 0 ? .null : .link(value &- bias)
    case .typedLinks(let node):
      let table = node.number(2 * index)
      return table == 0 ? .null : .typedLink(table: table &- 1, key: node.number(2 * index + 1) &- 1)
    case .backlinks, .collections: return nil
    }
  }

  private static func decimal(_ node: RawNode, _ index: Int) -> RawValue {
    let position = index * node.width
    switch node.width {
    case 0: return node.hasContext ? .decimal(.zero) : .null
    case 4:
      let bits = node.payload.load(UInt32.self, at: position)
      return Decimal128.isNull(bid32: bits) ? .null : .decimal(Decimal128(bid32: bits))
    case 8:
      let bits = node.payload.load(UInt64.self, at: position)
      return Decimal128.isNull(bid64: bits) ? .null : .decimal(Decimal128(bid64: bits))
    default:
      let low = node.payload.load(UInt64.self, at: position)
      let high = node.payload.load(UInt64.self, at: position + 8)
      return Decimal128.isNull(low: low, high: high) ? .null : .decimal(Decimal128(low: low, high: high))
    }
  }

  private static func identifier(_ node: RawNode, _ index: Int, size: Int) -> RawValue {
    let block = index / identifiersPerBlock * (identifiersPerBlock * size + 1)
    let position = index % identifiersPerBlock
    if node.payload[block] >> UInt8(position) & 1 == 1 { return .null }
    let bytes = node.payload.slice(block + 1 + position * size, size)
    return size == ObjectID.byteCount ? .objectID(bytes) : .uuid(bytes)
  }
}
