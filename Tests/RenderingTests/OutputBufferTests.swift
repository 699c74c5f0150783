import RealmEngine
import Rendering
import Testing

@Suite("Output buffer")
struct OutputBufferTests {
  /// Collects what a buffer hands on.
  final class Collector {
    var pieces: [[UInt8]] = []
    var all: [UInt8] { pieces.flatMap { $0 } }
  }

  private static func buffer(_ collector: Collector) -> OutputBuffer {
    OutputBuffer { collector.pieces.append($0.bytes) }
  }

  @Test("bytes leave in large pieces and in order")
  func order() throws {
    let collector = Collector()
    var out = Self.buffer(collector)
    var expected: [UInt8] = []
    for number in 0..<50_000 {
      out.text.append(text: "\(number)\n")
      expected += Array("\(number)\n".utf8)
      try out.flushIfLarge()
    }
    #expect(collector.pieces.allSatisfy { $0.count >= 1 << 16 })
    try out.flush()
    try out.flush()
    #expect(collector.all == expected)
    #expect(collector.pieces.count == expected.count / (1 << 16) + 1)
  }

  @Test("what has not left can be taken back, and nothing else")
  func rewind() throws {
    let collector = Collector()
    var out = Self.buffer(collector)
    out.text.append(text: "kept ")
    let mark = out.mark
    out.text.append(text: "taken back")
    let rewound = out.rewind(to: mark)
    #expect(rewound)
    out.text.append(text: "and gone")
    try out.flush()
    let rewoundAgain = out.rewind(to: mark)
    #expect(!rewoundAgain)
    #expect(collector.all == Array("kept and gone".utf8))
  }

  @Test("nothing leaves when the guard refuses")
  func refusal() throws {
    let collector = Collector()
    var out = Self.buffer(collector)
    out.guardBeforeFlush = { () throws(EngineError) in throw EngineError(.changedWhileRead, "changed") }
    out.text.append(text: "torn")
    #expect(throws: EngineError.self) { try out.flush() }
    #expect(collector.pieces.isEmpty)
  }
}
