import TestSupport
import TextFormats

/// A document with every kind of node and every kind of difficult text.
func randomDocument(_ random: inout SplitMix64, depth: Int) -> DocumentNode {
  switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
  case 0: .integer(Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<64, using: &random))
  case 1: .bool(random.next() & 1 == 0)
  case 2: .null
  case 3, 4: .string(randomText(&random))
  case 5:
    .sequence(
      (0..<Int.random(in: 0...4, using: &random)).map { _ in randomDocument(&random, depth: depth - 1) },
      isFlow: random.next() & 1 == 0)
  default:
    .mapping(
      (0..<Int.random(in: 0...4, using: &random)).map { index in
        DocumentEntry("\(index)\(randomText(&random))", randomDocument(&random, depth: depth - 1))
      }, isFlow: random.next() & 1 == 0)
  }
}

func randomText(_ random: inout SplitMix64) -> String {
  let pieces = [
    "a", "Zebra", "7", " ", "  ", "\n", "\t", "\r", "\"", "'", "\\", "/", "{", "}", "[", "]", ":", ": ", ",",
    "#", " #", "- ", "?", "|", ">", "&", "*", "!", "%", "@", "`", "~", "null", "true", "<<", "---", "...",
    "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
    "\u{D7FF}",
    "æ", "漢", "😀", "e\u{301}", String(repeating: "x", count: 20),
  ]
  return (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
    .joined()
}
