// Escapes for what is not seen, and text on its way to a terminal.

import ByteText
import TestSupport
import Testing

@Suite("Escapes and terminals")
struct EscapesTests {
  private func shown(_ bytes: [UInt8]) -> String {
    var buffer = ByteBuffer()
    buffer.append(forTerminal: bytes.span)
    return buffer.text
  }

  @Test("what steers text is written as JSON writes it, and all else stays")
  func visible() {
    #expect(
      "a\u{1B}\n\t\r\u{7F}\u{85}\u{2028}\u{202E}\u{2069}é😀".visible
        == "a\\u001b\\n\\t\\r\\u007f\\u0085\\u2028\\u202e\\u2069é😀")
    #expect("שלום \u{200E} 👨‍👩‍👧\u{200B}".visible == "שלום \\u200e 👨‍👩‍👧\u{200B}")
    #expect(
      "\u{61B}\u{61C}\u{61D}\u{200D}\u{200E}\u{200F}\u{2010}".visible
        == "\u{61B}\\u061c\u{61D}\u{200D}\\u200e\\u200f\u{2010}")
    var buffer = ByteBuffer()
    buffer.append(escapeOf: "\u{E0041}")
    #expect(buffer.text == "\\udb40\\udc41")
  }

  @Test("a terminal gets newlines and tabs, and escapes for the rest")
  func terminal() {
    #expect(shown(Array("a\tb\nc\u{1B}[2J\u{9B}\u{202E}é".utf8)) == "a\tb\nc\\u001b[2J\\u009b\\u202eé")
    #expect(shown(Array("\u{61C}\u{200E}\u{200F}א".utf8)) == "\\u061c\\u200e\\u200fא")
    #expect(shown([0x61, 0x9B, 0x62, 0xC2, 0xE2, 0x80]) == "a\u{FFFD}b\u{FFFD}\u{FFFD}")
    #expect(shown([TerminalMark.bold.rawValue, 0x61, TerminalMark.plain.rawValue]) == "\u{1B}[1ma\u{1B}[0m")
  }

  @Test("bytes of any kind reach a terminal as text of one line each")
  func anyBytes() {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<2000 {
      let bytes = (0..<random.below(40)).map { _ in
        random.oneIn(3) ? UInt8(random.below(128)) : UInt8(random.below(248))
      }
      let text = shown(bytes)
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !$0.steersText }, "seed \(seed)")
    }
  }
}
