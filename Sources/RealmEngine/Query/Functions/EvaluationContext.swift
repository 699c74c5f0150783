// What functions need beside their arguments. Layer: Query.

import ByteText

/// Room for texts, and the world outside.
package final class EvaluationContext {
  /// Nil where each text has memory of its own.
  private let arena: TextArena?
  let environment: ExpressionEnvironment

  /// Texts that live until `reset`.
  init(_ environment: ExpressionEnvironment) throws(EngineError) {
    arena = try TextArena()
    self.environment = environment
  }

  /// Texts that live as long as anybody has them.
  init(keepingTexts environment: ExpressionEnvironment) {
    arena = nil
    self.environment = environment
  }

  func reset() { arena?.reset() }

  func text(_ bytes: [UInt8]) throws(EngineError) -> Value {
    guard let arena else { return .string(ByteString(copying: bytes)) }
    return .string(try arena.text(bytes.span))
  }

  /// A text of `count` bytes, all of which `fill` writes.
  func text(count: Int, filledBy fill: (MutableRawBytes) -> Void) throws(EngineError) -> ByteString {
    guard let (bytes, text) = try arena?.allocate(count) else {
      return ByteString(count: count, filledBy: fill)
    }
    fill(bytes)
    return text
  }

  /// What `write` appends, as a text.
  func text(_ write: (inout ByteBuffer) -> Void) throws(EngineError) -> Value {
    var buffer = ByteBuffer(capacity: 64)
    write(&buffer)
    guard let arena else { return .string(ByteString(copying: buffer.span)) }
    return .string(try arena.text(buffer.span))
  }

  /// Texts one after the other. Cost: one copy.
  func joined(_ parts: [ByteString]) throws(EngineError) -> ByteString {
    var size = 0
    for part in parts { size += part.count }
    return try text(count: size) { bytes in
      var position = 0
      for part in parts {
        bytes.copy(part.bytes, at: position)
        position += part.count
      }
    }
  }
}

extension Value {
  var whole: Int64? { if case .int(let number) = self { number } else { nil } }
}
