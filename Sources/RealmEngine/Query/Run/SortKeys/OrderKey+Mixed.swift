// Mixed values as plain numbers that compare as the values do: the place of a value's kind among the kinds, then what
// words of its type say. Layer: Query, Run, SortKeys.

extension OrderKey {
  /// Words among those of values of any type; nil for decimals, whose order beside floating-point numbers is none that
  /// words could say: two numbers can both be equal to a decimal, but not to each other.
  init?(mixed value: Value) {
    let kind = UInt64(value.storedRank + 1) << Self.kindShift
    switch value {
    case .null: self = .null
    case .bool(let flag): self.init(kind | (flag ? 1 : 0))
    case .int(let number): self.init(kind, Double(number))
    case .float(let number): self.init(kind, Double(number))
    case .double(let number): self.init(kind, number)
    case .string(let text), .data(let text):
      let words = OrderKey(text.bytes)
      // The last byte tells a length, or that there is more: four bits.
      self.init(kind | (words.first >> 8) << 4 | words.first & 0xF, words.second)
    case .date(let date):
      let words = OrderKey(seconds: date.seconds, nanoseconds: 0)
      let nanoseconds = UInt64(bitPattern: Int64(date.nanoseconds) + 1 << 31)
      self.init(kind, words.first, rest: nanoseconds)
    case .objectID(let id): self.init(kind, id.high, rest: UInt64(id.low))
    case .uuid(let id):
      self.init(
        kind | id.high >> 4, (id.high & 0xF) << 56 | (id.low >> 16) << 8, id.low & 0xFFFF)
    case .link(let link):
      let key = UInt64(bitPattern: link.key.value)
      self.init(kind | UInt64(link.table.value) << 28 | key >> 36, (key << 28) >> 20)
    case .list, .dictionary: self.init(kind)
    case .decimal: return nil
    }
  }

  private static let kindShift: UInt64 = 60

  /// A number of any type. Beyond what doubles tell apart, and among what is no number, words leave it open.
  private init(_ kind: UInt64, _ number: Double) {
    guard !number.isNaN else {
      self.init(kind, Self.cut)
      return
    }
    let word = OrderedNumber.word(number)
    self.init(kind | word >> 4, (word & 0xF) << 8 | (number.magnitude < 0x1p53 ? 0 : Self.cut))
  }

  /// 64 bits and 32 more.
  private init(_ kind: UInt64, _ word: UInt64, rest: UInt64) {
    self.init(kind | word >> 4, (word & 0xF) << 40 | rest << 8)
  }
}
