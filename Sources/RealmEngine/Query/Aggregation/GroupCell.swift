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

  /// The words of the value in its order, as many for each record; `word` gives those of the record.
  func forEachOrderWord(_ word: (Int) -> UInt64, _ body: (UInt64) -> Void) throws(EngineError) {
    if case .key(let kind, let place) = self {
      for index in 0..<orderWidth {
        // A longer text's length is no part of the order.
        body(kind.isText && index == 1 ? word(place + 1) >> 24 : word(place + index))
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

  /// A word that is less than that of another record only where the value comes before the other's.
  func firstOrderWord(_ word: (Int) -> UInt64) throws(EngineError) -> UInt64 {
    if case .key(_, let place) = self { return word(place) }
    switch try value(word) {
    case .null: return 0
    case .int(let number): return max(1, UInt64(bitPattern: number) ^ (1 << 63))
    case let value: return value.doubleValue.map(OrderedNumber.word) ?? 1
    }
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
