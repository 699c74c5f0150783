// Values of one type as words that are equal where the values are, and in their order. Layer: Query, Aggregation.

/// How the values of a column become words and values again.
enum KeyEncoding: Sendable, Equatable {
  case int(isNullable: Bool)
  case float, double, bool, string, data, date, uuid, objectID
  /// A to-one link to objects of one class.
  case link(TableKey)

  /// Nil where values of this type have no words that say all of them.
  init?(_ type: ExpressionType) {
    switch type.kind {
    case .value(.int): self = .int(isNullable: true)
    case .value(.float): self = .float
    case .value(.double): self = .double
    case .value(.bool): self = .bool
    case .value(.string): self = .string
    case .value(.data): self = .data
    case .value(.date): self = .date
    case .value(.uuid): self = .uuid
    case .value(.objectID): self = .objectID
    case .link(let target?): self = .link(target.table)
    default: return nil
    }
  }

  /// Words of a value.
  var width: Int {
    switch self {
    case .int(let isNullable): isNullable ? 2 : 1
    case .float, .double, .bool, .link: 1
    case .date, .objectID: 2
    case .string, .data, .uuid: 3
    }
  }

  var isText: Bool { self == .string || self == .data }

  var isNumber: Bool {
    switch self {
    case .int, .float, .double: true
    default: false
    }
  }

  // MARK: Words

  /// Gives a row the words of a value.
  func put(_ value: Value, to block: GroupKeyVector, _ row: Int, at place: Int) throws(EngineError) {
    let isNull = value == .null
    switch (self, value) {
    case (.string, .string(let text)), (.data, .data(let text)):
      guard InlineText.hold(text.count) else {
        throw EngineError(.constraint, "a text of \(text.count) bytes is too long to be compared")
      }
      block.set(row, place, text: text.bytes)
    case (.string, .null), (.data, .null): block.set(row, place, text: nil)
    case (.link, .link(let link)): block.set(row, place, UInt64(bitPattern: link.key.value) &+ 1)
    default:
      guard let words = words(of: value) else {
        throw EngineError(
          .damaged, "the file is damaged: \(value.kindName) is where another type belongs")
      }
      switch width {
      case 1: block.set(row, place, words.first, isNull: isNull)
      case 2: block.set(row, place, words.first, words.second, isNull: isNull)
      default: block.set(row, place, words.first, words.second, words.third, isNull: isNull)
      }
    }
  }

  private func words(of value: Value) -> OrderKey? {
    switch (self, value) {
    case (.float, .null), (.double, .null), (.bool, .null), (.link, .null), (.int, .null): OrderKey.null
    case (.int, .int(let number)): OrderKey(number)
    case (.float, .float(let number)): OrderKey(OrderedNumber.word(Double(number)))
    case (.double, .double(let number)): OrderKey(OrderedNumber.word(number))
    case (.double, .float(let number)): OrderKey(OrderedNumber.word(Double(number)))
    case (.double, .int(let number)): OrderKey(OrderedNumber.word(Double(number)))
    case (.bool, .bool(let flag)): OrderKey(flag)
    case (.date, .null): OrderKey(0, 0)
    case (.date, .date(let date)):
      // Never 0, which is null's.
      OrderKey(
        UInt64(bitPattern: date.seconds) ^ Self.sign,
        UInt64(bitPattern: Int64(date.nanoseconds)) &+ Self.middle)
    case (.uuid, .null): OrderKey(nil as UUIDValue?)
    case (.uuid, .uuid(let id)): OrderKey(id)
    case (.objectID, .null): OrderKey(nil as ObjectID?)
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
    switch self {
    case .int(let isNullable):
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
    case .link(let table):
      return first == 0
        ? .null : .link(ObjectLink(table: table, key: ObjectKey(Int64(bitPattern: first &- 1))))
    }
  }
}
