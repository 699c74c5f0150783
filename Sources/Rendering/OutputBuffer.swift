// Output on its way out: text is gathered and handed on in large pieces. Layer: Rendering.
// Invariants: bytes leave in the order they were appended; nothing leaves before `guardBeforeFlush` agreed, so what
// was printed was true when it was printed.

package import ByteText
package import RealmEngine

/// The text of a result until it is written.
///
/// Writers append to `text` and call `flushIfLarge()` wherever a piece is complete.
package struct OutputBuffer: ~Copyable {
  /// Where finished bytes go.
  package typealias Sink = (borrowing ByteBuffer) throws(EngineError) -> Void

  package var text: ByteBuffer
  /// How often bytes have left: what was printed cannot be taken back.
  private var flushCount = 0
  /// Asked before bytes leave; throws where they may be wrong.
  package var guardBeforeFlush: (() throws(EngineError) -> Void)?
  /// Told before any of it leaves that what comes stood in an encrypted realm.
  package var onSecret: (() -> Void)?
  /// Nil: all bytes are kept.
  private let sink: Sink?

  private static let flushSizeBytes = 1 << 16

  package init(sink: @escaping Sink) {
    // A piece may grow past the limit before it is complete.
    text = ByteBuffer(capacity: 2 * Self.flushSizeBytes)
    self.sink = sink
  }

  /// Keeps all bytes, for whoever takes them from `text`.
  package init() {
    text = ByteBuffer()
    sink = nil
  }

  /// Hands the bytes on when there are enough of them.
  package mutating func flushIfLarge() throws(EngineError) {
    if text.count >= Self.flushSizeBytes { try flush() }
  }

  /// Hands all bytes on.
  package mutating func flush() throws(EngineError) {
    guard let sink, !text.isEmpty else { return }
    try Interruption.check()
    if let guardBeforeFlush { try guardBeforeFlush() }
    flushCount += 1
    try sink(text)
    text.removeAll()
  }

  /// Appends a complete piece; a large one is handed on without a copy.
  package mutating func append(whole piece: borrowing ByteBuffer) throws(EngineError) {
    guard let sink, piece.count >= Self.flushSizeBytes else {
      text.append(piece.span)
      return try flushIfLarge()
    }
    try flush()
    try Interruption.check()
    if let guardBeforeFlush { try guardBeforeFlush() }
    flushCount += 1
    try sink(piece)
  }

  /// A place in the output.
  package struct Mark {
    fileprivate let flushCount: Int
    fileprivate let size: Int
  }

  package var mark: Mark { Mark(flushCount: flushCount, size: text.count) }

  /// Whether anything was appended since `mark`.
  package func hasGrown(since mark: Mark) -> Bool { flushCount != mark.flushCount || text.count != mark.size }

  /// Forgets what was appended since `mark`. False: some of it has left.
  package mutating func rewind(to mark: Mark) -> Bool {
    guard flushCount == mark.flushCount else { return false }
    text.truncate(to: mark.size)
    return true
  }
}

/// Text that stands out on a terminal.
extension ByteBuffer {
  /// Appends text, marked where `isColored`, which it is for a terminal only.
  mutating func append(text: String, in mark: TerminalMark, if isColored: Bool) {
    if isColored { append(mark) }
    append(text: text)
    if isColored { append(.plain) }
  }
}
