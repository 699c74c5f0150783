import RealmEngine
import TestSupport

extension SplitMix64 {

  /// Integers of every width, limits of widths among them.
  mutating func integer() -> Int64 {
    let width = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 62, 63][below(13)]
    let limit: Int64 = width == 63 ? .max : (1 << Int64(width)) - 1
    let number = oneIn(4) ? limit : limit == 0 ? 0 : Int64.random(in: 0...limit, using: &self)
    return oneIn(4) ? -1 - number : number
  }

  /// Texts of every layout, some with letters beyond ASCII, many equal.
  mutating func text() -> String {
    let length = [0, 1, 2, 3, 7, 8, 12, 15, 16, 40, 63, 64, 90][below(13)]
    let alphabet = oneIn(2) ? Array("ab X") : Array("abcdefghij klmÅé–日")
    var text = ""
    while text.utf8.count < length { text.append(alphabet[below(alphabet.count)]) }
    return oneIn(60) ? String(repeating: text + "long", count: 40) : text
  }

  mutating func value(_ type: ValueType, inSet: Bool = false) -> Value {
    switch type {
    case .int: return .int(integer())
    case .bool: return .bool(oneIn(2))
    case .string: return .string(ByteString(text()))
    case .data:
      let length = [0, 1, 5, 63, 64, 65, 200][below(7)]
      return .data(ByteString(copying: (0..<length).map { _ in UInt8(truncatingIfNeeded: next()) }))
    case .date:
      let seconds = integer()
      let fraction = Int32(below(3) * 333_333_333)
      return .date(Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -fraction : fraction))
    case .float: return .float(Float(below(1000)) / 8 - 20)
    case .double: return .double(Double(below(100_000)) / 64 - 300)
    case .decimal128:
      let number = Decimal128(integer())
      if inSet || oneIn(3) { return .decimal(number) }
      return .decimal(Decimal128(rounding: 1 + Double(below(1_000_000)) / 1000))
    case .objectID: return .objectID(ObjectID(high: oneIn(3) ? 7 : next(), low: UInt32(below(9))))
    case .uuid: return .uuid(UUIDValue(high: oneIn(3) ? 7 : next(), low: UInt64(below(9))))
    case .mixed:
      if !inSet && oneIn(5) { return .null }
      let types: [ValueType] =
        inSet
        ? [.int, .string, .uuid]
        : [.int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid]
      return value(types[below(types.count)])
    default: return .null
    }
  }
}
