// Breaks texts in small ways, the same way for the same seed: bytes, lines, and words, which become others that are hard to
// take: the greatest numbers, names that nobody has, brackets a thousand levels deep.

import TestSupport

struct TextMutation {
  private var random: SplitMix64
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8], _ random: SplitMix64) {
    self.bytes = bytes
    self.random = random
  }

  private static let words = [
    "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "4294967296",
    "1e400", "1.5",
    "-0.0", "NaN", "Infinity", "true", "null", "nil", "\"\"", "''", "\"\\u0000\"", "\"\\ud800\"", "[]", "{}",
    "[1]",
    "{\"a\":1}", "{\"$date\":[9223372036854775807,999999999]}", "{\"$date\":\"0000-00-00T00:00:00Z\"}",
    "{\"$decimal\":\"9.999E6144\"}", "{\"$decimal\":\"1E-7000\"}", "{\"$float\":1e39}",
    "{\"$double\":\"NaN\"}",
    "{\"$oid\":\"5f\"}", "{\"$uuid\":\"\"}", "{\"$binary\":\"AQ=\"}", "{\"$string\":\"/w==\"}",
    "{\"$link\":{\"class\":\"Nobody\",\"key\":-2}}", "{\"$embedded\":{}}", "{\"$set\":[1,1.0,true]}",
    "{\"$dict\":{\"$a\":1,\"b.c\":2}}", "T9223372036854775807:999999999", "uuid(00000000)", "oid(5f)",
    "`a``b`", "$0",
    "$99999999999999999999", "@count", "@links", "SELF", "SUBQUERY(a, $x, $x > 1).@count", "int",
    "list<int>?", "embedded",
    "primary key", "indexed", "&a [*a, *a]", "!!binary x", "? x", "---", "\u{202E}", "\u{1B}[2J", "\t", "'",
    "\"", "`", ":", "#",
  ]
  private static let nesting = ["[", "{\"a\":", "(", "-", "!", "NOT ", "{\"$dict\":{\"a\":", "- "]

  mutating func run() {
    for _ in 0...random.below(3) { step() }
  }

  private mutating func step() {
    guard !bytes.isEmpty else { return }
    switch random.below(16) {
    case 0: bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes.remove(at: random.below(bytes.count))
    case 2: bytes.removeLast(random.below(bytes.count))
    case 3:
      changeLines { lines, random in
        lines.insert(lines[random.below(lines.count)], at: random.below(lines.count))
      }
    case 4: changeLines { lines, random in lines.remove(at: random.below(lines.count)) }
    case 5:
      changeLines { lines, random in lines.swapAt(random.below(lines.count), random.below(lines.count)) }
    case 6: nest()
    case 7: exchangeWords()
    default: replaceWord()
    }
  }

  private mutating func changeLines(_ change: (inout [[UInt8]], inout SplitMix64) -> Void) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    change(&lines, &random)
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private mutating func nest() {
    let opening = Self.nesting[random.below(Self.nesting.count)]
    let levels = 1 << random.below(12)
    bytes.insert(contentsOf: String(repeating: opening, count: levels).utf8, at: random.below(bytes.count))
  }

  private mutating func replaceWord() {
    let word = Self.words[random.below(Self.words.count)]
    bytes.replaceSubrange(place(), with: word.utf8)
  }

  private mutating func exchangeWords() {
    let other = Array(bytes[place()])
    bytes.replaceSubrange(place(), with: other)
  }

  /// A word or number somewhere, or a single byte.
  private mutating func place() -> Range<Int> {
    let start = random.below(bytes.count)
    func isPart(_ index: Int) -> Bool {
      let byte = bytes[index]
      return byte >= 0x80 || Character(UnicodeScalar(byte)).isLetter
        || Character(UnicodeScalar(byte)).isNumber
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: ".")
    }
    var (low, high) = (start, start + 1)
    guard isPart(start) else { return low..<high }
    while low > 0, isPart(low - 1) { low -= 1 }
    while high < bytes.count, isPart(high) { high += 1 }
    return low..<high
  }
}
