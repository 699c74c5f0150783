// What the words of a group's record mean as a column of the result. Layer: Query, Aggregation.

import RealmQueryLanguage

/// A column of the result, read from records.
enum GroupCell: Sendable {
  case key(KeyEncoding, Int)
  case count(Int)
  case integerSum(Int, name: String)
  case integerMean(Int)
  case realSum(Int)
  case realMean(Int)
  case deviation(Int)
  /// Least or greatest value, or the one in the middle.
  case extreme(KeyEncoding, Int)

  /// `word` gives a word of the record.
  func value(_ word: (Int) -> UInt64) throws(EngineError) -> Value {
    switch self {
    case .key(let kind, let place): return kind.value { word(place + $0) }
    case .count(let place): return .int(Int64(bitPattern: word(place)))
    case .integerSum(let place, let name):
      if word(place) == 0 { return .null }
      guard let sum = GroupSums.integer(word(place + 1), word(place + 2)) else {
        throw AggregateFunction.overflow(name)
      }
      return .int(sum)
    case .integerMean(let place):
      if word(place) == 0 { return .null }
      return .double(GroupSums.mean(word(place), word(place + 1), word(place + 2)))
    case .realSum(let place):
      return word(place) == 0 ? .null : .double(CompensatedSum(words: word(place + 1), word(place + 2)).value)
    case .realMean(let place):
      if word(place) == 0 { return .null }
      return .double(CompensatedSum(words: word(place + 1), word(place + 2)).value / Double(word(place)))
    case .deviation(let place):
      return NumberSpread { word(place + $0) }.deviation.map(Value.double) ?? .null
    case .extreme(let kind, let place):
      return word(place) == 0 ? .null : kind.value(isPresent: true) { word(place + 1 + $0) }
    }
  }

  /// The words of the value in its order, as many for each record; `word` gives those of the record. The last one of a longer text
  /// says that it is cut.
  func forEachOrderWord(_ word: (Int) -> UInt64, _ body: (UInt64) -> Void) throws(EngineError) {
    if case .key(let kind, let place) = self {
      if kind.isText {
        let text = Self.text(word, place)
        body(text.first)
        body(Self.secondOrderWord(of: text))
      } else {
        for index in 0..<kind.width { body(word(place + index)) }
      }
      return
    }
    switch try value(word) {
    case .null:
      body(0)
      body(0)
    case .int(let number):
      body(1)
      body(UInt64(bitPattern: number) ^ (1 << 63))
    case let value:
      body(1)
      body(value.doubleValue.map(OrderedNumber.word) ?? 0)
    }
  }

  private static func text(_ word: (Int) -> UInt64, _ place: Int) -> InlineText {
    InlineText(word(place), word(place + 1), word(place + 2))
  }

  /// Ends as keys do that are cut, where the text is longer than its words.
  private static func secondOrderWord(of text: InlineText) -> UInt64 {
    text.secondInOrder << 8 | (text.address == 0 ? 0 : OrderKey.cut)
  }

  /// The bytes of a text that order words say only the beginning of.
  func cutText(_ word: (Int) -> UInt64) -> RawBytes? {
    guard case .key(let kind, let place) = self, kind.isText, word(place + 2) != 0 else { return nil }
    return Self.text(word, place).longBytes
  }

  /// Negative, zero or positive as the value of a record comes before, with or after that of another.
  func order(_ word: (Int) -> UInt64, _ other: (Int) -> UInt64) throws(EngineError) -> Int {
    guard case .key(let kind, let place) = self else {
      return AggregateQuery.order(try value(word), try value(other))
    }
    if kind.isText { return InlineText.compare(Self.text(word, place), Self.text(other, place)) }
    for index in place..<place + kind.width {
      let (left, right) = (word(index), other(index))
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  /// Whether words say the whole order.
  func hasOrderWords(_ word: (Int) -> UInt64) -> Bool {
    switch self {
    case .key(let kind, let place): !kind.isText || word(place + 2) == 0
    case .extreme(let kind, _): kind.isNumber
    default: true
    }
  }

  var orderWidth: Int {
    switch self {
    case .key(let kind, _): kind.isText ? 2 : kind.width
    default: 2
    }
  }
}
