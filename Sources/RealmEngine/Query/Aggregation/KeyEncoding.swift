// Values of one type as words that are equal where the values are, and in their order. Layer: Query, Aggregation.

/// How the values of a column become words and values again.
struct KeyEncoding: Sendable {
  let type: ValueType
  /// Words of a value.
  let width: Int
  /// The class of the objects that to-one links lead to.
  let target: TableKey?

  /// Words of a value that may be null.
  private static let widths: [ValueType: Int] = [
    .int: 2, .float: 1, .double: 1, .bool: 1, .string: 3, .data: 3, .date: 2, .uuid: 3, .objectID: 2,
  ]

  static let double = KeyEncoding(.double, width: 1)
  /// Of ints that are never null.
  static let presentInt = KeyEncoding(.int, width: 1)

  private init(_ type: ValueType, width: Int, target: TableKey? = nil) {
    (self.type, self.width, self.target) = (type, width, target)
  }

  /// Nil where values of this type have no words that say all of them.
  init?(_ type: ExpressionType) {
    if case .link(let target?) = type.kind {
      self.init(.object, width: 1, target: target.table)
    } else if case .value(let type) = type.kind, let width = Self.widths[type] {
      self.init(type, width: width)
    } else {
      return nil
    }
  }

  /// False for ints that are never null, whose word has no room for it.
  var isNullable: Bool { type != .int || width > 1 }

  var isText: Bool { type == .string || type == .data }

  var isNumber: Bool { type == .int || type == .float || type == .double }

  // MARK: Words

  /// Gives a row the words of a value.
  func put(_ value: Value, to block: GroupKeyVector, _ row: Int, at place: Int) throws(EngineError) {
    let isNull = value == .null
    switch (type, value) {
    case (.string, .string(let text)), (.data, .data(let text)):
      guard InlineText.hold(text.count) else {
        throw EngineError(.constraint, "a text of \(text.count) bytes is too long to be compared")
      }
      block.set(row, place, text: text.bytes)
    case (.string, .null), (.data, .null): block.set(row, place, text: nil)
    case (.object, .link(let link)): block.set(row, place, UInt64(bitPattern: link.key.value) &+ 1)
    default:
      guard let words = words(of: value) else {
        throw EngineError(damage: "\(value.kindName) is where another type belongs")
      }
      switch width {
      case 1: block.set(row, place, words.first, isNull: isNull)
      case 2: block.set(row, place, words.first, words.second, isNull: isNull)
      default: block.set(row, place, words.first, words.second, words.third, isNull: isNull)
      }
    }
  }

  private func words(of value: Value) -> OrderKey? {
    switch (type, value) {
    case (_, .null): OrderKey.null
    case (.int, .int(let number)): OrderKey(number)
    case (.float, .float(let number)): OrderKey(OrderedNumber.word(Double(number)))
    case (.double, .double(let number)): OrderKey(OrderedNumber.word(number))
    case (.double, .float(let number)): OrderKey(OrderedNumber.word(Double(number)))
    case (.double, .int(let number)): OrderKey(OrderedNumber.word(Double(number)))
    case (.bool, .bool(let flag)): OrderKey(flag)
    case (.date, .date(let date)):
      // Never 0, which is null's.
      OrderKey(
        UInt64(bitPattern: date.seconds) ^ Self.sign,
        UInt64(bitPattern: Int64(date.nanoseconds)) &+ Self.middle)
    case (.uuid, .uuid(let id)): OrderKey(id)
    case (.objectID, .objectID(let id)): OrderKey(id)
    default: nil
    }
  }

  private static let sign: UInt64 = 1 << 63
  /// Between nanoseconds below and above none.
  private static let middle: UInt64 = 1 << 32

  /// The value that words mean; `isPresent` where it is known not to be null.
  func value(isPresent: Bool = false, _ word: (Int) -> UInt64) -> Value {
    let first = word(0)
    switch type {
    case .int:
      if isNullable, !isPresent, first == 0, word(1) == 0 { return .null }
      return .int(Int64(bitPattern: first ^ Self.sign))
    case .float: return first == 0 ? .null : .float(Float(OrderedNumber.number(first)))
    case .double: return first == 0 ? .null : .double(OrderedNumber.number(first))
    case .bool: return first == 0 ? .null : .bool(first == 2)
    case .string: return InlineText.text(first, word(1), word(2)).map(Value.string) ?? .null
    case .data: return InlineText.text(first, word(1), word(2)).map(Value.data) ?? .null
    case .date:
      let second = word(1)
      if second == 0 { return .null }
      return .date(
        Timestamp(
          seconds: Int64(bitPattern: first ^ Self.sign),
          nanoseconds: Int32(truncatingIfNeeded: second &- Self.middle)))
    case .uuid:
      let (second, third) = (word(1), word(2))
      return first | second | third == 0 ? .null : .uuid(UUIDValue(high: first, low: second))
    case .objectID:
      let second = word(1)
      return second == 0
        ? .null : .objectID(ObjectID(high: first, low: UInt32(truncatingIfNeeded: second - 1)))
    default:
      guard first != 0, let target else { return .null }
      return .link(ObjectLink(table: target, key: ObjectKey(Int64(bitPattern: first &- 1))))
    }
  }
}
